// SPDX-License-Identifier: Apache-2.0
// Fuses element-wise work, broadcasts, iota and reductions of rows into loops over tiles. Each
// group of instructions becomes one Fused instruction at the place of its last member; values that
// nothing else reads become values of the tile and need no HBM. The steps are the instructions as
// they were, so the bits of the results stay. Equivalents: XLA's loop and reduce fusions, a
// software pipeline over VMEM on the chip.
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "program/passes/fusion/build_loop.h"
#include "program/passes/fusion/groups.h"
#include "program/passes/nested.h"

namespace understudy::program::passes {

namespace {

// The smallest VMEM of a chip has room for several such tiles. Loops with more values or longer
// rows are divided.
constexpr std::uint64_t kMostTileBytes = 4 << 20;

// A row that is kept is one tile at least.
std::uint64_t least_tile_bytes(const Fused& loop) {
  return loop.frame_bytes * static_cast<std::uint64_t>(keeps_rows(loop) ? loop.columns : 1);
}

class Fuser {
 public:
  explicit Fuser(Draft& draft) : draft_(draft) {
    for (const Instruction& instruction : draft.code) count_accesses(instruction, all_);
  }

  // Inner lists first; loops and branches decide how often a list runs.
  void run(Code& code) {
    for (Instruction& instruction : code)
      for_each_nested(instruction, [this](Code& nested) { run(nested); });
    const std::vector<FusionGroup> groups = fusion_groups(code, draft_.bytes);
    if (!groups.empty()) merge(code, groups);
  }

 private:
  void merge(Code& code, const std::vector<FusionGroup>& groups) {
    std::vector<bool> gone(code.size(), false);
    std::unordered_map<std::size_t, Code> loops;  // by the last member
    for (const FusionGroup& group : groups) {
      append_loops(code, group, loops[group.members.back()]);
      for (const std::size_t member : group.members) gone[member] = true;
    }
    Code all;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (const auto found = loops.find(i); found != loops.end())
        std::ranges::move(found->second, std::back_inserter(all));
      else if (!gone[i])
        all.push_back(std::move(code[i]));
    }
    code = std::move(all);
  }

  // One loop, or one for each half of the members where its tile would be too large, one after the
  // other at the place of the last member.
  void append_loops(const Code& code, const FusionGroup& group, Code& loops) {
    Instruction loop = build_loop(code, group, all_);
    if (least_tile_bytes(std::get<Fused>(loop.work)) <= kMostTileBytes) {
      loops.push_back(std::move(loop));
      return;
    }
    if (group.members.size() == 1) {
      loops.push_back(code[group.members[0]]);
      return;
    }
    const auto middle =
        group.members.begin() + static_cast<std::ptrdiff_t>(group.members.size() / 2);
    FusionGroup half = group;
    half.members.assign(group.members.begin(), middle);
    append_loops(code, half, loops);
    half.members.assign(middle, group.members.end());
    append_loops(code, half, loops);
  }

  Draft& draft_;
  AccessCounts all_;
};

}  // namespace

void fuse_elementwise(Draft& draft) {
  sink_constants(draft);
  join_copies(draft);
  pad_by_copies(draft);
  Fuser(draft).run(draft.code);
  split_joins(draft);
}

}  // namespace understudy::program::passes
