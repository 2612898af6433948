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

constexpr double kLeastReported = 0.03;  // fraction of start-up time; below it a lock wait is noise

std::string percent(double fraction) { return fmt::format("{:.0f} %", 100 * fraction); }

std::string plural(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// The observed harms, worst first.
std::vector<std::string> harms(const PolicyStress& stress) {
  std::vector<std::string> all;
  if (stress.wrong_results > 0)
    all.push_back(plural(stress.wrong_results, "wrong result", "wrong results"));
  if (stress.stuck_processes > 0)
    all.push_back(plural(stress.stuck_processes, "process stuck", "processes stuck"));
  if (stress.torn_reads > 0)
    all.push_back(plural(stress.torn_reads, "torn read", "torn reads") +
                  ": writers write directly to the final name, so readers see partial entries");
  if (stress.entries_lost > 0)
    all.push_back(plural(stress.entries_lost, "entry", "entries") +
                  " reported as written but missing at the end");
  if (stress.lock_timeouts > 0)
    all.push_back(plural(stress.lock_timeouts, "lock wait", "lock waits") +
                  " timed out and caused extra compiles");
  return all;
}

std::string lock_diagnosis(const PolicyStress& stress) {
  return fmt::format("{} of start-up is lock wait: {} writers share one directory",
                     percent(stress.lock_wait_fraction), stress.processes);
}

// Three causes in this order: an exclusive lock (intended waiting), a directory lock (a convoy), no
// lock (duplicates).
std::string shared_diagnosis(const PolicyStress& stress) {
  if (stress.lock == "exclusive-file")
    return fmt::format(
        "one process compiles each key while {} processes wait for its lock file ({} of start-up); "
        "{}",
        stress.processes - 1, percent(stress.lock_wait_fraction),
        stress.duplicate_compiles == 0 ? std::string("nothing is compiled twice")
                                       : plural(stress.duplicate_compiles, "compile is a duplicate",
                                                "compiles are duplicates"));
  // Report a directory-wide lock even if it cost little here: with longer holds it becomes a
  // convoy.
  if (stress.lock == "directory" || stress.lock_wait_fraction >= kLeastReported) {
    std::string text = lock_diagnosis(stress);
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

// Decided by the row of the policy and not by its name, so a new policy gets a sentence without a
// change here.
std::string unshared_diagnosis(const PolicyStress& stress) {
  const CachePolicyRow& policy = cache_policy_named(stress.policy);
  if (!policy.writes())
    return fmt::format(
        "no entry is written: every process compiles what is missing in the folder, at every start "
        "({} of start-up)",
        percent(stress.compile_fraction));
  if (policy.folder == CacheSharing::process)
    return fmt::format("every process compiles for itself: {} instead of {}",
                       plural(stress.compiles, "compile", "compiles"), stress.keys);
  const char* const who =
      policy.writers == CacheWriters::host_leaders ? "the leader of its host" : "the single writer";
  return fmt::format(
      "no lock is used: all processes wait for {} ({} of start-up), which compiles each key once",
      who, percent(stress.wait_fraction));
}

std::string advice(const PolicyStress& stress) {
  if (stress.predicted_seconds.empty()) return "";
  std::vector<std::string> words;
  for (const auto& [policy, seconds] : stress.predicted_seconds)
    words.push_back(words.empty() ? fmt::format("{} (predicted {})", policy, seconds_text(seconds))
                                  : fmt::format("{} ({})", policy, seconds_text(seconds)));
  return fmt::format(" Safe alternatives: {}.", fmt::join(words, " or "));
}

}  // namespace

// The limits avoid "10.0 s" and "1000 ms" after rounding.
std::string seconds_text(double seconds) {
  constexpr double kMilliseconds = 1e3;
  if (seconds >= 9.95) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 0.995) return fmt::format("{:.1f} s", seconds);
  return fmt::format("{:.0f} ms", seconds * kMilliseconds);
}

// Cause first, then harms, then safe alternatives if this policy is unsafe.
std::string diagnosis_of(const PolicyStress& stress) {
  const bool shares = cache_policy_named(stress.policy).takes_lock;
  std::string text = shares ? shared_diagnosis(stress) : unshared_diagnosis(stress);
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
