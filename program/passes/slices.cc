// SPDX-License-Identifier: Apache-2.0
// Slices in place, one list of instructions at a time. A scan takes a slice of each stacked weight
// at the start of an iteration, and ends with updates of the arrays that stack its results. Where a
// slice is dense and its array keeps its contents, the readers of the slice read the array; where
// nothing else uses the array meanwhile, the producer of an update writes into it. Equivalents:
// XLA's dynamic-slice fusion, and its fusions whose root is a dynamic-update-slice in place.
#include "program/passes/slices.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "program/executable/dense_run.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Smaller ones are copied in about the time that locating them takes, and small loops run quicker
// with addresses that never change (worker/chip/bound_code.h).
constexpr std::int64_t kLeastBytes = 16 << 10;

// Where in the current list a buffer is used; nested code counts where its loop or branch stands.
struct BufferUses {
  std::set<std::size_t> reads, writes;
  std::size_t operands = 0;

  std::size_t first() const {
    return std::min(reads.empty() ? SIZE_MAX : *reads.begin(),
                    writes.empty() ? SIZE_MAX : *writes.begin());
  }
  std::size_t last() const {
    return std::max(reads.empty() ? 0 : *reads.rbegin(), writes.empty() ? 0 : *writes.rbegin());
  }
};

// A position of [begin, end).
bool any_in(const std::set<std::size_t>& positions, std::size_t begin, std::size_t end) {
  const auto next = positions.lower_bound(begin);
  return next != positions.end() && *next < end;
}

bool is_slice(const Instruction& instruction) {
  return std::holds_alternative<DynamicSlice>(instruction.work);
}
bool is_update_in_place(const Instruction& instruction) {
  return std::holds_alternative<DynamicUpdateSlice>(instruction.work) &&
         instruction.inputs[0].at == instruction.outputs[0].at;
}

bool is_large_run(const TensorType& whole, const TensorType& part) {
  return part.bytes() >= kLeastBytes && run_of(whole.shape, part.shape).has_value();
}

