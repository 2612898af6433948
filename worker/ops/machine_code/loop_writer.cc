// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/loop_writer.h"

#include <bit>
#include <limits>

#include "worker/ops/machine_code/emitter.h"
#include "worker/ops/machine_code/forms.h"
#include "worker/ops/machine_code/loop_frame.h"

namespace understudy::worker::ops::machine {
namespace {

using asmjit::Label;

class Writer {
 public:
  Writer(x86::Compiler& compiler, const LoopGraph& graph)
      : cc_(compiler), graph_(graph), e_(compiler, graph) {}
  void write();

 private:
  // Iterations between two updates of the status.
  static constexpr std::int32_t kAtOnce = 64;

  // The counters of a running loop.
  struct Count {
    const Loop* loop = nullptr;
    const Count* outer = nullptr;  // of the loop around it; nullptr: the function's loop
    x86::Gp left;                  // iterations until the next update
    x86::Gp counted;               // at the last one
    std::uint32_t op = 0;          // ordinal + 1, as the status has it
  };

  void write(const Loop& loop, const Count* outer);
  void write(const Block& block, const Count& count);
  void write(const Part& part, const Count& count);
  void write(const Window& window);
  void write(const Branch& branch, const Count& count);
  void write(const Call& call);
  void branch_by_number(const Branch& branch, const std::vector<Label>& labels);
  x86::Gp offset_of(const WindowStart& start);
  void jump_if(const Value& pred, const Label& target);
  x86::Gp iterations(const Count& count);  // so far
  void enter(const Count& count);
  void leave(const Count& count);
  void show(const Count& count);
  x86::Mem frame(std::size_t offset) { return x86::ptr(frame_, static_cast<std::int32_t>(offset)); }
  // *pointer_in_frame = value.
  template <class Value>
  void store_through(std::size_t offset, std::uint32_t bytes, const Value& value) {
    const x86::Gp at = cc_.newGpq();
    cc_.mov(at, frame(offset));
    cc_.mov(x86::Mem(at, 0, bytes), value);
  }

