// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/collective_parts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <set>

#include "program/analysis/reassociate.h"
#include "program/executable/group_mode.h"
#include "program/executable/listing.h"

namespace understudy::launcher {
namespace {

using program::hlo::Ints;
using program::hlo::Rows;

constexpr const char* kAllReduce = "all-reduce";

// HLO writes "all-reduce" where StableHLO writes "all_reduce".
std::string with_hyphens(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

// The order of members decides which part of the result each gets, but for an all-reduce.
Rows ordered(Rows groups, const std::string& kind) {
  if (kind == kAllReduce)
    for (Ints& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

Rows numbers_of(const std::vector<program::ProcessGroup>& groups) {
  Rows rows;
  for (const program::ProcessGroup& group : groups) {
    Ints& row = rows.emplace_back();
    for (const program::ProcessId process : group) row.push_back(process.value);
  }
  return rows;
}

class OurParts {
 public:
  OurParts(const program::Module& module, CollectiveSide& side)
      : operations_(program::operations_in_order(module)), side_(side) {
    for (const program::Operation* op : program::analysis::reassociable_reductions(module))
      superfluous_.insert(op);
  }

  // `iterations`: of all loops around the code; nullopt: not known.
  void visit(const program::Code& code, bool in_loop, std::optional<std::int64_t> iterations) {
    for (const program::Instruction& one : code) {
      if (const auto* loop = std::get_if<program::While>(&one.work)) {
        const auto own = program::analysis::iterations_of(*operations_.at(one.op));
        const auto all = own && iterations ? std::optional(*own * *iterations) : std::nullopt;
        // A condition runs once more than its body, so its rounds are left unknown.
        visit(loop->condition, true, std::nullopt);
        visit(loop->body, true, all);
      } else if (const auto* branches = std::get_if<program::Case>(&one.work)) {
        for (const program::Code& branch : branches->branches)
          // Counted as if every branch were taken: the compiler's program has the collectives of
          // all branches as well.
          visit(branch, in_loop, in_loop ? iterations : std::optional<std::int64_t>(1));
      } else if (const auto* work = std::get_if<program::Collective>(&one.work)) {
        add(one, *work, in_loop, iterations);
      }
    }
  }

 private:
  void add(const program::Instruction& one, const program::Collective& work, bool in_loop,
           std::optional<std::int64_t> iterations) {
    CollectivePart part;
    part.kind = with_hyphens(program::name_of(work.kind));
    part.groups = numbers_of(work.groups);
    for (const program::ProcessPair& pair : work.source_target)
      part.groups.push_back({pair.source.value, pair.target.value});
    part.groups = ordered(std::move(part.groups), part.kind);
    part.in_loop = in_loop;
    if (in_loop) part.iterations = iterations;
    for (std::size_t i = 0; i < one.inputs.size(); ++i) {
      part.element = one.inputs[i].type.element;
      part.elements = one.inputs[i].type.elements();
      part.dimensions = one.inputs[i].type.shape;
      side_.parts.push_back(part);
      // A combined collective names the operation of each operand; a plain one has a single
      // operation.
      const std::uint32_t op = i < work.ops.size() ? work.ops[i] : one.op;
      if (superfluous_.contains(operations_.at(op))) side_.superfluous.push_back(part);
    }
    CollectiveSum& sum = side_.sums[part.kind];
    ++sum.count;
    for (const program::Operand& input : one.inputs)
      sum.bytes += static_cast<std::uint64_t>(input.type.bytes());
  }

  std::vector<const program::Operation*> operations_;
  std::set<const program::Operation*> superfluous_;
  CollectiveSide& side_;
};

// Which ids the groups hold depends on channel and flags (StableHLO, "Process groups"); the two
// families of operations have different rules.
program::GroupMode mode_of(const program::hlo::ScheduledInstruction& row) {
  static constexpr std::array<std::string_view, 3> kReducing = {kAllReduce, "all-gather",
                                                                "reduce-scatter"};
  return row.global_ids || std::ranges::find(kReducing, row.collective) != kReducing.end()
             ? program::reducing_mode(row.channel, row.global_ids)
             : program::moving_mode(row.channel);
}

// HLO writes no group at all for one group of everybody.
std::vector<program::ProcessGroup> groups_of(const program::hlo::ScheduledInstruction& row,
                                             const program::ProcessCounts& counts) {
  const program::GroupMode mode = mode_of(row);
  if (!row.groups.empty()) return counts.groups(mode, row.groups);
  Ints everybody(static_cast<std::size_t>(counts.ids(mode)));
  std::iota(everybody.begin(), everybody.end(), 0);
  return counts.groups(mode, {everybody});
}

}  // namespace

std::int64_t CollectivePart::group() const {
  std::size_t most = 0;
  for (const Ints& row : groups) most = std::max(most, row.size());
  return static_cast<std::int64_t>(most);
}

std::string groups_text(const Rows& groups, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < groups.size() && i < most; ++i)
    text += fmt::format("{}{{{}}}", i == 0 ? "" : ",", fmt::join(groups[i], ","));
  return groups.size() > most ? text + fmt::format(",... ({} groups)", groups.size()) : text;
}

std::string text_of(const CollectivePart& part) {
  constexpr std::size_t kMostGroups = 4;
  return fmt::format("{}[{}] over {}{}", program::mlir_name(part.element), part.elements,
                     groups_text(part.groups, kMostGroups), part.in_loop ? " in a loop" : "");
}

CollectiveSide side_of(const program::Module& module, const program::Executable& executable) {
  CollectiveSide side;
  OurParts(module, side).visit(executable.code, false, 1);
  return side;
}

CollectiveSide side_of(const program::hlo::Schedule& schedule,
                       const program::ProcessCounts& counts) {
  CollectiveSide side;
  for (const auto& row : schedule.rows) {
    if (row.collective.empty()) continue;
    CollectiveSum& sum = side.sums[row.collective];
    ++sum.count;
    sum.bytes += row.operand_bytes;
    sum.asynchronous += row.partner ? 1 : 0;
    CollectivePart part;
    part.kind = row.collective;
    part.groups = ordered(numbers_of(groups_of(row, counts)), part.kind);
    part.in_loop = row.in_loop;
    const auto group = static_cast<std::uint64_t>(part.group());
    // A fusion that returns one part of the reduced array: a reduce-scatter in disguise.
    part.keeps_part = row.opcode == "fusion" && part.kind == kAllReduce && group > 1 &&
                      row.bytes * group == row.operand_bytes;
    for (const program::TensorType& type : row.operand_types) {
      part.element = type.element;
      part.elements = type.elements();
      part.dimensions = type.shape;
      side.parts.push_back(part);
    }
  }
  return side;
}

}  // namespace understudy::launcher
