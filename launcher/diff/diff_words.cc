// SPDX-License-Identifier: Apache-2.0
#include "launcher/diff/diff_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace understudy::launcher {
namespace {

using configs::DiffCollective;
using configs::DiffComparison;
using configs::DiffFact;
using configs::DiffModule;
using configs::DiffOperation;
using configs::DiffPlace;

// Types and attributes of large programs have thousands of characters.
std::string shortened(const std::string& text, std::size_t most = 80) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string values(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  return fmt::format("{} in A, {} in B", a ? shortened(*a) : "not set",
                     b ? shortened(*b) : "not set");
}

std::string fact_text(const DiffFact& fact) {
  return fmt::format("{}: {}", fact.name, values(fact.a, fact.b));
}

std::string where(const DiffPlace& place) {
  if (place.path.empty()) return "an unknown place";
  if (place.line == 0) return place.path;
  return fmt::format("{}:{}", place.path, place.line);
}

// "all-reduce f32[8] (train.py:12)"
std::string op_text(const DiffPlace& place) {
  return fmt::format("{}{}{} ({})", place.op, place.types.empty() ? "" : " ",
                     shortened(place.types, 40), where(place));
}

// Attribute lists are long and mostly equal: the part that differs, in whole words.
std::pair<std::string, std::string> differing_parts(const std::string& a, const std::string& b) {
  std::size_t begin = 0, tail = 0;
  const std::size_t least = std::min(a.size(), b.size());
  while (begin < least && a[begin] == b[begin]) ++begin;
  // The common end must not overlap the common beginning: "aa" and "aaa" share two characters, not
  // four.
  while (tail < least - begin && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const auto is_end = [](char c) { return c == ',' || c == ' '; };
  while (begin > 0 && !is_end(a[begin - 1])) --begin;
  while (tail > 0 && !is_end(a[a.size() - tail])) --tail;
  const auto part = [&](const std::string& text) {
    return begin + tail >= text.size()
               ? std::string("none")
               : shortened(text.substr(begin, text.size() - begin - tail), 70);
  };
  return {part(a), part(b)};
}

std::string operation_text(const DiffOperation& operation) {
  if (operation.kind == "only_in_a") return fmt::format("only in A: {}", op_text(*operation.a));
  if (operation.kind == "only_in_b") return fmt::format("only in B: {}", op_text(*operation.b));
  if (operation.attributes_a && operation.attributes_b) {
    const auto [a, b] = differing_parts(*operation.attributes_a, *operation.attributes_b);
    return fmt::format("{}: {} in A, {} in B", op_text(*operation.a), a, b);
  }
  if (operation.what == "result type")
    return fmt::format("{} ({}): result type {} in A, {} in B", operation.a->op,
                       where(*operation.a), shortened(operation.a->types, 40),
                       shortened(operation.b->types, 40));
  return fmt::format("{} differs from B's {} in: {}", op_text(*operation.a), op_text(*operation.b),
                     operation.what);
}

std::string collective_text(const DiffCollective& each) {
  if (each.kind == "only_in_a")
    return fmt::format("collective {} only in A: {}", *each.number_a, op_text(*each.a));
  if (each.kind == "only_in_b")
    return fmt::format("collective {} only in B: {}", *each.number_b, op_text(*each.b));
  if (each.kind == "moved")
    return fmt::format("order of collectives: {} is {}", op_text(*each.a), each.what);
  return fmt::format("collective {}, {} ({}): {}", *each.number_a, each.a->op, where(*each.a),
                     each.what);
}

// "module jit_step, stage before_optimizations: " in a dump, nothing for a file.
std::string stage_text(const DiffModule& module) {
  if (module.name.empty()) return "";
  return fmt::format("module {}, stage {}", module.name, module.stage);
}

std::string in_stage(const DiffModule& module, const std::string& text) {
  return module.name.empty() ? text : fmt::format("{} ({})", text, stage_text(module));
}

// Differences of types follow from the arguments' or a first operation's.
const DiffCollective* telling(const DiffModule& module) {
  const auto found = std::find_if(module.collectives.begin(), module.collectives.end(),
                                  [](const DiffCollective& each) { return each.kind != "types"; });
  return found == module.collectives.end() ? nullptr : &*found;
}

std::string counts_text(const DiffModule& module) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, std::string_view what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(module.changed, "changed");
  add(module.types_only, "with other types only");
  add(module.only_in_a, "only in A");
  add(module.only_in_b, "only in B");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_module(const DiffModule& module, std::string& out) {
  if (!module.name.empty()) out += stage_text(module) + ":\n";
  for (const DiffFact& fact : module.facts) out += "  " + fact_text(fact) + "\n";
  if (!module.operations.empty()) {
    out += "  first operation that differs: " + operation_text(module.operations[0]) + "\n";
    out += "  operations: " + counts_text(module) + "\n";
    for (std::size_t i = 1; i < module.operations.size(); ++i)
      out += "    " + operation_text(module.operations[i]) + "\n";
  }
  std::int64_t types = 0;
  for (const DiffCollective& each : module.collectives) {
    if (each.kind == "types")
      ++types;
    else
      out += "  " + collective_text(each) + "\n";
  }
  if (types > 0) out += fmt::format("  collectives with other types only: {}\n", types);
  if (!module.later_stages.empty())
    out += fmt::format("  later stages that differ too: {}\n", module.later_stages.size());
}

void add_comparison(const DiffComparison& comparison, std::string& out) {
  out += fmt::format("A: {}\nB: {}\n", comparison.a, comparison.b);
  out += comparison.same() ? "same\n" : fmt::format("differ: {}\n", comparison.summary);
  for (const DiffFact& flag : comparison.flags) out += "flag " + fact_text(flag) + "\n";
  for (const std::string& each : comparison.only_in_a) out += "only in A: " + each + "\n";
  for (const std::string& each : comparison.only_in_b) out += "only in B: " + each + "\n";
  for (const DiffModule& module : comparison.modules) add_module(module, out);
  if (comparison.literals_left_out)
    out +=
        "note: the dumps leave out large constants, which were not compared; "
        "--xla_dump_hlo_as_proto keeps them\n";
}

std::string paths_text(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 8;
  const std::size_t shown = std::min(paths.size(), kShown);
  std::string out = fmt::format(
      "{}", fmt::join(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (paths.size() > shown) out += fmt::format(" and {} more", paths.size() - shown);
  return out;
}

// Who is the odd one. Without a majority nobody is.
// Typical for a pod: all hosts dump, one of them was started with another flag or version.
std::string groups_text(const configs::DiffReport& report) {
  std::size_t all = 0;
  for (const configs::DiffGroup& group : report.groups) all += group.paths.size();
  if (report.groups.size() == 1) return fmt::format("all {} are the same\n", all);
  std::string out;
  if (!report.majority) {
    out += fmt::format("no majority: {} groups of different programs\n", report.groups.size());
    for (const configs::DiffGroup& group : report.groups)
      out += fmt::format("  {} the same: {}\n", group.paths.size(), paths_text(group.paths));
    return out;
  }
  out += fmt::format("{} of {} are the same: {}\n", report.groups[0].paths.size(), all,
                     paths_text(report.groups[0].paths));
  for (std::size_t i = 1; i < report.groups.size(); ++i)
    out += fmt::format("odd: {}: {}\n", paths_text(report.groups[i].paths),
                       report.comparisons[i - 1].summary);
  return out;
}

}  // namespace

std::string summary_of(const DiffComparison& comparison) {
  if (!comparison.flags.empty()) return "flag " + fact_text(comparison.flags[0]);
  for (const DiffModule& module : comparison.modules)
    if (!module.facts.empty()) return in_stage(module, fact_text(module.facts[0]));
  for (const DiffModule& module : comparison.modules)
    if (const DiffCollective* each = telling(module))
      return in_stage(module, collective_text(*each));
  for (const DiffModule& module : comparison.modules)
    if (!module.operations.empty()) return in_stage(module, operation_text(module.operations[0]));
  if (!comparison.only_in_a.empty()) return "only in A: " + comparison.only_in_a[0];
  if (!comparison.only_in_b.empty()) return "only in B: " + comparison.only_in_b[0];
  for (const DiffModule& module : comparison.modules)
    // The digests differ, yet no fact, collective or operation does.
    return in_stage(module, "the programs differ in the use of results");
  return "";
}

std::string text_of(const configs::DiffReport& report) {
  std::string out;
  std::size_t sides = 0;
  for (const configs::DiffGroup& group : report.groups) sides += group.paths.size();
  if (sides > 2) out += groups_text(report);
  if (sides > 2 && report.groups.size() == 1) return out;
  for (const DiffComparison& comparison : report.comparisons) {
    if (!out.empty()) out += "\n";
    add_comparison(comparison, out);
  }
  return out;
}

}  // namespace understudy::launcher
