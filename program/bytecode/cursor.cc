// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/cursor.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace understudy::program::bytecode {

Error error_at_byte(const std::string& path, std::uint64_t offset, const std::string& message,
                    ErrorKind kind) {
  // Offsets of bytes, not lines: the file is binary.
  SourcePlace place{path, 0, 0, "", 0};
  place.byte = offset;
  return Error(kind, std::move(place), message);
}

void Cursor::fail_at(std::uint64_t offset, const std::string& message) const {
  throw error_at_byte(*path_, offset, message);
}

void Cursor::unsupported_at(std::uint64_t offset, const std::string& message) const {
  throw error_at_byte(*path_, offset, message, ErrorKind::unsupported);
}

std::string_view Cursor::take(std::uint64_t size, std::string_view what) {
  if (size > remaining()) {
    fail(fmt::format("{} needs {} bytes, but only {} remain", what, size, remaining()));
  }
  const std::string_view out = bytes_.substr(at_, size);
  at_ += size;
  return out;
}

std::uint8_t Cursor::byte(std::string_view what) {
  return static_cast<std::uint8_t>(take(1, what)[0]);
}

// MLIR's varint: the number of trailing zero bits of the first byte is the number of bytes that
// follow it, and the value is in the bits above, little-endian. A first byte of zero is followed by
// all eight bytes. Unlike LEB128 the length is known after one byte. Both x86-64 and AArch64 are
// little-endian, as the memcpy requires.
std::uint64_t Cursor::varint(std::string_view what) {
  const std::uint8_t first = byte(what);
  // The most frequent case: one byte, seven bits of value.
  if ((first & 1) != 0) return first >> 1;
  std::uint64_t value = 0;
  if (first == 0) {
    std::memcpy(&value, take(sizeof(value), what).data(), sizeof(value));
    return value;
  }
  // One to seven: 0 and 8 are handled above.
  const auto more = static_cast<std::size_t>(std::countr_zero(first));
  std::memcpy(&value, take(more, what).data(), more);
  return ((value << 8) | first) >> (more + 1);
}

// Zigzag: the sign is in bit 0.
std::int64_t Cursor::svarint(std::string_view what) {
  const std::uint64_t value = varint(what);
  // Unsigned arithmetic: the negation of 1 is all ones.
  return static_cast<std::int64_t>((value >> 1) ^ (std::uint64_t{0} - (value & 1)));
}

std::uint64_t Cursor::flagged(std::string_view what, bool& flag) {
  const std::uint64_t value = varint(what);
  flag = (value & 1) != 0;
  return value >> 1;
}

// Bounds allocations by the size of the file: each counted item takes at least one byte.
std::size_t Cursor::count(std::string_view what) {
  const std::uint64_t begin = offset();
  const std::uint64_t value = varint(what);
  if (value > remaining()) {
    fail_at(begin, fmt::format("{} is {}, but only {} bytes remain", what, value, remaining()));
  }
  return static_cast<std::size_t>(value);
}

std::string_view Cursor::until_nul(std::string_view what) {
  const std::size_t end = bytes_.find('\0', at_);
  if (end == std::string_view::npos) fail(fmt::format("{} has no terminating zero", what));
  const std::string_view out = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return out;
}

Cursor Cursor::part(std::uint64_t size, std::string_view what) {
  const std::uint64_t begin = offset();
  return {*path_, take(size, what), begin};
}

void Cursor::expect_end(std::string_view what) const {
  if (!at_end()) fail(fmt::format("{} unread bytes after {}", remaining(), what));
}

}  // namespace understudy::program::bytecode
