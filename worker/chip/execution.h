// SPDX-License-Identifier: Apache-2.0
// The context of one launch of an executable: base addresses of its spaces, the chip's units, and
// its process id. Owns nothing: the chip and the arena outlive it. Call from the executor thread
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "configs/receipt/record/record.h"
#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/vmem.h"

namespace understudy::worker {

struct Execution;
class HostFallback;
class Pcie;
class NonFiniteWatch;
namespace ops {
class FftPlans;
class FusedPlan;
}  // namespace ops

// The process of the program that this chip runs: StableHLO's process id, with the sizes of the
// grid.
struct ProcessPlace {
  std::int64_t replica = 0;
  std::int64_t partition = 0;
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  // The rank of each process, where a host process chose the chips; empty: neighbours in the order
  // of the processes. The program outlives the launch.
  std::span<const std::int64_t> ranks = {};

  program::ProcessId id() const { return program::ProcessId(replica * partitions + partition); }
};

// What a runner finds out about a collective that is the same in every launch of its program.
struct KeptCollective {
  KeptCollective() = default;
  KeptCollective(const KeptCollective&) = delete;
  KeptCollective& operator=(const KeptCollective&) = delete;
  virtual ~KeptCollective() = default;
};

// Executes the collectives and transfers of a launch; tests run without a transport.
class CollectiveRunner {
 public:
  virtual ~CollectiveRunner() = default;
  // `kept` is empty at the first run, which fills it. Later runs have the same instruction and
  // process.
  virtual void run(const program::Collective& collective, const program::Instruction& instruction,
                   Execution& execution, std::shared_ptr<KeptCollective>& kept) = 0;
  // Finishes the collective of that lane; nothing to do where it was complete on entry.
  virtual void run(const program::CollectiveDone& done) = 0;
  virtual void run(const program::Transfer& transfer, const program::Instruction& instruction,
                   Execution& execution) = 0;
};

// The first check of a self-checking program that failed.
struct Violation {
  std::uint32_t op = 0;  // Instruction::op
  std::string text;      // "tensor<2xf32> [1]: got 3, expected 4"
};

// The outcome of one launch of a self-checking program.
struct Checks {
  std::int64_t held = 0;
  std::optional<Violation> violation;
  std::map<std::string, std::vector<std::vector<std::byte>>> probes;  // by name, in order
};

// When chains of element-wise steps become machine code, and how many did
// (worker/ops/chain_code/chain_code.h).
struct ChainCompilation {
  // Elements after which a chain is compiled: about as many as gain what the compilation took.
  std::size_t hot_elements = 1 << 18;
  // A call puts all values into memory. With fewer links for each, the steps of the chain are
  // quicker, and stay.
  std::size_t links_per_call = 20;
  std::uint64_t compiled = 0, stay = 0, refused = 0;  // in this launch
  std::uint64_t streaming = 0;  // of the compiled ones: some store past the caches
  std::uint64_t asking = 0;     // of the compiled ones: ask for the lines of the next tile
  std::uint64_t tables = 0;     // that the compiled ones read
  std::uint64_t again = 0;      // runs at the addresses of the run before
  std::uint64_t folded = 0;     // reductions by the machine code of a chain, of a tile each
};

struct Execution {
  std::vector<const std::byte*> arguments;  // one base address each
  std::vector<std::byte*> results;
  std::byte* temporaries = nullptr;
  std::byte* host = nullptr;       // temporaries in host memory
  std::vector<std::byte*> slices;  // that LocateSlice has found; of an argument, only read
  const std::byte* constants = nullptr;
  std::byte* frame = nullptr;  // while a Body runs
  std::size_t lanes = 1;       // elements that a lanewise body runs on at once

  ProcessPlace process;
  program::Numerics numerics = program::Numerics::tpu;
  configs::StatusCell* status = nullptr;  // may be null
  Vmem* vmem = nullptr;
  Mxu* mxu = nullptr;
  const program::kernels::KernelTable* kernels = nullptr;
  std::uint64_t rng_draws = 0;              // by stablehlo.rng in this launch
  CollectiveRunner* collectives = nullptr;  // null: the code has no collective
  Pcie* pcie = nullptr;                     // null: moves to the host are plain copies
  HostFallback* fallback = nullptr;         // null: every operation runs on the chip
  NonFiniteWatch* watch = nullptr;          // null: nobody looks for NaN and infinities
  std::function<std::int64_t()>
      infeed_turn;  // shared by all processes of the launch; empty: own counter
  std::int64_t own_infeed_turns = 0;
  Checks checks;
  // Of the loops of this launch, made at their first run.
  std::unordered_map<const program::Fused*, std::shared_ptr<const ops::FusedPlan>> fused_plans;
  ChainCompilation chains;
  std::byte* const* bases = nullptr;    // of bound code, in the order of BoundBase
  std::uint64_t instructions_done = 0;  // of bound code: StatusCell::instructions
  // Of the chip, made at the first transform; null: nobody keeps them.
  std::shared_ptr<ops::FftPlans>* fft_plans = nullptr;

  // The address of a buffer. *Requires* what check_bounds() checked.
  const std::byte* address(const program::Buffer& buffer) const;
  // *Requires*: not an argument and not a constant.
  std::byte* writable(const program::Buffer& buffer) const;
};

}  // namespace understudy::worker
