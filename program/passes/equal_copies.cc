// SPDX-License-Identifier: Apache-2.0
#include "program/passes/equal_copies.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// Arrays further apart would live much longer as one.
constexpr std::size_t kFarthestEqual = 64;

// An array that copies in one list make before anything reads it.
struct CopiedArray {
  std::uint32_t temporary = 0;
  std::vector<std::size_t> writes;  // positions, ascending
};

class CopyMerger {
 public:
  explicit CopyMerger(Draft& draft) : draft_(draft), writes_(draft) {}

  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    std::vector<bool> gone(code.size(), false);
    std::unordered_map<std::uint32_t, std::uint32_t> renamed;
    std::vector<CopiedArray> kept;
    for (CopiedArray& array : arrays_of(code)) {
      const auto equal = std::ranges::find_if(
          kept, [&](const CopiedArray& earlier) { return are_equal(code, earlier, array); });
      if (equal == kept.end()) {
        kept.push_back(std::move(array));
        continue;
      }
      renamed[array.temporary] = equal->temporary;
      for (const std::size_t w : array.writes) gone[w] = true;
    }
    if (renamed.empty()) return;
    for (Instruction& instruction : code)
      rename_temporaries(instruction, renamed,
                         [](Buffer& at, std::uint32_t earlier) { at.index = earlier; });
    remove_marked(code, gone);
  }

 private:
  // In the order of their last writes.
  std::vector<CopiedArray> arrays_of(const Code& code) const {
    std::vector<CopiedArray> ordered;
    for (auto& [temporary, accesses] : accesses_in(code)) {
      const auto& [writes, reads] = accesses;
      const auto copies = [&](std::size_t w) { return is_copy(code[w]); };
      if (writes_.are_all(temporary, accesses) && writes.size() > 1 &&
          (reads.empty() || writes.back() < reads.front()) && std::ranges::all_of(writes, copies))
        ordered.push_back({temporary, writes});
    }
    std::ranges::sort(ordered, {}, [](const CopiedArray& array) { return array.writes.back(); });
    return ordered;
  }
  static bool is_copy(const Instruction& instruction) {
    return std::holds_alternative<StridedCopy>(instruction.work) ||
           std::holds_alternative<Fill>(instruction.work);
  }

  bool are_equal(const Code& code, const CopiedArray& earlier, const CopiedArray& later) const {
    if (earlier.writes.size() != later.writes.size() ||
        draft_.bytes[earlier.temporary] != draft_.bytes[later.temporary] ||
        later.writes.back() - earlier.writes.front() > kFarthestEqual)
      return false;
    for (std::size_t w = 0; w < earlier.writes.size(); ++w) {
      const Instruction &a = code[earlier.writes[w]], &b = code[later.writes[w]];
      if (a.work != b.work || a.inputs != b.inputs || a.outputs[0].type != b.outputs[0].type ||
          a.outputs[0].at.offset != b.outputs[0].at.offset)
        return false;
      // The sources are what they were; the writes of both arrays may alternate.
      const auto [first, last] = std::minmax(earlier.writes[w], later.writes[w]);
      for (const Operand& in : a.inputs)
        if (in.at.space != Space::argument && in.at.space != Space::constant &&
            is_written(in.at, code, first, last))
          return false;
    }
    return true;
  }

  Draft& draft_;
  const Writes writes_;
};

}  // namespace

void merge_equal_copies(Draft& draft) { CopyMerger(draft).run(draft.code); }

}  // namespace understudy::program::passes
