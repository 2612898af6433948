// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/proto.h"

#include "configs/base/error.h"

namespace understudy::pjrt {
namespace {

constexpr unsigned kBitsPerByte = 7;  // of a varint
enum WireType : unsigned { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5 };

[[noreturn]] void broken() {
  throw Error(ErrorKind::input, "the compile options are no valid protocol buffer");
}

std::uint64_t take_varint(std::string_view& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += kBitsPerByte) {
    if (from.empty()) broken();
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  broken();
}

std::string_view take_bytes(std::string_view& from, std::uint64_t size) {
  if (size > from.size()) broken();
  const std::string_view piece = from.substr(0, size);
  from.remove_prefix(size);
  return piece;
}

std::uint64_t fixed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

}  // namespace

std::vector<ProtoField> proto_fields(std::string_view message) {
  std::vector<ProtoField> fields;
  while (!message.empty()) {
    const std::uint64_t key = take_varint(message);
    ProtoField field;
    field.number = static_cast<std::uint32_t>(key >> 3);
    switch (key & 7U) {
      case kVarint:
        field.value = take_varint(message);
        break;
      case kFixed64:
        field.value = fixed(take_bytes(message, 8));
        break;
      case kFixed32:
        field.value = fixed(take_bytes(message, 4));
        break;
      case kLengthDelimited:
        field.bytes = take_bytes(message, take_varint(message));
        field.has_bytes = true;
        break;
      default:
        broken();
    }
    fields.push_back(field);
  }
  return fields;
}

std::vector<std::int64_t> proto_integers(const std::vector<ProtoField>& fields,
                                         std::uint32_t number) {
  std::vector<std::int64_t> values;
  for (const ProtoField& field : fields) {
    if (field.number != number) continue;
    if (!field.has_bytes) values.push_back(static_cast<std::int64_t>(field.value));
    std::string_view packed = field.bytes;
    while (!packed.empty()) values.push_back(static_cast<std::int64_t>(take_varint(packed)));
  }
  return values;
}

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

void ProtoWriter::packed(std::uint32_t field, const std::vector<std::int64_t>& values) {
  ProtoWriter list;
  for (const std::int64_t value : values) list.varint(static_cast<std::uint64_t>(value));
  bytes(field, list.text_);
}

}  // namespace understudy::pjrt
