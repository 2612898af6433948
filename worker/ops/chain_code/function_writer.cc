// SPDX-License-Identifier: Apache-2.0
// The function: a frame, shared values, and a loop over the elements. A second function does the
// iterations that the first one leaves.
#include "worker/ops/chain_code/function_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "worker/ops/chain_code/function_frame.h"

namespace understudy::worker::ops::chain_code {
namespace {

constexpr std::size_t kMostOperands = 6;
// Iterations that are left at once: unusual numbers are often next to each other.
constexpr std::size_t kLeftIterations = 8;

// Masks of AVX2, of bytes. From an element that is `n` before the middle on, they are those of an
// iteration whose first `n` lanes have been stored.
constexpr auto kStored = [] {
  std::array<std::int8_t, 2 * Body::kMostMasked> masks{};
  std::ranges::fill(masks.begin(), masks.begin() + Body::kMostMasked, std::int8_t{-1});
  return masks;
}();

class FunctionWriter {
 public:
  // `rest`: the function for iterations that this one leaves. `rows`: what advances between rows.
  FunctionWriter(const Body& body, x86::Assembler& out, const asmjit::Label& rest,
                 std::span<const RowStep> rows)
      : body_(body),
        out_(out),
        rest_(rest),
        left_(out.newLabel()),
        next_row_(out.newLabel()),
        rows_(rows),
        frame_(body, out) {}

  // The size of the frame is known once the loop is written: it comes first, then a jump back.
  // `is_rest`: the third argument has the element to start from, instead of the number of rows.
  void write(bool is_rest) {
    const x86::Gp element = x86::rbx, count = x86::r12;
    const bool has_rows = !is_rest && !rows_.empty();
    const asmjit::Label enter = out_.newLabel(), loop = out_.newLabel(), prepare = out_.newLabel();
    out_.jmp(enter);
    out_.align(asmjit::AlignMode::kCode, 32);
    out_.bind(loop);
    if (frame_.takes_turns()) frame_.find_turn();
    for (std::size_t s = 0; s < body_.steps().size(); ++s) write_step(s);
    const std::size_t lanes = body_.unroll() * body_.lanes();
    const bool overlaps = !is_rest && overlaps_ends(body_);
    out_.add(element, lanes);
    out_.cmp(element, count);
    if (overlaps) {
      go_to_last_lanes(loop, lanes);
    } else {
      out_.jb(loop);
    }
    const asmjit::Label end = out_.newLabel();
    frame_.store_sums();
    out_.bind(end);
    if (has_rows) go_to_next_row();
    frame_.leave();
    for (const Rare& rare : rare_) write_rare(rare);
    if (body_.has_requirements()) {
      out_.bind(left_);
      frame_.store_sums();
      call_rest();
      out_.cmp(element, count);
      out_.jae(end);
      out_.jmp(prepare);
    }
    out_.bind(enter);
    frame_.enter_frame();
    if (overlaps) out_.sub(count, lanes);
    if (is_rest) {
      out_.mov(element, x86::rdx);
    } else {
      out_.xor_(element.r32(), element.r32());
    }
    out_.bind(prepare);
    frame_.prepare();
    out_.jmp(loop);
    if (!has_rows) return;
    out_.bind(next_row_);
    out_.xor_(element.r32(), element.r32());
    // The other function leaves no value in its register.
    if (body_.has_requirements()) {
      frame_.prepare();
    } else {
      frame_.prepare_row();
    }
    out_.jmp(loop);
  }

 private:
  // `count` is the element from which the last iteration begins. The one before it may go beyond.
  void go_to_last_lanes(const asmjit::Label& loop, std::size_t lanes) {
    const x86::Gp element = x86::rbx, count = x86::r12;
    const asmjit::Label done = out_.newLabel();
    out_.jbe(loop);
    out_.lea(x86::rax, x86::ptr(count, static_cast<std::int32_t>(lanes)));
    out_.cmp(element, x86::rax);
    out_.je(done);
    if (body_.masks_stores()) {
      write_masked_steps(lanes);
    } else {
      out_.mov(element, count);
      out_.jmp(loop);
    }
    out_.bind(done);
  }
  // The last iteration, with stores of the lanes that the one before it has left.
  void write_masked_steps(std::size_t lanes) {
    const x86::Gp element = x86::rbx, count = x86::r12;
    if (body_.is_wide()) {
      out_.mov(x86::rax, element);
      out_.sub(x86::rax, count);
      out_.shlx(x86::rax, frame_.stored_lanes(), x86::rax);
    } else {
      out_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(kStored.data() + Body::kMostMasked));
      out_.sub(x86::rax, element);
      out_.add(x86::rax, count);
    }
    out_.mov(frame_.stored_lanes(), x86::rax);
    out_.mov(element, count);
    frame_.assign_again();
    is_masked_ = true;
    for (std::size_t s = 0; s < body_.steps().size(); ++s) write_step(s);
    is_masked_ = false;
    out_.add(element, lanes);
    out_.mov(frame_.stored_lanes(), -1);
  }
  // After a row that is not the last.
  void go_to_next_row() {
    const asmjit::Label last = out_.newLabel();
    out_.dec(frame_.rows());
    out_.jz(last);
    for (const RowStep& row : rows_) {
      out_.mov(x86::rax, row.bytes);
      out_.add(frame_.pointer_at(row.pointer), x86::rax);
    }
    out_.jmp(next_row_);
    out_.bind(last);
  }