class SliceLocator {
 public:
  explicit SliceLocator(const Draft& draft) : writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code) {
      const bool is_loop = std::holds_alternative<While>(instruction.work);
      loops_ += is_loop ? 1 : 0;
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
      loops_ -= is_loop ? 1 : 0;
    }
    const auto takes_part = [](const Instruction& one) {
      return is_slice(one) || is_update_in_place(one);
    };
    if (std::ranges::any_of(code, takes_part)) locate(code);
  }

 private:
  struct Located {
    std::size_t before;
    Instruction instruction;
  };

  void locate(Code& code) {
    uses_.clear();
    renamed_.clear();
    std::vector<Located> located;
    std::vector<bool> gone(code.size(), false);
    for (std::size_t i = 0; i < code.size(); ++i)
      visit_operands(code[i], [&](const Operand& operand, Access access) {
        BufferUses& uses = uses_[whole_of(slices_.array_of(operand.at))];
        (access == Access::read ? uses.reads : uses.writes).insert(i);
        // As in Writes, which has seen no slice.
        if (operand.at.space != Space::slice) ++uses.operands;
      });
    for (std::size_t i = 0; i < code.size(); ++i)
      if (is_slice(code[i]) && may_read_in_place(code[i], i)) read_in_place(code[i], i);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (!is_update_in_place(code[i])) continue;
      const auto producer = producer_of_update(code, i);
      if (!producer) continue;
      located.push_back({*producer, write_in_place(code[i], *producer, i)});
      gone[i] = true;
    }
    if (!renamed_.empty()) rewrite(code, located, gone);
  }

  // A temporary that one instruction of this list writes, and only this list uses from then on.
  bool is_local_value(const Operand& operand) const {
    if (!writes_.is_value(operand)) return false;
    const BufferUses& here = uses_.at(operand.at);
    return here.operands == writes_.uses(operand.at.index) && *here.writes.begin() == here.first();
  }

  // Whether the array lives longer than this list, so that its slices keep nothing alive. Outside
  // of loops an argument may have been given up to a result before its slice is read.
  bool is_known_outside(const Buffer& array) const {
    if (array.space == Space::argument) return loops_ > 0;
    if (array.space == Space::result) return true;
    return array.space == Space::temporary &&
           uses_.at(whole_of(array)).operands < writes_.uses(array.index);
  }

  bool may_read_in_place(const Instruction& slice, std::size_t position) const {
    const Operand& array = slice.inputs[0];
    const Operand& part = slice.outputs[0];
    if (!is_large_run(array.type, part.type) || !is_local_value(part) ||
        !is_known_outside(array.at))
      return false;
    const std::size_t last = uses_.at(part.at).last();
    return !any_in(uses_.at(whole_of(array.at)).writes, position, last + 1);
  }

  void read_in_place(Instruction& slice, std::size_t position) {
    Operand& part = slice.outputs[0];
    BufferUses& array = uses_.at(whole_of(slice.inputs[0].at));
    for (const std::size_t at : uses_.at(part.at).reads) array.reads.insert(at);
    array.reads.insert(position);
    slice.work = LocateSlice{};
    renamed_[part.at.index] = next_++;
  }

  // The instruction that may write the update straight into the array: between it and `position`
  // nothing uses the array, and the array is not written again while the update is read.
  std::optional<std::size_t> producer_of_update(const Code& code, std::size_t position) const {
    const Operand& array = code[position].outputs[0];
    const Operand& update = code[position].inputs[1];
    // A slice that is read in place is copied by its update.
    if (update.at.space != Space::temporary || renamed_.contains(update.at.index) ||
        !is_large_run(array.type, update.type) || !is_local_value(update) ||
        !is_known_outside(array.at))
      return std::nullopt;
    const BufferUses& part = uses_.at(update.at);
    const BufferUses& whole = uses_.at(whole_of(array.at));
    const std::size_t born = part.first();
    if (born >= position || !runs_where_it_stands(code[born]) ||
        any_in(whole.reads, born, position) || any_in(whole.writes, born, position) ||
        any_in(whole.writes, position + 1, part.last() + 1))
      return std::nullopt;
    // The starts are read earlier than before.
    for (std::size_t i = 2; i < code[position].inputs.size(); ++i)
      if (any_in(uses_.at(whole_of(code[position].inputs[i].at)).writes, born, position))
        return std::nullopt;
    return born;
  }

  // The instruction that locates the update's place in the array.
  Instruction write_in_place(const Instruction& update, std::size_t born, std::size_t position) {
    Operand array = update.inputs[0], part = update.inputs[1];
    BufferUses& whole = uses_.at(whole_of(array.at));
    whole.reads.erase(position);
    whole.writes.erase(position);
    for (const std::size_t at : uses_.at(part.at).reads)
      if (at != position) whole.reads.insert(at);
    whole.writes.insert(born);
    Instruction found{LocateSlice{}, {array}, {part}, update.op};
    found.inputs.insert(found.inputs.end(), update.inputs.begin() + 2, update.inputs.end());
    // The update as the array's slice, whatever shape its producer gives it.
    renamed_[part.at.index] = next_++;
    return found;
  }

  void rewrite(Code& code, std::vector<Located>& located, const std::vector<bool>& gone) {
    std::ranges::stable_sort(located, {}, &Located::before);
    Code with;
    auto next = located.begin();
    for (std::size_t i = 0; i < code.size(); ++i) {
      for (; next != located.end() && next->before == i; ++next)
        with.push_back(std::move(next->instruction));
      if (!gone[i]) with.push_back(std::move(code[i]));
    }
    code = std::move(with);
    for (Instruction& instruction : code) {
      rename_temporaries(instruction, renamed_, [](Buffer& at, std::uint32_t slice) {
        at = {Space::slice, slice, at.offset};
      });
      slices_.note(instruction);
    }
  }

  const Writes writes_;
  SliceArrays slices_;      // of nested lists, which come first
  std::uint32_t next_ = 0;  // slice
  int loops_ = 0;           // around the present list
  std::unordered_map<Buffer, BufferUses, BufferHash> uses_;
  std::unordered_map<std::uint32_t, std::uint32_t> renamed_;  // temporaries to slices
};

}  // namespace

void locate_slices(Draft& draft) {
  // What lies in host memory is found later, by the moves of slices and updates.
  if (!draft.host_arguments.empty() || !draft.host_results.empty() || moves_to_host(draft.code))
    return;
  SliceLocator(draft).run(draft.code);
}

}  // namespace understudy::program::passes
