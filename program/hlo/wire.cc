// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/wire.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "program/bytecode/cursor.h"

namespace understudy::program::hlo {

void Wire::fail(const std::string& message) const {
  throw bytecode::error_at_byte(*path_, offset(), message);
}

// LEB128 of at most ten bytes, from end_ on.
bool Wire::read_varint(std::uint64_t& value) {
  constexpr unsigned kMostBits = 64;
  value = 0;
  // Ten bytes hold 70 bits; the shift stops at 63, so the excess is dropped as protobuf does.
  for (unsigned shift = 0; shift < kMostBits; shift += 7) {
    if (end_ >= bytes_.size()) return false;
    const auto byte = static_cast<std::uint8_t>(bytes_[end_++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

bool Wire::read_value() {
  const std::uint64_t left = bytes_.size() - end_;
  at_ = end_;
  value_ = 0;
  switch (type_) {
    case Type::varint:
      return read_varint(value_);
    case Type::fixed64:
    case Type::fixed32: {
      const std::size_t width = type_ == Type::fixed64 ? 8 : 4;
      if (left < width) return false;
      // Little-endian on the wire and on all supported hosts.
      std::memcpy(&value_, bytes_.data() + end_, width);
      end_ += width;
      return true;
    }
    case Type::bytes: {
      std::uint64_t size = 0;
      // Compared with what is left, never added first: a huge length cannot overflow.
      if (!read_varint(size) || size > bytes_.size() - end_) return false;
      at_ = end_;
      end_ += size;
      return true;
    }
  }
  return false;  // groups (3, 4) are in no proto3 message
}

bool Wire::advance() {
  std::uint64_t tag = 0;
  // 29 bits: protobuf's largest field number.
  if (!read_varint(tag) || tag >> 3 == 0 || tag >> 3 > 0x1FFFFFFF) return false;
  field_ = static_cast<std::uint32_t>(tag >> 3);
  type_ = static_cast<Type>(tag & 7);
  return read_value();
}

bool Wire::next() {
  if (end_ == bytes_.size()) return false;
  at_ = end_;
  if (!advance()) fail("the bytes are no protocol buffer message");
  return true;
}

bool Wire::is_message(std::string_view bytes) {
  static const std::string kNowhere;
  Wire wire(kNowhere, bytes, 0);
  // A message is any sequence of well-formed fields, so this is a necessary condition only. Callers
  // look for fields too.
  while (wire.end_ < bytes.size()) {
    if (!wire.advance()) return false;
  }
  return true;
}

std::int64_t Wire::number() const {
  if (type_ != Type::varint) fail(fmt::format("field {} must be a number", field_));
  return static_cast<std::int64_t>(value_);
}

double Wire::real32() const {
  if (type_ != Type::fixed32) fail(fmt::format("field {} must be a 32-bit float", field_));
  return std::bit_cast<float>(static_cast<std::uint32_t>(value_));
}

std::string_view Wire::bytes() const {
  if (type_ != Type::bytes) fail(fmt::format("field {} must hold bytes", field_));
  return bytes_.substr(at_, end_ - at_);
}

// The offset is that in the file, so that errors name a byte there.
Wire Wire::message() const { return {*path_, bytes(), begin_ + at_}; }

// Packed and unpacked forms are equal to a reader (protobuf's encoding guide).
void Wire::append(std::vector<std::int64_t>& out) const {
  if (type_ == Type::varint) return out.push_back(number());
  Wire packed = message();
  while (packed.end_ < packed.bytes_.size()) {
    packed.at_ = packed.end_;
    std::uint64_t value = 0;
    if (!packed.read_varint(value)) packed.fail("a list of numbers ends inside a number");
    out.push_back(static_cast<std::int64_t>(value));
  }
}

void Wire::append(std::vector<std::byte>& out, std::size_t width, bool fixed) const {
  const auto add = [&](const void* from, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(from);
    out.insert(out.end(), bytes, bytes + size);
  };
  if (fixed && type_ == Type::bytes) {
    if (bytes().size() % width != 0) fail("a list of numbers ends inside a number");
    return add(bytes().data(), bytes().size());
  }
  if (fixed) {
    if (type_ != (width == 8 ? Type::fixed64 : Type::fixed32))
      fail(fmt::format("field {} must hold {}-byte numbers", field_, width));
    return add(&value_, width);
  }
  std::vector<std::int64_t> numbers;
  append(numbers);
  // The low `width` bytes: varints of s32 are sign-extended to 64 bits, and the host is
  // little-endian.
  for (const std::int64_t number : numbers) add(&number, width);
}

}  // namespace understudy::program::hlo
