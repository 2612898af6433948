// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/preflight/preflight.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/units.h"
#include "configs/json/schema.h"
#include "configs/receipt/preflight/preflight_fields.h"

namespace understudy::configs {
namespace {

constexpr std::string_view kPreflightSchema = "understudy/preflight/1";
constexpr std::string_view kNothing = "nothing";

using Rows = std::map<std::string, std::string>;  // property and value

void add_program(Rows& rows, const PreflightProgram& one) {
  const std::string name = "program " + one.name;
  rows[name] = one.status == "compiles" ? one.status : fmt::format("{}: {}", one.status, one.words);
  if (one.memory) {
    const PreflightMemory& memory = *one.memory;
    rows[name + ": memory"] = bytes_text(memory.total);
    rows[name + ": temporaries"] = bytes_text(memory.temporaries);
    rows[name + ": code"] = bytes_text(memory.code);
  }
  std::map<std::string, std::pair<std::int64_t, std::uint64_t>> kinds;
  for (const PreflightCollective& seen : one.collectives) {
    auto& [count, bytes] =
        kinds[seen.kind + (seen.algorithm.empty() ? "" : " by " + seen.algorithm)];
    count += seen.count;
    bytes += seen.bytes;
  }
  for (const auto& [kind, sum] : kinds)
    rows[fmt::format("{}: {}", name, kind)] =
        fmt::format("{} of {}", sum.first, bytes_text(sum.second));
  if (one.estimated_cycles)
    rows[name + ": estimated cycles"] = fmt::format("{}", *one.estimated_cycles);
  if (!one.fingerprint.empty()) rows[name + ": fingerprint"] = one.fingerprint;
}

Rows rows_of(const Preflight& preflight) {
  Rows rows;
  if (preflight.libtpu) {
    rows["libtpu"] =
        preflight.libtpu->version.empty() ? preflight.libtpu->build : preflight.libtpu->version;
    rows["libtpu: build"] = preflight.libtpu->build;
  }
  rows["claim"] = preflight.claim;
  rows["slice"] = preflight.slice;
  rows["profile"] = preflight.profile;
  for (const PreflightFlag& one : preflight.flags)
    rows[fmt::format("flag {}", one.flag)] =
        one.words.empty() ? one.status : fmt::format("{}: {}", one.status, one.words);
  if (const auto& topology = preflight.topology) {
    rows["topology"] = fmt::format("{}: {}", topology->name, topology->status);
    if (topology->hbm_bytes) rows["HBM for a program"] = bytes_text(*topology->hbm_bytes);
    for (const PreflightDifference& one : topology->differences)
      rows["topology: " + one.what] = one.compiler;
  }
  for (const PreflightProgram& one : preflight.programs) add_program(rows, one);
  return rows;
}

// The first thing that the compiler refused, or could not be asked.
std::string first_problem(const Preflight& preflight, bool refused) {
  const std::string_view bad = refused ? "refused" : "not checked";
  for (const PreflightFlag& one : preflight.flags)
    if (one.status == bad) return fmt::format("flag {}: {}", one.flag, one.words);
  if (preflight.topology) {
    const PreflightTopology& topology = *preflight.topology;
    if (topology.status == bad)
      return fmt::format("topology {}: {}", topology.name, topology.words);
    const auto plain = std::ranges::find(topology.differences, "", &PreflightDifference::why);
    if (refused && plain != topology.differences.end())
      return fmt::format("topology {}: {} is {} for the compiler, {} in the launch contract",
                         topology.name, plain->what, plain->compiler, plain->contract);
  }
  for (const PreflightProgram& one : preflight.programs) {
    const bool is_bad = refused ? one.status == "refused" : one.status != "compiles";
    if (is_bad) return fmt::format("{}: {}", one.name, one.words);
    const bool fits = !one.memory || !one.memory->hbm || one.memory->total <= *one.memory->hbm;
    if (refused && !fits)
      return fmt::format("{}: needs {} of {} of HBM", one.name, bytes_text(one.memory->total),
                         bytes_text(*one.memory->hbm));
  }
  return "";
}

}  // namespace

std::string to_json(const Preflight& preflight) {
  return document_of(preflight, kPreflightSchema, JsonWriter::Layout::readable);
}

std::string preflight_schema() {
  return schema_text<Preflight>(kPreflightSchema, "What the TPU compiler said about a launch");
}

Preflight read_preflight(const std::string& text, const std::string& path) {
  return read_document<Preflight>(JsonReader::parse(text, path), kPreflightSchema);
}

bool is_preflight(const std::string& text, const std::string& path) {
  const JsonReader in = JsonReader::parse(text, path);
  const auto schema = in.is_object() ? in.find("schema") : std::nullopt;
  return schema && schema->is_text() && schema->text() == kPreflightSchema;
}

// A refusal outweighs what was not checked: it stays true whatever the rest would give.
void judge(Preflight& preflight) {
  if (!preflight.libtpu) {
    preflight.claim = "not shown";
    preflight.why = preflight.notes.empty() ? "libtpu is not installed" : preflight.notes.front();
    return;
  }
  if (const std::string refused = first_problem(preflight, true); !refused.empty()) {
    preflight.claim = "failed";
    preflight.why = refused;
  } else if (const std::string open = first_problem(preflight, false); !open.empty()) {
    preflight.claim = "not shown";
    preflight.why = open;
  } else if (preflight.programs.empty()) {
    preflight.claim = "not shown";
    preflight.why = "no program was compiled";
  } else {
    preflight.claim = "proven";
    preflight.why = fmt::format("{} program{} compile{} and fit{}", preflight.programs.size(),
                                preflight.programs.size() == 1 ? "" : "s",
                                preflight.programs.size() == 1 ? "s" : "",
                                preflight.programs.size() == 1 ? "s" : "");
  }
}

std::vector<PreflightChange> changes_between(const Preflight& then, const Preflight& now) {
  const Rows one = rows_of(then), other = rows_of(now);
  Rows names = one;
  names.insert(other.begin(), other.end());
  const auto value = [](const Rows& rows, const std::string& name) {
    const auto found = rows.find(name);
    return found == rows.end() ? std::string(kNothing) : found->second;
  };
  std::vector<PreflightChange> changes;
  for (const auto& [name, any] : names)
    if (value(one, name) != value(other, name))
      changes.push_back({name, value(one, name), value(other, name)});
  return changes;
}

}  // namespace understudy::configs
