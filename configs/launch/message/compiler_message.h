// SPDX-License-Identifier: Apache-2.0
// The requests of the launcher to understudy-tpu-compiler, the process that loads the library of
// the TPU compiler, and its answers, each as the head of a frame (configs/launch/message/frame.h).
// The process sends a greeting, then answers every request, in order. Values; reading validates.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace understudy::configs {

inline constexpr std::int64_t kCompilerProtocol = 1;

// A refusal in the words of the library; `code` is a number of absl::StatusCode. Code 0: the
// library was not asked, because it has no such function or could not be loaded.
struct CompilerError {
  std::int64_t code = 0;
  std::string message;
  bool operator==(const CompilerError&) const = default;
};

struct CompilerGreeting {
  std::int64_t protocol = kCompilerProtocol;
  std::optional<CompilerError> error;  // the library cannot be used at all
  std::int64_t api_major = 0, api_minor = 0;
  std::vector<std::string> missing;               // functions that it lacks
  std::map<std::string, std::string> attributes;  // of the plugin
  bool operator==(const CompilerGreeting&) const = default;
};

struct CompilerRequest {
  std::string command;                       // "topology" or "compile"
  std::string topology;                      // "v6e:4x4"
  std::vector<std::int64_t> chips_per_host;  // 3 numbers; empty: the library's default
  std::int64_t slices = 1;
  // compile: the body of the frame is the program
  std::string format;  // "mlir" or "hlo"
  std::int64_t replicas = 1, partitions = 1;
  std::vector<std::int64_t> devices;  // id of each process, replica * partitions + partition
  bool shardy = true;
  std::vector<bool> propagate_to_parameters, propagate_to_output;
  std::vector<std::pair<std::string, std::string>> options;  // of the compiler: name, value
  bool operator==(const CompilerRequest&) const = default;
};

struct CompilerDevice {
  std::int64_t id = 0, process = 0;
  std::string kind;
  std::vector<std::int64_t> coords;
  std::int64_t core = 0;
  std::optional<std::int64_t> slice, memory_bytes;
  bool operator==(const CompilerDevice&) const = default;
};

// Per chip, in bytes.
struct CompilerMemory {
  std::int64_t arguments = 0, outputs = 0, aliases = 0, temporaries = 0, code = 0;
  // What all of it needs at once, as the library adds it up; 0: it does not say.
  std::int64_t peak = 0;
  bool operator==(const CompilerMemory&) const = default;
};

struct CompilerAnswer {
  std::string command;
  std::optional<CompilerError> error;
  // topology
  std::string platform, version;
  std::vector<CompilerDevice> devices;
  std::map<std::string, std::string> attributes;
  // compile: the body of the frame is the scheduled program (HloModuleProto)
  double seconds = 0;
  std::optional<std::int64_t> executable_bytes;
  std::optional<CompilerMemory> memory;
  std::map<std::string, double> costs;  // finite values of the cost analysis
  std::string fingerprint;              // empty: the library has none
  std::vector<std::string> missing;     // functions that it would have taken to say more
  bool operator==(const CompilerAnswer&) const = default;
};

std::string to_json(const CompilerGreeting& greeting);
std::string to_json(const CompilerRequest& request);
std::string to_json(const CompilerAnswer& answer);
// *Throw* Error{config}.
CompilerGreeting read_compiler_greeting(const std::string& text);
CompilerRequest read_compiler_request(const std::string& text);
CompilerAnswer read_compiler_answer(const std::string& text);

}  // namespace understudy::configs
