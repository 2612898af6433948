// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "launcher/process/console.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/rehearsal.h"
#include "launcher/run/receipt/receipt_text.h"

namespace understudy::launcher {
namespace {

using configs::RungSeen;

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

DisplayRung row_of(const RungSeen& seen) {
  DisplayRung row;
  row.name = seen.rung;
  row.adds = seen.added_feature;
  row.state = seen.status == "passed"   ? DisplayRung::State::passed
              : seen.status == "failed" ? DisplayRung::State::failed
                                        : DisplayRung::State::skipped;
  row.seconds = seen.seconds;
  row.told = told_of(seen);
  return row;
}

std::string rungs_text(const configs::Rehearsal& rehearsal, DisplayLook look) {
  std::string text =
      fmt::format("{}: {}, {}, ladder {}\n", rehearsal.slice, counted(rehearsal.chips, "chip"),
                  counted(rehearsal.hosts, "host"), rehearsal.ladder.name);
  std::vector<DisplayRung> rows;
  for (const RungSeen& seen : rehearsal.ladder.rungs) rows.push_back(row_of(seen));
  look.names = names_width(rows);
  for (const DisplayRung& row : rows) text += rung_line(row, look) + "\n";
  return text;
}

std::string notes_text(const configs::Rehearsal& rehearsal) {
  std::string text;
  for (const std::string& note : rehearsal.notes) text += fmt::format("note: {}\n", note);
  for (const RungSeen& seen : rehearsal.ladder.rungs) {
    for (const std::string& reason : seen.retries)
      text += fmt::format("note: {} was restarted: {}\n", seen.rung, reason);
    for (const configs::RungWarning& one : seen.warnings)
      text +=
          fmt::format("warning: {}: {} ({}): {}\n", seen.rung, one.diagnosis, one.layer, one.why);
  }
  for (const configs::AttemptSeen& one : rehearsal.ladder.attempts)
    if (!one.setting.empty())
      text += fmt::format("tried {} ({}): {}\n", one.setting, one.launch_class, one.outcome);
  return text;
}

std::string frontier_text(const configs::Rehearsal& rehearsal, const RungSeen& seen,
                          const DisplayLook& look, const Console& console) {
  std::string layer = seen.layer_of_failure.value_or("unknown");
  if (seen.diagnosis)
    layer += fmt::format(" ({}{})", seen.code ? *seen.code + " " : "", *seen.diagnosis);
  if (seen.host) layer += fmt::format(", host {}", *seen.host);
  std::string text = fmt::format("{} {}\n", console.tinted(Tint::red, "frontier:"),
                                 frontier_words(seen.rung, rehearsal.ladder.first_passing));
  const auto line = [&](const std::string& what, const std::string& said) {
    const std::string head = fmt::format("  {}: ", what);
    text += head + folded_from_column(said, head.size(), look.width) + "\n";
  };
  line("layer", layer);
  line("why", seen.why.value_or("unknown"));
  if (seen.advice) line("advice", *seen.advice);
  return text;
}

std::string pins_text(const configs::RestoreSeen& restore) {
  std::string text;
  for (const configs::PinSeen& pin : restore.compared)
    if (!pin.same)
      text += fmt::format("{}: {} is {}, was {}\n", pin.must ? "not restored" : "recheck", pin.name,
                          pin.now, pin.then);
  return text;
}

}  // namespace

std::string rehearsal_text(const configs::Rehearsal& rehearsal, bool with_rungs,
                           const DisplayLook& look, const Console& console) {
  std::string text = with_rungs ? rungs_text(rehearsal, look) : "";
  text += notes_text(rehearsal);
  if (rehearsal.verdict == "passed") {
    text += fmt::format("{} all {} rungs in {:.1f} s", console.tinted(Tint::green, "passed:"),
                        std::ranges::count(rehearsal.ladder.rungs, "passed", &RungSeen::status),
                        rehearsal.wall_seconds);
    if (rehearsal.restore) text += fmt::format("; restore {}", rehearsal.restore->verdict);
    text += "\n";
  }
  for (const RungSeen& seen : rehearsal.ladder.rungs)
    if (seen.status == "failed") text += frontier_text(rehearsal, seen, look, console);
  if (rehearsal.restore) text += pins_text(*rehearsal.restore);
  const configs::Claims& claims = rehearsal.claims;
  text += fmt::format("claims: installation {}, runtime {}, compile {}, model {}",
                      claims.installation, claims.runtime, claims.compile, claims.model);
  if (claims.tpu_compiler) text += fmt::format(", tpu_compiler {}", *claims.tpu_compiler);
  return text;
}

}  // namespace understudy::launcher
