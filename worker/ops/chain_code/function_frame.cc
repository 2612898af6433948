// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/chain_code/function_frame.h"

#include <array>
#include <bit>

namespace understudy::worker::ops::chain_code {
namespace {

constexpr std::array kKept{x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15};
// Of addresses.
constexpr x86::Gp kSumsTurn = x86::rsi;  // where iterations take turns, instead of an address
constexpr std::array kPointers{x86::r13, x86::r14, x86::r8,  x86::r9,  x86::r10,
                               x86::r11, x86::rcx, x86::rdx, x86::rdi, x86::rsi};
constexpr std::size_t kPointersKept = 2;

}  // namespace

void FunctionFrame::spill(Bank bank, std::uint32_t reg, std::uint32_t slot) {
  if (bank == Bank::masks) {
    out_.kmovw(slot_at(slot), x86::k(reg));
  } else {
    out_.vmovaps(slot_at(slot), vector(reg));
  }
}

void FunctionFrame::reload(Bank bank, std::uint32_t reg, std::uint32_t slot) {
  if (bank == Bank::masks) {
    out_.kmovw(x86::k(reg), slot_at(slot));
  } else {
    out_.vmovaps(vector(reg), slot_at(slot));
  }
}

x86::Vec FunctionFrame::vector(std::uint32_t reg) const {
  return body_.is_wide() ? x86::Vec(x86::zmm(reg)) : x86::Vec(x86::ymm(reg));
}

x86::Vec FunctionFrame::half_vector(std::uint32_t reg) const {
  return body_.is_wide() ? x86::Vec(x86::ymm(reg)) : x86::Vec(x86::xmm(reg));
}

std::size_t FunctionFrame::room_bytes() const {
  return body_.calls() > 0 ? 2 * body_.unroll() * body_.vector_bytes() : 0;
}

std::size_t FunctionFrame::addresses_bytes() const {
  return (body_.addresses().size() * 8 + 63) / 64 * 64;
}

x86::Mem FunctionFrame::slot_at(std::uint32_t slot) const {
  const std::size_t at = room_bytes() + addresses_bytes() + slot * body_.vector_bytes();
  return x86::ptr(x86::rsp, static_cast<std::int32_t>(at));
}

x86::Mem FunctionFrame::saved_address(std::size_t number) const {
  return x86::ptr(x86::rsp, static_cast<std::int32_t>(room_bytes() + number * 8), 8);
}

void FunctionFrame::enter_frame() {
  out_.push(x86::rbp);
  out_.mov(x86::rbp, x86::rsp);
  for (const x86::Gp& kept : kKept) out_.push(kept);
  out_.push(x86::rdx);  // rows()
  out_.push(-1);        // stored_lanes()
  const std::size_t slots = registers_->slots() * body_.vector_bytes();
  out_.sub(x86::rsp, room_bytes() + addresses_bytes() + slots);
  out_.and_(x86::rsp, -64);
  out_.mov(x86::r15, x86::rdi);
  out_.mov(x86::r12, x86::rsi);
}

void FunctionFrame::leave() {
  out_.vzeroupper();
  out_.lea(x86::rsp, x86::ptr(x86::rbp, -8 * static_cast<std::int32_t>(kKept.size())));
  for (std::size_t i = kKept.size(); i-- > 0;) out_.pop(kKept[i]);
  out_.pop(x86::rbp);
  out_.ret();
}

bool FunctionFrame::takes_turns() const {
  return body_.has_sums() && body_.unroll() * body_.lanes() < kSumsLanes;
}

void FunctionFrame::find_turn() {
  out_.mov(kSumsTurn.r32(), x86::ebx);
  out_.and_(kSumsTurn.r32(), kSumsLanes - 1);
}

bool FunctionFrame::has_register(std::size_t address) const {
  if (body_.calls() > 0) return address < kPointersKept;
  return address < kPointers.size() - (takes_turns() ? 1 : 0);
}

x86::Mem FunctionFrame::pointer_at(std::size_t bytes) const {
  return x86::ptr(x86::r15, static_cast<std::int32_t>(bytes), 8);
}

void FunctionFrame::prepare() {
  for (std::size_t a = 0; a < body_.addresses().size(); ++a) load_address(a);
  for (const Shared& shared : body_.all_shared()) make_shared(shared);
}

void FunctionFrame::prepare_row() {
  for (std::size_t a = 0; a < body_.addresses().size(); ++a) load_address(a);
  for (const Shared& shared : body_.all_shared())
    if (shared.has_address()) make_shared(shared);
}

x86::Mem FunctionFrame::rows() const {
  return x86::ptr(x86::rbp, -8 * static_cast<std::int32_t>(kKept.size() + 1), 8);
}

x86::Mem FunctionFrame::stored_lanes(std::size_t first) const {
  constexpr std::size_t kBits = 8;  // of a byte
  const auto at = -8 * static_cast<std::int32_t>(kKept.size() + 2);
  return x86::ptr(x86::rbp, at + static_cast<std::int32_t>(first / kBits), 8);
}

void FunctionFrame::load_address(std::size_t number) {
  const x86::Gp pointer = has_register(number) ? kPointers[number] : x86::rax;
  out_.mov(pointer, pointer_at(body_.addresses()[number]));
  if (!has_register(number)) out_.mov(saved_address(number), pointer);
}

x86::Mem FunctionFrame::memory_at(const Memory& memory) {
  if (memory.address == Memory::kRoom) return x86::ptr(x86::rsp, memory.offset);
  if (const std::uint32_t bytes = std::uint32_t{memory.step} << memory.shift;
      bytes > 8 || !std::has_single_bit(bytes))
    return strided_at(memory);
  x86::Gp pointer = x86::rax;
  if (has_register(memory.address)) {
    pointer = kPointers[memory.address];
  } else {
    out_.mov(pointer, saved_address(memory.address));
  }
  const auto scale = static_cast<std::uint32_t>(memory.shift + std::bit_width(memory.step) - 1);
  if (!memory.is_sums) return x86::ptr(pointer, x86::rbx, scale, memory.offset);
  if (!takes_turns()) return x86::ptr(pointer, memory.offset);
  if (body_.calls() > 0) find_turn();  // which calls do not keep
  return x86::ptr(pointer, kSumsTurn, memory.shift, memory.offset);
}

// What no addressing mode multiplies the present element by.
x86::Mem FunctionFrame::strided_at(const Memory& memory) {
  const x86::Gp at = x86::rax;
  if (has_register(memory.address)) {
    out_.imul(at, x86::rbx, memory.step);
    return x86::ptr(kPointers[memory.address], at, memory.shift, memory.offset);
  }
  out_.imul(at, x86::rbx, std::uint32_t{memory.step} << memory.shift);
  out_.add(at, saved_address(memory.address));
  return x86::ptr(at, memory.offset);
}

void FunctionFrame::make_shared(const Shared& shared) {
  if (shared.from == Shared::From::sums || shared.from == Shared::From::lanes)
    return load_vector(shared);
  const x86::Gp bits = x86::eax;
  if (shared.from == Shared::From::known) {
    out_.mov(bits, shared.bits);
  } else {
    out_.mov(x86::rax, pointer_at(shared.pointer));
    load_shared(shared.from, bits);
    repeat_in_word(bits);
  }
  const auto fixed = registers_->fixed_register(shared.value);
  const Bank bank = body_.banks()[shared.value];
  // Registers that no value has yet.
  const std::uint32_t reg = fixed.value_or(bank == Bank::masks ? 1 : 0);
  if (bank == Bank::masks) {
    out_.kmovw(x86::k(reg), bits);
  } else {
    out_.vmovd(x86::xmm0, bits);
    out_.vpbroadcastd(vector(reg), x86::xmm0);
  }
  if (!fixed) spill(bank, reg, registers_->slot_of(shared.value));
}

void FunctionFrame::repeat_in_word(const x86::Gp& bits) {
  if (body_.lane_bytes() == 1) {
    out_.movzx(bits, bits.r8());
    out_.imul(bits, bits, 0x01010101);
  } else if (body_.lane_bytes() == 2) {
    out_.movzx(bits, bits.r16());
    out_.imul(bits, bits, 0x10001);
  }
}

x86::Mem FunctionFrame::sums_at(const Shared& shared) {
  out_.mov(x86::rax, pointer_at(shared.pointer));
  return x86::ptr(x86::rax, static_cast<std::int32_t>(shared.bits));
}

void FunctionFrame::load_vector(const Shared& shared) {
  const auto fixed = registers_->fixed_register(shared.value);
  const std::uint32_t reg = fixed.value_or(0);  // which no value has yet
  if (shared.from == Shared::From::lanes) {
    out_.mov(x86::rax, shared.pointer);
    out_.vmovups(vector(reg), x86::ptr(x86::rax));
  } else {
    out_.vmovups(vector(reg), sums_at(shared));
  }
  if (!fixed) spill(Bank::vectors, reg, registers_->slot_of(shared.value));
}

void FunctionFrame::store_sums() {
  for (const Shared& shared : body_.all_shared()) {
    if (shared.from != Shared::From::sums) continue;
    const auto fixed = registers_->fixed_register(shared.value);
    if (!fixed) reload(Bank::vectors, 0, registers_->slot_of(shared.value));
    out_.vmovups(sums_at(shared), vector(fixed.value_or(0)));
  }
}

void FunctionFrame::carry(const MachineStep& step, const Assignment& assigned) {
  if (const auto fixed = registers_->fixed_register(step.carries)) {
    out_.vmovaps(vector(*fixed), vector(assigned.in[0]));
  } else {
    spill(Bank::vectors, assigned.in[0], registers_->slot_of(step.carries));
  }
}

void FunctionFrame::load_shared(Shared::From from, const x86::Gp& bits) {
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
    case Shared::From::i16:
      out_.movsx(bits, x86::word_ptr(at));
      return;
    case Shared::From::ui16:
      out_.movzx(bits, x86::word_ptr(at));
      return;
    case Shared::From::pred:
      out_.movzx(bits, x86::byte_ptr(at));
      out_.neg(bits);
      return;
    default:
      out_.mov(bits, x86::dword_ptr(at));
  }
}

}  // namespace understudy::worker::ops::chain_code
