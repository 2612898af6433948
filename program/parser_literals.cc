// SPDX-License-Identifier: Apache-2.0
// dense<...>, dense_resource<...> and array<...>.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "program/literal.h"
#include "program/parser.h"

namespace understudy::program {
namespace {

ElementType part_of(ElementType element) {
  if (element == ElementType::c64) return ElementType::f32;
  return element == ElementType::c128 ? ElementType::f64 : element;
}

Attribute dense_of(TensorType type, bool is_array, bool is_splat, std::vector<std::byte> data) {
  return {DenseAttribute{std::move(type), is_array, is_splat,
                         std::make_shared<const std::vector<std::byte>>(std::move(data))}};
}

int nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// One bit per element, lowest first, as older printers pack them.
std::vector<std::byte> unpacked(const std::vector<std::byte>& bits, std::size_t count) {
  std::vector<std::byte> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = (bits[i / 8] >> (i % 8)) & std::byte{1};
  return out;
}

}  // namespace

std::int64_t Parser::elements_of(const TensorType& type, std::uint64_t offset) const {
  try {
    static_cast<void>(type.bytes());
    return type.elements();
  } catch (const Error&) {
    fail_at(offset, fmt::format("{} is too large", text_of(type)));
  }
}

// The literal stands before its type, so it is passed over first and read when the type is known.
Attribute Parser::dense() {
  const std::uint64_t begin = token_.offset;
  advance();
  expect("<", "after dense");
  const Lexer literal_lexer = lexer_;
  const Token literal = token_;
  skip_balanced(">");
  expect(":", "before the type of the literal");
  const TensorType type = dense_type();
  const std::int64_t count = elements_of(type, begin);
  const Lexer after_lexer = std::exchange(lexer_, literal_lexer);
  const Token after = std::exchange(token_, literal);

  Attribute out{UnitAttribute{}};
  std::vector<std::byte> data;
  if (token_.kind == TokenKind::text) {
    out = {hex_dense(type, token_.text, token_.offset)};
    advance();
  } else if (token_.is(">")) {
    if (count != 0) fail(fmt::format("expected {} elements for {}", count, text_of(type)));
    out = dense_of(type, false, false, {});
  } else if (token_.is("[")) {
    dense_elements(type, 0, data);
    out = dense_of(type, false, false, std::move(data));
  } else {
    dense_element(type.element, data);
    out = dense_of(type, false, true, std::move(data));
  }
  if (!token_.is(">")) unexpected("'>' after the literal");
  lexer_ = after_lexer;
  token_ = after;
  return out;
}

void Parser::dense_elements(const TensorType& type, std::size_t dimension,
                            std::vector<std::byte>& out) {
  const Nest nest(*this);
  const std::uint64_t begin = token_.offset;
  if (dimension == type.shape.size()) {
    fail(fmt::format("this literal is nested deeper than {}", text_of(type)));
  }
  const std::int64_t size = type.shape[dimension];
  const bool innermost = dimension + 1 == type.shape.size();
  expect("[", "before the elements");
  std::int64_t count = 0;
  if (!accept("]")) {
    do {
      if (count == size) fail(fmt::format("more than {} elements for {}", size, text_of(type)));
      if (innermost) {
        dense_element(type.element, out);
      } else {
        if (!token_.is("[")) unexpected(fmt::format("a list, as {} needs", text_of(type)));
        dense_elements(type, dimension + 1, out);
      }
      ++count;
    } while (accept(","));
    expect("]", "after the elements");
  }
  if (count != size) {
    fail_at(begin, fmt::format("{} elements where {} needs {}", count, text_of(type), size));
  }
}

void Parser::dense_element(ElementType element, std::vector<std::byte>& out) {
  if (!is_complex(element)) return scalar_element(element, out);
  const ElementType part = part_of(element);
  expect("(", "before a complex number");
  scalar_element(part, out);
  expect(",", "between the parts of a complex number");
  scalar_element(part, out);
  expect(")", "after a complex number");
}

void Parser::scalar_element(ElementType element, std::vector<std::byte>& out) {
  const std::uint64_t offset = token_.offset;
  const auto bad = [&](std::string_view text) {
    const bool minus = lexer_.text()[offset] == '-';
    fail_at(offset, fmt::format("'{}{}' is no element of type {}", minus ? "-" : "", text,
                                mlir_name(element)));
  };
  if (is_pred(element) && token_.kind == TokenKind::word) {
    if (token_.text != "true" && token_.text != "false") bad(token_.text);
    append_bits(element, token_.text == "true" ? 1 : 0, out);
    return advance();
  }
  const bool negative = accept("-");
  const std::string_view text = token_.text;
  if (token_.kind == TokenKind::floating && is_float(element)) {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc{}) bad(text);
    append_bits(element, bits_of_float(element, negative ? -value : value), out);
    return advance();
  }
  if (token_.kind != TokenKind::integer) bad(text);
  const bool hex = text.size() > 1 && text[1] == 'x';
  std::uint64_t magnitude = 0;
  const auto read = std::from_chars(text.data() + (hex ? 2 : 0), text.data() + text.size(),
                                    magnitude, hex ? 16 : 10);
  if (read.ec != std::errc{}) bad(text);
  if (is_float(element)) {
    const int width = bit_width(element);
    if (!hex || negative || (width < 64 && (magnitude >> width) != 0)) bad(text);
    append_bits(element, magnitude, out);
  } else {
    const auto bits = bits_of_integer(element, negative, magnitude);
    if (!bits) bad(text);
    append_bits(element, *bits, out);
  }
  advance();
}

