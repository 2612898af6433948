// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/collective_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <unordered_map>

#include "configs/base/units.h"
#include "program/analysis/metric_verdict.h"
#include "program/executable/listing.h"

namespace understudy::program::analysis {

namespace {

std::vector<std::string> names_of(const std::vector<const Axis*>& axes) {
  std::vector<std::string> names;
  for (const Axis* axis : axes) names.push_back(axis->name);
  return names;
}

class Lister {
 public:
  Lister(const Module& module, const Interface& interface)
      : axes_(axes_of(module, interface)), operations_(operations_in_order(module)) {}

  void visit(const Code& code, bool in_loop) {
    for (const Instruction& instruction : code) {
      if (const auto* loop = std::get_if<While>(&instruction.work)) {
        // A loop repeats both of its parts.
        visit(loop->condition, true);
        visit(loop->body, true);
      } else if (const auto* branches = std::get_if<Case>(&instruction.work)) {
        // Branches of a conditional count as they stand; which one runs is unknown.
        for (const Code& branch : branches->branches) visit(branch, in_loop);
      } else if (const auto* work = std::get_if<Collective>(&instruction.work)) {
        add(instruction, *work, in_loop);
      }
    }
  }

  std::vector<CollectiveUse> uses;

 private:
  void add(const Instruction& instruction, const Collective& work, bool in_loop) {
    CollectiveUse use;
    use.kind = name_of(work.kind);
    for (const Operand& input : instruction.inputs)
      use.bytes += static_cast<std::uint64_t>(input.type.bytes());
    // The mesh axes along which the members of a group differ.
    use.axes = names_of(axes_along(work, axes_));
    for (const ProcessGroup& group : work.groups)
      // Groups may have different sizes; the largest is shown.
      use.group = std::max(use.group, static_cast<std::int64_t>(group.size()));
    use.in_loop = in_loop;
    use.place = operations_.at(instruction.op)->location;
    // A combined all_reduce lists the operations that it stands for, some of them several times.
    const std::set<std::uint32_t> ops(work.ops.begin(), work.ops.end());
    use.operations = std::max<std::int64_t>(1, static_cast<std::int64_t>(ops.size()));
    // Equal uses of one place are one row with a count: an unrolled loop stays readable.
    const std::string row =
        fmt::format("{} {} {} {} {} {}", use.kind, use.bytes, fmt::join(use.axes, ","), in_loop,
                    use.operations, text_of(place_of(use.place)));
    const auto [known, fresh] = row_of_.try_emplace(row, uses.size());
    fresh ? uses.push_back(std::move(use)) : static_cast<void>(++uses[known->second].count);
  }

  std::vector<Axis> axes_;
  std::vector<const Operation*> operations_;
  std::unordered_map<std::string, std::size_t> row_of_;  // index in `uses` by its text
};

}  // namespace

std::vector<CollectiveUse> collectives_of(const Module& module, const Interface& interface,
                                          const Executable& executable) {
  Lister lister(module, interface);
  lister.visit(executable.code, false);
  return std::move(lister.uses);
}

std::string text_of(const std::vector<CollectiveUse>& uses) {
  std::string text;
  for (const CollectiveUse& use : uses)
    text += fmt::format("  {:>3} x {:<18} {:>10}  over {:<14} {}{}{}\n", use.count, use.kind,
                        bytes_text(use.bytes),
                        // Groups that fit no axes are told by their size.
                        use.axes.empty() ? fmt::format("{} chips", use.group)
                                         : fmt::format("{}", fmt::join(use.axes, " x ")),
                        text_of(place_of(use.place)), use.in_loop ? ", in a loop" : "",
                        use.operations > 1 ? fmt::format(", {} combined", use.operations) : "");
  return text;
}

}  // namespace understudy::program::analysis
