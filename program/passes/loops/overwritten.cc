// SPDX-License-Identifier: Apache-2.0
// Initial values that a loop overwrites before anything reads them: a scan stacks its results in an
// array of zeros, one row per iteration. Where the rows are known to cover the array, the zeros are
// not written. XLA keeps them: its buffers need an initial value.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "program/passes/loops/loop_scalars.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// The temporary that an instruction fills whole, without any other effect.
std::optional<std::uint32_t> filled_by(const Instruction& instruction, const Draft& draft) {
  if (!std::holds_alternative<Fill>(instruction.work)) return std::nullopt;
  const Operand& out = instruction.outputs[0];
  const bool whole = out.at.space == Space::temporary && out.at.offset == 0 &&
                     static_cast<std::uint64_t>(out.type.bytes()) == draft.bytes[out.at.index];
  return whole ? std::optional(out.at.index) : std::nullopt;
}

// The only dimension along which an update is smaller than its array; nullopt where there is none,
// or several.
std::optional<std::size_t> moving_dimension(const Shape& whole, const Shape& part) {
  std::optional<std::size_t> found;
  for (std::size_t d = 0; d < whole.size(); ++d) {
    if (whole[d] == part[d]) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return found;
}

// The updates of one array in a loop, along one dimension.
struct Coverage {
  std::size_t accesses = 0, updates = 0;  // in the code of the loop
  std::optional<std::size_t> dimension;
  std::vector<bool> written;  // along the dimension
  bool is_known = true;
};
using Covered = std::unordered_map<std::uint32_t, Coverage>;

// Whether it updates a whole temporary in place, with nothing but the update read from elsewhere.
bool updates_in_place(const Instruction& instruction) {
  if (!std::holds_alternative<DynamicUpdateSlice>(instruction.work)) return false;
  const Operand& from = instruction.inputs[0];
  const Operand& to = instruction.outputs[0];
  return from.at == to.at && to.at.space == Space::temporary && to.at.offset == 0;
}

void note_update(const Instruction& instruction, const ScalarValues& values, Covered& arrays) {
  if (!updates_in_place(instruction)) return;
  const auto found = arrays.find(instruction.outputs[0].at.index);
  if (found == arrays.end()) return;
  Coverage& array = found->second;
  const Shape& whole = instruction.outputs[0].type.shape;
  const Shape& part = instruction.inputs[1].type.shape;
  const auto dimension = moving_dimension(whole, part);
  if (!dimension || (array.dimension && array.dimension != dimension)) {
    array.is_known = false;
    return;
  }
  array.dimension = dimension;
  const std::int64_t size = whole[*dimension], count = part[*dimension];
  const auto start = values.integer(instruction.inputs[2 + *dimension]);
  if (!start) {
    array.is_known = false;
    return;
  }
  array.written.resize(static_cast<std::size_t>(size));
  // StableHLO clamps the start.
  const std::int64_t first = std::clamp<std::int64_t>(*start, 0, size - count);
  std::fill_n(array.written.begin() + first, count, true);
}

// Counts how often the loop names each array, and how many of these are its updates.
void count_accesses(const While& loop, Covered& arrays) {
  const auto count = [&](const Operand& operand, Access) {
    if (operand.at.space != Space::temporary) return;
    if (const auto found = arrays.find(operand.at.index); found != arrays.end())
      ++found->second.accesses;
  };
  for (const Code* const code : {&loop.condition, &loop.body})
    for (const Instruction& instruction : *code) visit_operands(instruction, count);
  for (const Instruction& instruction : loop.body)
    if (updates_in_place(instruction))
      if (const auto found = arrays.find(instruction.outputs[0].at.index); found != arrays.end())
        found->second.updates += 2;  // read and written
}

bool is_covered(const Coverage& array) {
  return array.is_known && array.dimension && array.accesses == array.updates &&
         std::ranges::all_of(array.written, [](bool written) { return written; });
}

// One list: fills that are the last access before a loop that overwrites all.
class Remover {
 public:
  Remover(Code& code, const Draft& draft) : code_(code), draft_(draft), values_(draft) {}

  void run() {
    std::vector<bool> gone(code_.size(), false);
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& instruction = code_[i];
      if (const auto* loop = std::get_if<While>(&instruction.work))
        for (const std::uint32_t array : overwritten(*loop)) gone[fills_.at(array)] = true;
      forget_touched(instruction);
      if (const auto filled = filled_by(instruction, draft_)) fills_[*filled] = i;
      values_.run(instruction);
    }
    remove_marked(code_, gone);
  }

 private:
  std::vector<std::uint32_t> overwritten(const While& loop) const {
    Covered arrays;
    for (const auto& [array, position] : fills_) arrays[array];
    count_accesses(loop, arrays);
    std::erase_if(arrays, [](const auto& entry) {
      return entry.second.updates == 0 || entry.second.accesses != entry.second.updates;
    });
    if (arrays.empty()) return {};
    const auto note = [&](const Instruction& instruction, const ScalarValues& values) {
      note_update(instruction, values, arrays);
    };
    std::vector<std::uint32_t> all;
    if (!follow_loop(loop, values_, note)) return all;
    for (const auto& [array, coverage] : arrays)
      if (is_covered(coverage)) all.push_back(array);
    return all;
  }

  void forget_touched(const Instruction& instruction) {
    visit_operands(instruction, [this](const Operand& operand, Access) {
      if (operand.at.space == Space::temporary) fills_.erase(operand.at.index);
    });
  }

  Code& code_;
  const Draft& draft_;
  ScalarValues values_;
  std::unordered_map<std::uint32_t, std::size_t> fills_;  // that nothing has touched: position
};

void remove_in(Code& code, const Draft& draft) {
  for (Instruction& instruction : code)
    for_each_nested(instruction, [&](Code& nested) { remove_in(nested, draft); });
  Remover(code, draft).run();
}

}  // namespace

void remove_overwritten(Draft& draft) { remove_in(draft.code, draft); }

}  // namespace understudy::program::passes
