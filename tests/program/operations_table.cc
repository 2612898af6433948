// SPDX-License-Identifier: Apache-2.0
#include "tests/program/operations_table.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "configs/base/file.h"
#include "program/ir/op_table.h"
#include "program/lowering/custom_call/custom_call.h"
#include "program/lowering/custom_call/lapack.h"
#include "program/lowering/lowering.h"
#include "program/read.h"
#include "program/self_checking.h"
#include "program/text/parser.h"

namespace understudy::program {
namespace {

struct Reason {
  std::string_view name, text;
};
// Operations without an instruction. The test keeps it complete and free of operations that run.
constexpr Reason kReasons[] = {
    {"sdy.reshard", "a change of sharding inside a program needs a partitioner"},
    {"sdy.all_gather", "only a partitioner produces it"},
    {"sdy.all_reduce", "only a partitioner produces it"},
    {"sdy.all_slice", "only a partitioner produces it"},
    {"sdy.all_to_all", "only a partitioner produces it"},
    {"sdy.collective_permute", "only a partitioner produces it"},
    {"sdy.constant", "only a partitioner produces it"},
    {"sdy.data_flow_edge", "only a partitioner produces it"},
    {"sdy.named_computation", "only a partitioner produces it"},
    {"sdy.reduce_scatter", "only a partitioner produces it"},
    {"sdy.replicated_to_unreduced", "only a partitioner produces it"},
    {"sdy.sharded_to_unreduced", "only a partitioner produces it"},
    {"sdy.propagation_barrier", "sharding propagation needs a partitioner"},
    {"sdy.sharding_group", "sharding propagation needs a partitioner"},
};

void add_uses(const Block& block, const std::string& file, Uses& uses) {
  for (const auto& op : block.operations) {
    uses[op->name].insert(file);
    const Attribute* const target = op->find("call_target_name");
    if (target != nullptr && target->get<StringAttribute>() != nullptr) {
      uses[op->name + " @" + target->get<StringAttribute>()->value].insert(file);
    }
    for (const auto& region : op->regions) add_uses(*region->blocks.at(0), file, uses);
  }
}

// "%a, %b" for operands of a fixed number, "%a, ..." for others.
std::string operands_text(Arity operands) {
  constexpr std::string_view kNames[] = {"%a", "%b", "%c", "%d", "%e"};
  if (operands.least != operands.most || operands.most > std::size(kNames)) return "%a, ...";
  return fmt::format("{}", fmt::join(kNames, kNames + operands.most, ", "));
}

// One item of a format (ops.def) as a reader would write it.
std::string item_text(std::string_view item, const OpRow& row) {
  if (item == "%*") return operands_text(row.operands);
  if (item == "{}") return "";
  if (item == ",") return ", ";
  if (item.starts_with(":")) return row.results.most == 0 ? " : types" : " : type";
  const std::size_t equals = item.find('=');
  if (equals == std::string_view::npos) return std::string(item);
  std::string text(item.substr(0, equals));
  std::erase(text, '?');
  const bool comma = std::erase(text, ',') > 0;
  const std::string_view kind = item.substr(item.rfind(':') + 1);
  const std::string value = kind.ends_with('s') ? "[" + std::string(kind) + "]" : std::string(kind);
  return (comma ? ", " : " ") + (text.empty() ? value : text + " = " + value);
}

std::string text_form(const OpRow& row) {
  if (Parser::has_form(row.name)) return "its own, or generic";
  if (row.format.empty()) return "generic";
  std::string form(row.name);
  bool first = true;
  for (std::string_view rest = row.format; !rest.empty(); first = false) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string item = item_text(rest.substr(0, space), row);
    if (first && !item.empty() && !item.starts_with(' ')) form += ' ';
    form += item;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return "`" + form + "`";
}

// The file of that name first, then others, a few in all.
std::string programs_text(std::string_view name, const Uses& uses) {
  constexpr std::size_t kMost = 3;
  const auto found = uses.find(name);
  if (found == uses.end()) return "";
  std::string own(name.starts_with("stablehlo.") ? name.substr(name.find('.') + 1) : name);
  std::ranges::replace(own, '.', '_');
  own += ".mlir";
  std::vector<std::string> files;
  if (found->second.contains(own)) files.push_back(own);
  for (const std::string& file : found->second) {
    if (files.size() < (files.empty() || files[0] != own ? kMost : 1)) files.push_back(file);
  }
  return fmt::format("{}", fmt::join(files, ", "));
}

std::string dialect_section(std::string_view dialect, const Uses& uses) {
  std::string text = fmt::format(
      "\n## {}\n\n| operation | text form | runs | programs |\n|---|---|---|---|\n", dialect);
  for (const OpRow& row : op_table()) {
    if (row.name.substr(0, row.name.find('.')) != dialect) continue;
    const std::string verdict = runs(row.name) ? "yes" : fmt::format("no: {}", reason_of(row.name));
    text += fmt::format("| `{}` | {} | {} | {} |\n", row.name, text_form(row), verdict,
                        programs_text(row.name, uses));
  }
  return text;
}

void add_uses_in(const std::string& folder, Uses& uses) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    const std::string path = entry.path().string();
    for (const std::string& text : split_modules(read_text_file(path))) {
      const auto module = parse(std::make_shared<const Source>(path, text));
      for (const auto& function : module->functions) {
        add_uses(function->block(), entry.path().filename().string(), uses);
      }
    }
  }
}

