// SPDX-License-Identifier: Apache-2.0
#include "program/types.h"

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
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) {
    throw Error(ErrorKind::capacity, fmt::format("a size of {} x {} does not fit 63 bits", a, b));
  }
  return product;
}

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

std::string text_of(const TensorType& type) {
  std::string out = "tensor<";
  for (const std::int64_t size : type.shape) {
    out += size == kDynamic ? "?x" : fmt::format("{}x", size);
  }
  return out + std::string(mlir_name(type.element)) + ">";
}

namespace {

std::string list_of(const std::vector<Type>& types) {
  std::string out;
  for (const Type& type : types) out += (out.empty() ? "" : ", ") + text_of(type);
  return out;
}

}  // namespace

std::string text_of(const Type& type) {
  switch (type.kind) {
    case Type::Kind::tensor:
      return type.text.empty() ? text_of(type.tensor) : type.text;
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
    case Type::Kind::tuple:
      break;
  }
  return "tuple<" + list_of(type.elements) + ">";
}

}  // namespace understudy::program
