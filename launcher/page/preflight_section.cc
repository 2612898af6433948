// SPDX-License-Identifier: Apache-2.0
// Page section of a pre-flight: what the TPU compiler said. Memory of each program is a stacked bar
// against the HBM that a program may use.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/units.h"
#include "launcher/page/html.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::Preflight;
using configs::PreflightMemory;
using configs::PreflightProgram;

struct Part {
  std::string_view name, css_class;
  std::uint64_t PreflightMemory::*bytes;
};
// Aliases are outputs in the place of arguments: they need no bytes of their own.
constexpr std::array<Part, 4> kParts = {{
    {"arguments", "fill-arguments", &PreflightMemory::arguments},
    {"outputs", "fill-outputs", &PreflightMemory::outputs},
    {"temporaries", "fill-temporaries", &PreflightMemory::temporaries},
    {"code", "fill-code", &PreflightMemory::code},
}};

// The scale is the HBM, or the total where that is larger.
std::string bar_of(const PreflightMemory& memory) {
  const double whole = static_cast<double>(std::max(memory.total, memory.hbm.value_or(0)));
  std::string segments;
  std::uint64_t aliased = memory.aliases;
  for (const Part& part : kParts) {
    std::uint64_t bytes = memory.*part.bytes;
    // std::min(), because unsigned numbers must not wrap if the library reports more aliases than
    // outputs.
    if (part.name == "outputs") bytes -= std::min(bytes, aliased);
    if (bytes == 0 || whole <= 0) continue;
    segments += fmt::format("<i class=\"{}\" style=\"width: {:.2f}%\" title=\"{} {}\"></i>",
                            part.css_class, 100 * static_cast<double>(bytes) / whole, part.name,
                            escaped(bytes_text(bytes)));
  }
  return around("div", segments, "memory-bar");
}

// "dense: 156 kB of 33.6 GB, less than 0.1 %": a small program's bar is narrower than a pixel.
std::string bar_label(const PreflightProgram& program, const PreflightMemory& memory) {
  if (!memory.hbm || *memory.hbm == 0)
    return fmt::format("{}: {}", program.name, bytes_text(memory.total));
  const double percent = 100 * static_cast<double>(memory.total) / static_cast<double>(*memory.hbm);
  return fmt::format("{}: {} of {}, {}", program.name, bytes_text(memory.total),
                     bytes_text(*memory.hbm),
                     percent < 0.1 ? "less than 0.1 %" : fmt::format("{:.1f} %", percent));
}

std::string memory_html(const Preflight& preflight) {
  std::string bars;
  HtmlTable table({"program", "#arguments", "#outputs", "#aliases", "#temporaries", "#code",
                   "#total", "#HBM", "#planned here", "#observed here", "#ratio"});
  const auto text = [](const std::optional<std::uint64_t>& bytes) {
    return bytes ? bytes_text(*bytes) : std::string("unknown");
  };
  for (const PreflightProgram& one : preflight.programs) {
    if (!one.memory) continue;
    const PreflightMemory& memory = *one.memory;
    const bool fits = !memory.hbm || memory.total <= *memory.hbm;
    bars += element("div", bar_label(one, memory)) + bar_of(memory);
    table.row({one.name, bytes_text(memory.arguments), bytes_text(memory.outputs),
               bytes_text(memory.aliases), bytes_text(memory.temporaries), bytes_text(memory.code),
               bytes_text(memory.total), text(memory.hbm), text(memory.predicted),
               text(memory.observed), memory.ratio ? fmt::format("{:.2f}", *memory.ratio) : ""},
              fits ? "" : "bad");
  }
  if (table.empty()) return "";
  std::string legend;
  for (const Part& part : kParts)
    legend += fmt::format("<i class=\"key {}\"></i>", part.css_class) + element("span", part.name);
  return element("h3", "Memory of a chip") + around("p", legend, "soft") + bars + table.html();
}

// Two tables: what the compiler scheduled, and the comparison with the collectives of our
// executable.
std::string collectives_html(const Preflight& preflight) {
  HtmlTable table({"program", "collective", "#count", "#bytes", "algorithm", "groups", "place"});
  HtmlTable compared({"program", "collective", "#here", "#compiler", "#bytes here",
                      "#bytes of the compiler", "verdict", "reason"});
  for (const PreflightProgram& one : preflight.programs) {
    for (const configs::PreflightCollective& row : one.collectives)
      table.row({one.name, row.asynchronous ? row.kind + ", asynchronous" : row.kind,
                 std::to_string(row.count), bytes_text(row.bytes), row.algorithm, row.groups,
                 row.place});
    for (const configs::PreflightComparison& row : one.comparison)
      compared.row(
          {one.name, row.kind, std::to_string(row.ours), std::to_string(row.compiler),
           bytes_text(row.our_bytes), bytes_text(row.compiler_bytes), row.verdict, row.why},
          row.verdict == "differs" ? "bad" : "");
  }
  std::string html;
  if (!table.empty()) html += element("h3", "Collectives of the compiler") + table.html();
  if (!compared.empty()) html += element("h3", "Compared with understudy") + compared.html();
  return html;
}

std::string programs_html(const Preflight& preflight) {
  HtmlTable table({"program", "result", "topology", "#seconds", "#executable", "message"});
  for (const PreflightProgram& one : preflight.programs)
    table.row(
        {one.name, one.status, one.topology, fmt::format("{:.1f}", one.seconds),
         one.executable_bytes ? bytes_text(static_cast<std::uint64_t>(*one.executable_bytes)) : "",
         one.words},
        one.status == "compiles" ? "" : "bad");
  return table.empty() ? "" : table.html();
}

// A difference with a reason is one that is known and allowed; only the others are marked.
std::string launch_html(const Preflight& preflight) {
  HtmlTable flags({"flag", "from", "result", "message"});
  for (const configs::PreflightFlag& one : preflight.flags)
    flags.row({one.flag, one.source, one.status, one.words}, one.status == "accepted" ? "" : "bad");
  std::string html = flags.empty() ? "" : element("h3", "Flags") + flags.html();
  if (!preflight.topology) return html;
  HtmlTable differences({"topology", "launch contract", "compiler", "reason"});
  for (const configs::PreflightDifference& one : preflight.topology->differences)
    differences.row({one.what, one.contract, one.compiler, one.why}, one.why.empty() ? "bad" : "");
  const configs::PreflightTopology& topology = *preflight.topology;
  html +=
      element("h3", "Topology") +
      element("p", fmt::format("{}: {} devices on {} hosts: {} {}", topology.name, topology.devices,
                               topology.processes, topology.status, topology.words));
  return differences.empty() ? html : html + differences.html();
}

}  // namespace

std::string preflight_section(const configs::Receipt& receipt) {
  if (!receipt.preflight) return "";
  const Preflight& preflight = *receipt.preflight;
  std::string facts = fact("claim", preflight.claim) + fact("reason", preflight.why);
  if (preflight.libtpu)
    facts += fact("libtpu", preflight.libtpu->version) + fact("build", preflight.libtpu->build) +
             fact("PJRT C API", preflight.libtpu->api);
  return around("div", facts, "facts") + programs_html(preflight) + memory_html(preflight) +
         collectives_html(preflight) + launch_html(preflight);
}

}  // namespace understudy::launcher
