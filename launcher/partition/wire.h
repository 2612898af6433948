// SPDX-License-Identifier: Apache-2.0
// Frames between the launcher and the partitioner's helper process
// (python/understudy_partitioner/wire.py):
//   frame := header_bytes:u32 payload_bytes:u64 header payload
// Numbers are little-endian; the header is a JSON object. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/partitioner.h"

namespace understudy::launcher {

inline constexpr std::size_t kFramePrefixBytes = 12;

struct Frame {
  std::string header;  // JSON
  std::string payload;
};
// Header length (u32), payload length (u64), header, payload; little-endian.
std::string encoded(const Frame& frame);

// The sizes that a prefix of kFramePrefixBytes announces; nullopt if no frame has such sizes.
struct FrameSizes {
  std::size_t header = 0, payload = 0;
  std::size_t all() const { return kFramePrefixBytes + header + payload; }
};
// *Requires* kFramePrefixBytes bytes. nullopt: larger than any answer, so not from the helper.
std::optional<FrameSizes> frame_sizes(std::string_view prefix);

Frame request_frame(const program::PartitionRequest& request,
                    const std::vector<std::string>& xla_flags);

// Headers of the helper. *Throws* Error{config} for a header of another form.
struct Greeting {
  std::int64_t protocol = 0;
  std::string jaxlib, python;  // versions; empty: not installed
  std::string error;           // why it cannot partition programs; empty: it can
};
Greeting greeting_of(const std::string& header);

struct Answer {
  std::string error;  // the words of XLA; empty: the payload is the program
  std::string kind;   // of an error: "xla", "unsupported"
  std::vector<std::string> warnings;
};
// *Throws* Error{config} for a header that is no answer.
Answer answer_of(const std::string& header);

}  // namespace understudy::launcher