// "0x0000803F...": the bytes of all elements, or of one for a splat.
DenseAttribute Parser::hex_dense(const TensorType& type, std::string_view digits,
                                 std::uint64_t offset) {
  digits = digits.substr(1, digits.size() - 2);
  if (digits.substr(0, 2) != "0x" || digits.size() % 2 != 0) {
    fail_at(offset, "expected \"0x\" and an even number of hexadecimal digits");
  }
  digits.remove_prefix(2);
  const auto count = static_cast<std::size_t>(elements_of(type, offset));
  const std::size_t width = byte_size(type.element);
  std::vector<std::byte> data(digits.size() / 2);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const int high = nibble(digits[2 * i]);
    const int low = nibble(digits[2 * i + 1]);
    if (high < 0 || low < 0) fail_at(offset + 3 + 2 * i, "this is no hexadecimal digit");
    data[i] = static_cast<std::byte>(high * 16 + low);
  }
  const bool packed = is_pred(type.element) && data.size() != count && data.size() != 1 &&
                      data.size() == (count + 7) / 8;
  if (packed) data = unpacked(data, count);
  const bool splat = data.size() == width && count != 1;
  if (!splat && data.size() != count * width) {
    fail_at(offset,
            fmt::format("{} bytes where {} needs {}", data.size(), text_of(type), count * width));
  }
  if (is_pred(type.element)) {
    for (std::byte& flag : data) flag = flag == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  const int value_bits = bit_width(type.element);
  if (is_integer(type.element) && value_bits < 8) {  // printers leave the upper bits open
    const auto mask = static_cast<std::uint8_t>((1 << value_bits) - 1);
    for (std::byte& byte : data) {
      byte = static_cast<std::byte>(
          *bits_of_integer(type.element, false, std::to_integer<std::uint8_t>(byte) & mask));
    }
  }
  const bool single = count == 1;  // like a bare number
  return {type, false, splat || single,
          std::make_shared<const std::vector<std::byte>>(std::move(data))};
}

// array<i64: 1, 2>, array<i1: true>
Attribute Parser::dense_array() {
  advance();
  expect("<", "after array");
  const std::uint64_t offset = token_.offset;
  const auto element = element_type_of_mlir(word("an element type"));
  if (!element) fail_at(offset, "unknown element type of an array");
  std::vector<std::byte> data;
  if (accept(":")) {
    do scalar_element(*element, data);
    while (accept(","));
  }
  expect(">", "after the array");
  const auto count = static_cast<std::int64_t>(data.size() / byte_size(*element));
  return dense_of(TensorType{*element, {count}}, true, false, std::move(data));
}

// The text of one entry of the file's trailer {-# dialect_resources: {builtin: {name: "0x.."}} #-}.
std::string Parser::resource(std::string_view name, std::uint64_t offset) {
  const std::size_t trailer = source_->text().rfind("{-#");
  if (trailer == std::string_view::npos) {
    fail_at(offset, fmt::format("resource '{}' is not in this file: it has no trailer", name));
  }
  Lexer trail(*source_, source_->text().size());
  trail.seek(trailer);
  for (Token token = trail.next(); token.kind != TokenKind::end; token = trail.next()) {
    const bool quoted_name = token.kind == TokenKind::text && unescaped(token.text) == name;
    if (!token.is_word(name) && !quoted_name) continue;
    if (!trail.next().is(":")) continue;
    const Token value = trail.next();
    if (value.kind == TokenKind::text) return std::string(value.text);
  }
  fail_at(offset, fmt::format("resource '{}' is not in this file's trailer", name));
}

// dense_resource<name> : type. A resource is four bytes of alignment, then the elements.
Attribute Parser::dense_resource() {
  advance();
  expect("<", "after dense_resource");
  const Token name = token_;
  if (name.kind != TokenKind::word && name.kind != TokenKind::text) unexpected("a resource name");
  advance();
  expect(">", "after the resource name");
  expect(":", "before the type of the literal");
  const TensorType type = dense_type();
  if (name.text == "__elided__") {
    fail_at(name.offset, "the values of this literal were left out when the file was printed");
  }
  const std::string key =
      name.kind == TokenKind::text ? unescaped(name.text) : std::string(name.text);
  std::string digits = resource(key, name.offset);
  constexpr std::size_t kAlignmentDigits = 8;
  if (digits.size() < 4 + kAlignmentDigits) fail_at(name.offset, "this resource is too short");
  digits.erase(3, kAlignmentDigits);
  return {hex_dense(type, digits, name.offset)};
}

}  // namespace understudy::program
