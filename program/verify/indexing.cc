// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

std::size_t at(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }
bool holds(const Shape& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// The shape of the indices without the dimension that holds one index vector.
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
  check.require(
      static_cast<std::int64_t>(map.size()) == length,
      fmt::format("'{}' is {}, but an index vector has {} entries", key, list_text(map), length));
}

}  // namespace

void gather(const Check& check) {
  const TensorType& from = check.operand(0);
  const TensorType& indices = check.operand(1);
  if (!is_integer(indices.element)) check.fail_operand(1, "must hold integers");
  const DialectAttribute& dims = check.structure("dimension_numbers");
  const Shape offset = check.field(dims, "offset_dims");
  const Shape collapsed = check.field(dims, "collapsed_slice_dims");
  const Shape batching = check.field(dims, "operand_batching_dims");
  const Shape map = check.field(dims, "start_index_map");
  const std::int64_t vector_dimension = check.number(dims, "index_vector_dim");
  const Shape sizes = check.integers("slice_sizes");
  check.expect_count("slice_sizes", sizes, from.shape.size());
  check.expect_dimensions("collapsed_slice_dims", collapsed, from.ndims());
  check.expect_dimensions("operand_batching_dims", batching, from.ndims());
  check.expect_dimensions("start_index_map", map, from.ndims());
  const Shape batch = batch_of(check, indices, vector_dimension);
  index_map_fits(check, "start_index_map", map, indices, vector_dimension);
  const Shape start_batching = check.field(dims, "start_indices_batching_dims");
  check.expect_dimensions("start_indices_batching_dims", start_batching, indices.ndims());
  check.expect_count("start_indices_batching_dims", start_batching, batching.size());

  Shape window;
  for (std::int64_t d = 0; d < from.ndims(); ++d) {
    check.require(sizes[at(d)] >= 0 && sizes[at(d)] <= from.shape[at(d)],
                  fmt::format("slice size {} does not fit dimension {} of {}", sizes[at(d)], d,
                              text_of(from)));
    if (!holds(collapsed, d) && !holds(batching, d)) {
      window.push_back(sizes[at(d)]);
    } else {
      check.require(
          sizes[at(d)] <= 1,
          fmt::format("dimension {} goes away, but its slice size is {}", d, sizes[at(d)]));
    }
  }
  check.expect_count("offset_dims", offset, window.size());
  const auto ndims = static_cast<std::int64_t>(batch.size() + window.size());
  check.expect_dimensions("offset_dims", offset, ndims);
  Shape wanted;
  std::size_t next_batch = 0;
  std::size_t next_window = 0;
  for (std::int64_t d = 0; d < ndims; ++d) {
    wanted.push_back(holds(offset, d) ? window[next_window++] : batch[next_batch++]);
  }
  check.expect_result(0, TensorType{from.element, wanted});
}

void scatter(const Check& check) {
  check.require(check.operands() % 2 == 1, "needs inputs, indices and as many updates as inputs");
  const std::size_t count = check.operands() / 2;
  check.expect_results(count);
  const TensorType& into = check.operand(0);
  const TensorType& indices = check.operand(count);
  if (!is_integer(indices.element)) check.fail_operand(count, "must hold integers");
  const DialectAttribute& dims = check.structure("scatter_dimension_numbers");
  const Shape window = check.field(dims, "update_window_dims");
  const Shape inserted = check.field(dims, "inserted_window_dims");
  const Shape batching = check.field(dims, "input_batching_dims");
  const Shape map = check.field(dims, "scatter_dims_to_operand_dims");
  const std::int64_t vector_dimension = check.number(dims, "index_vector_dim");
  check.expect_dimensions("inserted_window_dims", inserted, into.ndims());
  check.expect_dimensions("input_batching_dims", batching, into.ndims());
  check.expect_dimensions("scatter_dims_to_operand_dims", map, into.ndims());
  const Shape batch = batch_of(check, indices, vector_dimension);
  index_map_fits(check, "scatter_dims_to_operand_dims", map, indices, vector_dimension);
  check.require(window.size() + inserted.size() + batching.size() == into.shape.size(),
                fmt::format("window, inserted and batching dimensions must be the {} of {}",
                            into.ndims(), text_of(into)));
  for (std::size_t i = 0; i < count; ++i) {
    check.expect_result(i, check.operand(i));
    const TensorType& update = check.operand(count + 1 + i);
    const bool fits = check.operand(i).shape == into.shape &&
                      update.shape.size() == batch.size() + window.size() &&
                      update.element == check.operand(i).element;
    if (!fits) {
      check.fail_operand(count + 1 + i, fmt::format("is {}, which does not fit {} and the indices",
                                                    text_of(update), text_of(check.operand(i))));
    }
    check.expect_dimensions("update_window_dims", window, update.ndims());
  }
  check.expect_reducer(0, count);
}

void sort(const Check& check) {
  check.expect_results(check.operands());
  const TensorType& first = check.operand(0);
  const std::int64_t dimension = integer_of(check.op(), "dimension", -1);
  check.require(
      dimension >= -first.ndims() && dimension < std::max<std::int64_t>(first.ndims(), 1),
      fmt::format("'dimension' is {}, but there are {} dimensions", dimension, first.ndims()));
  std::vector<Type> arguments;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    if (check.operand(i).shape != first.shape) {
      check.fail_operand(
          i, fmt::format("is {}, but operand 0 is {}", text_of(check.operand(i)), text_of(first)));
    }
    check.expect_result(i, check.operand(i));
    const Type element = Type::scalar_of(check.op().operands[i]->type);
    arguments.push_back(element);
    arguments.push_back(element);
  }
  check.expect_region(0, arguments, {Type::of(TensorType{ElementType::pred, {}})});
}

void top_k(const Check& check) {
  const TensorType& from = check.operand(0);
  const std::int64_t k = check.integer("k");
  check.require(from.ndims() > 0 && k >= 0 && k <= from.shape.back(),
                fmt::format("k = {} does not fit the last dimension of {}", k, text_of(from)));
  TensorType values = from;
  values.shape.back() = k;
  check.expect_result(0, values);
  check.expect_result(1, TensorType{ElementType::i32, values.shape});
}

void map(const Check& check) {
  std::vector<Type> arguments;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    if (check.operand(i).shape != check.operand(0).shape) {
      check.fail_operand(i, "must have the shape of operand 0");
    }
    arguments.push_back(Type::scalar_of(check.op().operands[i]->type));
  }
  check.expect_shape(0, check.operand(0).shape);
  check.expect_region(0, arguments, {Type::scalar_of(check.op().results[0]->type)});
}

}  // namespace understudy::program::rules
