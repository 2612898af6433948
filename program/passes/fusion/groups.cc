// SPDX-License-Identifier: Apache-2.0
#include "program/passes/fusion/groups.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "program/executable/tile.h"

namespace understudy::program::passes {

namespace {

// A group whose last member is further away ends where something that is in no loop stands between:
// its inputs would live longer than its results.
constexpr std::size_t kMostDistance = 64;
constexpr std::size_t kMostOperands = 768;  // of all members together

// Iota along the last dimension, or along the first one that is not 1.
std::optional<LoopSpace> counted(const Iota& work, const TensorType& out) {
  const auto d = static_cast<std::size_t>(work.dimension);
  LoopSpace space{1, 1};
  for (std::size_t i = 0; i < d; ++i) space.rows *= out.shape[i];
  for (std::size_t i = d + 1; i < out.shape.size(); ++i) space.columns *= out.shape[i];
  if (space.rows == 1 && space.columns == 1) return LoopSpace{out.elements(), 0};
  if (space.rows == 1) return LoopSpace{out.shape[d], space.columns};
  if (space.columns == 1) return LoopSpace{space.rows, out.shape[d]};
  return std::nullopt;
}

std::optional<LoopSpace> joined_rows(const LoopSpace& a, const LoopSpace& b) {
  if (a.elements() != b.elements()) return std::nullopt;
  if (a.columns == b.columns) return LoopSpace{a.rows, a.columns, a.divisible && b.divisible};
  const LoopSpace& longer = a.columns > b.columns ? a : b;
  const LoopSpace& shorter = a.columns > b.columns ? b : a;
  if (!longer.divisible || longer.columns % shorter.columns != 0) return std::nullopt;
  return shorter;
}

// One space that serves both, if there is one: a flat run is the whole space of the other, or one
// element per row.
std::optional<LoopSpace> joined(const LoopSpace& a, const LoopSpace& b) {
  if (a == b) return a;
  if (a.columns == 0 && b.columns == 0 && a.rows == b.rows)
    return LoopSpace{a.rows, 0, false, a.whole || b.whole};
  if (a.columns != 0 && b.columns != 0) return joined_rows(a, b);
  const LoopSpace& fixed = a.columns != 0 ? a : b;
  const LoopSpace& flat = a.columns != 0 ? b : a;
  if (fixed.columns == 0) return std::nullopt;
  if (flat.rows == fixed.elements()) return fixed;
  // One element per row would be made again in each tile of a long row, maybe from itself.
  if (flat.whole || flat.rows != fixed.rows || fixed.columns > longest_row(fixed.rows))
    return std::nullopt;
  return LoopSpace{fixed.rows, fixed.columns, false};
}

struct Use {
  std::size_t group;
  Operand operand;
  Follows follows;
  bool writes;
  StridedCopy apart = {};  // of an output that is written apart
};

class Grouper {
 public:
  Grouper(const Code& code, const std::vector<std::uint64_t>& bytes) : code_(code), bytes_(bytes) {}

