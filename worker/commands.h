// SPDX-License-Identifier: Apache-2.0
// What a worker obeys after its gates. Today the commands come from the run that the launcher
// planned (PlannedRun); later the same commands come from a host process over a socket. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program/executable.h"

namespace understudy::worker {

using BufferName = std::uint64_t;  // named by whoever commands; unique among live buffers
using ProgramName = std::uint64_t;

struct LoadProgram {
  ProgramName program = 0;
  std::shared_ptr<const std::string>
      text;          // source bytes; every worker compiles or finds it cached
  std::string path;  // for messages
  program::Numerics numerics = program::Numerics::tpu;
  std::int64_t replicas = 0;
};
struct PutBuffer {  // host -> HBM
  BufferName buffer = 0;
  program::TensorType type;
  std::shared_ptr<const std::vector<std::byte>> data;
};
struct Execute {
  ProgramName program = 0;
  std::vector<BufferName> arguments;
  std::vector<BufferName> results;  // new names, allocated by the worker
  std::int64_t step = 0;
  std::string collectives = "auto";
};
struct GetBuffer {  // HBM -> host: the source's deliver() gets the bytes
  BufferName buffer = 0;
  std::int64_t result = 0;  // which result of the program it was, for deliver()
  bool bytes = true;        // false: only the digest is wanted
};
struct FreeBuffer {
  BufferName buffer = 0;
};
struct CollectCounters {};  // append counters to the record

using Command =
    std::variant<LoadProgram, PutBuffer, Execute, GetBuffer, FreeBuffer, CollectCounters>;

class CommandSource {
 public:
  virtual ~CommandSource() = default;
  // The next command, in order; nullopt: the work is done. Call from the executor thread.
  virtual std::optional<Command> next() = 0;
  // Answer to a GetBuffer.
  virtual void deliver(const GetBuffer& asked, const program::TensorType& type,
                       std::span<const std::byte> bytes) = 0;
};

}  // namespace understudy::worker
