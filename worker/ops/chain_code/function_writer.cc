// SPDX-License-Identifier: Apache-2.0
// The function: a frame, shared values, and a loop over the elements. rbx has the present element,
// r12 their number, r15 the steps; addresses have the other registers that a call keeps, and all
// others where nothing is called. On the stack are the slots of values, the room of calls, and the
// addresses that have no register. A second function does the iterations that the first one leaves.
#include "worker/ops/chain_code/function_writer.h"

#include <array>

#include "worker/ops/chain_code/registers.h"

namespace understudy::worker::ops::chain_code {
namespace {

namespace x86 = asmjit::x86;

constexpr std::size_t kMostOperands = 6;
constexpr std::array kKept{x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};
// Of addresses.
constexpr x86::Gp kSumsTurn = x86::rsi;  // where iterations take turns, instead of an address
constexpr std::array kPointers{x86::r13, x86::r14, x86::r8,  x86::r9,  x86::r10,
                               x86::r11, x86::rcx, x86::rdx, x86::rdi, x86::rsi};
constexpr std::size_t kPointersKept = 2;

// Iterations that are left at once: unusual numbers are often next to each other.
constexpr std::size_t kLeftIterations = 8;

class FunctionWriter final : public Transfers {
 public:
  // `rest`: the function for iterations that this one leaves.
  FunctionWriter(const Body& body, x86::Assembler& out, const asmjit::Label& rest)
      : body_(body), out_(out), rest_(rest), left_(out.newLabel()), registers_(body, *this) {}

  // The size of the frame is known once the loop is written: it comes first, then a jump back.
  // `is_rest`: a third argument has the element to start from.
  void write(bool is_rest) {
    const x86::Gp element = x86::rbx, count = x86::r12;
    const asmjit::Label enter = out_.newLabel(), loop = out_.newLabel(), prepare = out_.newLabel();
    out_.jmp(enter);
    out_.align(asmjit::AlignMode::kCode, 32);
    out_.bind(loop);
    if (takes_turns()) find_turn();
    for (std::size_t s = 0; s < body_.steps().size(); ++s) write_step(s);
    out_.add(element, body_.unroll() * body_.lanes());
    out_.cmp(element, count);
    out_.jb(loop);
    const asmjit::Label end = out_.newLabel();
    store_sums();
    out_.bind(end);
    leave();
    for (const Rare& rare : rare_) write_rare(rare);
    if (body_.has_requirements()) {
      out_.bind(left_);
      store_sums();
      call_rest();
      out_.cmp(element, count);
      out_.jae(end);
      out_.jmp(prepare);
    }
    out_.bind(enter);
    enter_frame();
    if (is_rest) {
      out_.mov(element, x86::rdx);
    } else {
      out_.xor_(element.r32(), element.r32());
    }
    out_.bind(prepare);
    for (std::size_t a = 0; a < body_.addresses().size(); ++a) load_address(a);
    for (const Shared& shared : body_.all_shared()) make_shared(shared);
    out_.jmp(loop);
  }

  void spill(Bank bank, std::uint32_t reg, std::uint32_t slot) override {
    if (bank == Bank::masks) {
      out_.kmovw(slot_at(slot), x86::k(reg));
    } else {
      out_.vmovaps(slot_at(slot), vector(reg));
    }
  }
  void reload(Bank bank, std::uint32_t reg, std::uint32_t slot) override {
    if (bank == Bank::masks) {
      out_.kmovw(x86::k(reg), slot_at(slot));
    } else {
      out_.vmovaps(vector(reg), slot_at(slot));
    }
  }

 private:
  x86::Vec vector(std::uint32_t reg) const {
    return body_.is_wide() ? x86::Vec(x86::zmm(reg)) : x86::Vec(x86::ymm(reg));
  }

  x86::Vec half_vector(std::uint32_t reg) const {
    return body_.is_wide() ? x86::Vec(x86::ymm(reg)) : x86::Vec(x86::xmm(reg));
  }

  // ---- the frame: from rsp up the room of calls, addresses, slots ----

