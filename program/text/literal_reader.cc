// SPDX-License-Identifier: Apache-2.0
#include "program/text/literal_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/characters.h"
#include "program/ir/ir.h"
#include "program/ir/literal.h"
#include "program/text/decimal.h"

namespace understudy::program {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool in_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

ElementType part_of(ElementType element) {
  if (element == ElementType::c64) return ElementType::f32;
  return element == ElementType::c128 ? ElementType::f64 : element;
}

}  // namespace

// Collects elements in a small buffer. Growing the vector for each element would dominate the time
// of reading a literal.
class LiteralReader::Sink {
 public:
  // One allocation for the usual case, where the type's size is right.
  explicit Sink(std::size_t expected_bytes) { bytes_.reserve(expected_bytes); }

  void put(std::uint64_t bits, std::size_t width) {
    std::memcpy(&buffer_[used_], &bits,
                sizeof bits);  // little-endian; what is too much is overwritten
    used_ += width;
    // Room for eight bytes is kept, so put() may always write a full word.
    if (used_ + sizeof bits > buffer_.size()) flush();
  }
  std::vector<std::byte> take() {
    flush();
    return std::move(bytes_);
  }

 private:
  // What put() wrote beyond used_ is not part of the literal.
  void flush() {
    bytes_.insert(bytes_.end(), buffer_.begin(),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }

  std::array<std::byte, 8192> buffer_{};
  std::size_t used_ = 0;
  std::vector<std::byte> bytes_;
};

void LiteralReader::fail_at(std::uint64_t offset, std::string message) const {
  throw error_at({&source_, offset}, ErrorKind::input, std::move(message));
}

void LiteralReader::no_element(ElementType element, std::uint64_t begin) const {
  std::uint64_t end = begin + 1;
  // Forty characters identify an element; a literal without blanks could be megabytes long.
  while (end < text_.size() && end < begin + 40 && (in_word(text_[end]) || text_[end] == '.'))
    ++end;
  fail_at(begin, fmt::format("'{}' is not an element of type {}", text_.substr(begin, end - begin),
                             mlir_name(element)));
}

void LiteralReader::unexpected(std::string_view wanted) const {
  if (at_ >= text_.size()) {
    fail_at(at_, fmt::format("expected {}, but the file ends here", wanted));
  }
  fail_at(at_, fmt::format("expected {}, got '{}'", wanted, text_[at_]));
}

void LiteralReader::skip_blanks() {
  while (at_ < text_.size()) {
    if (is_blank(text_[at_])) {
      ++at_;
    } else if (text_[at_] == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      return;
    }
  }
}

bool LiteralReader::take(char wanted) {
  skip_blanks();
  if (here() != wanted) return false;
  ++at_;
  return true;
}

std::uint64_t LiteralReader::at() {
  skip_blanks();
  return at_;
}

// The bits of the decimal that begins at `begin` (its sign is read); moves behind it.
std::uint64_t LiteralReader::decimal_bits(ElementType element, bool negative, std::uint64_t begin) {
  const Decimal read = read_decimal(text_.substr(begin));
  at_ = begin + read.length;
  const double value = negative ? -read.value : read.value;
  if (element == ElementType::f64) return std::bit_cast<std::uint64_t>(value);
  // Rounding to f64 and then to f32 could round twice, but MLIR parses float attributes as f64 as
  // well.
  if (element == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return bits_of_float(element, value);
}

// Digits are accumulated with overflow checks, so that an integer too large for its type is found
// without parsing it twice.
LiteralReader::Magnitude LiteralReader::read_magnitude() {
  const std::uint64_t digits = at_;
  Magnitude read;
  // "0x" needs a digit: a plain 0 may be followed by a word.
  read.hex = here() == '0' && digits + 2 < text_.size() && text_[digits + 1] == 'x' &&
             is_hex_digit(text_[digits + 2]);
  if (read.hex) {
    // from_chars takes no prefix, so it is skipped here.
    const auto parsed =
        std::from_chars(text_.data() + digits + 2, text_.data() + text_.size(), read.value, 16);
    read.fits = parsed.ec == std::errc{};
    at_ = static_cast<std::uint64_t>(parsed.ptr - text_.data());
    return read;
  }
  for (; is_digit(here()); ++at_) {
    const auto next = static_cast<std::uint64_t>(here() - '0');
    // Digits go on after an overflow: the point of a float may follow.
    read.fits = read.fits && !__builtin_mul_overflow(read.value, std::uint64_t{10}, &read.value) &&
                !__builtin_add_overflow(read.value, next, &read.value);
  }
  return read;
}

// A number of one element: decimal or hexadecimal, with a sign.
void LiteralReader::number(ElementType element, Sink& out) {
  const std::uint64_t begin = at_;
  const bool negative = here() == '-';
  if (negative) {
    ++at_;
    skip_blanks();
  }
  const std::uint64_t digits = at_;
  const Magnitude read = read_magnitude();
  if (at_ == digits) no_element(element, begin);
  if (!read.hex && here() == '.') {
    if (!is_float(element)) no_element(element, begin);
    // The digits are read again: one function decides how decimals round.
    return out.put(decimal_bits(element, negative, digits), byte_size(element));
  }
  if (is_float(element)) {
    const int width = bit_width(element);
    // A float is a decimal with a point, or the bits in hexadecimal.
    const bool fits =
        read.fits && read.hex && !negative && (width == 64 || (read.value >> width) == 0);
    if (!fits) no_element(element, begin);
    return out.put(read.value, byte_size(element));
  }
  const auto bits = read.fits ? bits_of_integer(element, negative, read.value) : std::nullopt;
  // Out of the range of the type.
  if (!bits) no_element(element, begin);
  out.put(*bits, byte_size(element));
}

// true, false
void LiteralReader::word(ElementType element, Sink& out) {
  const std::uint64_t begin = at_;
  while (in_word(here())) ++at_;
  const std::string_view text = text_.substr(begin, at_ - begin);
  if (!is_pred(element) || (text != "true" && text != "false")) no_element(element, begin);
  out.put(text == "true" ? 1 : 0, 1);
}

void LiteralReader::scalar(ElementType element, Sink& out) {
  skip_blanks();
  // A sign or a digit begins a number; everything else is a word or a mistake.
  if (is_digit(here()) || here() == '-') return number(element, out);
  if (in_word(here())) return word(element, out);
  unexpected(fmt::format("an element of type {}", mlir_name(element)));
}

void LiteralReader::element(ElementType element, Sink& out) {
  if (!is_complex(element)) return scalar(element, out);
  const ElementType part = part_of(element);
  if (!take('(')) unexpected("'(' before a complex number");
  scalar(part, out);
  if (!take(',')) unexpected("',' between the parts of a complex number");
  scalar(part, out);
  if (!take(')')) unexpected("')' after a complex number");
}

// An explicit stack: for each open list where it began and how many elements it has. A type may
// have 64 dimensions, and depth must not depend on the input.
void LiteralReader::list_elements(const TensorType& type, Sink& out) {
  struct Open {
    std::uint64_t begin;
    std::int64_t count;
  };
  const std::size_t ndims = type.shape.size();
  std::vector<Open> open;
  do {
    skip_blanks();
    if (here() == '[') {
      if (open.size() == ndims) {
        fail_at(at_, fmt::format("this literal is nested deeper than {}", text_of(type)));
      }
      open.push_back({at_++, 0});
      skip_blanks();
      // Only "[]" closes at once: a dimension of size 0.
      if (here() != ']') continue;
    } else if (open.size() != ndims) {
      unexpected(fmt::format("a list, as {} needs", text_of(type)));
    } else {
      element(type.element, out);
      ++open.back().count;
    }
    // Closes as many lists as end here. A comma returns to the outer loop for the next element.
    while (!open.empty()) {
      const std::int64_t size = type.shape[open.size() - 1];
      const Open& list = open.back();
      if (take(',')) {
        if (list.count < size) break;
        fail_at(at(), fmt::format("more than {} elements for {}", size, text_of(type)));
      }
      if (!take(']')) unexpected("',' or ']' after an element");
      if (list.count != size) {
        fail_at(list.begin,
                fmt::format("{} elements where {} needs {}", list.count, text_of(type), size));
      }
      open.pop_back();
      // The closed list is one element of the list around it.
      if (!open.empty()) ++open.back().count;
    }
  } while (!open.empty());
}

std::vector<std::byte> LiteralReader::list(const TensorType& type) {
  // An element takes at least two characters, so the reservation is bounded by the text, not by
  // the type that it claims.
  const auto most = static_cast<std::int64_t>((text_.size() - at_) / 2 + 1);
  const std::int64_t count = std::min(type.elements(), most);
  Sink out(static_cast<std::size_t>(count) * byte_size(type.element));
  list_elements(type, out);
  return out.take();
}

std::vector<std::byte> LiteralReader::single(ElementType type) {
  Sink out(byte_size(type));
  element(type, out);
  return out.take();
}

std::vector<std::byte> LiteralReader::sequence(ElementType type) {
  Sink out(0);
  do element(type, out);
  while (take(','));
  return out.take();
}

}  // namespace understudy::program