  x86::Compiler& cc_;
  const LoopGraph& graph_;
  Emitter e_;
  x86::Gp frame_, instructions_;
};

#define UNDERSTUDY_AT(member) offsetof(LoopFrame, member)

void Writer::write() {
  auto* const function = cc_.addFunc(asmjit::FuncSignatureT<void, LoopFrame*>());
  function->frame().setAvxEnabled();
  frame_ = cc_.newGpq();
  instructions_ = cc_.newGpq();
  function->setArg(0, frame_);
  const auto take_bases = [&] {
    const x86::Gp bases = cc_.newGpq();
    cc_.mov(bases, frame(UNDERSTUDY_AT(bases)));
    e_.take_bases(bases);
  };
  take_bases();
  cc_.mov(instructions_, frame(UNDERSTUDY_AT(instructions)));
  for (std::size_t i = 0; i < graph_.slots.size(); ++i) {
    const Slot& slot = graph_.slots[i];
    if (slot.is_needed && !slot.in_memory) e_.load(static_cast<int>(i));
  }
  write(graph_.loop, nullptr);
  // Again, so that bases that the loop does not use have no register in it.
  take_bases();
  for (std::size_t i = 0; i < graph_.slots.size(); ++i)
    if (graph_.slots[i].leaves) e_.store(static_cast<int>(i));
  cc_.mov(frame(UNDERSTUDY_AT(instructions)), instructions_);
  cc_.ret();
  e_.finish_rare();
  cc_.endFunc();
}

// The condition is at the end, so that an iteration has one jump.
void Writer::write(const Loop& loop, const Count* outer) {
  const Block& body = graph_.blocks[loop.body];
  Count count{&loop, outer, cc_.newGpd(), cc_.newGpq(), loop.op + 1};
  const Label start = cc_.newLabel(), condition = cc_.newLabel(), counted = cc_.newLabel();
  if (outer != nullptr) enter(count);
  cc_.mov(count.left, kAtOnce);
  cc_.mov(count.counted, 0);
  cc_.jmp(condition);
  cc_.bind(start);
  cc_.sub(count.left, 1);
  cc_.jz(e_.rarely([this, count, counted] {
    cc_.add(count.counted, kAtOnce);
    cc_.mov(count.left, kAtOnce);
    show(count);
    cc_.jmp(counted);
  }));
  cc_.bind(counted);
  write(body, count);
  e_.end_segment();
  cc_.bind(condition);
  write(graph_.blocks[loop.condition], count);
  e_.settle_needed();
  jump_if(loop.predicate, start);
  e_.end_segment();
  if (outer != nullptr) leave(count);
}

x86::Gp Writer::iterations(const Count& count) {
  const x86::Gp all = cc_.newGpq(), left = cc_.newGpq();
  cc_.mov(left.r32(), count.left);
  cc_.lea(all, x86::ptr(count.counted, kAtOnce));
  cc_.sub(all, left);
  return all;
}

// The status has the outermost and the innermost loop.
void Writer::enter(const Count& count) {
  const Count& outer = *count.outer;
  if (outer.outer == nullptr) store_through(UNDERSTUDY_AT(outer_iterations), 8, iterations(outer));
  store_through(UNDERSTUDY_AT(inner_op), 4, asmjit::imm(count.op));
  store_through(UNDERSTUDY_AT(inner_iterations), 8, asmjit::imm(0));
  store_through(UNDERSTUDY_AT(op), 4, asmjit::imm(graph_.blocks[count.loop->body].op));
}
void Writer::leave(const Count& count) {
  const Count& outer = *count.outer;
  store_through(UNDERSTUDY_AT(inner_op), 4, asmjit::imm(outer.op));
  store_through(UNDERSTUDY_AT(inner_iterations), 8, iterations(outer));
  store_through(UNDERSTUDY_AT(op), 4, asmjit::imm(graph_.blocks[outer.loop->body].op));
}
void Writer::show(const Count& count) {
  if (count.outer == nullptr) store_through(UNDERSTUDY_AT(outer_iterations), 8, count.counted);
  store_through(UNDERSTUDY_AT(inner_iterations), 8, count.counted);
  store_through(UNDERSTUDY_AT(done), 8, instructions_);
}

void Writer::write(const Block& block, const Count& count) {
  if (block.instructions != 0)
    cc_.add(instructions_, asmjit::imm(static_cast<std::int32_t>(block.instructions)));
  for (const Part& part : block.parts) write(part, count);
}

void Writer::write(const Part& part, const Count& count) {
  if (const auto* simple = std::get_if<Simple>(&part)) {
    if (simple->is_postponed) return e_.postpone(*simple);
    return simple->emit(e_, *simple);
  }
  if (const auto* window = std::get_if<Window>(&part)) return write(*window);
  if (const auto* call = std::get_if<Call>(&part)) return write(*call);
  if (const auto* branch = std::get_if<Branch>(&part)) return write(*branch, count);
  e_.end_segment();
  write(std::get<Loop>(part), &count);
}

void Writer::jump_if(const Value& pred, const Label& target) {
  const Condition condition = e_.test(pred);
  const auto jump = x86::Inst::jccFromCond(condition.code);
  if (condition.parity == Condition::Parity::clear_too) {
    const Label unordered = cc_.newLabel();
    cc_.jp(unordered);
    cc_.emit(jump, target);
    cc_.bind(unordered);
    return;
  }
  cc_.emit(jump, target);
  if (condition.parity == Condition::Parity::or_set) cc_.jp(target);
}

// An index out of range selects the last branch.
void Writer::branch_by_number(const Branch& branch, const std::vector<Label>& labels) {
  const x86::Gp index = e_.whole(branch.index, Kind::word);
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    cc_.cmp(index, static_cast<std::int32_t>(i));
    cc_.je(labels[i]);
  }
  cc_.jmp(labels.back());
}

void Writer::write(const Branch& branch, const Count& count) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < branch.blocks.size(); ++i) labels.push_back(cc_.newLabel());
  const Label done = cc_.newLabel();
  // Before the flags are made.
  e_.settle_needed();
  if (program::is_pred(branch.type)) {
    jump_if(branch.index, labels[0]);
    cc_.jmp(labels[1]);
  } else {
    branch_by_number(branch, labels);
  }
  e_.end_segment();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    cc_.bind(labels[i]);
    write(graph_.blocks[branch.blocks[i]], count);
    e_.end_segment();
    if (i + 1 < labels.size()) cc_.jmp(done);
  }
  cc_.bind(done);
}