constexpr std::string_view kHead = R"(# Operations

The operations that the reader accepts (`program/ir/ops.def`), their text form, and whether they run. Every operation also has MLIR's generic
form. An operation that does not run is refused before anything runs, with its place. The last column names self-checking programs in
`tests/ops` and, for operations on several chips, `tests/parallel`.
`build/release/bin/operations_table` prints this page; a test compares it.
)";

std::string custom_calls_section(const Uses& uses) {
  std::string text =
      "\n## Custom calls\n\nIn a target, `?` stands for the letter of an element type (s, d, c, z "
      "for f32, f64 and their "
      "complex types), `*` for any text. Any other target is refused.\n\n"
      "| target | emitted by | runs | programs |\n|---|---|---|---|\n";
  const auto add = [&](std::string_view target, std::string_view from, const std::string& verdict) {
    text += fmt::format("| `@{}` | {} | {} | {} |\n", target, from, verdict,
                        fmt::join(programs_of_target(target, uses), ", "));
  };
  const auto with = [](const char* verdict, std::string_view remark) {
    return remark.empty() ? std::string(verdict) : fmt::format("{}: {}", verdict, remark);
  };
  const auto targets = passes::custom_call_targets();
  for (const passes::CustomCallRow& row : passes::custom_call_rows()) {
    const bool runs = std::ranges::find(targets, row.target) != targets.end();
    add(row.target, row.from, with(runs ? "yes" : "no", row.remark));
  }
  std::set<std::string_view> seen;
  for (const passes::LapackTargetName& row : passes::lapack_targets())
    if (seen.insert(row.name).second) add(row.name, row.from, "yes");
  return text;
}

}  // namespace

Uses uses_in(const std::vector<std::string>& folders) {
  Uses uses;
  for (const std::string& folder : folders) add_uses_in(folder, uses);
  return uses;
}

std::set<std::string> programs_of_target(std::string_view target, const Uses& uses) {
  const std::string name = fmt::format("stablehlo.custom_call @{}", target);
  std::set<std::string> files;
  for (const auto& [use, where] : uses) {
    if (passes::is_target(name, use)) files.insert(where.begin(), where.end());
  }
  return files;
}

bool runs(std::string_view name) {
  Operation op;
  op.name = std::string(name);
  return name == "stablehlo.custom_call" || passes::can_lower(op);
}

std::string_view reason_of(std::string_view name) {
  for (const Reason& reason : kReasons) {
    if (reason.name == name) return reason.text;
  }
  return {};
}

std::vector<std::string_view> names_with_reasons() {
  std::vector<std::string_view> names;
  for (const Reason& reason : kReasons) names.push_back(reason.name);
  return names;
}

std::string operations_page(const Uses& uses) {
  std::string page(kHead);
  std::vector<std::string_view> dialects;
  for (const OpRow& row : op_table()) {
    const std::string_view dialect = row.name.substr(0, row.name.find('.'));
    if (std::ranges::find(dialects, dialect) == dialects.end()) dialects.push_back(dialect);
  }
  for (const std::string_view dialect : dialects) page += dialect_section(dialect, uses);
  page += custom_calls_section(uses);
  return page;
}

}  // namespace understudy::program
