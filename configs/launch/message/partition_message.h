// SPDX-License-Identifier: Apache-2.0
// A host process asks the launcher for the per-chip program of a global-view program, and the
// launcher's answer, each as the head of a frame (configs/launch/message/frame.h); the body is the
// program. One connection carries one question and one answer. Values; reading validates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::configs {

// The launcher listens there, in the run folder.
inline constexpr std::string_view kPartitionSocket = "partition.sock";

// program::PartitionRequest without its program. Flags are 0 or 1.
struct PartitionQuestion {
  std::int64_t host = 0;  // who asks, for messages
  std::string file, entry;
  std::int64_t replicas = 1, partitions = 1;
  std::vector<std::int64_t> device_order;
  bool shardy = true;
  std::vector<std::int64_t> propagate_to_parameters, propagate_to_output;
  bool operator==(const PartitionQuestion&) const = default;
};

struct PartitionReply {
  std::string error_kind;  // name_of(ErrorKind); empty: the body is the program
  std::string error;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;  // the partitioner's own
  bool cached = false;                // no partitioner was needed
  bool operator==(const PartitionReply&) const = default;
};

std::string to_json(const PartitionQuestion& question);
std::string to_json(const PartitionReply& reply);
// *Throw* Error{config}.
PartitionQuestion read_partition_question(const std::string& text);
PartitionReply read_partition_reply(const std::string& text);

}  // namespace understudy::configs
