// SPDX-License-Identifier: Apache-2.0
// What is known of integers that a run computes: bounds, and of numbers that count regularly, as
// indices often do (x[::2], jnp.arange(n)[:, None] + jnp.arange(m)), each of them. Pure.
// Equivalents: MLIR's IntegerRangeAnalysis, XLA's IndexingMap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Element i, of dimensions without those of one element, is base + sum i_d * steps_d.
struct Regular {
  std::int64_t base = 0;
  Shape sizes = {}, steps = {};
};

struct Numbers {
  std::int64_t low = 0, high = 0;  // preds are 0 and 1
  std::optional<Regular> regular = {};

  bool is_one() const { return low == high; }  // one number for all elements
};

// All numbers of a type of up to 32 bits; nullopt of others.
std::optional<Numbers> numbers_of_type(ElementType type);
// Of numbers that are known one by one.
std::optional<Numbers> numbers_from(std::span<const std::int64_t> values);
// Base + sum i_d * steps_d; nullopt where that is no exact number.
std::optional<Numbers> numbers_from(std::int64_t base, const Shape& sizes, const Shape& steps);
// The steps along the dimensions of a shape with as many elements; nullopt where a dimension has
// several.
std::optional<Shape> steps_along(const Regular& regular, const Shape& shape);

// Of the result of an instruction, from those of its inputs; nullopt where no more is known than
// the type says.
struct NumbersIn {
  const TensorType& type;
  std::optional<Numbers> numbers;
};
std::optional<Numbers> numbers_of(const Work& work, std::span<const NumbersIn> in,
                                  const TensorType& out);
// The input that the result equals, as the numbers show.
std::optional<std::size_t> equal_input(const Work& work, std::span<const NumbersIn> in);

}  // namespace understudy::program::passes
