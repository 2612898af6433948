// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/chain_units.h"

#include <algorithm>

#include "worker/ops/fused/chain_function.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::Instruction;
using Place = FusedPlace;

// Of values of the tile and results. Views of one argument differ in more.
bool same_memory(const Place& a, const Place& b) {
  return a.space == b.space && a.index == b.index && a.offset == b.offset && a.bytes == b.bytes;
}

bool is_binary(const Instruction& instruction, BinaryOp op) {
  const auto* binary = std::get_if<program::Binary>(&instruction.work);
  return binary != nullptr && binary->op == op;
}

// Finds the units of one chain.
class UnitFinder {
 public:
  UnitFinder(std::span<const ChainCandidate> candidates, std::size_t first, std::size_t count)
      : candidates_(candidates), first_(first), end_(first + count) {
    for (std::size_t s = first_; s < end_; ++s) readers_.push_back(readers_of(s));
  }

  std::vector<ChainUnit> find() {
    std::vector<ChainUnit> units;
    std::vector<std::size_t> unit_of(end_ - first_, ChainUnit::kNone);  // by its last step
    for (std::size_t s = first_; s < end_; ++s) {
      if (is_factor(s)) continue;
      ChainUnit unit = unit_from(s);
      for (UnitOperand& operand : unit.operands) {
        const std::size_t maker = maker_of(operand.step, operand.input);
        if (maker != ChainUnit::kNone) operand.unit = unit_of[maker - first_];
      }
      see_readers(unit);
      unit_of[unit.last - first_] = units.size();
      s = unit.last;
      units.push_back(std::move(unit));
    }
    return units;
  }

 private:
  const Instruction& instruction(std::size_t s) const { return *candidates_[s].instruction; }
  const FusedStep& step(std::size_t s) const { return *candidates_[s].step; }
  const std::vector<std::size_t>& readers(std::size_t s) const { return readers_[s - first_]; }

  // The steps that read what step `s` writes, up to the next one that writes there.
  std::vector<std::size_t> readers_of(std::size_t s) const {
    const Place& out = step(s).out;
    std::vector<std::size_t> found;
    for (std::size_t t = s + 1; t < candidates_.size(); ++t) {
      for (std::size_t i = 0; i < step(t).inputs; ++i) {
        const Place& in = step(t).in[i];
        if (candidates_[t].spread[i] || in.space != out.space || in.index != out.index ||
            in.offset != out.offset)
          continue;
        found.push_back(t);
        break;
      }
      if (same_memory(step(t).out, out)) break;
    }
    return found;
  }

  // The step of the chain that made an operand.
  std::size_t maker_of(std::size_t s, std::size_t input) const {
    if (candidates_[s].spread[input]) return ChainUnit::kNone;
    for (std::size_t t = s; t-- > first_;)
      if (same_memory(step(t).out, step(s).in[input])) return t;
    return ChainUnit::kNone;
  }

  bool is_shared(std::size_t s, std::size_t input) const {
    const auto& spread = candidates_[s].spread[input];
    return spread && !spread->by_column;
  }

  bool leaves_chain(std::size_t s) const {
    return step(s).out.space == program::Space::result ||
           std::ranges::any_of(readers(s), [&](std::size_t reader) { return reader >= end_; });
  }

  // The sum that takes the product of step `s`, which nobody else reads; kNone if there is none. No
  // step between them writes to memory, as the product is computed later.
  std::size_t sum_of(std::size_t s) const {
    if (!is_binary(instruction(s), BinaryOp::multiply) || leaves_chain(s)) return ChainUnit::kNone;
    if (readers(s).size() != 1) return ChainUnit::kNone;
    if (!program::kernels::is_chain_float(instruction(s).outputs[0].type.element))
      return ChainUnit::kNone;
    const std::size_t sum = readers(s)[0];
    if (!is_binary(instruction(sum), BinaryOp::add)) return ChainUnit::kNone;
    const std::size_t left = maker_of(sum, 0), right = maker_of(sum, 1);
    if (left == right) return ChainUnit::kNone;
    // Of two products the left one.
    if (right == s && left != ChainUnit::kNone && sum_of(left) == sum) return ChainUnit::kNone;
    for (std::size_t t = s + 1; t < sum; ++t)
      if (leaves_chain(t)) return ChainUnit::kNone;
    return sum;
  }
  bool is_factor(std::size_t s) const { return sum_of(s) != ChainUnit::kNone; }

  // The product that step `s` adds to something.
  std::size_t product_in(std::size_t s) const {
    if (!is_binary(instruction(s), BinaryOp::add)) return ChainUnit::kNone;
    for (const std::size_t input : {0, 1}) {
      const std::size_t maker = maker_of(s, input);
      if (maker != ChainUnit::kNone && sum_of(maker) == s) return maker;
    }
    return ChainUnit::kNone;
  }

