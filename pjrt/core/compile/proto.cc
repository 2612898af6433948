// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/proto.h"

#include "program/hlo/wire.h"

namespace understudy::pjrt {
namespace {

constexpr unsigned kBitsPerByte = 7;  // of a varint
enum WireType : unsigned { kVarint = 0, kLengthDelimited = 2 };

// What errors call the bytes, which come from the framework or from a serialized program.
const std::string& where() {
  static const std::string kWhere = "protocol buffer";
  return kWhere;
}

}  // namespace

std::vector<ProtoField> proto_fields(std::string_view message) {
  std::vector<ProtoField> fields;
  program::hlo::Wire wire(where(), message, 0);
  while (wire.next()) {
    ProtoField& field = fields.emplace_back();
    field.number = wire.field();
    if (wire.holds_bytes()) field.bytes = wire.bytes();
    if (wire.holds_number()) field.value = static_cast<std::uint64_t>(wire.number());
  }
  return fields;
}

std::vector<std::int64_t> proto_integers(std::string_view message, std::uint32_t number) {
  std::vector<std::int64_t> values;
  program::hlo::Wire wire(where(), message, 0);
  while (wire.next())
    if (wire.field() == number) wire.append(values);
  return values;
}

// Base-128, least significant group first (protobuf.dev, "Encoding"). A negative number takes ten
// bytes.
void ProtoWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    text_.push_back(static_cast<char>(value | 0x80U));
    value >>= kBitsPerByte;
  }
  text_.push_back(static_cast<char>(value));
}

void ProtoWriter::number(std::uint32_t field, std::uint64_t value) {
  varint(std::uint64_t{field} << 3 | kVarint);
  varint(value);
}

void ProtoWriter::bytes(std::uint32_t field, std::string_view value) {
  varint(std::uint64_t{field} << 3 | kLengthDelimited);
  varint(value.size());
  text_.append(value);
}

// Writes a field even for an empty list; readers treat both forms alike.
void ProtoWriter::packed(std::uint32_t field, const std::vector<std::int64_t>& values) {
  ProtoWriter list;
  for (const std::int64_t value : values) list.varint(static_cast<std::uint64_t>(value));
  bytes(field, list.text_);
}

}  // namespace understudy::pjrt
