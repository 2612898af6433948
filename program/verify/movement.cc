// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// Sizes that overflow 63 bits are mistakes of the program, not of the machine.
std::int64_t sum(const Check& check, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (a == kDynamic || b == kDynamic) return kDynamic;
  if (__builtin_add_overflow(a, b, &out))
    check.fail(fmt::format("size {} + {} does not fit 63 bits", a, b));
  return out;
}

}  // namespace

void reshape(const Check& check) {
  // Dynamic shapes are checked when the sizes are known (lowering/refine/refine.cc).
  if (!check.operand(0).is_static() || !check.result(0).is_static()) return;
  check.require(check.operand(0).elements() == check.result(0).elements(),
                fmt::format("{} has {} elements, but {} has {}", text_of(check.operand(0)),
                            check.operand(0).elements(), text_of(check.result(0)),
                            check.result(0).elements()));
}

// The permutation must use each dimension once; the result's dimensions follow it.
void transpose(const Check& check) {
  const TensorType& from = check.operand(0);
  const Shape order = check.integers("permutation");
  check.expect_count("permutation", order, from.shape.size());
  check.expect_dimensions("permutation", order, from.ndims());
  Shape wanted;
  for (const std::int64_t d : order) wanted.push_back(from.shape[at(d)]);
  check.expect_result(0, TensorType{from.element, wanted});
}

// Each operand dimension is 1 or equals the result dimension that it maps to.
void broadcast_in_dim(const Check& check) {
  const TensorType& from = check.operand(0);
  const TensorType& to = check.result(0);
  const Shape dims = check.integers("broadcast_dimensions");
  check.expect_count("broadcast_dimensions", dims, from.shape.size());
  check.expect_dimensions("broadcast_dimensions", dims, to.ndims());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    // No check that a dynamic operand size is 1: the run decides.
    check.require(from.shape[i] == 1 || fit(from.shape[i], to.shape[at(dims[i])]),
                  fmt::format("dimension {} of {} does not fit dimension {} of {}", i,
                              text_of(from), dims[i], text_of(to)));
  }
}

// Inputs agree in all dimensions but `dimension` (C2); the result has the sum of sizes there (C6).
void concatenate(const Check& check) {
  const TensorType& first = check.operand(0);
  const std::size_t along = at(check.dimension("dimension", first.ndims()));
  TensorType wanted = first;
  for (std::size_t i = 1; i < check.operands(); ++i) {
    TensorType aligned = check.operand(i);
    // An operand of another rank is reported by fit() below.
    if (aligned.shape.size() == first.shape.size()) {
      wanted.shape[along] = sum(check, wanted.shape[along], aligned.shape[along]);
      // Aligned, so that one comparison covers all other dimensions and the element type.
      aligned.shape[along] = first.shape[along];
    }
    if (!fit(aligned, first)) {
      check.fail_operand(i, fmt::format("is {}, which does not fit {} outside dimension {}",
                                        text_of(check.operand(i)), text_of(first), along));
    }
  }
  check.expect_result(0, wanted);
}

// Per dimension 0 <= start <= limit <= size and stride > 0; the result has ceil((limit - start) /
// stride) elements.
void slice(const Check& check) {
  const TensorType& from = check.operand(0);
  const Shape starts = check.integers("start_indices");
  const Shape limits = check.integers("limit_indices");
  const Shape strides = check.integers("strides");
  for (const auto& [what, list] :
       {std::pair{"start_indices", &starts}, {"limit_indices", &limits}, {"strides", &strides}}) {
    check.expect_count(what, *list, from.shape.size());
  }
  Shape wanted;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    const bool fits = from.shape[d] == kDynamic || limits[d] <= from.shape[d];
    check.require(starts[d] >= 0 && starts[d] <= limits[d] && fits,
                  fmt::format("range {}:{} does not fit dimension {} of {}", starts[d], limits[d],
                              d, text_of(from)));
    check.require(strides[d] > 0,
                  fmt::format("stride {} of dimension {} must be positive", strides[d], d));
    const std::int64_t length = limits[d] - starts[d];
    // Rounded up without an addition that could overflow.
    wanted.push_back(length / strides[d] + (length % strides[d] == 0 ? 0 : 1));
  }
  check.expect_result(0, TensorType{from.element, wanted});
}

