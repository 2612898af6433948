// SPDX-License-Identifier: Apache-2.0
// Types of values in the IR. Values with deep comparison.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/ir/element_type.h"
#include "program/ir/quantization.h"

namespace understudy::program {

inline constexpr std::int64_t kDynamic = INT64_MIN;  // a `?` dimension

using Shape = std::vector<std::int64_t>;

// tensor<2x3xf32>; an empty shape is a scalar.
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

// Any value's type. `elements` are the parts of a tuple or of a future, or of a function type the
// tuple of its inputs and the tuple of its results; other kinds have none. A tensor of quantized
// elements is a tensor of their storage type with a `quantization`. An opaque type (unranked, a
// dialect's own) is kept as its `text` and cannot be run; !quant.uniform<...> outside of a tensor
// is an opaque type with a `quantization`. A tensor with bounds for its open dimensions is a
// tensor; its `text` has them.
struct Type {
  enum class Kind : std::uint8_t { tensor, token, tuple, future, index, none, function, opaque };
  Kind kind = Kind::tensor;
  TensorType tensor;
  std::vector<Type> elements;
  std::string text;
  std::shared_ptr<const Quantization> quantization = nullptr;

  static Type of(TensorType tensor) { return {Kind::tensor, std::move(tensor), {}, {}}; }
  static Type scalar(ElementType element) { return of(TensorType{element, {}}); }
  static Type token() { return {Kind::token, {}, {}, {}}; }
  static Type tuple(std::vector<Type> parts) { return {Kind::tuple, {}, std::move(parts), {}}; }
  static Type opaque(std::string text) { return {Kind::opaque, {}, {}, std::move(text)}; }
  // Requires of both: fault_of() finds nothing.
  static Type quantized(Shape shape, Quantization quantization);
  static Type element(Quantization quantization);
  // A scalar with the elements of a tensor; other types as they are.
  static Type scalar_of(const Type& type);
  bool is_tensor() const { return kind == Kind::tensor; }
  bool is_quantized() const { return quantization != nullptr; }
  bool operator==(const Type& other) const;
};

// "i32", "si16", "ui5": the name of an integer type of MLIR, stored here or not.
bool is_integer_name(std::string_view name);

std::string text_of(const TensorType& type);  // "tensor<2x3xf32>"
std::string text_of(const Type& type);        // also "!stablehlo.token", "tuple<...>"

// a*b, throws Error{capacity} on overflow or a negative factor.
std::int64_t checked_multiply(std::int64_t a, std::int64_t b);

}  // namespace understudy::program
