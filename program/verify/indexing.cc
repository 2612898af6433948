// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// The batch shape of the indices: all dimensions but the one that holds an index vector.
// index_vector_dim may equal the rank, which means that each element is an index vector of one
// entry.
Shape batch_of(const Check& check, const TensorType& indices, std::int64_t vector_dimension) {
  check.require(vector_dimension >= 0 && vector_dimension <= indices.ndims(),
                fmt::format("'index_vector_dim' is {}, but the indices have {} dimensions",
                            vector_dimension, indices.ndims()));
  Shape batch = indices.shape;
  if (vector_dimension < indices.ndims()) batch.erase(batch.begin() + vector_dimension);
  return batch;
}

void index_map_fits(const Check& check, std::string_view key, const Shape& map,
                    const TensorType& indices, std::int64_t vector_dimension) {
  const std::int64_t length =
      vector_dimension == indices.ndims() ? 1 : indices.shape[at(vector_dimension)];
  if (fit(static_cast<std::int64_t>(map.size()), length)) return;
  check.fail(
      fmt::format("'{}' is {}, but an index vector has {} entries", key, list_text(map), length));
}

// Ascending lists are unique forms: two orders of one set would mean the same gather.
void expect_sorted(const Check& check, std::string_view key, const Shape& list) {
  if (std::ranges::is_sorted(list)) return;
  check.fail(fmt::format("'{}' is {}, but must be in ascending order", key, list_text(list)));
}

void expect_apart(const Check& check, std::string_view one, const Shape& a, std::string_view other,
                  const Shape& b) {
  for (const std::int64_t d : a)
    if (holds(b, d))
      check.fail(fmt::format("dimension {} is in both '{}' and '{}'", d, one, other));
}

// Shared by gather and scatter: batching dimensions of the operand and of the indices, and the
// operand dimensions that index vectors refer to.
struct Indexed {
  std::string_view collapsed_key, batching_key, indices_batching_key, map_key;
  Shape collapsed, batching, indices_batching, map;
  std::int64_t vector_dimension = 0;
  Shape batch;  // of the indices
};

Indexed indexed_of(const Check& check, const DialectAttribute& dims, const TensorType& from,
                   const TensorType& indices) {
  // Both structures have the same parts under other names; the checks are shared.
  const bool gathers = dims.mnemonic == "gather";
  Indexed out;
  out.collapsed_key = gathers ? "collapsed_slice_dims" : "inserted_window_dims";
  out.batching_key = gathers ? "operand_batching_dims" : "input_batching_dims";
  out.indices_batching_key =
      gathers ? "start_indices_batching_dims" : "scatter_indices_batching_dims";
  out.map_key = gathers ? "start_index_map" : "scatter_dims_to_operand_dims";
  out.collapsed = check.field(dims, out.collapsed_key);
  out.batching = check.field(dims, out.batching_key);
  out.indices_batching = check.field(dims, out.indices_batching_key);
  out.map = check.field(dims, out.map_key);
  out.vector_dimension = check.number(dims, "index_vector_dim");
  out.batch = batch_of(check, indices, out.vector_dimension);
  check.expect_dimensions(out.collapsed_key, out.collapsed, from.ndims());
  check.expect_dimensions(out.batching_key, out.batching, from.ndims());
  check.expect_dimensions(out.map_key, out.map, from.ndims());
  check.expect_dimensions(out.indices_batching_key, out.indices_batching, indices.ndims());
  check.expect_count(out.indices_batching_key, out.indices_batching, out.batching.size());
  expect_sorted(check, out.collapsed_key, out.collapsed);
  expect_sorted(check, out.batching_key, out.batching);
  expect_apart(check, out.collapsed_key, out.collapsed, out.batching_key, out.batching);
  expect_apart(check, out.map_key, out.map, out.batching_key, out.batching);
  // The dimension of index vectors cannot be a batch dimension at the same time.
  expect_apart(check, out.indices_batching_key, out.indices_batching, "index_vector_dim",
               {out.vector_dimension});
  index_map_fits(check, out.map_key, out.map, indices, out.vector_dimension);
  for (std::size_t i = 0; i < out.batching.size(); ++i) {
    const std::int64_t size = from.shape[at(out.batching[i])];
    const std::int64_t other = indices.shape[at(out.indices_batching[i])];
    if (!fit(size, other))
      check.fail(fmt::format(
          "batching dimension {} of {} has size {}, but dimension {} of {} has {}", out.batching[i],
          text_of(from), size, out.indices_batching[i], text_of(indices), other));
  }
  return out;
}

