// SPDX-License-Identifier: Apache-2.0
// Types of values in the IR. Values with deep comparison.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/element_type.h"

namespace understudy::program {

inline constexpr std::int64_t kDynamic = INT64_MIN;  // a `?` dimension

using Shape = std::vector<std::int64_t>;

// tensor<2x3xf32>; an empty shape is a scalar. `bounds` holds the text of an encoding attribute
// (bounded dynamism), empty in nearly every program.
struct TensorType {
  ElementType element = ElementType::f32;
  Shape shape;

  std::int64_t ndims() const { return static_cast<std::int64_t>(shape.size()); }
  bool is_static() const;
  // Requires: is_static(). Throws capacity when the product does not fit 63 bits.
  std::int64_t elements() const;
  std::int64_t bytes() const;
  bool operator==(const TensorType&) const = default;
};

// Any value's type. `elements` are the parts of a tuple; other kinds have none.
struct Type {
  enum class Kind : std::uint8_t { tensor, token, tuple, index, none };
  Kind kind = Kind::tensor;
  TensorType tensor;
  std::vector<Type> elements;

  static Type of(TensorType tensor) { return {Kind::tensor, std::move(tensor), {}}; }
  static Type token() { return {Kind::token, {}, {}}; }
  bool is_tensor() const { return kind == Kind::tensor; }
  bool operator==(const Type&) const = default;
};

std::string text_of(const TensorType& type);  // "tensor<2x3xf32>"
std::string text_of(const Type& type);        // also "!stablehlo.token", "tuple<...>"

// a*b, throws Error{capacity} on overflow or a negative factor.
std::int64_t checked_multiply(std::int64_t a, std::int64_t b);

}  // namespace understudy::program