  std::size_t room_bytes() const {
    return body_.calls() > 0 ? 2 * body_.unroll() * body_.vector_bytes() : 0;
  }
  std::size_t addresses_bytes() const { return (body_.addresses().size() * 8 + 63) / 64 * 64; }
  x86::Mem slot_at(std::uint32_t slot) const {
    const std::size_t at = room_bytes() + addresses_bytes() + slot * body_.vector_bytes();
    return x86::ptr(x86::rsp, static_cast<std::int32_t>(at));
  }
  x86::Mem saved_address(std::size_t number) const {
    return x86::ptr(x86::rsp, static_cast<std::int32_t>(room_bytes() + number * 8), 8);
  }
  void enter_frame() {
    out_.push(x86::rbp);
    out_.mov(x86::rbp, x86::rsp);
    for (const x86::Gp& kept : kKept) out_.push(kept);
    const std::size_t slots = registers_.slots() * body_.vector_bytes();
    out_.sub(x86::rsp, room_bytes() + addresses_bytes() + slots);
    out_.and_(x86::rsp, -64);
    out_.mov(x86::r15, x86::rdi);
    out_.mov(x86::r12, x86::rsi);
  }
  void leave() {
    out_.vzeroupper();
    out_.lea(x86::rsp, x86::ptr(x86::rbp, -8 * static_cast<std::int32_t>(kKept.size())));
    for (std::size_t i = kKept.size(); i-- > 0;) out_.pop(kKept[i]);
    out_.pop(x86::rbp);
    out_.ret();
  }

  // ---- addresses ----

  // Whether iterations use parts of the lanes of a reduction by turns.
  bool takes_turns() const {
    return body_.has_sums() && body_.unroll() * body_.lanes() < kSumsLanes;
  }
  void find_turn() {
    out_.mov(kSumsTurn.r32(), x86::ebx);
    out_.and_(kSumsTurn.r32(), kSumsLanes - 1);
  }
  bool has_register(std::size_t address) const {
    if (body_.calls() > 0) return address < kPointersKept;
    return address < kPointers.size() - (takes_turns() ? 1 : 0);
  }
  x86::Mem pointer_at(std::size_t bytes) const {
    return x86::ptr(x86::r15, static_cast<std::int32_t>(bytes), 8);
  }
  void load_address(std::size_t number) {
    const x86::Gp pointer = has_register(number) ? kPointers[number] : x86::rax;
    out_.mov(pointer, pointer_at(body_.addresses()[number]));
    if (!has_register(number)) out_.mov(saved_address(number), pointer);
  }
  x86::Mem memory_at(const Memory& memory) {
    if (memory.address == Memory::kRoom) return x86::ptr(x86::rsp, memory.offset);
    x86::Gp pointer = x86::rax;
    if (has_register(memory.address)) {
      pointer = kPointers[memory.address];
    } else {
      out_.mov(pointer, saved_address(memory.address));
    }
    if (!memory.is_sums) return x86::ptr(pointer, x86::rbx, memory.shift, memory.offset);
    if (!takes_turns()) return x86::ptr(pointer, memory.offset);
    if (body_.calls() > 0) find_turn();  // which calls do not keep
    return x86::ptr(pointer, kSumsTurn, memory.shift, memory.offset);
  }

  // ---- shared values ----

  void make_shared(const Shared& shared) {
    if (shared.from == Shared::From::sums) return load_sums(shared);
    const x86::Gp bits = x86::eax;
    if (shared.from == Shared::From::known) {
      out_.mov(bits, shared.bits);
    } else {
      out_.mov(x86::rax, pointer_at(shared.pointer));
      load_shared(shared.from, bits);
    }
    const auto fixed = registers_.fixed_register(shared.value);
    const Bank bank = body_.banks()[shared.value];
    // Registers that no value has yet.
    const std::uint32_t reg = fixed.value_or(bank == Bank::masks ? 1 : 0);
    if (bank == Bank::masks) {
      out_.kmovw(x86::k(reg), bits);
    } else {
      out_.vmovd(x86::xmm0, bits);
      out_.vpbroadcastd(vector(reg), x86::xmm0);
    }
    if (!fixed) spill(bank, reg, registers_.slot_of(shared.value));
  }
  x86::Mem sums_at(const Shared& shared) {
    out_.mov(x86::rax, pointer_at(shared.pointer));
    return x86::ptr(x86::rax, static_cast<std::int32_t>(shared.bits));
  }
  void load_sums(const Shared& shared) {
    const auto fixed = registers_.fixed_register(shared.value);
    const std::uint32_t reg = fixed.value_or(0);  // which no value has yet
    out_.vmovups(vector(reg), sums_at(shared));
    if (!fixed) spill(Bank::vectors, reg, registers_.slot_of(shared.value));
  }
  // After an iteration: registers that are not fixed have no value.
  void store_sums() {
    for (const Shared& shared : body_.all_shared()) {
      if (shared.from != Shared::From::sums) continue;
      const auto fixed = registers_.fixed_register(shared.value);
      if (!fixed) reload(Bank::vectors, 0, registers_.slot_of(shared.value));
      out_.vmovups(sums_at(shared), vector(fixed.value_or(0)));
    }
  }
  void carry(const MachineStep& step, const Assignment& assigned) {
    if (const auto fixed = registers_.fixed_register(step.carries)) {
      out_.vmovaps(vector(*fixed), vector(assigned.in[0]));
    } else {
      spill(Bank::vectors, assigned.in[0], registers_.slot_of(step.carries));
    }
  }
  void load_shared(Shared::From from, const x86::Gp& bits) {
    const x86::Gp at = x86::rax;
    switch (from) {
      case Shared::From::bf16:
        out_.movzx(bits, x86::word_ptr(at));
        out_.shl(bits, 16);
        return;
      case Shared::From::f16:
        out_.movzx(bits, x86::word_ptr(at));
        out_.vmovd(x86::xmm0, bits);
        out_.vcvtph2ps(x86::xmm0, x86::xmm0);
        out_.vmovd(bits, x86::xmm0);
        return;
      case Shared::From::f16_codes:
        out_.movzx(bits, x86::word_ptr(at));
        out_.imul(bits, bits, 0x10001);
        return;
      case Shared::From::i8:
        out_.movsx(bits, x86::byte_ptr(at));
        return;
      case Shared::From::ui8:
        out_.movzx(bits, x86::byte_ptr(at));
        return;
      case Shared::From::pred:
        out_.movzx(bits, x86::byte_ptr(at));
        out_.neg(bits);
        return;
      default:
        out_.mov(bits, x86::dword_ptr(at));
    }
  }