// The slice sizes that remain in the result, in order. Collapsed and batching dimensions drop out
// and may have at most one element.
Shape window_of(const Check& check, const Indexed& indexed, const TensorType& from,
                const Shape& sizes) {
  Shape window;
  for (std::int64_t d = 0; d < from.ndims(); ++d) {
    const std::int64_t size = sizes[at(d)];
    const std::int64_t whole = from.shape[at(d)];
    // dynamic_gather gives its sizes at run time.
    const bool open = size == kDynamic;
    if (!open && (size < 0 || (whole != kDynamic && size > whole)))
      check.fail(
          fmt::format("slice size {} does not fit dimension {} of {}", size, d, text_of(from)));
    if (!holds(indexed.collapsed, d) && !holds(indexed.batching, d)) {
      window.push_back(size);
    } else if (!open && size > 1) {
      check.fail(fmt::format("dimension {} is dropped from the result, but its slice size is {}", d,
                             size));
    }
  }
  return window;
}

// The result has the batch dimensions of the indices and, at offset_dims, the remaining dimensions
// of the slices.
void expect_gathered(const Check& check, const Shape& sizes) {
  const TensorType& from = check.operand(0);
  const DialectAttribute& dims = check.structure("dimension_numbers");
  const Indexed indexed = indexed_of(check, dims, from, check.operand(1));
  const Shape offset = check.field(dims, "offset_dims");
  check.expect_count("slice_sizes", sizes, from.shape.size());
  const Shape window = window_of(check, indexed, from, sizes);
  check.expect_count("offset_dims", offset, window.size());
  expect_sorted(check, "offset_dims", offset);
  const auto ndims = static_cast<std::int64_t>(indexed.batch.size() + window.size());
  check.expect_dimensions("offset_dims", offset, ndims);
  Shape wanted;
  std::size_t next_batch = 0;
  std::size_t next_window = 0;
  for (std::int64_t d = 0; d < ndims; ++d) {
    // Offset dimensions take the next window size, all others the next batch size: both keep their
    // order.
    wanted.push_back(holds(offset, d) ? window[next_window++] : indexed.batch[next_batch++]);
  }
  check.expect_result(0, TensorType{from.element, wanted});
}

// An update has the batch dimensions of the indices, and window dimensions no larger than the
// operand's: an update may cover a part of a window.
void expect_update(const Check& check, std::size_t i, const Indexed& indexed, const Shape& window) {
  const Shape& into = check.operand(0).shape;
  const TensorType& update = check.operand(i);
  if (update.shape.size() != indexed.batch.size() + window.size())
    check.fail_operand(i, fmt::format("is {}, which does not fit {} and the indices",
                                      text_of(update), text_of(check.operand(0))));
  check.expect_dimensions("update_window_dims", window, update.ndims());
  Shape kept;
  for (std::size_t d = 0; d < into.size(); ++d) {
    const auto number = static_cast<std::int64_t>(d);
    if (!holds(indexed.collapsed, number) && !holds(indexed.batching, number))
      kept.push_back(into[d]);
  }
  std::size_t next_batch = 0;
  std::size_t next_window = 0;
  for (std::int64_t d = 0; d < update.ndims(); ++d) {
    const std::int64_t size = update.shape[at(d)];
    const bool inside = holds(window, d);
    const std::int64_t bound = inside ? kept[next_window++] : indexed.batch[next_batch++];
    // An update smaller than its window is allowed, as the part that is updated begins at the
    // index.
    if (fit(size, bound) || (inside && size < bound)) continue;
    check.fail_operand(i, fmt::format("is {}, but dimension {} must be {}{}", text_of(update), d,
                                      inside ? "at most " : "", bound));
  }
}

}  // namespace

void gather(const Check& check) { expect_gathered(check, check.integers("slice_sizes")); }

void dynamic_gather(const Check& check) {
  const std::int64_t count = check.operand(2).shape[0];
  const auto ndims = static_cast<std::size_t>(check.operand(0).ndims());
  if (count != check.operand(0).ndims())
    check.fail_operand(2, fmt::format("is {}, but must have a size for each of {} dimensions",
                                      text_of(check.operand(2)), ndims));
  expect_gathered(check, Shape(ndims, kDynamic));
}

