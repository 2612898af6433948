// SPDX-License-Identifier: Apache-2.0
// Combines small all_reduces, one list of instructions at a time: those over the same groups with
// the same reducer become one instruction with all their operands, where the last of them stood.
// A chip that meets its peers once for twenty gradients waits once, not twenty times. Only the
// order of independent instructions changes, on every chip alike. Equivalent: XLA's
// AllReduceCombiner.
#include <algorithm>
#include <optional>

#include "program/passes/draft.h"

namespace understudy::program::passes {

namespace {

constexpr std::uint64_t kMostTogether = 1 << 20;  // bytes of one instruction

// All-reduces that will be one.
struct Batch {
  std::vector<std::size_t> members;  // positions in the list
  std::uint64_t bytes = 0;
};

class Combiner {
 public:
  explicit Combiner(Code& code) : code_(code) {}

  void run() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (const auto bytes = combinable_bytes(code_[i])) {
        add(i, *bytes);
      } else {
        close_those_that(code_[i]);
      }
    }
    std::ranges::move(open_, std::back_inserter(closed_));
    std::erase_if(closed_, [](const Batch& batch) { return batch.members.size() < 2; });
    if (!closed_.empty()) merge();
  }

 private:
  static std::optional<std::uint64_t> combinable_bytes(const Instruction& instruction) {
    const auto* const work = std::get_if<Collective>(&instruction.work);
    if (work == nullptr || work->kind != CollectiveKind::all_reduce ||
        work->reduction == Reduction::none)
      return std::nullopt;
    std::uint64_t sum = 0;
    for (const Operand& input : instruction.inputs) {
      const auto bytes = static_cast<std::uint64_t>(input.type.bytes());
      if (bytes > kMostCombinedBytes) return std::nullopt;
      sum += bytes;
    }
    return sum;
  }

  const Collective& work_at(std::size_t position) const {
    return std::get<Collective>(code_[position].work);
  }

  bool fits(const Batch& batch, std::size_t position, std::uint64_t bytes) const {
    const Collective& first = work_at(batch.members.front());
    const Collective& next = work_at(position);
    return first.mode == next.mode && first.groups == next.groups &&
           first.reduction == next.reduction && batch.bytes + bytes <= kMostTogether;
  }

  void add(std::size_t position, std::uint64_t bytes) {
    close_those_that(code_[position]);
    const auto open = std::ranges::find_if(
        open_, [&](const Batch& batch) { return fits(batch, position, bytes); });
    Batch& batch = open == open_.end() ? open_.emplace_back() : *open;
    batch.members.push_back(position);
    batch.bytes += bytes;
  }

  // An instruction that looks at a result or changes an operand or result of a member: the members
  // cannot move behind it.
  void close_those_that(const Instruction& instruction) {
    std::erase_if(open_, [&](Batch& batch) {
      const bool blocks = std::ranges::any_of(
          batch.members, [&](std::size_t member) { return depends(instruction, code_[member]); });
      if (blocks) closed_.push_back(std::move(batch));
      return blocks;
    });
  }

  void merge() {
    std::vector<bool> gone(code_.size(), false);
    for (const Batch& batch : closed_) {
      Instruction merged = std::move(code_[batch.members.front()]);
      auto& ops = std::get<Collective>(merged.work).ops;
      ops.assign(merged.inputs.size(), merged.op);
      for (auto member = batch.members.begin() + 1; member != batch.members.end(); ++member) {
        Instruction& next = code_[*member];
        ops.insert(ops.end(), next.inputs.size(), next.op);
        std::ranges::move(next.inputs, std::back_inserter(merged.inputs));
        std::ranges::move(next.outputs, std::back_inserter(merged.outputs));
      }
      for (const std::size_t member : batch.members) gone[member] = true;
      gone[batch.members.back()] = false;
      code_[batch.members.back()] = std::move(merged);
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (gone[i]) continue;
      if (next != i) code_[next] = std::move(code_[i]);
      ++next;
    }
    code_.resize(next);
  }

  Code& code_;
  std::vector<Batch> open_, closed_;
};

void combine_in(Code& code) {
  for (Instruction& instruction : code) {
    if (auto* loop = std::get_if<While>(&instruction.work)) {
      combine_in(loop->condition);
      combine_in(loop->body);
    } else if (auto* branch = std::get_if<Case>(&instruction.work)) {
      for (Code& nested : branch->branches) combine_in(nested);
    }
  }
  Combiner(code).run();
}

}  // namespace

void combine_all_reduces(Draft& draft) { combine_in(draft.code); }

}  // namespace understudy::program::passes