  // ---- steps ----

  void write_step(std::size_t number) {
    const MachineStep& step = body_.steps()[number];
    const Assignment assigned = registers_.assign(number);
    if (step.id == Inst::kIdNone) return write_call(step);
    if (step.is_required) return leave_unless(step, assigned);
    if (step.carries != kNoValue) return carry(step, assigned);
    if (assigned.copies) out_.vmovaps(vector(assigned.result), vector(assigned.in[0]));
    if (step.is_rare) return leave_rare(step, assigned);
    asmjit::Operand operands[kMostOperands];
    std::size_t n = 0;
    const auto reg = [&](Bank bank, std::uint32_t r, bool half) -> asmjit::Operand {
      if (bank == Bank::masks) return x86::k(r);
      return half ? half_vector(r) : vector(r);
    };
    if (step.result != kNoValue)
      operands[n++] = reg(body_.banks()[step.result], assigned.result, step.half_result);
    for (std::size_t i = step.overwrites ? 1 : 0; i < step.inputs; ++i) {
      if (step.in[i].memory) {
        operands[n++] = memory_at(*step.in[i].memory);
      } else if (assigned.in_memory[i]) {
        operands[n++] = slot_at(assigned.in[i]);
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
    out_.emitOpArray(step.id, operands, n);
  }

  void leave_unless(const MachineStep& step, const Assignment& assigned) {
    if (body_.is_wide()) {
      out_.kortestw(x86::k(assigned.in[0]), x86::k(assigned.in[0]));
      out_.jnc(left_);
    } else {
      const auto lanes = static_cast<std::uint32_t>(body_.lanes());
      out_.emit(step.id, x86::eax, vector(assigned.in[0]));
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
    const x86::Vec result = vector(rare.assigned.result);
    const asmjit::Operand x = rare.assigned.in_memory[1]
                                  ? asmjit::Operand(slot_at(rare.assigned.in[1]))
                                  : asmjit::Operand(vector(rare.assigned.in[1]));
    out_.bind(rare.at);
    out_.setExtraReg(mask);
    out_.emit(rare.step.id, result, x);
    if (rare.step.then != Inst::kIdNone) {
      out_.setExtraReg(mask);
      out_.emit(rare.step.then, result, vector(rare.assigned.in[2]), result);
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
  const asmjit::Label rest_, left_;
  Registers registers_;
  std::vector<Rare> rare_;
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

ChainFunctionPointer write_function(const Body& body, const Body* usual,
                                    asmjit::JitRuntime& runtime) {
  asmjit::CodeHolder code;
  FirstError errors;
  if (code.init(runtime.environment()) != asmjit::kErrorOk) return nullptr;
  code.setErrorHandler(&errors);
  x86::Assembler out(&code);
  const asmjit::Label rest = out.newLabel();
  if (usual != nullptr) FunctionWriter(*usual, out, rest).write(false);
  out.bind(rest);
  FunctionWriter(body, out, rest).write(usual != nullptr);
  ChainFunctionPointer function = nullptr;
  if (errors.failed || runtime.add(&function, &code) != asmjit::kErrorOk) return nullptr;
  return function;
}

}  // namespace understudy::worker::ops::chain_code
