// SPDX-License-Identifier: Apache-2.0
// The commands that a worker executes after its gates. They come from the run that the launcher
// planned (PlannedRun), from a PodHost over a socket (PodHostSource), or from a host process that
// runs a script (PjrtSource). Values.
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

#include "configs/base/error.h"
#include "program/executable/executable.h"

namespace understudy::worker {

using BufferName = std::uint64_t;  // chosen by the source; unique among live buffers
using ProgramName = std::uint64_t;

struct LoadProgram {
  ProgramName program = 0;
  std::shared_ptr<const std::string>
      text;          // source bytes; every worker compiles or finds it cached
  std::string path;  // for messages
  // The canonical digest where the source knows it; empty: the commander computes it where needed.
  std::string digest = {};
  program::Numerics numerics = program::Numerics::tpu;
  std::int64_t replicas = 0;
  std::string entry = {};  // program::CompileOptions
  std::vector<std::string> disabled_passes = {};
  bool poison = false;       // program::CompileOptions
  bool part_of_pod = false;  // it runs on the first chips of the pod; else on all
  // Types per chip where the source knows them: an executable from a cache must have the same.
  struct Types {
    std::vector<program::TensorType> arguments, results;
  };
  std::optional<Types> types = {};
};
struct UnloadProgram {
  ProgramName program = 0;
};
struct PutBuffer {  // host -> HBM
  BufferName buffer = 0;
  program::TensorType type;
  std::shared_ptr<const std::vector<std::byte>> data;
  bool on_host = false;  // stays in host memory
};
struct Execute {
  ProgramName program = 0;
  std::vector<BufferName> arguments;
  std::vector<BufferName> results;  // new names, allocated by the worker
  // Arguments, by index, whose buffers the launch may consume: they are freed, or a result
  // continues in their memory.
  std::vector<std::size_t> donated = {};
  std::int64_t step = 0;  // the same on all chips of a launch, and grows
  std::string collectives = "auto";
};
struct GetBuffer {  // HBM -> host: the source's deliver() gets the bytes
  BufferName buffer = 0;
  std::int64_t result = 0;  // index of the program's result, for deliver()
  bool bytes = true;        // false: only the digest is recorded
};
struct FreeBuffer {
  BufferName buffer = 0;
};
// The following come from a host process that manages the chip's HBM itself: buffers are places in
// HBM, in bytes from its start.
struct LoadArchive {
  ProgramName program = 0;
  std::string archive;                // cache/archive.h, without constants
  std::uint64_t constants_bytes = 0;  // that the program has in HBM
  std::int64_t process = 0;           // this chip's number in the program
  std::vector<std::int64_t> ranks;    // of all processes
  std::string name;
};
struct Launch {
  ProgramName program = 0;
  std::int64_t step = 0;  // grows
  std::uint64_t temporaries = 0, constants = 0;
  std::uint64_t hbm_in_use = 0;
  std::vector<std::uint64_t> arguments, results;
};
struct ClientLeft {  // what the host process did since it came
  std::int64_t compiles = 0;
  std::uint64_t hbm_peak = 0;
};
struct CollectCounters {};  // append counters to the record

using Command = std::variant<LoadProgram, UnloadProgram, PutBuffer, Execute, GetBuffer, FreeBuffer,
                             LoadArchive, Launch, ClientLeft, CollectCounters>;

// The outcome of a command.
struct Answer {
  const Error* error = nullptr;
  std::int64_t op = -1;                         // ordinal of the operation that failed
  const program::Executable* loaded = nullptr;  // of a LoadProgram
  std::int64_t checks = 0;                      // of an Execute: checks that held
};

// Whether the chips of the pod are still in step with each other after an error of this kind, so
// that a source may report it and go on.
inline bool leaves_chips_in_step(ErrorKind kind) {
  return kind == ErrorKind::check || kind == ErrorKind::input || kind == ErrorKind::unsupported ||
         kind == ErrorKind::capacity;
}

class CommandSource {
 public:
  virtual ~CommandSource() = default;
  // The next command, in order; nullopt: there are no more. Call from the executor thread.
  virtual std::optional<Command> next() = 0;
  // Answer to a GetBuffer.
  virtual void deliver(const GetBuffer& asked, const program::TensorType& type,
                       std::span<const std::byte> bytes) = 0;
  // Called once for each command. If it returns after a failure, the worker goes on. The default
  // throws, for sources that cannot report the error to anybody.
  virtual void answer(const Command& /*command*/, const Answer& answer) {
    if (answer.error != nullptr) throw *answer.error;
  }
};

}  // namespace understudy::worker