  std::vector<FusionGroup> run() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const auto space = writes_whole(code_[i]) ? loop_space_of(code_[i]) : std::nullopt;
      if (space) {
        add(i, *space);
      } else {
        last_other_ = i;
        visit_operands(code_[i], [&](const Operand& operand, Access access) {
          for (const std::size_t group : met_by(operand, access == Access::write))
            groups_[group].open = false;
        });
      }
    }
    std::vector<FusionGroup> found;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      FusionGroup& group = groups_[g].group;
      if (heirs_[g] == g && (group.members.size() > 1 || is_quick_alone(code_[group.members[0]])))
        found.push_back(std::move(group));
    }
    for (FusionGroup& group : found) std::ranges::sort(group.members);
    return found;
  }

 private:
  struct Candidate {
    FusionGroup group;
    std::size_t operands = 0;
    bool open = true;
  };

  // Parts of a larger buffer stay outside: another instruction may write the rest.
  bool writes_whole(const Instruction& instruction) const {
    if (is_apart(instruction)) return true;
    return std::ranges::all_of(instruction.outputs, [&](const Operand& out) {
      const auto bytes = static_cast<std::uint64_t>(out.type.bytes());
      return out.at.offset == 0 &&
             (out.at.space == Space::result ||
              (out.at.space == Space::temporary && bytes_[out.at.index] == bytes));
    });
  }

  std::size_t heir_of(std::size_t group) {
    while (heirs_[group] != group) group = heirs_[group] = heirs_[heirs_[group]];
    return group;
  }

  // The open groups with an access that this one must not overtake. Uses by groups that ended are
  // forgotten on the way, so that a buffer with many readers is not searched again and again.
  std::vector<std::size_t> met_by(const Operand& operand, bool writes) {
    std::vector<std::size_t> met;
    if (operand.at.space == Space::constant) return met;
    const auto found = uses_.find(whole_of(operand.at));
    if (found == uses_.end()) return met;
    std::erase_if(found->second, [&](const Use& use) { return !groups_[heir_of(use.group)].open; });
    for (const Use& use : found->second)
      if (writes || use.writes) met.push_back(heir_of(use.group));
    return met;
  }

  void add(std::size_t position, const LoopSpace& wanted) {
    const Instruction& instruction = code_[position];
    std::vector<std::size_t> met;
    visit_operands(instruction, [&](const Operand& operand, Access access) {
      for (const std::size_t group : met_by(operand, access == Access::write)) met.push_back(group);
    });
    std::ranges::sort(met, std::greater<>());
    met.erase(std::unique(met.begin(), met.end()), met.end());
    Candidate mine{
        {{position}, wanted}, instruction.inputs.size() + instruction.outputs.size(), true};
    std::vector<std::size_t> joining;
    for (const std::size_t group : met) {
      if (may_join(mine, groups_[group], position) && is_safe(instruction, group, mine)) {
        absorb(mine, groups_[group]);
        joining.push_back(group);
      } else {
        groups_[group].open = false;
      }
    }
    const std::size_t here = groups_.size();
    for (const std::size_t group : joining) heirs_[group] = here;
    groups_.push_back(std::move(mine));
    heirs_.push_back(here);
    note(instruction, here);
  }

  bool may_join(const Candidate& mine, const Candidate& other, std::size_t position) const {
    return joined(mine.group.space, other.group.space).has_value() &&
           mine.group.members.size() + other.group.members.size() <= kMostMembers &&
           mine.operands + other.operands <= kMostOperands &&
           (position - last_of(other.group) <= kMostDistance || !last_other_ ||
            last_of(other.group) > *last_other_);
  }
  static std::size_t last_of(const FusionGroup& group) {
    return *std::ranges::max_element(group.members);
  }

  static void absorb(Candidate& mine, Candidate& other) {
    mine.group.space = *joined(mine.group.space, other.group.space);
    // Small into large, so that a chain of n members costs n log n.
    if (mine.group.members.size() < other.group.members.size())
      std::swap(mine.group.members, other.group.members);
    mine.group.members.insert(mine.group.members.end(), other.group.members.begin(),
                              other.group.members.end());
    mine.operands += other.operands;
  }

  // A tile is read and written at one place of the loop: where this instruction and a member of the
  // group access one buffer and one of them writes, both must follow the loop in the same way.
  bool is_safe(const Instruction& instruction, std::size_t group, const Candidate& mine) {
    const LoopSpace space = *joined(mine.group.space, groups_[group].group.space);
    const StridedCopy apart = apart_copy(instruction);
    const auto fits = [&](const Operand& operand, Follows how, bool writes) {
      const auto found = uses_.find(whole_of(operand.at));
      if (found == uses_.end()) return true;
      return std::ranges::all_of(found->second, [&](const Use& use) {
        if (heir_of(use.group) != group || (!writes && !use.writes)) return true;
        if (how == Follows::apart && use.follows == Follows::apart)
          return use.operand == operand && use.apart.out_strides == apart.out_strides &&
                 use.apart.out_base != apart.out_base;
        if (use.operand.at.offset != operand.at.offset ||
            use.operand.type.elements() != operand.type.elements() ||
            byte_size(use.operand.type.element) != byte_size(operand.type.element))
          return false;
        // One element is a row's where the loop has one row.
        const bool one_row = space.rows == 1 && operand.type.elements() == 1;
        const auto good = [&](Follows f) {
          return f == Follows::loop || (f == Follows::nothing && one_row);
        };
        return good(how) && good(use.follows);
      });
    };
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
      if (!fits(instruction.inputs[i], follows(instruction, i), false)) return false;
    return std::ranges::all_of(instruction.outputs, [&](const Operand& out) {
      return fits(out, output_follows(instruction), true);
    });
  }

  // The copy that an instruction is, if it is one to places apart.
  static StridedCopy apart_copy(const Instruction& instruction) {
    return is_apart(instruction) ? std::get<StridedCopy>(instruction.work) : StridedCopy{};
  }

  void note(const Instruction& instruction, std::size_t group) {
    const StridedCopy apart = apart_copy(instruction);
    const auto add_use = [&](const Operand& operand, Follows how, bool writes) {
      if (operand.at.space == Space::constant) return;
      uses_[whole_of(operand.at)].push_back({group, operand, how, writes, apart});
    };
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i)
      add_use(instruction.inputs[i], follows(instruction, i), false);
    for (const Operand& out : instruction.outputs) add_use(out, output_follows(instruction), true);
  }

  const Code& code_;
  const std::vector<std::uint64_t>& bytes_;
  std::vector<Candidate> groups_;
  std::optional<std::size_t> last_other_;  // the last position so far that is in no loop
  std::vector<std::size_t> heirs_;         // of a group that joined another; else itself
  std::unordered_map<Buffer, std::vector<Use>, BufferHash> uses_;
};

}  // namespace

