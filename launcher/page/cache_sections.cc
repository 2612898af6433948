// SPDX-License-Identifier: Apache-2.0
// Sections of the page about compile caches.
#include <fmt/format.h>

#include "configs/base/cache_policy.h"
#include "configs/base/units.h"
#include "launcher/cache/diagnosis.h"
#include "launcher/page/html.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using configs::RankSeen;
using configs::Receipt;

}  // namespace

std::string cache_section(const Receipt& receipt) {
  if (!receipt.compile) return "";
  const configs::CompileSeen& seen = *receipt.compile;
  std::int64_t compiled = 0, loaded = 0;
  for (const RankSeen& chip : receipt.ranks)
    if (chip.compiled) ++(chip.compiled->cached ? loaded : compiled);
  std::string facts = fact("policy", receipt.cache ? receipt.cache->policy : "") +
                      fact("compiled", plural(compiled, "chip")) +
                      fact("loaded from the cache", plural(loaded, "chip")) +
                      fact("slowest chip", seconds_text(seen.wall_seconds)) +
                      fact("total compile time", seconds_text(seen.compile_seconds));
  if (receipt.cache && receipt.cache->lock_wait_seconds)
    facts += fact("lock wait, p50 and max",
                  fmt::format("{}, {}", seconds_text(receipt.cache->lock_wait_seconds->p50),
                              seconds_text(receipt.cache->lock_wait_seconds->max)));
  std::string html = around("div", facts, "facts");
  html += element("h3", seen.keys.size() == 1 ? "Key" : fmt::format("{} keys", seen.keys.size()));
  // More than one key means that chips compiled different programs or with different settings.
  for (const std::string& key : seen.keys) html += around("p", element("code", key));
  for (const std::string& warning : seen.warnings) html += element("p", warning, "warn");
  return html;
}

// Receipts of `cache stress`: one row per policy, then its diagnosis.
std::string stress_section(const Receipt& receipt) {
  if (!receipt.cache_stress) return "";
  HtmlTable table(
      {"policy", "#p50", "#max", "#lock wait", "#duplicates", "#torn", "#lost", "#stuck", "safe"});
  std::string words;
  for (const configs::PolicyStress& one : *receipt.cache_stress) {
    const std::string name = discipline_name(one.policy, one.lock);
    table.row({name, seconds_text(one.startup_seconds.p50), seconds_text(one.startup_seconds.max),
               fmt::format("{:.0f} %", 100 * one.lock_wait_fraction),
               std::to_string(one.duplicate_compiles), std::to_string(one.torn_reads),
               std::to_string(one.entries_lost), std::to_string(one.stuck_processes),
               one.safe ? "yes" : "no"},
              one.safe ? "" : "bad");
    words += around("p", element("b", name) + ": " + escaped(one.diagnosis));
  }
  return table.html() + words;
}

}  // namespace understudy::launcher
