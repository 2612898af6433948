// SPDX-License-Identifier: Apache-2.0
// The protocol between a host process and a worker over a stream: frames with a JSON head and, if
// the head needs one, a body of bytes (a program, an array). docs/formats.md shows the layout.
// Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::configs {

struct Frame {
  std::string head;
  std::vector<std::byte> body;
  bool operator==(const Frame&) const = default;
};

std::vector<std::byte> encode(std::string_view head, std::span<const std::byte> body = {});

// Assembles frames from bytes as they arrive. *Throws* Error{protocol} for an invalid frame.
class FrameDecoder {
 public:
  static constexpr std::uint32_t kMostHeadBytes = 1U << 24;
  static constexpr std::uint64_t kMostBodyBytes = std::uint64_t{1} << 36;

  void feed(std::span<const std::byte> bytes);
  // The next whole frame; nullopt: more bytes are needed.
  std::optional<Frame> next();

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace understudy::configs
