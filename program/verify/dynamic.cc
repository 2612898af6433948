// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes are operands. Constraints on the values are checked where they are known
// (lowering/refine/refine.cc).
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// Operand i has one element for each of `count` dimensions.
void expect_each(const Check& check, std::size_t i, std::int64_t count) {
  if (fit(check.operand(i).shape[0], count)) return;
  check.fail_operand(i, fmt::format("is {}, but must have an element for each of {} dimensions",
                                    text_of(check.operand(i)), count));
}

}  // namespace

void dynamic_reshape(const Check& check) {
  expect_each(check, 1, check.result(0).ndims());
  reshape(check);
}

void dynamic_broadcast_in_dim(const Check& check) {
  expect_each(check, 1, check.result(0).ndims());
  broadcast_in_dim(check);
  // Both lists together may name each dimension once: it expands or it does not.
  Shape known;
  for (const auto* const list : {"known_expanding_dimensions", "known_nonexpanding_dimensions"}) {
    if (check.op().find(list) == nullptr) continue;
    const Shape dimensions = check.integers(list);
    known.insert(known.end(), dimensions.begin(), dimensions.end());
  }
  check.expect_dimensions("known dimensions", known, check.operand(0).ndims());
}

void dynamic_iota(const Check& check) {
  expect_each(check, 0, check.result(0).ndims());
  check.dimension("iota_dimension", check.result(0).ndims());
}

void dynamic_pad(const Check& check) { expect_each(check, 2, check.operand(0).ndims()); }

void real_dynamic_slice(const Check& check) { expect_each(check, 1, check.operand(0).ndims()); }

void get_dimension_size(const Check& check) {
  check.dimension("dimension", check.operand(0).ndims());
}

// Operand 2 holds the shape of the result.
void rng(const Check& check) { expect_each(check, 2, check.result(0).ndims()); }

// The result equals the operand except in one dimension, which becomes smaller or dynamic.
void set_dimension_size(const Check& check) {
  Shape wanted = check.operand(0).shape;
  const std::size_t d = at(check.dimension("dimension", check.operand(0).ndims()));
  const std::int64_t size = check.result(0).shape[d];
  // A bound may shrink, or become unknown; it never grows.
  if (size == kDynamic || wanted[d] == kDynamic || size < wanted[d]) wanted[d] = size;
  check.expect_shape(0, wanted);
}

}  // namespace understudy::program::rules
