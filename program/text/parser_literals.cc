// SPDX-License-Identifier: Apache-2.0
// dense<...>, dense_resource<...> and array<...>.
#include <algorithm>
#include <fmt/format.h>

#include "program/ir/dense.h"
#include "program/ir/literal.h"
#include "program/text/hex.h"
#include "program/text/literal_reader.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

// Older printers pack i1 blobs, one bit per element, lowest first.
std::vector<std::byte> unpacked(const std::vector<std::byte>& bits, std::size_t count) {
  std::vector<std::byte> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = (bits[i / 8] >> (i % 8)) & std::byte{1};
  return out;
}

// Normalises bytes of a blob: a pred becomes 0 or 1, and the unused upper bits of a narrow integer
// repeat its sign, as kernels expect.
void settle(ElementType element, std::vector<std::byte>& data) {
  if (is_pred(element)) {
    for (std::byte& flag : data) flag = flag == std::byte{0} ? std::byte{0} : std::byte{1};
  }
  const int width = bit_width(element);
  if (width >= 8 || is_pred(element)) return;
  const auto mask = static_cast<std::uint8_t>((1 << width) - 1);
  for (std::byte& byte : data) {
    // Upper bits are cleared first: what a blob has there is unspecified.
    byte &= static_cast<std::byte>(mask);
    if (!is_integer(element)) continue;
    byte = static_cast<std::byte>(
        *bits_of_integer(element, false, std::to_integer<std::uint8_t>(byte)));
  }
}

}  // namespace

// Checked multiplication throws without a place; here it gets one.
std::int64_t Parser::elements_of(const TensorType& type, std::uint64_t offset) const {
  try {
    static_cast<void>(type.bytes());
    return type.elements();
  } catch (const Error&) {
    fail_at(offset, fmt::format("{} is too large", text_of(type)));
  }
}

// Skips a literal and its '>', and returns the offset of the '>'.
std::uint64_t Parser::skip_literal() {
  const std::string_view text = lexer_.text();
  const std::uint64_t begin = token_.offset + 1;
  // Numbers contain no '>', so the first one ends the literal, unless it contains a string or a
  // comment. A plain search is much faster than lexing millions of numbers.
  const std::uint64_t end = text.find('>', begin);
  const std::string_view inside = text.substr(begin, end - begin);
  const bool plain = end != std::string_view::npos && inside.find('"') == std::string_view::npos &&
                     inside.find('/') == std::string_view::npos;
  // An unterminated literal is left to the token-wise search, which gives the better message.
  if (plain) {
    lexer_.seek(end + 1);
    advance();
    return end;
  }
  advance();
  return skip_balanced(">");
}

// The type follows the literal, but decides how to read it. So the literal is skipped first and
// read when the type is known.
Attribute Parser::dense() {
  const std::uint64_t begin = token_.offset;
  advance();
  if (!token_.is("<")) unexpected("'<' after dense");
  const std::uint64_t inside = token_.offset + 1;
  // A copy of the lexer looks ahead; the parser's own moves only once the kind is known.
  Lexer first(lexer_);
  first.seek(inside);
  const bool is_blob = first.peek() == '"';
  const Token blob = is_blob ? first.blob() : Token{};
  if (is_blob) {
    lexer_ = first;
    advance();
  }
  const std::uint64_t end = is_blob ? token_.offset : skip_literal();
  if (is_blob) expect(">", "after the literal");
  expect(":", "before the type of the literal");
  bool is_index = false;
  const TensorType type = dense_type(is_index);
  const std::int64_t count = elements_of(type, begin);
  DenseAttribute out;
  if (is_blob) {
    out = hex_dense(type, blob.text.substr(1, blob.text.size() - 2), blob.offset + 1);
  } else {
    // The reader's text ends before '>', so it cannot run into the type.
    LiteralReader reader(*source_, lexer_.text().substr(0, end), inside);
    const std::uint64_t at = reader.at();
    if (at == end) {
      if (count != 0) {
        fail_at(end, fmt::format("expected {} elements for {}", count, text_of(type)));
      }
      out = dense_of(type, std::vector<std::byte>{});
    } else {
      const bool is_list = lexer_.text()[at] == '[';
      out = dense_of(type, is_list ? reader.list(type) : reader.single(type.element));
    }
    if (reader.at() != end) fail_at(reader.at(), "expected '>' after the literal");
  }
  out.is_index = is_index;
  return {std::move(out)};
}

