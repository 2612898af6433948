// SPDX-License-Identifier: Apache-2.0
// Obeys commands: compiles or finds programs, keeps named buffers in the chip's HBM, launches
// executables over them, and writes down what it saw. Whoever commands is behind CommandSource.
// Call from the executor thread only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/compile_cache.h"
#include "collectives/fabric.h"
#include "configs/receipt/record.h"
#include "worker/cache_counts.h"
#include "worker/chip/chip.h"
#include "worker/chip/host_fallback.h"
#include "worker/chip/program_at_work.h"
#include "worker/commands.h"
#include "worker/gates/faults.h"
#include "worker/gates/gates.h"
#include "worker/pod/collective_hooks.h"
#include "worker/pod/collectives.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

// Who this worker is and what it works with; everything outlives the commander.
struct CommanderSetup {
  Chip& chip;
  collectives::Transport& transport;
  collectives::Fabric fabric;
  configs::RecordWriter& record;
  WorkerStatus& worker_status;
  Gates& gates;
  ProgramAtWork& at_work;
  cache::CacheRequest cache;                            // one cache for all that is loaded
  std::string chip_name, chip_digest;                   // of the chip spec
  std::map<std::string, std::string> code_values = {};  // of the profile: part of every key
  // Before a program is looked for in the cache, where all chips must look for the same one.
  std::function<void(const cache::NamedParts&)> agree = {};
  bool notes_scalars = false;  // rank 0 writes down scalar results of every step
  bool notes_launches = true;  // every load and launch goes into the record
  // Where the launch whose first chip is that rank counts its infeeds, for all its chips; nullptr:
  // not shared. See InfeedTurn.
  std::function<std::atomic<std::uint64_t>*(Rank)> infeed_line = {};
  CollectiveHooks* hooks = nullptr;  // told of every collective; may be null
  ChipFaults faults = {};
};

class Commander {
 public:
  explicit Commander(CommanderSetup setup);
  Commander(const Commander&) = delete;
  Commander& operator=(const Commander&) = delete;

  // Until the source has no more commands. A failed command goes to the source's answer(), which
  // may throw it on.
  void obey(CommandSource& source);

 private:
  struct Loaded {
    program::Executable executable;
    ProgramAtWork::OpNames op_names;
    std::byte* constants = nullptr;
  };
  struct Held {
    program::TensorType type;
    std::byte* start = nullptr;
  };

  Answer carry_out(const Command& command, CommandSource& source, std::optional<Error>& error);
  void on(const LoadProgram& command, CommandSource& source);
  void on(const UnloadProgram& command, CommandSource& source);
  void on(const PutBuffer& command, CommandSource& source);
  void on(const Execute& command, CommandSource& source);
  void on(const GetBuffer& command, CommandSource& source);
  void on(const FreeBuffer& command, CommandSource& source);
  void on(const CollectCounters& command, CommandSource& source);

  class Parsed;
  std::string program_digest(const LoadProgram& command, Parsed& parsed) const;
  std::string wrong_processes(const LoadProgram& command,
                              const program::Executable& executable) const;
  // Why an executable from the cache is not the program's; "" where it may be.
  std::string mismatch(const LoadProgram& command, const program::Executable& executable) const;
  void point_at_largest(const program::Executable& executable);
  void keep(const LoadProgram& command, program::Executable executable);
  const Held& held(BufferName name) const;
  void hold(BufferName name, const program::TensorType& type, const std::string& label);
  // The code of a launch, and what faults add to it.
  void work_through(const Loaded& loaded, const Execute& command, Execution& execution);
  Execution bind(const Loaded& loaded, const Execute& command);
  std::vector<std::pair<std::int64_t, double>> scalars_of(const Execute& command) const;

  CommanderSetup setup_;
  cache::CompileCache cache_;
  PodCollectives collectives_;
  std::map<ProgramName, Loaded> programs_;
  std::map<BufferName, Held> buffers_;
  std::int64_t held_checks_ = 0;  // of the last launch
  std::uint64_t hbm_predicted_ = 0;
  configs::Totals totals_;
  CacheCounts counts_;
  std::optional<HostFallback> fallback_;
};

}  // namespace understudy::worker
