// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "configs/base/cache_policy.h"

namespace understudy::launcher {
namespace {

using configs::PolicyStress;

constexpr double kWorthNaming = 0.03;  // of all start-ups

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

std::string plural(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// What went wrong, the worst first.
std::vector<std::string> harms(const PolicyStress& stress) {
  std::vector<std::string> all;
  if (stress.wrong_results > 0)
    all.push_back(plural(stress.wrong_results, "wrong result", "wrong results"));
  if (stress.stuck_processes > 0)
    all.push_back(plural(stress.stuck_processes, "process stuck", "processes stuck"));
  if (stress.torn_reads > 0)
    all.push_back(plural(stress.torn_reads, "torn read", "torn reads") +
                  ": writers write straight to the final name, readers meet a part");
  if (stress.entries_lost > 0)
    all.push_back(plural(stress.entries_lost, "entry", "entries") +
                  " reported as written and not there at the end");
  if (stress.lock_timeouts > 0)
    all.push_back(plural(stress.lock_timeouts, "lock wait", "lock waits") +
                  " timed out and turned into compiles");
  return all;
}

std::string lock_culprit(const PolicyStress& stress) {
  return fmt::format("{} of start-up is lock wait: {} writers share one directory",
                     percent(stress.lock_wait_fraction), stress.processes);
}

std::string shared_culprit(const PolicyStress& stress) {
  if (stress.lock == "exclusive-file")
    return fmt::format(
        "one process compiles each key while {} wait for its lock file ({} of start-up); {}",
        stress.processes - 1, percent(stress.lock_wait_fraction),
        stress.duplicate_compiles == 0 ? std::string("nothing is compiled twice")
                                       : plural(stress.duplicate_compiles, "compile is a duplicate",
                                                "compiles are duplicates"));
  // One lock for all is the culprit whatever it took here: a longer hold makes it a convoy.
  if (stress.lock == "directory" || stress.lock_wait_fraction >= kWorthNaming) {
    std::string text = lock_culprit(stress);
    if (stress.duplicate_compiles > 0)
      text += fmt::format(", and {} are duplicates",
                          plural(stress.duplicate_compiles, "compile", "compiles"));
    return text;
  }
  if (stress.duplicate_compiles > 0)
    return fmt::format(
        "{} of {} compiles are duplicates: {} writers share one directory and none "
        "waits for another",
        stress.duplicate_compiles, stress.compiles, stress.processes);
  return fmt::format("{} writers share one directory", stress.processes);
}

std::string own_culprit(const PolicyStress& stress) {
  const CachePolicyRow& policy = cache_policy_named(stress.policy);
  if (!policy.writes())
    return fmt::format("nothing is written: every process compiles at every start ({} of start-up)",
                       percent(stress.compile_fraction));
  if (policy.folder == CacheSharing::process)
    return fmt::format("every process compiles for itself: {} where {} would do",
                       plural(stress.compiles, "compile", "compiles"), stress.keys);
  const char* const who =
      policy.writers == CacheWriters::host_leaders ? "its host's leader" : "the one writer";
  return fmt::format("no lock: everybody waits for {} ({} of start-up), who compiles each key once",
                     who, percent(stress.wait_fraction));
}

std::string advice(const PolicyStress& stress) {
  if (stress.predicted_seconds.empty()) return "";
  std::vector<std::string> words;
  for (const auto& [policy, seconds] : stress.predicted_seconds)
    words.push_back(words.empty() ? fmt::format("{} (predicted {})", policy, seconds_text(seconds))
                                  : fmt::format("{} ({})", policy, seconds_text(seconds)));
  return fmt::format(" Safe here: {}.", fmt::join(words, " or "));
}

}  // namespace

std::string seconds_text(double seconds) {
  constexpr double kMilliseconds = 1e3;
  if (seconds >= 9.95) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 0.995) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} ms", seconds * kMilliseconds);
}

std::string diagnosis_of(const PolicyStress& stress) {
  const bool shares = cache_policy_named(stress.policy).takes_lock;
  std::string text = shares ? shared_culprit(stress) : own_culprit(stress);
  for (const std::string& harm : harms(stress)) text += "; " + harm;
  text += '.';
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  const bool blamed = (shares && stress.lock != "exclusive-file") || !stress.safe;
  return blamed ? text + advice(stress) : text;
}

std::string comparison_text(const configs::CacheStress& stress) {
  std::string text = fmt::format(
      "{:<24} {:>9} {:>9} {:>9} {:>6} {:>6} {:>6} {:>9} {:>6} {:>6} {:>6}\n", "policy", "p50",
      "p99", "worst", "lock", "wait", "compile", "duplicate", "torn", "lost", "stuck");
  for (const PolicyStress& one : stress.policies)
    text += fmt::format(
        "{:<24} {:>9} {:>9} {:>9} {:>6} {:>6} {:>6} {:>9} {:>6} {:>6} {:>6}\n",
        discipline_name(one.policy, one.lock), seconds_text(one.startup_seconds.p50),
        seconds_text(one.startup_seconds.p99), seconds_text(one.startup_seconds.max),
        percent(one.lock_wait_fraction), percent(one.wait_fraction), percent(one.compile_fraction),
        one.duplicate_compiles, one.torn_reads, one.entries_lost, one.stuck_processes);
  for (const PolicyStress& one : stress.policies)
    text += fmt::format("\n{}: {}\n", discipline_name(one.policy, one.lock), one.diagnosis);
  return text;
}

}  // namespace understudy::launcher