  void write_step(std::size_t number) {
    const MachineStep& step = body_.steps()[number];
    const Assignment assigned = frame_.assign(number);
    if (step.id == Inst::kIdNone) return write_call(step);
    if (step.is_required) return leave_unless(step, assigned);
    if (step.carries != kNoValue) return frame_.carry(step, assigned);
    if (step.table != nullptr) return look_up(step, assigned);
    if (assigned.copies)
      out_.vmovaps(frame_.vector(assigned.result), frame_.vector(assigned.in[0]));
    if (step.is_rare) return leave_rare(step, assigned);
    const bool is_masked = is_masked_ && body_.is_masked_store(step);
    if (is_masked && !body_.is_wide()) return store_others(step, assigned);
    asmjit::Operand operands[kMostOperands];
    std::size_t n = 0;
    const auto reg = [&](Bank bank, std::uint32_t r, bool half) -> asmjit::Operand {
      if (bank == Bank::masks) return x86::k(r);
      return half ? frame_.half_vector(r) : frame_.vector(r);
    };
    if (step.result != kNoValue)
      operands[n++] = reg(body_.banks()[step.result], assigned.result, step.half_result);
    if (step.merges) operands[n++] = frame_.vector(assigned.result);
    for (std::size_t i = step.overwrites ? 1 : 0; i < step.inputs; ++i) {
      if (step.in[i].memory) {
        operands[n++] = frame_.memory_at(*step.in[i].memory);
      } else if (assigned.in_memory[i]) {
        operands[n++] = frame_.slot_at(assigned.in[i]);
      } else {
        operands[n++] = reg(body_.banks()[step.in[i].value], assigned.in[i], step.half_inputs);
      }
    }
    if (step.immediate) operands[n++] = asmjit::Imm(*step.immediate);
    if (step.mask != kNoValue) {
      out_.setExtraReg(x86::k(assigned.mask));
      if (step.zeroes) out_.addInstOptions(asmjit::InstOptions::kX86_ZMask);
    }
    if (step.rounds_up)
      out_.addInstOptions(asmjit::InstOptions::kX86_ER | asmjit::InstOptions::kX86_RU_SAE);
    if (is_masked) mask_store(step);
    out_.emitOpArray(step.id, operands, n);
  }
  // By the bits of its lanes.
  void mask_store(const MachineStep& step) {
    const Memory& at = *step.in[0].memory;
    const auto first = static_cast<std::size_t>(at.offset) >> at.shift;
    const bool has_two_vectors = step.id == Inst::kIdVmovdqu16 && !step.half_inputs;
    const x86::KReg lanes = x86::k(kMasksOfAvx512 - 1);
    x86::Mem bits = frame_.stored_lanes(first);
    bits.setSize(has_two_vectors ? 4 : 2);
    out_.emit(has_two_vectors ? Inst::kIdKmovd : Inst::kIdKmovw, lanes, bits);
    out_.setExtraReg(lanes);
  }

  // The same of AVX2: lanes that have been stored keep what is in memory.
  void store_others(const MachineStep& step, const Assignment& assigned) {
    const Memory& at = *step.in[0].memory;
    const auto first = at.offset >> at.shift;
    const bool is_half = step.half_inputs;
    constexpr asmjit::InstId kWiden[] = {Inst::kIdVmovdqu, Inst::kIdVpmovsxbw, Inst::kIdVpmovsxbd};
    const auto reg = [&](std::uint32_t r) {
      return is_half ? frame_.half_vector(r) : frame_.vector(r);
    };
    const x86::Vec lanes = reg(kVectorsOfAvx2 - 1), value = reg(assigned.in[1]);
    out_.mov(x86::rax, frame_.stored_lanes());
    out_.emit(kWiden[at.shift], lanes, x86::ptr(x86::rax, first));
    const x86::Mem to = frame_.memory_at(at);
    out_.vpblendvb(lanes, value, to, lanes);
    out_.emit(step.id, to, lanes);
  }

