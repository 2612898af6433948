// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/default_tolerance.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "program/analysis/flow.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

using program::ElementType;
using program::Instruction;

// The largest relative error of one rounding to bf16: half of the spacing 2^-7.
constexpr double kUnit = 0x1p-8;
// Normal errors stay below four times their standard deviation in all but 1 of 16,000 elements.
constexpr double kSigmas = 4;
constexpr std::int64_t kRounds = 8;  // counted for a product in a loop

bool is_rounded(const Instruction& instruction) {
  const auto standard = [&](const auto* work) {
    return work != nullptr && work->lhs_precision == program::Precision::standard &&
           work->rhs_precision == program::Precision::standard &&
           instruction.inputs[0].type.element == ElementType::f32;
  };
  return standard(std::get_if<program::Dot>(&instruction.work)) ||
         standard(std::get_if<program::Convolution>(&instruction.work)) ||
         standard(std::get_if<program::RaggedDot>(&instruction.work));
}

// Instructions inside of loops, by a list instead of recursion.
std::unordered_set<const Instruction*> in_loops(const program::Code& code) {
  std::unordered_set<const Instruction*> inside;
  std::vector<std::pair<const program::Code*, bool>> pending = {{&code, false}};
  while (!pending.empty()) {
    const auto [here, looped] = pending.back();
    pending.pop_back();
    for (const Instruction& one : *here) {
      if (looped) inside.insert(&one);
      if (const auto* loop = std::get_if<program::While>(&one.work)) {
        pending.emplace_back(&loop->condition, true);
        pending.emplace_back(&loop->body, true);
      } else if (const auto* branch = std::get_if<program::Case>(&one.work)) {
        for (const program::Code& inner : branch->branches) pending.emplace_back(&inner, looped);
      }
    }
  }
  return inside;
}

// Root of the mean square of the finite elements.
double typical_size(const program::Array& array) {
  const auto convert =
      program::kernels::select("portable").convert(array.type.element, ElementType::f64);
  const std::size_t width = program::byte_size(array.type.element);
  if (convert == nullptr || array.bytes.empty()) return 0;
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t at = 0; at + width <= array.bytes.size(); at += width) {
    double value = 0;
    convert(array.bytes.data() + at, &value, 1);
    if (!std::isfinite(value)) continue;
    sum += value * value;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

std::vector<std::int64_t> rounded_products(const program::Module& module,
                                           const program::CompileOptions& options,
                                           const program::Interface& interface) {
  const program::analysis::Flow flow = program::analysis::flow_of(module, options, interface);
  const std::unordered_set<const Instruction*> looped = in_loops(flow.draft->code);
  std::vector<std::int64_t> counts;
  for (const program::analysis::NodePointer result : flow.results) {
    std::unordered_set<const Instruction*> seen;
    std::int64_t count = 0;
    for (const program::analysis::NodePointer node : program::analysis::all_behind({result}))
      if (node->instruction != nullptr && is_rounded(*node->instruction) &&
          seen.insert(node->instruction).second)
        count += looped.contains(node->instruction) ? kRounds : 1;
    counts.push_back(count);
  }
  return counts;
}

// Each of the two operands of a product is off by a random relative error of at most kUnit, with a
// standard deviation of kUnit / sqrt(3). In a sum of K such terms with random signs the error grows
// like the sum itself, with sqrt(K), so its size relative to the result does not depend on K. The
// errors of n products in a row add like independent ones, with sqrt(n).
Tolerance default_tolerance(std::int64_t products, const program::Array& want) {
  const bool floats = program::is_float(want.type.element);
  if (products == 0 || !floats) return {};
  const double relative =
      kSigmas * kUnit * std::sqrt(2.0 / 3.0) * std::sqrt(static_cast<double>(products));
  // The relative part covers the last rounding of each element, the absolute part errors of sums
  // whose terms cancel, which do not shrink with the element.
  return {kUnit, relative * typical_size(want)};
}

}  // namespace understudy::launcher
