// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers (protobuf.dev, "Encoding"): a message is a list of (field
// number, wire type, value), read front to back with every step checked against the end. Field
// numbers come from XLA's hlo.proto and xla_data.proto; they stand in proto*.cc. Why no library:
// docs/decisions/0016-hlo-without-a-protobuf-library.md. The bytes and the path must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::program::hlo {

class Wire {
 public:
  Wire(const std::string& path, std::string_view bytes, std::uint64_t offset)
      : path_(&path), bytes_(bytes), begin_(offset) {}

  // Moves to the next field, past the value of the last one. False at the end.
  bool next();
  std::uint32_t field() const { return field_; }
  std::uint64_t offset() const { return begin_ + at_; }  // of the current value

  // The current value. All throw Error{input} where it has another wire type.
  std::int64_t number() const;
  bool flag() const { return number() != 0; }
  double real32() const;
  std::string_view bytes() const;
  std::string text() const { return std::string(bytes()); }
  bool holds_bytes() const { return type_ == Type::bytes; }
  bool holds_number() const { return type_ == Type::varint; }
  std::string_view all() const { return bytes_; }  // the whole message
  Wire message() const;
  // Appends a repeated number: packed, or one element.
  void append(std::vector<std::int64_t>& out) const;
  // Appends the elements of a repeated number as `width` bytes each, little-endian: packed or one;
  // varints if `fixed` is false.
  void append(std::vector<std::byte>& out, std::size_t width, bool fixed) const;

  [[noreturn]] void fail(const std::string& message) const;
  // Whether all bytes are fields; never throws.
  static bool is_message(std::string_view bytes);

 private:
  enum class Type : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
  bool read_varint(std::uint64_t& value);
  bool read_value();
  bool advance();

  const std::string* path_;
  std::string_view bytes_;
  std::uint64_t begin_ = 0;
  std::uint64_t at_ = 0;   // of the current value
  std::uint64_t end_ = 0;  // behind it
  std::uint32_t field_ = 0;
  Type type_ = Type::varint;
  std::uint64_t value_ = 0;  // of a varint or fixed value
};

}  // namespace understudy::program::hlo