  // Without the values that the register had before, so that the processor does not wait for them.
  void look_up(const MachineStep& step, const Assignment& assigned) {
    const x86::Vec result = frame_.vector(assigned.result), number = frame_.vector(assigned.in[0]);
    const x86::KReg all = x86::k(kMasksOfAvx512 - 1);
    out_.vpxord(result, result, result);
    out_.kxnorw(all, all, all);
    out_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(step.table));
    out_.setExtraReg(all);
    const auto shift = static_cast<std::uint32_t>(std::bit_width(step.table_bytes) - 1);
    out_.emit(step.id, result, x86::ptr(x86::rax, number, shift));
  }
  void leave_unless(const MachineStep& step, const Assignment& assigned) {
    if (body_.is_wide()) {
      out_.kortestw(x86::k(assigned.in[0]), x86::k(assigned.in[0]));
      out_.jnc(left_);
    } else {
      const auto lanes = static_cast<std::uint32_t>(body_.lanes());
      out_.emit(step.id, x86::eax, frame_.vector(assigned.in[0]));
      out_.cmp(x86::eax, (1U << lanes) - 1);
      out_.jne(left_);
    }
  }
  // The other function saves rbx, r12 and r15, and no other register that is used here.
  void call_rest() {
    const x86::Gp element = x86::rbx, count = x86::r12, end = x86::rsi;
    const auto elements =
        static_cast<std::int32_t>(kLeftIterations * body_.unroll() * body_.lanes());
    out_.mov(x86::rdi, x86::r15);
    out_.mov(x86::rdx, element);
    out_.add(element, elements);
    out_.mov(end, element);
    out_.cmp(end, count);
    out_.cmova(end, count);
    out_.vzeroupper();
    out_.call(rest_);
  }

  // A step for lanes that few vectors have: a jump that is not taken.
  struct Rare {
    const MachineStep& step;
    Assignment assigned;
    asmjit::Label at, back;
  };
  void leave_rare(const MachineStep& step, const Assignment& assigned) {
    rare_.push_back({step, assigned, out_.newLabel(), out_.newLabel()});
    out_.kortestw(x86::k(assigned.mask), x86::k(assigned.mask));
    out_.jnz(rare_.back().at);
    out_.bind(rare_.back().back);
  }
  void write_rare(const Rare& rare) {
    const auto mask = x86::k(rare.assigned.mask);
    const x86::Vec result = frame_.vector(rare.assigned.result);
    const asmjit::Operand x = rare.assigned.in_memory[1]
                                  ? asmjit::Operand(frame_.slot_at(rare.assigned.in[1]))
                                  : asmjit::Operand(frame_.vector(rare.assigned.in[1]));
    out_.bind(rare.at);
    out_.setExtraReg(mask);
    out_.emit(rare.step.id, result, x);
    if (rare.step.then != Inst::kIdNone) {
      out_.setExtraReg(mask);
      out_.emit(rare.step.then, result, frame_.vector(rare.assigned.in[2]), result);
    }
    out_.jmp(rare.back);
  }
  // The result takes the place of the first operand.
  void write_call(const MachineStep& step) {
    const auto operand = static_cast<std::int32_t>(body_.unroll() * body_.vector_bytes());
    const std::array arguments{x86::rdi, x86::rsi, x86::rdx, x86::rcx};
    std::size_t a = 0;
    out_.lea(arguments[a++], x86::ptr(x86::rsp, 0));
    if (step.two) out_.lea(arguments[a++], x86::ptr(x86::rsp, operand));
    out_.lea(arguments[a++], x86::ptr(x86::rsp, 0));
    out_.mov(arguments[a], body_.unroll() * body_.lanes());
    out_.mov(x86::rax, reinterpret_cast<std::uintptr_t>(step.kernel));
    out_.call(x86::rax);
  }

  const Body& body_;
  x86::Assembler& out_;
  const asmjit::Label rest_, left_, next_row_;
  const std::span<const RowStep> rows_;
  FunctionFrame frame_;
  std::vector<Rare> rare_;
  bool is_masked_ = false;  // the present copy of the steps
};

// Remembers that something went wrong.
class FirstError final : public asmjit::ErrorHandler {
 public:
  void handleError(asmjit::Error /*error*/, const char* /*message*/,
                   asmjit::BaseEmitter* /*origin*/) override {
    failed = true;
  }
  bool failed = false;
};

}  // namespace

bool overlaps_ends(const Body& body) {
  return !body.has_requirements() && !body.has_sums() &&
         std::ranges::none_of(body.all_shared(), [](const Shared& shared) {
           return shared.from == Shared::From::sums;
         });
}

ChainFunctionPointer write_function(const Body& body, const Body* usual,
                                    std::span<const RowStep> rows, asmjit::JitRuntime& runtime) {
  asmjit::CodeHolder code;
  FirstError errors;
  if (code.init(runtime.environment()) != asmjit::kErrorOk) return nullptr;
  code.setErrorHandler(&errors);
  x86::Assembler out(&code);
  const asmjit::Label rest = out.newLabel();
  if (usual != nullptr) FunctionWriter(*usual, out, rest, rows).write(false);
  out.bind(rest);
  FunctionWriter(body, out, rest, rows).write(usual != nullptr);
  ChainFunctionPointer function = nullptr;
  if (errors.failed || runtime.add(&function, &code) != asmjit::kErrorOk) return nullptr;
  return function;
}

}  // namespace understudy::worker::ops::chain_code
