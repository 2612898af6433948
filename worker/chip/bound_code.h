// SPDX-License-Identifier: Apache-2.0
// An executable's code made ready to run many times: kernels are chosen, shapes turned into counts
// and strides, and each operand is a base address and an offset. Loops of small operations would
// spend their time on these decisions otherwise. What a step computes has the same bits as the
// instruction run by worker/chip/executor.h. Built by worker/ops/bind.h once per loaded program; a
// launch fills in its addresses. One launch at a time. Equivalent: XLA's thunks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "program/executable/executable.h"
#include "program/kernels/kernel_table.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

// The bases of a launch: these, then one per argument, then one per result.
enum BoundBase : std::uint32_t {
  kTemporaries,
  kConstants,
  kHostTemporaries,
  kBoundScratch,
  kFirstArgument
};

struct BoundPlace {
  std::uint32_t base = kTemporaries;
  std::size_t offset = 0;  // in bytes
  bool operator==(const BoundPlace&) const = default;
};

struct LinkedStep;
using BoundFunction = void (*)(const LinkedStep& step, Execution& execution);

// What a step is, whatever its addresses.
struct StepWork {
  BoundFunction run = nullptr;
  std::size_t count = 0;  // elements, or bytes of a copy
  union {
    program::kernels::UnaryKernel one = nullptr;
    program::kernels::BinaryKernel two;
    program::kernels::SelectKernel choose;
    void (*fill)(const std::byte* one, std::byte* out, std::size_t n);
  };
  const void* details = nullptr;  // what else `run` needs; lives as long as the BoundCode
  const program::Instruction* instruction = nullptr;
  // What this step does: the instruction, or the step of its fused loop. The places of the step are
  // those of its operands.
  const program::Instruction* part = nullptr;
  bool ends = true;  // the instruction is complete after this step
  // Calls no other code of the launch, and takes as long as its `count` says.
  bool is_leaf = true;

  // Too short for the status to name it.
  bool is_quick() const { return is_leaf && count <= kFewElements; }

 private:
  static constexpr std::size_t kFewElements = 256;
};

struct BoundStep : StepWork {
  std::array<BoundPlace, 3> in{};
  BoundPlace out;
};

// A step with the addresses of the present launch.
struct LinkedStep : StepWork {
  std::array<std::byte*, 3> in{};
  std::byte* out = nullptr;
};

struct BoundSteps {
  std::vector<BoundStep> steps;
  std::vector<LinkedStep> linked = {};  // of the present launch, as many
  // All steps are leaves of few elements: the status names the first and counts all at once.
  bool is_quick = false;
  std::uint64_t instructions = 0;  // that end in these steps

  explicit BoundSteps(std::vector<BoundStep> all = {});
  // Without the status.
  void run_quickly(Execution& execution) const {
    for (const LinkedStep& step : linked) step.run(step, execution);
  }
};

// The details of a step that is a loop, and of one that is a branch.
struct BoundLoop {
  const BoundSteps *condition, *body;
};
using BoundBranches = std::vector<const BoundSteps*>;

struct BoundCode {
  // *Requires*: it outlives this object, and does not move.
  const program::Executable* executable = nullptr;
  std::deque<BoundSteps> lists;  // of loops and branches too; elements do not move
  BoundSteps* steps = nullptr;   // the outermost one
  // Once per launch: values of loops that are the same in each iteration.
  BoundSteps first;
  std::size_t scratch_bytes = 0;  // of VMEM, for the whole launch
  std::size_t machine_loops = 0;  // that run as machine code (worker/ops/machine_code)
  std::vector<std::shared_ptr<const void>> details;

  template <class T>
  const T* keep(T value) {
    auto kept = std::make_shared<const T>(std::move(value));
    details.push_back(kept);
    return kept.get();
  }
};

// As run(executable.code, execution). Launches whose operations are watched or emulated on the host
// (Execution::watch, fallback) run instruction by instruction.
void run(BoundCode& code, Execution& execution);

// The steps of a loop or a branch.
void run_steps(const BoundSteps& steps, Execution& execution);

}  // namespace understudy::worker
