// SPDX-License-Identifier: Apache-2.0
#include "launcher/diff/compare_sides.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "launcher/diff/diff_words.h"
#include "program/hlo/hlo.h"

namespace understudy::launcher {
namespace {

using program::Source;
using program::compare::Entry;
using program::compare::Form;
using program::compare::Listing;

// The place in the user's source if the program has locations, else in the program file.
configs::DiffPlace place_in(const Entry& entry) {
  const SourcePlace place = program::place_of(entry.location);
  return {entry.name, entry.types, place.path, place.line, place.column};
}

std::optional<configs::DiffPlace> place_of(const Listing& in, std::optional<std::uint32_t> entry) {
  if (!entry) return std::nullopt;
  return place_in(in.entries[*entry]);
}

template <class T>
std::optional<std::int64_t> number(const std::optional<T>& value) {
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

configs::DiffOperation operation_of(const program::compare::OperationDifference& found,
                                    const Listing& a, const Listing& b) {
  // In the order of OperationDifference::Kind.
  constexpr std::string_view kKinds[] = {"changed", "only_in_a", "only_in_b"};
  configs::DiffOperation out;
  out.kind = kKinds[static_cast<std::size_t>(found.kind)];
  out.what = found.what;
  out.a = place_of(a, found.a);
  out.b = place_of(b, found.b);
  if (found.what == "attributes") {
    out.attributes_a = a.entries[*found.a].attributes;
    out.attributes_b = b.entries[*found.b].attributes;
  }
  return out;
}

configs::DiffCollective collective_of(const program::compare::CollectiveDifference& found,
                                      const Listing& a, const Listing& b) {
  // In the order of CollectiveDifference::Kind.
  constexpr std::string_view kKinds[] = {"changed", "only_in_a", "only_in_b", "moved", "types"};
  return {std::string(kKinds[static_cast<std::size_t>(found.kind)]),
          found.what,
          number(found.number_a),
          number(found.number_b),
          place_of(a, found.a),
          place_of(b, found.b)};
}

// Differences of types are many where a batch size differs; of operations the others come first.
configs::DiffModule module_of(const DumpStage& stage, const Listing& a, const Listing& b,
                              std::size_t most) {
  const program::compare::Differences found = program::compare::differences_of(a, b);
  configs::DiffModule out;
  out.name = stage.module;
  out.stage = stage.stage;
  for (const auto& fact : found.facts) out.facts.push_back({fact.name, fact.a, fact.b});
  for (const auto& each : found.operations) {
    using Kind = program::compare::OperationDifference::Kind;
    (each.only_types                ? out.types_only
     : each.kind == Kind::changed   ? out.changed
     : each.kind == Kind::only_in_a ? out.only_in_a
                                    : out.only_in_b) += 1;
    // The first difference is always listed, because those after it may follow from it.
    const bool listed = out.operations.empty() || !each.only_types;
    if (listed && out.operations.size() < most) out.operations.push_back(operation_of(each, a, b));
  }
  for (const auto& each : found.collectives)
    if (out.collectives.size() < most) out.collectives.push_back(collective_of(each, a, b));
  return out;
}

const DumpStage* find(const Side& side, const DumpStage& stage) {
  const auto found =
      std::find_if(side.stages.begin(), side.stages.end(), [&](const DumpStage& each) {
        return each.module == stage.module && each.stage == stage.stage;
      });
  return found == side.stages.end() ? nullptr : &*found;
}

bool has_module(const Side& side, const std::string& module) {
  return std::any_of(side.stages.begin(), side.stages.end(),
                     [&](const DumpStage& each) { return each.module == module; });
}

// Modules that one side lacks as a whole, and stages of modules that it has.
std::vector<std::string> missing_in(const Side& side, const Side& other) {
  std::set<std::string> modules;
  std::vector<std::string> out;
  for (const DumpStage& each : other.stages) {
    if (find(side, each) != nullptr) continue;
    if (has_module(side, each.module)) {
      out.push_back(fmt::format("module {}, stage {}", each.module, each.stage));
    } else if (modules.insert(each.module).second) {
      out.push_back(fmt::format("module {}", each.module));
    }
  }
  return out;
}

void compare_flags(const Side& a, const Side& b, configs::DiffComparison& out) {
  std::set<std::pair<std::string, std::string>> seen;
  const auto value_of = [](const Side& side, const std::string& module,
                           const std::string& flag) -> std::optional<std::string> {
    const auto found = side.flags.find(module);
    if (found == side.flags.end()) return std::nullopt;
    const auto value = found->second.find(flag);
    return value == found->second.end() ? std::nullopt : std::optional(value->second);
  };
  std::set<std::string> told;
  for (const Side* side : {&a, &b})
    for (const auto& [module, flags] : side->flags) {
      // A module that only one side has is reported as missing; its flags prove nothing.
      if (!a.flags.contains(module) || !b.flags.contains(module)) continue;
      for (const auto& [flag, value] : flags) {
        const auto left = value_of(a, module, flag), right = value_of(b, module, flag);
        // A flag of the process has the same values in all its modules: it is told once.
        if (left != right &&
            told.insert(flag + left.value_or("") + "|" + right.value_or("")).second)
          out.flags.push_back({flag, left, right});
      }
    }
}

bool all_have_protos(std::span<const Side> sides) {
  for (const Side& side : sides)
    for (const DumpStage& stage : side.stages)
      if (stage.proto_path.empty()) return false;
  return true;
}

// HLO is compared as HLO if all files are; else it is converted.
Form common_form(std::span<const Side> sides) {
  for (const Side& side : sides)
    if (!side.is_folder &&
        program::compare::form_of(*Source::read(side.stages[0].text_path)) != Form::hlo)
      return Form::stablehlo;
  return Form::hlo;
}

// Of program files only: a dump folder is read as text, or as protos where all have them.
bool has_text_and_proto(std::span<const Side> sides) {
  bool text = false, proto = false;
  for (const Side& side : sides) {
    if (side.is_folder) return false;
    const auto source = Source::read(side.stages[0].text_path);
    (program::hlo::is_proto(source->text()) ? proto : text) = true;
  }
  return text && proto;
}

}  // namespace

// Kept by path: with n sides each file is read once for its group, not once per pair.
const std::string& Comparer::digest_of(const std::string& path, Form form) {
  std::string& out = digests_[{path, form == Form::hlo}];
  if (!out.empty()) return out;
  Listing listing = program::compare::listing_of(Source::read(path), form);
  if (mixed_) listing.keep_common_facts();
  return out = listing.digest();
}

// Equal signatures mean equal sides, so n hosts are grouped in n steps instead of n * n
// comparisons.
std::string Comparer::signature_of(const Side& side, bool proto, Form form) {
  Digester digester;
  for (const DumpStage& stage : side.stages) {
    digester.add(stage.module);
    digester.add(stage.stage);
    digester.add(digest_of(stage.path(proto), form));
  }
  for (const auto& [module, flags] : side.flags)
    for (const auto& [flag, value] : flags) {
      digester.add(module);
      digester.add(flag);
      digester.add(value);
    }
  return digester.hex();
}

// Adds the stage to the comparison if it differs.
bool Comparer::compare_stage(const DumpStage& a, const DumpStage& b, configs::DiffComparison& out) {
  const bool proto = !a.proto_path.empty() && !b.proto_path.empty();
  const auto left = Source::read(a.path(proto)), right = Source::read(b.path(proto));
  const bool both_hlo = program::compare::form_of(*left) == Form::hlo &&
                        program::compare::form_of(*right) == Form::hlo;
  const Form form = both_hlo ? Form::hlo : Form::stablehlo;
  Listing in_a = program::compare::listing_of(left, form);
  Listing in_b = program::compare::listing_of(right, form);
  if (in_a.is_proto != in_b.is_proto) {
    in_a.keep_common_facts();
    in_b.keep_common_facts();
  }
  out.literals_left_out = out.literals_left_out || in_a.elided || in_b.elided;
  if (in_a.digest() == in_b.digest()) return false;
  out.modules.push_back(module_of(a, in_a, in_b, most_));
  return true;
}

// Of each module the first stage that differs is compared in detail; what comes after follows from
// it.
void Comparer::compare_stages(const Side& a, const Side& b, configs::DiffComparison& out) {
  std::map<std::string, std::size_t> differing;  // the module's place in out.modules
  for (const DumpStage& stage : a.stages) {
    const DumpStage* other = find(b, stage);
    if (other == nullptr) continue;
    const auto found = differing.find(stage.module);
    if (found == differing.end()) {
      if (compare_stage(stage, *other, out)) differing[stage.module] = out.modules.size() - 1;
    } else {
      const bool proto = !stage.proto_path.empty() && !other->proto_path.empty();
      if (digest_of(stage.path(proto), Form::hlo) != digest_of(other->path(proto), Form::hlo))
        out.modules[found->second].later_stages.push_back(stage.stage);
    }
  }
}

configs::DiffComparison Comparer::compare(const Side& a, const Side& b) {
  configs::DiffComparison out;
  out.a = a.path;
  out.b = b.path;
  compare_flags(a, b, out);
  if (a.is_folder) {
    out.only_in_a = missing_in(b, a);
    out.only_in_b = missing_in(a, b);
    compare_stages(a, b, out);
  } else {
    compare_stage(a.stages[0], b.stages[0], out);
  }
  out.summary = summary_of(out);
  return out;
}

// Equal sides are one group. The representative of each other group is compared with that of the
// largest, the first given where several are equally large.
configs::DiffReport Comparer::compare(std::span<const Side> sides) {
  for (const Side& side : sides)
    if (side.is_folder != sides[0].is_folder)
      throw Error(ErrorKind::usage,
                  fmt::format("{} is a {}, but {} is a {}: give program files only, or dump "
                              "folders only",
                              sides[0].path, sides[0].is_folder ? "folder" : "file", side.path,
                              side.is_folder ? "folder" : "file"));
  const bool proto = all_have_protos(sides);
  const Form form = common_form(sides);
  mixed_ = has_text_and_proto(sides);
  std::vector<std::string> signatures;
  std::vector<std::vector<const Side*>> groups;
  for (const Side& side : sides) {
    const std::string signature = signature_of(side, proto, form);
    const auto found = std::find(signatures.begin(), signatures.end(), signature);
    if (found == signatures.end()) {
      signatures.push_back(signature);
      groups.push_back({&side});
    } else {
      groups[static_cast<std::size_t>(found - signatures.begin())].push_back(&side);
    }
  }
  // Stable: of equally large groups the one that was given first stays first.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& x, const auto& y) { return x.size() > y.size(); });
  configs::DiffReport out;
  out.majority = groups.size() == 1 || groups[0].size() > groups[1].size();
  for (const auto& group : groups) {
    out.groups.emplace_back();
    for (const Side* side : group) out.groups.back().paths.push_back(side->path);
  }
  // Two programs that are equal get one comparison too: it says what was left out.
  if (groups.size() == 1) out.comparisons.push_back(compare(sides[0], sides[1]));
  for (std::size_t i = 1; i < groups.size(); ++i)
    out.comparisons.push_back(compare(*groups[0][0], *groups[i][0]));
  const bool same = std::all_of(out.comparisons.begin(), out.comparisons.end(),
                                [](const configs::DiffComparison& each) { return each.same(); });
  out.exit_code = same ? 0 : exit_code_of(ErrorKind::check);
  return out;
}

}  // namespace understudy::launcher