// 0x0000803F...: the bytes of all elements, or of one for a splat.
DenseAttribute Parser::hex_dense(const TensorType& type, std::string_view digits,
                                 std::uint64_t offset) const {
  if (digits.substr(0, 2) != "0x" || digits.size() % 2 != 0) {
    fail_at(offset - 1, "expected \"0x\" and an even number of hexadecimal digits");
  }
  digits.remove_prefix(2);
  return bytes_dense(type, digits, offset + 2);
}

// The number of digits tells what they are: all elements, one element (a splat), or packed flags.
DenseAttribute Parser::bytes_dense(const TensorType& type, std::string_view digits,
                                   std::uint64_t offset) const {
  const auto count = static_cast<std::size_t>(elements_of(type, offset));
  const std::size_t width = byte_size(type.element);
  const std::size_t size = digits.size() / 2;
  // A size that fits bytes or a splat is not packed; one byte for up to eight flags is a splat.
  const bool packed =
      is_pred(type.element) && size != count && size != 1 && size == (count + 7) / 8;
  if (!packed && size != width && size != count * width) {
    // Three characters back: the message points at the quote before "0x".
    fail_at(offset - 3,
            fmt::format("{} bytes where {} needs {}", size, text_of(type), count * width));
  }
  std::vector<std::byte> data;
  if (const auto wrong = append_hex(digits, data)) {
    fail_at(offset + *wrong, "expected a hexadecimal digit");
  }
  if (packed) data = unpacked(data, count);
  settle(type.element, data);
  return dense_of(type, std::move(data));
}

// array<i64: 1, 2>, array<i1: true>
Attribute Parser::dense_array() {
  advance();
  // array<i64> without a colon is an empty array.
  expect("<", "after array");
  const std::uint64_t offset = token_.offset;
  const auto element = element_type_of_mlir(word("an element type"));
  if (!element) fail_at(offset, "unknown element type of an array");
  std::vector<std::byte> data;
  if (token_.is(":")) {
    LiteralReader reader(*source_, lexer_.text(), token_.offset + 1);
    data = reader.sequence(*element);
    // The reader works on bytes, so the lexer follows to where it stopped.
    lexer_.seek(reader.at());
    advance();
  }
  expect(">", "after the array");
  const auto count = static_cast<std::int64_t>(data.size() / byte_size(*element));
  return {DenseAttribute{TensorType{*element, {count}}, true, false,
                         std::make_shared<const std::vector<std::byte>>(std::move(data)), false}};
}

// The entries name: "0x.." of the file's trailer {-# dialect_resources: {builtin: {..}} #-}.
void Parser::read_resources() {
  resources_.emplace();
  // The last one: a string in the program may contain the mark as well.
  const std::size_t trailer = source_->text().rfind("{-#");
  if (trailer == std::string_view::npos) return;
  Lexer trail(*source_, source_->text().size());
  trail.seek(trailer);
  Token before;
  Token token = trail.next();
  while (token.kind != TokenKind::end) {
    const Token next = trail.next();
    const bool names = before.kind == TokenKind::word || before.kind == TokenKind::text;
    // Only "name: text" pairs matter. The dictionaries around them are skipped without a grammar.
    if (names && token.is(":") && next.kind == TokenKind::text) {
      const std::string name =
          before.kind == TokenKind::text ? unescaped(before.text) : std::string(before.text);
      // The token is kept, not the bytes: most files use each resource once, and decoding doubles
      // the memory.
      resources_->insert_or_assign(name, next);
    }
    before = token;
    token = next;
  }
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
  bool is_index = false;
  const TensorType type = dense_type(is_index);
  if (name.text == "__elided__") {
    fail_at(name.offset, "the values of this literal were elided when the file was printed");
  }
  // Read once, at the first use: most files have none.
  if (!resources_) read_resources();
  const std::string key =
      name.kind == TokenKind::text ? unescaped(name.text) : std::string(name.text);
  const auto found = resources_->find(key);
  if (found == resources_->end()) {
    fail_at(name.offset, fmt::format("resource '{}' is not in this file's trailer", key));
  }
  constexpr std::size_t kHead = 3 + 8;  // "0x and the alignment
  const std::string_view text = found->second.text;
  const bool fits = text.size() > kHead && text.substr(1, 2) == "0x" && text.size() % 2 == 0;
  if (!fits) {
    fail_at(found->second.offset, "expected \"0x\", the alignment and an even number of digits");
  }
  const std::string_view digits = text.substr(kHead, text.size() - kHead - 1);
  DenseAttribute out = bytes_dense(type, digits, found->second.offset + kHead);
  out.is_index = is_index;
  return {std::move(out)};
}

}  // namespace understudy::program
