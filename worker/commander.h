// SPDX-License-Identifier: Apache-2.0
// Executes commands: compiles programs or finds them in the cache, keeps named buffers in the
// chip's HBM, launches executables over them, and records what it observed. The commands come from
// any CommandSource. Call from the executor thread only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cache/compile_cache.h"
#include "collectives/fabric.h"
#include "configs/receipt/record/record.h"
#include "program/executable/memory_plan.h"
#include "worker/cache_counts.h"
#include "worker/chip/bound_code.h"
#include "worker/chip/chip.h"
#include "worker/chip/host_fallback.h"
#include "worker/chip/non_finite.h"
#include "worker/chip/pcie.h"
#include "worker/chip/program_at_work.h"
#include "worker/commands.h"
#include "worker/gates/faults.h"
#include "worker/gates/gates.h"
#include "worker/hbm/host_memory.h"
#include "worker/hbm/populated.h"
#include "worker/pod/collective_hooks.h"
#include "worker/pod/collectives.h"
#include "worker/pod/worker_status.h"

namespace understudy::worker {

// What the commander works with; everything outlives it.
struct CommanderSetup {
  Chip& chip;
  collectives::Transport& transport;
  collectives::Fabric fabric;
  configs::RecordWriter& record;
  WorkerStatus& worker_status;
  Gates& gates;
  ProgramAtWork& at_work;
  cache::CacheRequest cache;                            // of all programs that are loaded
  std::string chip_name, chip_digest;                   // of the chip spec
  std::string algorithm = "auto";                       // of collectives, for a host process
  std::map<std::string, std::string> code_values = {};  // of the profile: part of every key
  // Called before each cache lookup under policies that need one key on all chips; empty otherwise.
  std::function<void(const cache::NamedParts&)> agree = {};
  bool notes_scalars = false;  // record the scalar results of every step (rank 0)
  bool notes_launches = true;  // record every load and launch
  bool looks_for_non_finite = false;
  // The rank of each process of programs that use the whole pod; empty: process i is on rank i.
  std::vector<std::int64_t> device_order = {};
  // The shared counter of infeeds for a launch whose first chip is that rank; nullptr: not shared.
  // See take_turn().
  std::function<std::atomic<std::uint64_t>*(Rank)> infeed_line = {};
  CollectiveHooks* hooks = nullptr;  // called for every collective; may be null
  // The pages of HBM that hold data; empty: nobody can tell.
  std::function<std::optional<Populated>()> populated = {};
  std::uint64_t host_bytes = 0;       // for values in host memory; 0: what the machine has
  std::uint64_t premapped_bytes = 0;  // see Pcie
  bool poison = false;                // overwrite buffers outside of their lives
  ChipFaults faults = {};
};

class Commander {
 public:
  explicit Commander(CommanderSetup setup);
  Commander(const Commander&) = delete;
  Commander& operator=(const Commander&) = delete;

  // Until the source has no more commands. The source's answer() receives a failed command's error
  // and may throw it on.
  void obey(CommandSource& source);
  // At the end of the pod, also of a failed one.
  void remove_cache_markers() noexcept { cache_.remove_own_markers(); }
  // For launches whose host process takes messages; nullptr: none does. It outlives the launches.
  void use_host(HostLink* host) { collectives_.use_host(host); }

 private:
  struct Loaded {
    program::Executable executable;
    std::unique_ptr<BoundCode> bound = nullptr;  // of `executable`, in its place in the map
    program::MemoryPlan memory;
    ProgramAtWork::OpNames op_names;
    std::vector<std::string> result_labels;  // in messages about memory
    std::byte* constants = nullptr;
    // Of a LoadArchive: the ranks of all processes, and this chip's number among them.
    std::vector<std::int64_t> ranks = {};
    std::int64_t process = 0;
  };
  struct Held {
    program::TensorType type;
    std::byte* start = nullptr;
    bool on_host = false;
  };

  // Adds a program under its name, and makes it ready to run.
  void make_ready(ProgramName name, Loaded loaded);
  Answer carry_out(const Command& command, CommandSource& source, std::optional<Error>& error);
  void on(const LoadProgram& command, CommandSource& source);
  void on(const UnloadProgram& command, CommandSource& source);
  void on(const PutBuffer& command, CommandSource& source);
  void on(const Execute& command, CommandSource& source);
  void on(const GetBuffer& command, CommandSource& source);
  void on(const FreeBuffer& command, CommandSource& source);
  void on(const CollectCounters& command, CommandSource& source);
  // commander_launch.cc
  void on(const LoadArchive& command, CommandSource& source);
  void on(const Launch& command, CommandSource& source);
  void on(const ClientLeft& command, CommandSource& source);
  void bind(const Loaded& loaded, const Launch& command, Execution& execution);
  void equip(const Loaded& loaded, Execution& execution);

  class Parsed;
  std::string program_digest(const LoadProgram& command, Parsed& parsed) const;
  // Which process of a program with so many this chip runs, in launches of the plan.
  std::int64_t number_of_this(std::int64_t processes) const;
  std::string wrong_processes(const LoadProgram& command,
                              const program::Executable& executable) const;
  // Why an executable from the cache does not belong to the program; "" where it does.
  std::string mismatch(const LoadProgram& command, const program::Executable& executable) const;
  void require_room(const program::Executable& executable, Parsed& parsed);
  void point_at_largest(const program::Executable& executable);
  void keep(const LoadProgram& command, program::Executable executable, Parsed& parsed);
  const Held& held(BufferName name) const;
  void hold(BufferName name, const program::TensorType& type, const std::string& label,
            bool on_host);
  // Moves a buffer to the memory where the program expects it.
  const Held& settle(BufferName name, bool on_host);
  void hold_results(const Loaded& loaded, const Execute& command);
  void release(BufferName name);
  void poison(std::byte* start, std::uint64_t bytes) const;  // nothing where it is not asked for
  // Runs the code of a launch, with what faults add to it.
  void work_through(const Loaded& loaded, const Execute& command, Execution& execution);
  Execution bind(const Loaded& loaded, const Execute& command);
  class Scratch;
  std::vector<std::pair<std::int64_t, double>> scalars_of(const Execute& command) const;

  CommanderSetup setup_;
  cache::CompileCache cache_;
  PodCollectives collectives_;
  std::map<ProgramName, Loaded> programs_;
  std::unordered_map<BufferName, Held> buffers_;
  std::int64_t held_checks_ = 0;  // checks that held in the last launch
  void note_plan(const program::MemoryPlan& plan);
  void predict(const Loaded& loaded);
  configs::MemorySeen memory_seen() const;

  HostMemory host_memory_;
  Pcie pcie_;
  configs::MemorySeen memory_;     // the prediction, by the largest launch
  std::uint64_t client_peak_ = 0;  // most bytes of HBM that a host process used
  configs::Totals totals_;
  CacheCounts counts_;
  std::optional<HostFallback> fallback_;
  std::optional<NonFiniteWatch> watch_;
};

}  // namespace understudy::worker
