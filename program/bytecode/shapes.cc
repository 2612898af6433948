// SPDX-License-Identifier: Apache-2.0
// Types: scalars and tensors.
#include <charconv>
#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/text/print_attribute.h"

namespace understudy::program::bytecode {
// Scalars have no Type of their own in the IR; the name in an opaque type stands for one until it
// becomes the element of a tensor.
Type scalar_type(std::string_view mlir_name) { return Type::opaque(std::string(mlir_name)); }

std::optional<ElementType> scalar_of(const Type& type) {
  if (type.kind != Type::Kind::opaque || type.is_quantized()) return std::nullopt;
  return element_type_of_mlir(type.text);
}

// varint count, count x svarint size; the dynamic size is MLIR's sentinel, INT64_MIN.
Shape shape_in(Cursor& in) {
  const std::uint64_t at = in.offset();
  Shape shape = numbers_in(in, "a dimension");
  if (shape.size() > kMostDimensions) {
    in.fail_at(at, fmt::format("{} dimensions are more than the maximum of {}", shape.size(),
                               kMostDimensions));
  }
  for (const std::int64_t size : shape) {
    if (size < 0 && size != kDynamic)
      in.fail_at(at, fmt::format("invalid dimension size {}", size));
  }
  return shape;
}

std::string shape_text(const Shape& shape) {
  std::string out;
  for (const std::int64_t size : shape) out += size == kDynamic ? "?x" : fmt::format("{}x", size);
  return out;
}

// A tensor of a known element type is a tensor type; bounds are kept as text beside it. Any other
// encoding, or element type, makes an opaque type: it can be printed and compared, and is refused
// when the program is to run.
Type tensor_of(Shape shape, const Type& element, const Cursor& in, const Attribute* encoding) {
  const auto scalar = scalar_of(element);
  const bool known = scalar || element.is_quantized();
  const DialectAttribute* named = encoding == nullptr ? nullptr : encoding->dialect();
  const bool bounded = named != nullptr && named->mnemonic == "bounds";
  const bool plain = known && encoding == nullptr;
  std::string text = plain ? ""
                           : fmt::format("tensor<{}{}{}{}>", shape_text(shape), text_of(element),
                                         encoding == nullptr ? "" : ", ",
                                         encoding == nullptr ? "" : text_of(*encoding, ""));
  if (!known || (encoding != nullptr && !bounded)) return Type::opaque(std::move(text));
  if (element.is_quantized()) {
    const std::string fault = fault_of(*element.quantization, shape);
    if (!fault.empty()) in.fail("quantized type: " + fault);
  }
  const ElementType stored = scalar ? *scalar : element.quantization->storage;
  Type out = Type::of(TensorType{stored, std::move(shape)});
  out.quantization = element.quantization;
  out.text = std::move(text);
  return out;
}

// Tensors of index are opaque types here ("tensor<2xindex>"); layouts are literals of that type,
// stored as 64-bit integers.
std::optional<LiteralType> literal_of(const Type& type) {
  if (type.is_quantized()) return std::nullopt;
  if (type.is_tensor()) return LiteralType{type.tensor, false};
  constexpr std::string_view kBegin = "tensor<";
  constexpr std::string_view kEnd = "index>";
  std::string_view text = type.text;
  if (type.kind != Type::Kind::opaque || text.substr(0, kBegin.size()) != kBegin) {
    return std::nullopt;
  }
  text.remove_prefix(kBegin.size());
  LiteralType out{TensorType{ElementType::i64, {}}, true};
  while (text != kEnd) {
    std::int64_t size = kDynamic;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto digits = static_cast<std::size_t>(read.ptr - text.data());
    if (digits == 0 || digits >= text.size() || text[digits] != 'x') return std::nullopt;
    out.tensor.shape.push_back(size);
    text.remove_prefix(digits + 1);
  }
  return out;
}

Type function_of(std::vector<Type> inputs, std::vector<Type> results) {
  std::vector<Type> parts;
  parts.push_back(Type::tuple(std::move(inputs)));
  parts.push_back(Type::tuple(std::move(results)));
  return {Type::Kind::function, {}, std::move(parts), {}};
}

// ---- types that the builtin and the versioned dialect write alike

Type index_in(Cursor& /*in*/, Tables& /*tables*/) { return {Type::Kind::index, {}, {}, {}}; }

Type none_in(Cursor& /*in*/, Tables& /*tables*/) { return {Type::Kind::none, {}, {}, {}}; }

// List of input types, list of result types.
Type function_in(Cursor& in, Tables& tables) {
  std::vector<Type> inputs = types_in(in, tables, "an input type");
  return function_of(std::move(inputs), types_in(in, tables, "a result type"));
}

Type complex_in(Cursor& in, Tables& tables) {
  return scalar_type(fmt::format("complex<{}>", text_of(tables.type(in, "an element type"))));
}

// Shape, varint element type.
Type tensor_in(Cursor& in, Tables& tables) {
  Shape shape = shape_in(in);
  return tensor_of(std::move(shape), tables.type(in, "an element type"), in);
}

// varint encoding attribute, shape, varint element type.
Type encoded_tensor_in(Cursor& in, Tables& tables) {
  const Attribute& encoding = tables.attribute(in, "an encoding");
  tables.budget().charge(encoding, in);
  Shape shape = shape_in(in);
  return tensor_of(std::move(shape), tables.type(in, "an element type"), in, &encoding);
}

Type tuple_in(Cursor& in, Tables& tables) {
  return Type::tuple(types_in(in, tables, "a part of a tuple"));
}

Type unranked_in(Cursor& in, Tables& tables) {
  return Type::opaque(fmt::format("tensor<*x{}>", text_of(tables.type(in, "an element type"))));
}

}  // namespace understudy::program::bytecode
