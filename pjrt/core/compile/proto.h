// SPDX-License-Identifier: Apache-2.0
// The wire format of protocol buffers, as far as the messages need it that frameworks exchange with
// plugins: CompileOptionsProto, DeviceAssignmentProto, OpSharding. Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::pjrt {

struct ProtoField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  // of a varint
  std::string_view bytes;   // of a string, a message or a packed list
};

// All fields of a message in their order. The views point into `message`. *Throws* Error{input}.
std::vector<ProtoField> proto_fields(std::string_view message);
// The numbers of a repeated integer field of a message, packed or not. *Throws* Error{input}.
std::vector<std::int64_t> proto_integers(std::string_view message, std::uint32_t number);

class ProtoWriter {
 public:
  void number(std::uint32_t field, std::uint64_t value);
  void bytes(std::uint32_t field, std::string_view value);
  void packed(std::uint32_t field, const std::vector<std::int64_t>& values);
  std::string take() { return std::move(text_); }

 private:
  void varint(std::uint64_t value);
  std::string text_;
};

}  // namespace understudy::pjrt
