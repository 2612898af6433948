// SPDX-License-Identifier: Apache-2.0
#include "program/ir/types.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::program {

bool TensorType::is_static() const {
  return std::none_of(shape.begin(), shape.end(),
                      [](std::int64_t size) { return size == kDynamic; });
}

std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  // Negative sizes, such as kDynamic, have no product.
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) {
    throw Error(ErrorKind::capacity, fmt::format("size {} x {} does not fit 63 bits", a, b));
  }
  return product;
}

// A dimension of size 0 makes the tensor empty, whatever the product of the others: it must not
// overflow first.
std::int64_t TensorType::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) {
    if (size == 0) return 0;
  }
  for (const std::int64_t size : shape) product = checked_multiply(product, size);
  return product;
}

std::int64_t TensorType::bytes() const {
  return checked_multiply(elements(), static_cast<std::int64_t>(byte_size(element)));
}

// MLIR integer types of any width: i5, si32, ui8.
bool is_integer_name(std::string_view name) {
  // MLIR allows widths up to 2^24: eight digits.
  constexpr std::size_t kMostDigits = 8;
  if (!name.empty() && (name[0] == 's' || name[0] == 'u')) name.remove_prefix(1);
  if (name.size() < 2 || name[0] != 'i' || name.size() > 1 + kMostDigits) return false;
  return name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

namespace {

std::string tensor_text(const Shape& shape, std::string_view element) {
  std::string out = "tensor<";
  for (const std::int64_t size : shape) {
    out += size == kDynamic ? "?x" : fmt::format("{}x", size);
  }
  return fmt::format("{}{}>", out, element);
}

std::string list_of(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) out += (out.empty() ? "" : ", ") + text_of(type);
  return out;
}

}  // namespace

Type Type::quantized(Shape shape, Quantization quantization) {
  // The tensor has the type of its storage, with which it is computed.
  Type out = of(TensorType{quantization.storage, std::move(shape)});
  out.quantization = std::make_shared<const Quantization>(std::move(quantization));
  return out;
}

Type Type::element(Quantization quantization) {
  Type out = opaque(text_of(quantization));
  out.quantization = std::make_shared<const Quantization>(std::move(quantization));
  return out;
}

// The element of a tensor as a scalar, with its quantization: the argument type of a region over
// it.
Type Type::scalar_of(const Type& type) {
  if (!type.is_tensor()) return type;
  Type out = of(TensorType{type.tensor.element, {}});
  out.quantization = type.quantization;
  return out;
}

bool Type::operator==(const Type& other) const {
  const bool parts = kind == other.kind && tensor == other.tensor && elements == other.elements &&
                     is_quantized() == other.is_quantized();
  if (!parts) return false;
  if (is_quantized() && *quantization != *other.quantization) return false;
  // A quantized element type has several spellings (i8, si8); its parameters decide.
  const bool element = kind == Kind::opaque && is_quantized();  // which has several spellings
  return element || text == other.text;
}

std::string text_of(const TensorType& type) {
  return tensor_text(type.shape, mlir_name(type.element));
}

// A tensor with a text of its own has bounds, which the IR does not model.
std::string text_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::tensor:
      // Bounds are part of the text only.
      if (!type.text.empty()) return type.text;
      if (type.is_quantized()) return tensor_text(type.tensor.shape, text_of(*type.quantization));
      return text_of(type.tensor);
    case Type::Kind::token:
      return "!stablehlo.token";
    case Type::Kind::index:
      return "index";
    case Type::Kind::none:
      return "none";
    case Type::Kind::opaque:
      return type.text;
    case Type::Kind::function:
      return "(" + list_of(type.elements.at(0).elements) + ") -> (" +
             list_of(type.elements.at(1).elements) + ")";
    case Type::Kind::future:
      return "!stablehlo.future<" + list_of(type.elements) + ">";
    case Type::Kind::tuple:
      break;
  }
  return "tuple<" + list_of(type.elements) + ">";
}

}  // namespace understudy::program