// Slice sizes are static; only the start indices are operands, one scalar per dimension. Starts out
// of range are clamped at run time.
void dynamic_slice(const Check& check) {
  const TensorType& from = check.operand(0);
  const Shape sizes = check.integers("slice_sizes");
  check.expect_count("slice_sizes", sizes, from.shape.size());
  check.require(
      check.operands() == from.shape.size() + 1,
      fmt::format("{} start indices do not match {}", check.operands() - 1, text_of(from)));
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    check.require(
        sizes[d] >= 0 && (from.shape[d] == kDynamic || sizes[d] <= from.shape[d]),
        fmt::format("slice size {} does not fit dimension {} of {}", sizes[d], d, text_of(from)));
  }
  check.expect_result(0, TensorType{from.element, sizes});
}

// The update has the operand's rank and is no larger; one scalar start index per dimension, clamped
// at run time.
void dynamic_update_slice(const Check& check) {
  const TensorType& from = check.operand(0);
  const TensorType& update = check.operand(1);
  bool fits = update.element == from.element && update.ndims() == from.ndims();
  for (std::size_t d = 0; fits && d < from.shape.size(); ++d) {
    // A dynamic size fits here; it is checked when it is known.
    fits = fit(update.shape[d], from.shape[d]) || update.shape[d] <= from.shape[d];
  }
  if (!fits) {
    check.fail_operand(
        1, fmt::format("is {}, which does not fit into {}", text_of(update), text_of(from)));
  }
  check.require(
      check.operands() == from.shape.size() + 2,
      fmt::format("{} start indices do not match {}", check.operands() - 2, text_of(from)));
  check.expect_result(0, from);
}

// Interior padding must not be negative, edge padding may be (it crops). The size computed below
// must not be negative.
void pad(const Check& check) {
  const TensorType& from = check.operand(0);
  const Shape low = check.integers("edge_padding_low");
  const Shape high = check.integers("edge_padding_high");
  const Shape interior = check.integers("interior_padding");
  for (const auto& [what, list] : {std::pair{"edge_padding_low", &low},
                                   {"edge_padding_high", &high},
                                   {"interior_padding", &interior}}) {
    check.expect_count(what, *list, from.shape.size());
  }
  Shape wanted;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    check.require(interior[d] >= 0,
                  fmt::format("interior padding {} must not be negative", interior[d]));
    if (from.shape[d] == kDynamic) {
      wanted.push_back(kDynamic);
      continue;
    }
    std::int64_t inner = 0;
    std::int64_t size = 0;
    // n elements have n - 1 gaps; none where the dimension is empty.
    const std::int64_t gaps = std::max<std::int64_t>(from.shape[d] - 1, 0);
    const bool overflows = __builtin_mul_overflow(gaps, interior[d], &inner) ||
                           __builtin_add_overflow(inner, from.shape[d], &inner) ||
                           __builtin_add_overflow(inner, low[d], &size) ||
                           __builtin_add_overflow(size, high[d], &size);
    check.require(!overflows && size >= 0,
                  fmt::format("the padding of dimension {} gives a negative size", d));
    wanted.push_back(size);
  }
  check.expect_result(0, TensorType{from.element, wanted});
}

void broadcast(const Check& check) {
  Shape wanted = check.integers("broadcast_sizes");
  for (const std::int64_t size : wanted)
    check.require(size >= 0, fmt::format("'broadcast_sizes' is {}", list_text(wanted)));
  const Shape& from = check.operand(0).shape;
  wanted.insert(wanted.end(), from.begin(), from.end());
  check.expect_shape(0, wanted);
}

void reverse(const Check& check) {
  check.expect_dimensions("dimensions", check.integers("dimensions"), check.operand(0).ndims());
  check.expect_result(0, check.operand(0));
}

}  // namespace understudy::program::rules
