// SPDX-License-Identifier: Apache-2.0
// The commands of the launcher (PodHost) to the workers of a pod, and their answers, each as the
// head of a frame (configs/launch/message/frame.h). A worker answers every command, in order.
// Values; reading validates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "configs/json/enum_names.h"

namespace understudy::configs {

// The first message of a worker.
struct PodGreeting {
  std::int64_t rank = 0;
  bool operator==(const PodGreeting&) const = default;
};

enum class PodVerb : std::uint8_t { load, execute, unload, put, get, free, finish };
template <>
struct EnumNames<PodVerb> {
  static constexpr std::string_view kWhat = "a command";
  static constexpr std::string_view kNames[] = {"load", "execute", "unload", "put",
                                                "get",  "free",    "finish"};
};
inline std::string_view name_of(PodVerb verb) {
  return EnumNames<PodVerb>::kNames[static_cast<std::size_t>(verb)];
}

struct PodCommand {
  PodVerb command = PodVerb::finish;
  std::uint64_t program = 0;  // an id chosen by the host, as for buffers
  // load: the body of the frame is the source
  std::string path;  // for messages
  std::string entry;
  std::string numerics;
  std::int64_t replicas = 0;  // 0: as in the program
  // execute: `launch` is the same on all chips of one launch, and increases
  std::int64_t launch = 0;
  std::string collectives;
  std::vector<std::uint64_t> arguments;
  std::vector<std::uint64_t> results;  // empty: the results are dropped
  // put (the body of the frame is the array), get (the body of the answer is), free
  std::uint64_t buffer = 0;
  std::string element;  // MLIR name, "f32"
  std::vector<std::int64_t> shape;
  bool operator==(const PodCommand&) const = default;
};

struct PodAnswer {
  PodVerb command = PodVerb::finish;
  std::uint64_t program = 0;
  std::string error_kind;  // empty: success
  std::string error;       // text for the user, with its place in the source if known
  std::int64_t op = -1;    // the operation that failed; -1: none in particular
  std::vector<std::string> arguments, results;  // load: the types, "tensor<4xf32>"
  std::int64_t checks = 0;                      // execute: satisfied expectations
  bool operator==(const PodAnswer&) const = default;
};

std::string to_json(const PodGreeting& greeting);
std::string to_json(const PodCommand& command);
std::string to_json(const PodAnswer& answer);
// *Throw* Error{config}.
PodGreeting read_greeting(const std::string& text);
PodCommand read_command(const std::string& text);
PodAnswer read_answer(const std::string& text);

}  // namespace understudy::configs