std::optional<LoopSpace> loop_space_of(const Instruction& instruction) {
  if (instruction.outputs.size() != 1) return std::nullopt;
  const TensorType& out = instruction.outputs[0].type;
  if (out.elements() == 0) return std::nullopt;
  const Work& work = instruction.work;
  if (std::holds_alternative<Unary>(work) || std::holds_alternative<Binary>(work) ||
      std::holds_alternative<Compare>(work) || std::holds_alternative<Select>(work) ||
      std::holds_alternative<Clamp>(work) || std::holds_alternative<Convert>(work) ||
      std::holds_alternative<Fill>(work) || is_whole_copy(instruction))
    return LoopSpace{out.elements(), 0};
  if (std::holds_alternative<Join>(work)) return LoopSpace{out.elements(), 0, false, true};
  if (const auto* iota = std::get_if<Iota>(&work)) return counted(*iota, out);
  if (std::holds_alternative<Reduce>(work)) return reduction_space(instruction);
  if (std::holds_alternative<TakeElements>(work)) return take_space(instruction);
  if (std::holds_alternative<Gather>(work)) return row_gather_space(instruction);
  if (is_apart(instruction)) return LoopSpace{std::get<StridedCopy>(work).sizes[0], 0, false, true};
  if (const auto* copy = std::get_if<StridedCopy>(&work)) {
    const bool spreads = spreads_rows(instruction) || spreads_columns(instruction);
    if (spreads && out.elements() == copy->sizes[0] * copy->sizes[1])
      return LoopSpace{copy->sizes[0], copy->sizes[1], true};
    if (is_row_view(instruction) && copy->sizes.size() == 1)
      return LoopSpace{out.elements(), 0, false, true};
    if (is_row_view(instruction))
      return LoopSpace{out.elements() / copy->sizes.back(), copy->sizes.back(), true};
  }
  return std::nullopt;
}

Follows follows(const Instruction& instruction, std::size_t index) {
  const Work& work = instruction.work;
  const Operand& in = instruction.inputs[index];
  if (std::holds_alternative<Fill>(work)) return Follows::nothing;
  if (std::holds_alternative<Join>(work)) return Follows::columns;
  // Indices of rows are made before the loop, many at once: a tile has few rows.
  if (std::holds_alternative<Gather>(work)) return Follows::columns;
  if (std::holds_alternative<TakeElements>(work))
    return index == 0 ? Follows::columns : Follows::loop;
  if (std::holds_alternative<Reduce>(work)) return index == 0 ? Follows::loop : Follows::nothing;
  if (is_apart(instruction)) return in.type.elements() == 1 ? Follows::nothing : Follows::loop;
  if (std::holds_alternative<StridedCopy>(work))
    return spreads_rows(instruction) || is_whole_copy(instruction) ? Follows::loop
                                                                   : Follows::columns;
  // A scalar predicate of a select, or a scalar bound of a clamp.
  return in.type.elements() == instruction.outputs[0].type.elements() ? Follows::loop
                                                                      : Follows::nothing;
}

// Whether a function has more than a few instructions: machine code reads its results for bf16 from
// a table.
bool takes_long(UnaryOp op) {
  constexpr UnaryOp kShort[] = {UnaryOp::abs,        UnaryOp::ceil,
                                UnaryOp::conj,       UnaryOp::floor,
                                UnaryOp::imag,       UnaryOp::is_finite,
                                UnaryOp::is_inf,     UnaryOp::is_neg_inf,
                                UnaryOp::is_pos_inf, UnaryOp::negate,
                                UnaryOp::real,       UnaryOp::round_nearest_afz,
                                UnaryOp::sign,       UnaryOp::round_nearest_even,
                                UnaryOp::square};
  return std::ranges::find(kShort, op) == std::end(kShort);
}

// Whether the result is rounded, for which machine code has fewer instructions than kernels of
// bf16.
bool rounds(BinaryOp op) {
  return op == BinaryOp::add || op == BinaryOp::subtract || op == BinaryOp::multiply ||
         op == BinaryOp::divide;
}

bool is_quick_alone(const Instruction& instruction) {
  constexpr std::int64_t kLeastElements = 4096;
  const Work& work = instruction.work;
  const auto* const unary = std::get_if<Unary>(&work);
  if (unary == nullptr && !std::holds_alternative<Binary>(work) &&
      !std::holds_alternative<Compare>(work))
    return false;
  if (instruction.outputs[0].type.elements() < kLeastElements) return false;
  const ElementType type = instruction.inputs[0].type.element;
  if (unary != nullptr && unary->op == UnaryOp::popcnt)
    return type == ElementType::i32 || type == ElementType::ui32;
  if (type == ElementType::f16) return true;
  if (type != ElementType::bf16) return false;
  if (const auto* const binary = std::get_if<Binary>(&work)) return rounds(binary->op);
  return unary != nullptr && takes_long(unary->op);
}

std::optional<LoopSpace> joined_space(const LoopSpace& a, const LoopSpace& b) {
  return joined(a, b);
}

std::vector<FusionGroup> fusion_groups(const Code& code, const std::vector<std::uint64_t>& bytes) {
  std::vector<FusionGroup> groups = Grouper(code, bytes).run();
  move_to_readers(code, groups);
  return groups;
}

}  // namespace understudy::program::passes
