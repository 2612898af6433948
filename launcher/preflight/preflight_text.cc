// SPDX-License-Identifier: Apache-2.0
// A pre-flight for people.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "launcher/preflight/preflight.h"
#include "launcher/process/console.h"

namespace understudy::launcher {
namespace {

using configs::Preflight;
using configs::PreflightMemory;
using configs::PreflightProgram;

// Words that go on in the next line, indented.
std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += std::string(by, ' ');
  }
  return out;
}

std::string library_text(const configs::PreflightLibrary& one) {
  return fmt::format("libtpu {}, PJRT C API {}{}\n  {} ({})\n",
                     one.version.empty() ? "of unknown version" : one.version, one.api,
                     one.build.empty() ? "" : ", " + one.build, one.path, one.found_by);
}

std::string flags_text(const Preflight& document, const Console& console) {
  if (document.flags.empty()) return "flags: the profile sets none\n";
  const auto accepted =
      std::ranges::count(document.flags, "accepted", &configs::PreflightFlag::status);
  std::string text = fmt::format("flags: {} of {} accepted\n", accepted, document.flags.size());
  for (const configs::PreflightFlag& one : document.flags) {
    if (one.status == "accepted") {
      text += fmt::format("  accepted {} {}\n", one.source, one.flag);
      continue;
    }
    text += fmt::format("  {} {} {}\n    {}\n", console.tinted(Tint::red, one.status), one.source,
                        one.flag, indented(one.words, 4));
  }
  return text;
}

std::string topology_text(const configs::PreflightTopology& one) {
  std::string text = fmt::format("topology {}", one.name);
  if (one.slices > 1) text += fmt::format(", {} slices", one.slices);
  if (!one.words.empty()) return text + fmt::format(": {}: {}\n", one.status, one.words);
  text += fmt::format(
      ": {} device{} on {} host{}, {}: {}\n", one.devices, one.devices == 1 ? "" : "s",
      one.processes, one.processes == 1 ? "" : "s", one.device_kind,
      one.differences.empty() ? "as in the launch contract" : "differs from the launch contract");
  for (const configs::PreflightDifference& row : one.differences)
    text += fmt::format("  {}: {} here, {} for the compiler\n    {}\n", row.what, row.contract,
                        row.compiler, row.why.empty() ? "not explained" : row.why);
  return text;
}

std::string memory_text(const PreflightMemory& one) {
  std::string text =
      fmt::format("    memory: arguments {}, outputs {}, aliases {}, temporaries {}, code {}\n",
                  bytes_text(one.arguments), bytes_text(one.outputs), bytes_text(one.aliases),
                  bytes_text(one.temporaries), bytes_text(one.code));
  text += fmt::format("      total {}", bytes_text(one.total));
  if (one.hbm) text += fmt::format(" of {} HBM", bytes_text(*one.hbm));
  if (one.predicted) text += fmt::format("; understudy plans {}", bytes_text(*one.predicted));
  if (one.ratio) text += fmt::format(" (ratio {:.2f})", *one.ratio);
  if (one.observed) text += fmt::format(", observed {}", bytes_text(*one.observed));
  return text + "\n";
}

std::string collectives_text(const PreflightProgram& one) {
  std::string text;
  for (const configs::PreflightCollective& row : one.collectives) {
    text += fmt::format("    {} x {}, {}{}{}\n", row.count, row.kind, bytes_text(row.bytes),
                        row.asynchronous ? ", asynchronous" : "", row.in_loop ? ", in a loop" : "");
    if (!row.algorithm.empty()) text += fmt::format("      {}\n", row.algorithm);
    if (!row.groups.empty() && row.groups.size() < 80)
      text += fmt::format("      groups {}\n", row.groups);
    if (!row.place.empty()) text += fmt::format("      at {}\n", row.place);
  }
  for (const configs::PreflightComparison& row : one.comparison) {
    text += fmt::format("    {}: {} of {} here, {} of {} by the compiler", row.kind, row.ours,
                        bytes_text(row.our_bytes), row.compiler, bytes_text(row.compiler_bytes));
    if (row.partitioner) text += fmt::format(", {} by the partitioner", *row.partitioner);
    text += fmt::format(": {}\n", row.verdict);
    if (!row.why.empty()) text += fmt::format("      {}\n", row.why);
  }
  return text;
}

std::string program_text(const PreflightProgram& one, const Console& console) {
  const bool good = one.status == "compiles";
  std::string text =
      fmt::format("{} {}", one.name, console.tinted(good ? Tint::green : Tint::red, one.status));
  if (!one.topology.empty()) text += fmt::format(" for {}", one.topology);
  if (good)
    text += fmt::format(" in {:.1f} s{}", one.seconds, one.cached ? " (from the cache)" : "");
  if (one.executable_bytes)
    text += fmt::format(", executable {}",
                        bytes_text(static_cast<std::uint64_t>(*one.executable_bytes)));
  text += "\n";
  if (!one.words.empty()) text += fmt::format("    {}\n", indented(one.words, 4));
  if (one.place) text += fmt::format("    {}: {}\n", *one.place, one.source_line.value_or(""));
  if (one.memory) text += memory_text(*one.memory);
  text += collectives_text(one);
  for (const std::string& note : one.notes) text += fmt::format("    note: {}\n", note);
  return text;
}

std::string fingerprints_text(const Preflight& document) {
  if (document.programs.size() < 2 || document.fingerprints.empty()) return "";
  std::string text =
      fmt::format("recompiles: {} programs, {} different fingerprint{}\n", document.programs.size(),
                  document.fingerprints.size(), document.fingerprints.size() == 1 ? "" : "s");
  for (const configs::PreflightFingerprint& one : document.fingerprints)
    text += fmt::format("  {}: {}\n", one.programs.size() > 1 ? "compiled once" : "recompiles",
                        fmt::join(one.programs, ", "));
  return text;
}

}  // namespace

std::string preflight_text(const Preflight& document, const Console& console) {
  std::string text =
      fmt::format("pre-flight of {} under profile {}\n", document.slice, document.profile);
  if (document.libtpu) {
    text += library_text(*document.libtpu) + flags_text(document, console);
    if (document.topology) text += topology_text(*document.topology);
  } else {
    text += "flags, topology, programs: not checked\n";
  }
  for (const PreflightProgram& one : document.programs) text += program_text(one, console);
  text += fingerprints_text(document);
  for (const std::string& note : document.notes) text += fmt::format("note: {}\n", note);
  if (document.claim != "proven")
    for (const std::string& line : document.log) text += fmt::format("libtpu: {}\n", line);
  const Tint tint = document.claim == "proven"   ? Tint::green
                    : document.claim == "failed" ? Tint::red
                                                 : Tint::yellow;
  return text +
         fmt::format("tpu_compiler {}: {}", console.tinted(tint, document.claim), document.why);
}

std::string changes_text(const std::vector<configs::PreflightChange>& changes) {
  if (changes.empty()) return "both pre-flights are the same";
  std::string text = fmt::format("{} change{}\n", changes.size(), changes.size() == 1 ? "" : "s");
  for (const configs::PreflightChange& one : changes)
    text += fmt::format("  {}\n    then: {}\n    now:  {}\n", one.what, indented(one.then, 10),
                        indented(one.now, 10));
  text.pop_back();
  return text;
}

}  // namespace understudy::launcher