// N inputs of one shape, indices, N updates of one shape. The region combines one element of each
// input with one of each update. Window, inserted and batching dimensions together are the
// dimensions of the input.
void scatter(const Check& check) {
  // n inputs, one operand of indices, n updates: an odd number.
  check.require(check.operands() % 2 == 1, "needs inputs, indices and as many updates as inputs");
  const std::size_t count = check.operands() / 2;
  check.expect_results(count);
  const TensorType& into = check.operand(0);
  if (!is_integer(check.operand(count).element)) check.fail_operand(count, "must hold integers");
  const DialectAttribute& dims = check.structure("scatter_dimension_numbers");
  const Indexed indexed = indexed_of(check, dims, into, check.operand(count));
  const Shape window = check.field(dims, "update_window_dims");
  expect_sorted(check, "update_window_dims", window);
  check.require(
      window.size() + indexed.collapsed.size() + indexed.batching.size() == into.shape.size(),
      fmt::format("window, inserted and batching dimensions must number {}, as in {}", into.ndims(),
                  text_of(into)));
  const std::vector<ElementType> elements = check.expect_reducer(0, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!fit(check.operand(i).shape, into.shape))
      check.fail_operand(
          i, fmt::format("is {}, but operand 0 is {}", text_of(check.operand(i)), text_of(into)));
    expect_update(check, count + 1 + i, indexed, window);
    check.expect_promotable(i, elements[i]);
    // Updates as well as inputs are promoted to the region's types.
    check.expect_promotable(count + 1 + i, elements[i]);
    check.expect_result(i, TensorType{elements[i], check.operand(i).shape});
  }
}

// The comparator takes a pair of elements of each input and returns a pred; -1 is the last
// dimension.
void sort(const Check& check) {
  check.expect_results(check.operands());
  const TensorType& first = check.operand(0);
  const std::int64_t dimension = integer_of(check.op(), "dimension", -1);
  check.require(
      // A scalar counts as having one dimension, so that -1 and 0 are valid for it.
      dimension >= -first.ndims() && dimension < std::max<std::int64_t>(first.ndims(), 1),
      fmt::format("'dimension' is {}, but there are {} dimensions", dimension, first.ndims()));
  std::vector<Type> arguments;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    check.expect_result(i, check.operand(i));
    const Type element = Type::scalar_of(check.op().operands[i]->type);
    // Pairs of lhs and rhs for each operand in turn, in the order of the comparator's arguments.
    arguments.push_back(element);
    arguments.push_back(element);
  }
  check.expect_region(0, arguments, {Type::of(TensorType{ElementType::pred, {}})});
}

// k values and their i32 indices along the last dimension.
void top_k(const Check& check) {
  const TensorType& from = check.operand(0);
  const std::int64_t k = check.integer("k");
  const bool fits = from.ndims() > 0 && (fit(k, from.shape.back()) || k <= from.shape.back());
  check.require(k >= 0 && fits, fmt::format("k = {} is out of range for the last dimension of {}",
                                            k, text_of(from)));
  TensorType values = from;
  values.shape.back() = k;
  check.expect_result(0, values);
  check.expect_result(1, TensorType{ElementType::i32, values.shape});
}

// Deprecated and without constraints in the specification: those of the gather that it abbreviates
// apply.
void torch_index_select(const Check& check) {
  const TensorType& from = check.operand(0);
  const TensorType& indices = check.operand(1);
  if (!is_integer(indices.element)) check.fail_operand(1, "must hold integers");
  const std::int64_t dim = check.dimension("dim", from.ndims());
  const std::int64_t batch = check.integer("batch_dims");
  check.require(
      batch >= 0 && batch <= dim && batch <= indices.ndims(),
      fmt::format("'batch_dims' is {}, but 'dim' is {} and the indices have {} dimensions", batch,
                  dim, indices.ndims()));
  Shape wanted(from.shape.begin(), from.shape.begin() + dim);
  for (std::int64_t d = 0; d < batch; ++d)
    if (!fit(from.shape[at(d)], indices.shape[at(d)]))
      check.fail_operand(1, fmt::format("is {}, but operand 0 is {}: batch dimension {} differs",
                                        text_of(indices), text_of(from), d));
  wanted.insert(wanted.end(), indices.shape.begin() + batch, indices.shape.end());
  wanted.insert(wanted.end(), from.shape.begin() + dim + 1, from.shape.end());
  check.expect_result(0, TensorType{from.element, wanted});
}

void map(const Check& check) {
  std::vector<Type> arguments;
  for (const Value* operand : check.op().operands)
    arguments.push_back(Type::scalar_of(operand->type));
  const Shape dimensions = check.integers("dimensions");
  check.expect_count("dimensions", dimensions, check.operand(0).shape.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    check.require(dimensions[d] == static_cast<std::int64_t>(d),
                  fmt::format("'dimensions' is {}, but must list all dimensions in order",
                              list_text(dimensions)));
  check.expect_region(0, arguments, {Type::scalar_of(check.op().results[0]->type)});
}

}  // namespace understudy::program::rules
