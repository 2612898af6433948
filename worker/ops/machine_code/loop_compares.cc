// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/machine_code/loop_compares.h"

#include <span>
#include <vector>

#include "worker/ops/machine_code/forms.h"
#include "worker/ops/machine_code/loop_places.h"

namespace understudy::worker::ops::machine {
namespace {

bool has_register(const LoopGraph& graph, const Value& value) {
  return value.is_constant() || !graph.slots[static_cast<std::size_t>(value.slot)].in_memory;
}

// True if all readers of `compare`, which may be none, in the parts after it, up to the end of the
// segment, can make it, and its operands are as they were.
bool serves(const LoopGraph& graph, const Simple& compare, std::span<const Part> after,
            const Value* tested) {
  const Slot& out = graph.slots[static_cast<std::size_t>(compare.out)];
  if (out.is_needed || out.in_memory || out.stored_at_once) return false;
  if (!has_register(graph, compare.in[0]) || !has_register(graph, compare.in[1])) return false;
  bool is_changed = false, is_lost = false, is_over = false;
  for (const Part& part : after) {
    const auto* const simple = std::get_if<Simple>(&part);
    visit_slots(
        part,
        [&](int slot) {
          if (slot != compare.out) return;
          const bool selects = simple != nullptr && simple->role == Simple::Role::select &&
                               simple->in[0].slot == slot && simple->in[1].slot != slot &&
                               simple->in[2].slot != slot;
          const bool branches =
              std::holds_alternative<Branch>(part) && program::is_pred(std::get<Branch>(part).type);
          is_lost = is_lost || is_changed || !(selects || branches);
        },
        [&](int slot) {
          is_over = is_over || slot == compare.out;
          for (std::size_t i = 0; i < compare.inputs; ++i)
            is_changed = is_changed || slot == compare.in[i].slot;
        });
    if (is_lost) return false;
    if (is_over) return true;
  }
  const bool is_tested = tested != nullptr && tested->slot == compare.out;
  return !is_tested || !is_changed;
}

// Whether `compare` asks if a pred is true, as a remainder of JAX does of each sign.
bool asks_pred(const Simple& compare) {
  return compare.role == Simple::Role::compare && program::is_pred(compare.from) &&
         compare.direction == program::Direction::ne && compare.in[1].is_constant() &&
         compare.in[1].bits == 0;
}

// The comparison in the segment before parts[number] that made `pred`, if its operands are as they
// were then; nullptr: none.
const Simple* maker_of(const LoopGraph& graph, std::span<const Part> parts, std::size_t number,
                       const Value& pred) {
  if (pred.is_constant() || !has_register(graph, pred)) return nullptr;
  std::vector<bool> written(graph.slots.size(), false);
  for (std::size_t i = number; i-- > 0;) {
    if (std::holds_alternative<Loop>(parts[i]) || std::holds_alternative<Branch>(parts[i]))
      return nullptr;
    visit_slots(
        parts[i], [](int) {}, [&](int slot) { written[static_cast<std::size_t>(slot)] = true; });
    if (!written[static_cast<std::size_t>(pred.slot)]) continue;
    const auto* const maker = std::get_if<Simple>(&parts[i]);
    if (maker == nullptr || maker->role != Simple::Role::compare) return nullptr;
    for (std::size_t k = 0; k < maker->inputs; ++k) {
      const Value& in = maker->in[k];
      if (!has_register(graph, in)) return nullptr;
      if (!in.is_constant() && written[static_cast<std::size_t>(in.slot)]) return nullptr;
    }
    return maker;
  }
  return nullptr;
}

bool compares_with_zero(const Simple& compare, const Value& with) {
  return compare.in[0].slot == with.slot && !with.is_constant() && compare.in[1].is_constant() &&
         compare.in[1].bits == 0 && family_of(compare.from) == Family::integer;
}

// The comparison that is as much as both: below zero is unequal to it. nullptr: there is none.
const Simple* stronger(const Simple& a, const Simple& b) {
  if (!compares_with_zero(a, a.in[0]) || !compares_with_zero(b, a.in[0])) return nullptr;
  const auto implies = [](const Simple& first, const Simple& second) {
    const bool is_apart = first.direction == program::Direction::lt ||
                          first.direction == program::Direction::gt ||
                          first.direction == program::Direction::ne;
    return is_apart && second.direction == program::Direction::ne;
  };
  return implies(a, b) ? &a : implies(b, a) ? &b : nullptr;
}

// A step that gives the pred of a comparison, or of two, is that comparison, made again.
void repeat_makers(LoopGraph& graph, Block& block) {
  for (std::size_t i = 0; i < block.parts.size(); ++i) {
    auto* const step = std::get_if<Simple>(&block.parts[i]);
    if (step == nullptr) continue;
    const Simple* maker = nullptr;
    if (asks_pred(*step)) {
      maker = maker_of(graph, block.parts, i, step->in[0]);
    } else if (step->role == Simple::Role::both) {
      const Simple* const a = maker_of(graph, block.parts, i, step->in[0]);
      const Simple* const b = maker_of(graph, block.parts, i, step->in[1]);
      if (a != nullptr && b != nullptr) maker = stronger(*a, *b);
    }
    if (maker == nullptr) continue;
    const int out = step->out;
    *step = *maker;
    step->out = out;
  }
}

// `tested`: what a loop tests after the block.
void postpone(LoopGraph& graph, Block& block, const Value* tested) {
  const auto ends = [](const Part& part) {
    return std::holds_alternative<Loop>(part) || std::holds_alternative<Branch>(part);
  };
  for (std::size_t i = 0; i < block.parts.size(); ++i) {
    auto* const compare = std::get_if<Simple>(&block.parts[i]);
    if (compare == nullptr || compare->role != Simple::Role::compare) continue;
    std::size_t end = i + 1;
    while (end < block.parts.size() && !ends(block.parts[end])) ++end;
    const bool is_last = end == block.parts.size();
    // A branch reads its pred at the end of the segment; a loop's pred is of its own condition.
    if (!is_last && std::holds_alternative<Branch>(block.parts[end])) ++end;
    const std::span<const Part> after(block.parts.data() + i + 1, end - i - 1);
    compare->is_postponed = serves(graph, *compare, after, is_last ? tested : nullptr);
  }
}

}  // namespace

void postpone_compares(LoopGraph& graph) {
  std::vector<const Value*> tested(graph.blocks.size(), nullptr);
  tested[graph.loop.condition] = &graph.loop.predicate;
  for (const Block& block : graph.blocks)
    for (const Part& part : block.parts)
      if (const auto* loop = std::get_if<Loop>(&part)) tested[loop->condition] = &loop->predicate;
  for (Block& block : graph.blocks) repeat_makers(graph, block);
  for (std::size_t i = 0; i < graph.blocks.size(); ++i) postpone(graph, graph.blocks[i], tested[i]);
}

}  // namespace understudy::worker::ops::machine