  // Whether steps s to s + 2 are (x << b) | (x >> c), as programs write rotations, and nobody else
  // reads the shifted values.
  bool is_rotation(std::size_t s) const {
    if (s + 3 > end_ || program::is_pred(instruction(s).inputs[0].type.element)) return false;
    if (!is_binary(instruction(s), BinaryOp::shift_left) ||
        !is_binary(instruction(s + 1), BinaryOp::shift_right_logical) ||
        !is_binary(instruction(s + 2), BinaryOp::logical_or))
      return false;
    const std::vector<std::size_t> reader{s + 2};
    return step(s).in[0] == step(s + 1).in[0] && !same_memory(step(s).out, step(s).in[0]) &&
           !candidates_[s].spread[0] && !candidates_[s + 1].spread[0] && is_shared(s, 1) &&
           is_shared(s + 1, 1) && maker_of(s + 2, 0) == s && maker_of(s + 2, 1) == s + 1 &&
           !leaves_chain(s) && !leaves_chain(s + 1) && readers(s) == reader &&
           readers(s + 1) == reader;
  }

  ChainUnit unit_from(std::size_t s) const {
    ChainUnit unit;
    unit.first = unit.last = s;
    if (is_rotation(s)) {
      unit.kind = ChainUnit::Kind::rotation;
      unit.last = s + 2;
      unit.operands = {{s, 0}, {s, 1}, {s + 1, 1}};
      return unit;
    }
    const std::size_t product = product_in(s);
    if (product != ChainUnit::kNone) {
      unit.kind = ChainUnit::Kind::multiply_add;
      unit.first = product;
      // The order of operands shows in no bit once NaN are settled.
      unit.operands = {{product, 0}, {product, 1}, {s, maker_of(s, 0) == product ? 1U : 0U}};
      return unit;
    }
    for (std::size_t i = 0; i < step(s).inputs; ++i) unit.operands.push_back({s, i});
    return unit;
  }

  void see_readers(ChainUnit& unit) const {
    unit.stores = leaves_chain(unit.last);
    const bool is_seen = step(unit.last).out.space == program::Space::result ||
                         std::ranges::any_of(readers(unit.last), [&](std::size_t reader) {
                           return reader >= end_ || !hides_nan(instruction(reader));
                         });
    unit.shows_nan = is_seen && makes_nan(instruction(unit.last));
  }

  std::span<const ChainCandidate> candidates_;
  std::size_t first_, end_;
  std::vector<std::vector<std::size_t>> readers_;  // of each step
};

// Lists for each unit those that have to run before it.
std::vector<std::vector<std::size_t>> dependences(std::span<const ChainCandidate> candidates,
                                                  const std::vector<ChainUnit>& units) {
  std::vector<std::vector<std::size_t>> before(units.size());
  const auto touches_memory = [&](const ChainUnit& unit) {
    return unit.stores || std::ranges::any_of(unit.operands, [&](const UnitOperand& operand) {
             return reads_memory(candidates, units, operand);
           });
  };
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const UnitOperand& operand : units[u].operands)
      if (operand.unit != ChainUnit::kNone) before[u].push_back(operand.unit);
    if (!units[u].stores) continue;
    for (std::size_t other = 0; other < units.size(); ++other)
      if (other != u && touches_memory(units[other]))
        before[std::max(u, other)].push_back(std::min(u, other));
  }
  return before;
}

}  // namespace

std::vector<ChainUnit> units_of(std::span<const ChainCandidate> candidates, std::size_t first,
                                std::size_t count) {
  return UnitFinder(candidates, first, count).find();
}

bool reads_memory(std::span<const ChainCandidate> candidates, const std::vector<ChainUnit>& units,
                  const UnitOperand& operand) {
  if (candidates[operand.step].spread[operand.input]) return false;
  return operand.unit == ChainUnit::kNone || units[operand.unit].stores;
}

// From the last unit to the first: of those that all later units allow, the one whose result the
// unit after it takes, with the longest way to it, as a polynomial's sum before its coefficient.
std::vector<std::size_t> order_of(std::span<const ChainCandidate> candidates,
                                  const std::vector<ChainUnit>& units) {
  const auto before = dependences(candidates, units);
  std::vector<std::size_t> later(units.size(), 0), depth(units.size(), 0);
  for (std::size_t u = 0; u < units.size(); ++u)
    for (const std::size_t maker : before[u]) {
      ++later[maker];
      depth[u] = std::max(depth[u], depth[maker] + 1);
    }
  std::vector<bool> placed(units.size(), false);
  std::vector<std::size_t> order;
  while (order.size() < units.size()) {
    std::size_t best = ChainUnit::kNone;
    const auto is_operand = [&](std::size_t u) {
      return !order.empty() &&
             std::ranges::any_of(units[order.back()].operands,
                                 [&](const UnitOperand& o) { return o.unit == u; });
    };
    const auto is_better = [&](std::size_t u) {
      if (is_operand(u) != is_operand(best)) return is_operand(u);
      return is_operand(u) && depth[u] > depth[best];
    };
    for (std::size_t u = units.size(); u-- > 0;)
      if (!placed[u] && later[u] == 0 && (best == ChainUnit::kNone || is_better(u))) best = u;
    placed[best] = true;
    for (const std::size_t maker : before[best]) --later[maker];
    order.push_back(best);
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace understudy::worker::ops
