// SPDX-License-Identifier: Apache-2.0
// !quant.uniform<...>: the element types of quantized tensors.
#include <charconv>
#include <fmt/format.h>
#include <tuple>

#include "program/text/parser.h"

namespace understudy::program {
namespace {

// "i8", "u8" (as MLIR writes unsigned storage), "ui8", "si8".
std::optional<ElementType> storage_of(std::string_view word) {
  if (word.starts_with("si")) return element_type_of_mlir(word.substr(1));
  if (word.starts_with("u") && !word.starts_with("ui"))
    return element_type_of_mlir(fmt::format("ui{}", word.substr(1)));
  return element_type_of_mlir(word);
}

}  // namespace

// The current token is the '<' after quant.uniform. Grammar: '<' storage bounds? ':' expressed (':'
// axis)? ',' parameters '>'. Forms beyond the StableHLO specification (scales of blocks along
// several axes) stay opaque.
Type Parser::uniform(std::uint64_t begin) {
  // Block-wise scales can be recognised only behind the axis, so the lexer returns to this place
  // for them.
  const Lexer bookmark = lexer_;
  const Token first = token_;
  advance();
  Quantization out;
  quantized_storage(out);
  expect(":", "before the expressed type");
  const std::uint64_t expressed_at = token_.offset;
  const std::string expressed(word("an expressed type"));
  const auto real = element_type_of_mlir(expressed);
  if (!real) fail_at(expressed_at, fmt::format("unknown expressed type '{}'", expressed));
  out.expressed = *real;
  const bool per_axis = accept(":");
  if (per_axis && token_.is("{")) {
    // From the '<' on, as if nothing had been read.
    lexer_ = bookmark;
    token_ = first;
    advance();
    skip_balanced(">");
    return opaque_from(begin);
  }
  if (per_axis) out.axis = integer("the quantized dimension");
  expect(",", "before the scale");
  quantized_parameters(out);
  expect(">", "after the scales");
  const std::string fault = fault_of(out);
  if (!fault.empty()) fail_at(begin, "quantized type: " + fault);
  return Type::element(std::move(out));
}

// i8, or i8<-127:127>.
void Parser::quantized_storage(Quantization& out) {
  const std::uint64_t offset = token_.offset;
  const std::string storage(word("a storage type"));
  const auto element = storage_of(storage);
  if (!element) fail_at(offset, fmt::format("unknown storage type '{}'", storage));
  out.storage = *element;
  // Bounds default to the full range of the storage type (the specification of quantized types);
  // wider storage has no table of ranges.
  if (bit_width(out.storage) <= 32)
    std::tie(out.storage_min, out.storage_max) = integer_range(out.storage);
  if (!accept("<")) return;
  out.storage_min = integer("the least stored value");
  expect(":", "between the bounds of the storage");
  out.storage_max = integer("the greatest stored value");
  expect(">", "after the bounds of the storage");
}

void Parser::quantized_parameters(Quantization& out) {
  if (!out.axis) return quantized_parameter(out);
  expect("{", "before the scales");
  do quantized_parameter(out);
  while (accept(","));
  expect("}", "after the scales");
}

// Grammar: scale (':' zero point)?; an absent zero point is 0.
void Parser::quantized_parameter(Quantization& out) {
  const bool negative = accept("-");
  if (token_.kind != TokenKind::floating && token_.kind != TokenKind::integer)
    unexpected("a scale");
  double scale = 0;
  const auto read =
      std::from_chars(token_.text.data(), token_.text.data() + token_.text.size(), scale);
  // from_chars rounds correctly; the whole token must be used up.
  if (read.ec != std::errc{} || read.ptr != token_.text.data() + token_.text.size())
    fail(fmt::format("the scale {} is not an f64", token_.text));
  advance();
  out.scales.push_back(negative ? -scale : scale);
  out.zero_points.push_back(accept(":") ? integer("a zero point") : 0);
}

}  // namespace understudy::program
