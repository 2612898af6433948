// SPDX-License-Identifier: Apache-2.0
// Machine code of the loops of one program, and how they run.
#include <asmjit/x86.h>
#include <string_view>
#include <unordered_set>

#include "worker/ops/control.h"
#include "worker/ops/machine_code/loop_compares.h"
#include "worker/ops/machine_code/loop_frame.h"
#include "worker/ops/machine_code/loop_places.h"
#include "worker/ops/machine_code/loop_reader.h"
#include "worker/ops/machine_code/loop_writer.h"
#include "worker/ops/machine_code/machine_code.h"

namespace understudy::worker::ops {
namespace machine {
namespace {

struct MachineLoop {
  std::shared_ptr<asmjit::JitRuntime> memory;  // keeps the code
  LoopFunction function = nullptr;
  std::vector<Called> calls;
  std::uint32_t body_op = 0;  // of its first step: ordinal + 1
};

// Written through one mapping and run through another: no page is both writable and executable.
// One for each program, as processes that are forked share such memory.
std::shared_ptr<asmjit::JitRuntime> new_memory() {
  asmjit::JitAllocator::CreateParams parameters;
  parameters.options = asmjit::JitAllocatorOptions::kUseDualMapping;
  return std::make_shared<asmjit::JitRuntime>(&parameters);
}

// The first error ends the compilation.
class FirstError : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error error, const char* /*message*/,
                   asmjit::BaseEmitter* /*origin*/) override {
    if (first == asmjit::kErrorOk) first = error;
  }
  asmjit::Error first = asmjit::kErrorOk;
};

// nullptr where it cannot be made.
LoopFunction assemble(const LoopGraph& graph, asmjit::JitRuntime& memory) {
  asmjit::CodeHolder code;
  FirstError error;
  if (code.init(memory.environment()) != asmjit::kErrorOk) return nullptr;
  code.setErrorHandler(&error);
  asmjit::x86::Compiler compiler(&code);
  write_loop(compiler, graph);
  if (error.first != asmjit::kErrorOk || compiler.finalize() != asmjit::kErrorOk) return nullptr;
  LoopFunction function = nullptr;
  return memory.add(&function, &code) == asmjit::kErrorOk ? function : nullptr;
}

std::uint64_t* word(std::atomic<std::uint64_t>& cell) {
  static_assert(sizeof(cell) == sizeof(std::uint64_t));
  return reinterpret_cast<std::uint64_t*>(&cell);
}
std::uint32_t* word(std::atomic<std::uint32_t>& cell) {
  static_assert(sizeof(cell) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(&cell);
}

// As the bound loop: the status is updated once for 64 iterations.
void run_machine_loop(const LinkedStep& step, Execution& execution) {
  const auto& loop = *static_cast<const MachineLoop*>(step.details);
  configs::StatusCell nowhere;
  configs::StatusCell& status = execution.status != nullptr ? *execution.status : nowhere;
  const LoopCount count(execution.status, step.instruction->op);
  std::vector<const LinkedStep*> called;
  for (const Called& call : loop.calls) called.push_back(&call.list->linked[call.number]);
  status.op.store(loop.body_op, std::memory_order_relaxed);
  LoopFrame frame;
  frame.bases = execution.bases;
  frame.called = called.data();
  frame.execution = &execution;
  frame.instructions = execution.instructions_done;
  frame.outer_iterations = word(status.loops[count.is_outermost() ? 0 : 1].iterations);
  frame.inner_iterations = word(status.loops[1].iterations);
  frame.inner_op = word(status.loops[1].op);
  frame.done = word(status.instructions);
  frame.op = word(status.op);
  loop.function(&frame);
  execution.instructions_done = frame.instructions;
  status.instructions.store(frame.instructions, std::memory_order_relaxed);
}

// Of all loops of a program: its first launch waits for their code.
constexpr std::size_t kMostProgramSteps = 4000;

// The loops of one program, from the outermost.
class Compiler {
 public:
  explicit Compiler(BoundCode& code) : code_(code) {}

  void run() {
    // Lists of loops and branches stand before the list that has them.
    for (auto list = code_.lists.rbegin(); list != code_.lists.rend(); ++list) {
      if (compiled_.contains(&*list)) continue;
      for (BoundStep& step : list->steps)
        if (is_loop(step)) compile(step);
    }
  }

 private:
  static bool is_loop(const BoundStep& step) {
    return std::holds_alternative<program::While>(step.part->work);
  }

  void compile(BoundStep& step) {
    auto graph = read_loop(step, *code_.executable);
    if (!graph || steps_ + graph->simple_steps > kMostProgramSteps) return;
    steps_ += graph->simple_steps;
    place_slots(*graph);
    postpone_compares(*graph);
    if (memory_ == nullptr) memory_ = new_memory();
    MachineLoop loop;
    loop.function = assemble(*graph, *memory_);
    if (loop.function == nullptr) return;
    mark_lists(step);
    loop.memory = memory_;
    loop.calls = graph->calls;
    loop.body_op = graph->blocks[graph->loop.body].op;
    step.details = code_.keep(std::move(loop));
    step.run = &run_machine_loop;
    ++code_.machine_loops;
  }

  // The lists of a compiled loop, of which single steps may still be called.
  void mark_lists(const BoundStep& step) {
    if (is_loop(step)) {
      const auto& loop = *static_cast<const BoundLoop*>(step.details);
      mark_list(*loop.condition);
      mark_list(*loop.body);
    } else if (std::holds_alternative<program::Case>(step.part->work)) {
      for (const BoundSteps* branch : *static_cast<const BoundBranches*>(step.details))
        mark_list(*branch);
    }
  }
  void mark_list(const BoundSteps& list) {
    compiled_.insert(&list);
    for (const BoundStep& step : list.steps) mark_lists(step);
  }

  BoundCode& code_;
  std::shared_ptr<asmjit::JitRuntime> memory_;
  std::unordered_set<const BoundSteps*> compiled_;
  std::size_t steps_ = 0;
};

}  // namespace
}  // namespace machine

bool makes_machine_code(const program::kernels::KernelTable& kernels) {
  // Any other table is of a processor with AVX2.
  return std::string_view(kernels.isa) != "portable";
}

void compile_loops(BoundCode& code, const program::kernels::KernelTable& kernels) {
  if (makes_machine_code(kernels)) machine::Compiler(code).run();
}

}  // namespace understudy::worker::ops
