// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/emitter.h"

#include <algorithm>
#include <limits>

#include "worker/ops/machine_code/forms.h"

namespace understudy::worker::ops::machine {
namespace {

constexpr std::array<std::uint32_t, 6> kSizes{1, 2, 4, 8, 4, 8};

x86::Gp as_wide(const x86::Gp& reg, Kind kind) {
  return kind == Kind::quad ? x86::Gp(reg.r64()) : x86::Gp(reg.r32());
}

std::size_t index_of(int slot) { return static_cast<std::size_t>(slot); }

}  // namespace

x86::Mem sized(x86::Mem memory, Kind kind) {
  memory.setSize(kSizes[static_cast<std::size_t>(kind)]);
  return memory;
}

void load_whole(x86::Compiler& cc, const x86::Gp& to, const x86::Mem& from, Kind kind) {
  if (kind == Kind::byte || kind == Kind::half) {
    cc.movzx(to.r32(), from);
  } else {
    cc.mov(as_wide(to, kind), from);
  }
}

void store_whole(x86::Compiler& cc, const x86::Mem& to, const x86::Gp& from, Kind kind) {
  switch (kind) {
    case Kind::byte:
      return static_cast<void>(cc.mov(to, from.r8()));
    case Kind::half:
      return static_cast<void>(cc.mov(to, from.r16()));
    case Kind::quad:
      return static_cast<void>(cc.mov(to, from.r64()));
    default:
      cc.mov(to, from.r32());
  }
}

void load_number(x86::Compiler& cc, const x86::Xmm& to, const x86::Mem& from, Kind kind) {
  cc.emit(kind == Kind::f32 ? x86::Inst::kIdVmovss : x86::Inst::kIdVmovsd, to, from);
}

void store_number(x86::Compiler& cc, const x86::Mem& to, const x86::Xmm& from, Kind kind) {
  cc.emit(kind == Kind::f32 ? x86::Inst::kIdVmovss : x86::Inst::kIdVmovsd, to, from);
}

Emitter::Emitter(x86::Compiler& compiler, const LoopGraph& graph)
    : cc(compiler),
      graph_(graph),
      whole_(graph.slots.size()),
      number_(graph.slots.size()),
      unsettled_(graph.slots.size(), false),
      postponed_(graph.slots.size(), nullptr) {
  for (std::size_t i = 0; i < graph.slots.size(); ++i) {
    const Slot& slot = graph.slots[i];
    if (slot.in_memory) continue;
    if (is_float(slot.kind)) {
      number_[i] = fresh_number(slot.kind);
    } else {
      whole_[i] = fresh_whole(slot.kind);
    }
  }
}

// ---- integers -------------------------------------------------------------------------------

x86::Gp Emitter::whole(const Value& value, Kind kind) {
  if (!value.is_constant() && !slot(value.slot).in_memory) return whole_[index_of(value.slot)];
  const x86::Gp reg = fresh_whole(kind);
  if (value.is_constant()) {
    cc.mov(reg, asmjit::imm(value.bits));
  } else {
    load_whole(cc, reg, memory(slot(value.slot).place, kind), kind);
  }
  return reg;
}

asmjit::Operand Emitter::whole_or_constant(const Value& value, Kind kind) {
  if (!value.is_constant()) return whole(value, kind);
  if (kind != Kind::quad) return asmjit::imm(static_cast<std::int32_t>(value.bits));
  const auto bits = static_cast<std::int64_t>(value.bits);
  const bool is_short = bits == static_cast<std::int32_t>(bits);
  return is_short ? asmjit::Operand(asmjit::imm(bits)) : asmjit::Operand(whole(value, kind));
}

x86::Gp Emitter::extended_by_sign(const Value& value, Kind kind) {
  const x86::Gp reg = whole(value, kind);
  if (kind != Kind::byte && kind != Kind::half) return reg;
  const x86::Gp wide = cc.newGpd();
  if (kind == Kind::byte) {
    cc.movsx(wide, reg.r8());
  } else {
    cc.movsx(wide, reg.r16());
  }
  return wide;
}

x86::Gp Emitter::extended(const Value& value, program::ElementType type) {
  const Kind kind = *kind_of(type);
  return program::is_signed_integer(type) ? extended_by_sign(value, kind) : whole(value, kind);
}

bool Emitter::reads_other(const Simple& step, std::optional<std::size_t> allowed) const {
  for (std::size_t i = 0; i < step.inputs; ++i)
    if (i != allowed && step.in[i].slot == step.out) return true;
  return false;
}

x86::Gp Emitter::whole_target(int number) {
  const Slot& out = slot(number);
  return out.in_memory ? fresh_whole(out.kind) : whole_[index_of(number)];
}

x86::Gp Emitter::whole_result(const Simple& step, std::optional<std::size_t> allowed) {
  return reads_other(step, allowed) ? fresh_whole(slot(step.out).kind) : whole_target(step.out);
}

void Emitter::cut(const x86::Gp& reg, Kind kind) {
  if (kind == Kind::byte) cc.movzx(reg.r32(), reg.r8());
  if (kind == Kind::half) cc.movzx(reg.r32(), reg.r16());
}

void Emitter::put(int number, const x86::Gp& reg) {
  const Slot& out = slot(number);
  postponed_[index_of(number)] = nullptr;
  if (out.in_memory) return store_whole(cc, memory(out.place, out.kind), reg, out.kind);
  const x86::Gp& own = whole_[index_of(number)];
  if (own.id() != reg.id()) cc.mov(own, as_wide(reg, out.kind));
  if (out.stored_at_once) store(number);
}

// ---- floats ---------------------------------------------------------------------------------

x86::Xmm Emitter::number(const Value& value, Kind kind, bool settled) {
  if (!value.is_constant() && !slot(value.slot).in_memory) {
    const std::size_t i = index_of(value.slot);
    if (settled && unsettled_[i]) {
      settle(number_[i], kind);
      unsettled_[i] = false;
    }
    return number_[i];
  }
  const x86::Xmm reg = fresh_number(kind);
  load_number(cc, reg, number_or_memory(value, kind).as<x86::Mem>(), kind);
  return reg;
}

asmjit::Operand Emitter::number_or_memory(const Value& value, Kind kind) {
  if (value.is_constant())
    return sized(cc.newConst(asmjit::ConstPoolScope::kLocal, &value.bits, bytes_of(kind)), kind);
  if (slot(value.slot).in_memory) return memory(slot(value.slot).place, kind);
  return number_[index_of(value.slot)];
}

x86::Xmm Emitter::number_target(int number) {
  const Slot& out = slot(number);
  return out.in_memory ? fresh_number(out.kind) : number_[index_of(number)];
}

void Emitter::put(int number, const x86::Xmm& reg, bool settled) {
  const Slot& out = slot(number);
  const std::size_t i = index_of(number);
  if (!settled && (out.in_memory || out.stored_at_once)) {
    settle(reg, out.kind);
    settled = true;
  }
  if (out.in_memory) return store_number(cc, memory(out.place, out.kind), reg, out.kind);
  if (number_[i].id() != reg.id()) cc.vmovaps(number_[i], reg);
  unsettled_[i] = !settled;
  if (out.stored_at_once) store(number);
}

// A predicted branch: it is not on the way from one value to the next.
void Emitter::settle(const x86::Xmm& reg, Kind kind) {
  const asmjit::Label back = cc.newLabel();
  cc.emit(kind == Kind::f32 ? x86::Inst::kIdVucomiss : x86::Inst::kIdVucomisd, reg, reg);
  cc.jp(rarely([this, reg, kind, back] {
    make_nan(reg, kind);
    cc.jmp(back);
  }));
  cc.bind(back);
}

void Emitter::make_nan(const x86::Xmm& reg, Kind kind) {
  const float nan32 = std::numeric_limits<float>::quiet_NaN();
  const double nan64 = std::numeric_limits<double>::quiet_NaN();
  const auto scope = asmjit::ConstPoolScope::kLocal;
  load_number(cc, reg,
              kind == Kind::f32 ? cc.newFloatConst(scope, nan32) : cc.newDoubleConst(scope, nan64),
              kind);
}

x86::Mem Emitter::pattern(std::uint64_t bits, Kind kind) {
  if (kind == Kind::f32) bits |= bits << 32;
  const std::array<std::uint64_t, 2> all{bits, bits};
  return cc.newConst(asmjit::ConstPoolScope::kLocal, all.data(), sizeof(all));
}

void Emitter::settle_needed() {
  for (std::size_t i = 0; i < unsettled_.size(); ++i) {
    if (!unsettled_[i] || !graph_.slots[i].is_needed) continue;
    settle(number_[i], graph_.slots[i].kind);
    unsettled_[i] = false;
  }
}

void Emitter::end_segment() {
  settle_needed();
  unsettled_.assign(unsettled_.size(), false);
  postponed_.assign(postponed_.size(), nullptr);
}

// ---- memory ---------------------------------------------------------------------------------

void Emitter::take_bases(const x86::Gp& bases) {
  const auto take = [&](const BoundPlace& place) {
    if (place.base >= bases_.size()) bases_.resize(place.base + 1);
    if (bases_[place.base].isValid()) return;
    bases_[place.base] = cc.newGpq();
    cc.mov(bases_[place.base],
           x86::ptr(bases, static_cast<std::int32_t>(place.base * sizeof(std::byte*))));
  };
  bases_.clear();
  for (const Slot& slot : graph_.slots) take(slot.place);
  for (const Block& block : graph_.blocks)
    for (const Part& part : block.parts)
      if (const auto* window = std::get_if<Window>(&part)) take(window->array.place);
}

x86::Mem Emitter::memory(const BoundPlace& place, Kind kind) {
  return sized(x86::ptr(bases_[place.base], static_cast<std::int32_t>(place.offset)), kind);
}

x86::Mem Emitter::memory_at(const Range& array, const x86::Gp& offset, std::uint32_t shift,
                            std::int32_t displacement, Kind kind) {
  const auto constant = static_cast<std::int32_t>(array.place.offset) + displacement;
  return sized(x86::ptr(bases_[array.place.base], offset.r64(), shift, constant), kind);
}

void Emitter::load(int number) {
  const Slot& from = slot(number);
  const x86::Mem at = memory(from.place, from.kind);
  if (is_float(from.kind)) {
    load_number(cc, number_[index_of(number)], at, from.kind);
    unsettled_[index_of(number)] = false;
  } else {
    load_whole(cc, whole_[index_of(number)], at, from.kind);
    postponed_[index_of(number)] = nullptr;
  }
}

void Emitter::store(int number) {
  const Slot& to = slot(number);
  const x86::Mem at = memory(to.place, to.kind);
  if (is_float(to.kind)) {
    store_number(cc, at, number_[index_of(number)], to.kind);
  } else {
    store_whole(cc, at, whole_[index_of(number)], to.kind);
  }
}

void Emitter::move_element(const x86::Mem& at, const Value& element, Kind kind, bool to_memory) {
  if (is_float(kind)) {
    if (to_memory) return store_number(cc, at, number(element, kind, true), kind);
    const x86::Xmm to = number_target(element.slot);
    load_number(cc, to, at, kind);
    put(element.slot, to, true);
  } else {
    if (to_memory) return store_whole(cc, at, whole(element, kind), kind);
    const x86::Gp to = whole_target(element.slot);
    load_whole(cc, to, at, kind);
    put(element.slot, to);
  }
}

asmjit::Label Emitter::rarely(std::function<void()> code) {
  const asmjit::Label label = cc.newLabel();
  rare_.push_back({label, std::move(code)});
  return label;
}

void Emitter::finish_rare() {
  // Such code may need more of it.
  for (std::size_t i = 0; i < rare_.size(); ++i) {
    cc.bind(rare_[i].label);
    const std::function<void()> code = std::move(rare_[i].code);
    code();
  }
}

}  // namespace understudy::worker::ops::machine
