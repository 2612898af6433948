// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/mean_error.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "launcher/metrics/probe_data.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

using program::analysis::Place;

// Whether the operation is in the function that runs, in whatever region: elsewhere a change would
// reach all calls.
bool is_in(const program::Region& region, const program::Operation& wanted) {
  return std::ranges::any_of(region.blocks, [&](const auto& block) {
    return std::ranges::any_of(block->operations, [&](const auto& op) {
      return op.get() == &wanted || std::ranges::any_of(op->regions, [&](const auto& inner) {
               return is_in(*inner, wanted);
             });
    });
  });
}

}  // namespace

// max(x, x) is x, bit for bit, and has the operands and the type of x / y.
// The experiment needs numerator and denominator of a division, which the program does not return.
// Replacing the division by maximum(x, x) makes its result the one or the other without a change of
// types.
std::optional<std::string> with_one_side(const std::string& path, const std::string& text,
                                         const Place& division, bool numerator) {
  const std::unique_ptr<program::Module> module =
      program::parse(std::make_shared<const program::Source>(path, text));
  for (const program::Operation* found : program::operations_in_order(*module)) {
    if (found->location.offset != division.location.offset || found->name != division.op) continue;
    const bool once = std::ranges::any_of(module->functions, [&](const auto& function) {
      return function->is_public && is_in(function->body, *found);
    });
    if (!once || found->operands.size() != 2) return std::nullopt;
    auto& op = const_cast<program::Operation&>(*found);  // of our own module
    op.name = "stablehlo.maximum";
    op.operands[numerator ? 1 : 0] = op.operands[numerator ? 0 : 1];
    return program::print(*module);
  }
  return std::nullopt;
}

std::vector<MeanError> mean_errors(PodClient& pod, const ProbeTask& task,
                                   const program::analysis::StaticReport& analysis,
                                   const ResultValues& base) {
  std::vector<MeanError> all;
  for (std::size_t i = 0; i < analysis.results.size(); ++i)
    for (const program::analysis::Warning& warning : analysis.results[i].warnings) {
      if (!warning.division || !program::is_float(task.interface.results[i].local.element))
        continue;
      const auto above = with_one_side(task.path, task.text, *warning.division, true);
      const auto below = with_one_side(task.path, task.text, *warning.division, false);
      if (!above || !below) continue;
      const double sum = value_by(pod, task, *above, i);
      const double count = value_by(pod, task, *below, i);
      const double is = numbers(task.interface.results[i].local, base[i].front()).front();
      // Both were reduced by the operations behind the division, so this is the quotient of the
      // sums, not the mean of quotients.
      const double global = sum / count;
      if (std::isfinite(is) && std::isfinite(global)) all.push_back({i, is, global});
    }
  return all;
}

}  // namespace understudy::launcher