// The start as it is, where it is in range; that is the usual case.
x86::Gp Writer::offset_of(const WindowStart& start) {
  const x86::Gp value = e_.extended(start.value, start.type);
  const x86::Gp clamped = cc_.newGpq();
  const bool is_quad = *kind_of(start.type) == Kind::quad;
  const x86::Gp held = is_quad ? clamped : clamped.r32();
  const auto most = static_cast<std::int32_t>(start.most);
  const Label back = cc_.newLabel();
  const bool is_signed = program::is_signed_integer(start.type);
  cc_.mov(held, value);
  cc_.cmp(held, most);
  cc_.ja(e_.rarely([this, clamped, held, most, back, is_signed] {
    if (is_signed) cc_.test(held, held);
    cc_.mov(clamped, asmjit::imm(most));
    if (is_signed) {
      cc_.jns(back);
      cc_.xor_(clamped.r32(), clamped.r32());
    }
    cc_.jmp(back);
  }));
  cc_.bind(back);
  return clamped;
}

void Writer::write(const Window& window) {
  x86::Gp offset;
  std::uint32_t shift = 0;
  const bool is_scaled = window.starts.size() == 1 && window.starts[0].stride <= 8 &&
                         std::has_single_bit(static_cast<std::uint64_t>(window.starts[0].stride));
  if (is_scaled) {
    offset = offset_of(window.starts[0]);
    shift = static_cast<std::uint32_t>(
        std::countr_zero(static_cast<std::uint64_t>(window.starts[0].stride)));
  } else {
    offset = cc_.newGpq();
    cc_.xor_(offset.r32(), offset.r32());
    for (const WindowStart& start : window.starts) {
      const x86::Gp one = offset_of(start);
      cc_.imul(one, one, asmjit::imm(static_cast<std::int32_t>(start.stride)));
      cc_.add(offset, one);
    }
  }
  const auto bytes = static_cast<std::int32_t>(bytes_of(window.kind));
  for (std::size_t i = 0; i < window.elements.size(); ++i) {
    const Value& element = window.elements[i];
    const x86::Mem at = e_.memory_at(window.array, offset, shift,
                                     static_cast<std::int32_t>(i) * bytes, window.kind);
    e_.move_element(at, element, window.kind, window.is_update);
  }
}

void Writer::write(const Call& call) {
  // Operands that the step reads have been stored when they were made.
  const Called& called = graph_.calls[call.number];
  const x86::Gp step = cc_.newGpq(), execution = cc_.newGpq();
  cc_.mov(step, frame(UNDERSTUDY_AT(called)));
  cc_.mov(step, x86::ptr(step, static_cast<std::int32_t>(call.number * sizeof(void*))));
  cc_.mov(execution, frame(UNDERSTUDY_AT(execution)));
  asmjit::InvokeNode* invoke = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(called.list->steps[called.number].run);
  cc_.invoke(&invoke, asmjit::imm(address),
             asmjit::FuncSignatureT<void, const void*, const void*>());
  invoke->setArg(0, step);
  invoke->setArg(1, execution);
  for (const int slot : call.results)
    if (!e_.slot(slot).in_memory) e_.load(slot);
}

#undef UNDERSTUDY_AT

}  // namespace

void write_loop(x86::Compiler& compiler, const LoopGraph& graph) {
  Writer(compiler, graph).write();
}

}  // namespace understudy::worker::ops::machine
