// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/restoration.h"

#include <filesystem>
#include <fmt/format.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/receipt/diagnosis.h"
#include "configs/receipt/restore_proof.h"
#include "launcher/rehearse/judge_rung.h"
#include "launcher/rehearse/pins.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using configs::RestoreVerdict;
using configs::RungSeen;
using Counters = std::map<std::string, std::int64_t>;

constexpr const char* kShippedLadder = "default";

std::vector<configs::PinSeen> compared_with(const configs::Receipt& from,
                                            const configs::Receipt& cold, const Pins& now) {
  const Origin origin = origin_of(from);
  std::vector<configs::PinSeen> all = compared(origin.pins, now);
  // Old receipts have no launch section; their pins are compared, their profiles cannot be.
  if (!origin.launch || !cold.launch) return all;
  for (configs::PinSeen& one : changed_values(origin.launch->groups, cold.launch->groups))
    all.push_back(std::move(one));
  return all;
}

// The first required pin that differs. A profile value is more specific than the digest of the
// environment, which changes with it, so the digest is reported only if nothing else differs.
std::string first_other(const std::vector<configs::PinSeen>& compared) {
  const configs::PinSeen* other = nullptr;
  for (const configs::PinSeen& pin : compared) {
    if (pin.same || !pin.must) continue;
    if (other == nullptr || other->name == "environment")
      other = &pin;  // prefer any other difference
  }
  if (other == nullptr) return "";
  return fmt::format("{} differs: {}, was {}", other->name, other->now, other->then);
}

// Fills the rung from the diagnosis table.
void fail(std::string_view diagnosis, const std::string& told, RungSeen& seen) {
  const configs::Diagnosis* const known = configs::find_diagnosis(diagnosis);
  seen.status = "failed";
  seen.diagnosis = std::string(known->name);
  seen.layer_of_failure = std::string(name_of(known->layer));
  if (!known->id.empty()) seen.code = std::string(known->id);
  seen.advice = std::string(known->advice);
  seen.why = told;
}

}  // namespace

// Order: the given ladder, the shipped ladder if the receipt used it, else the program file of the
// run.
configs::Ladder canary_of(const configs::Receipt& receipt, const std::string& ladder,
                          const Environment& environment) {
  const Origin origin = origin_of(receipt);
  configs::Rung canary;
  if (!ladder.empty() || (origin.program.empty() && origin.ladder == kShippedLadder)) {
    canary = configs::read_ladder(ladder_path(ladder, environment)).rungs.front();
  } else {
    const char* const advice = "pass --ladder FILE with a ladder whose first rung is the canary";
    if (origin.program.empty())
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "the receipt belongs to the ladder \"{}\", whose programs it does not contain",
              origin.ladder))
          .note(advice);
    std::error_code code;
    if (!fs::exists(origin.program, code))
      throw Error(ErrorKind::usage,
                  fmt::format("the program of the receipt was not found: {}", origin.program))
          .note(advice);
    const fs::path folder = fs::path(origin.program).parent_path();
    canary.program = fs::exists(folder / "manifest.json", code) ? folder.string() : origin.program;
    // A fixed seed: the same arguments in both runs, so that results can be compared.
    canary.fill = "random:0";
  }
  canary.name = "canary";
  canary.metrics = "off";
  canary.algorithms.clear();
  configs::Ladder one;
  one.name = "from a receipt";
  one.rungs = {canary};
  return one;
}

// Two independent conditions: the second run came from the cache (proof), and both equal the
// receipt (pins). A proven restore of something else fails as "restored-another".
configs::RestoreSeen prove(const RunReport& cold, const RunReport& again,
                           const RehearseOptions& options, RungSeen& seen) {
  const configs::RestoreProof proof = configs::prove_restore(cold.receipt, again.receipt);
  configs::RestoreSeen restore{std::string(name_of(proof.verdict)),
                               proof.reasons,
                               cold.receipt.counters.value_or(Counters{}),
                               again.receipt.counters.value_or(Counters{}),
                               cold.receipt_path,
                               again.receipt_path,
                               pins_of(cold.receipt),
                               {}};
  if (options.from) restore.compared = compared_with(*options.from, cold.receipt, restore.pins);
  if (seen.status == "failed") return restore;
  const std::string other = first_other(restore.compared);
  std::string told = restore.verdict;
  if (!proof.reasons.empty()) told += ": " + proof.reasons.front();
  // With policy "off" nothing could be restored: neither a success nor a failure.
  if (proof.verdict == RestoreVerdict::vacuous) {
    seen.status = "not-run";
    seen.checks = {{std::string(rung_check::kRestored), false,
                    "not applicable: there is no cache to restore from"}};
    return restore;
  }
  if (!other.empty()) {
    restore.verdict = name_of(RestoreVerdict::host_usable_only);
    restore.reasons.push_back(other);
    told = fmt::format("{}: {}", restore.verdict, other);
  }
  const bool is_restored = proof.verdict == RestoreVerdict::proven;
  const bool useless = proof.verdict == RestoreVerdict::cache_cannot_restore;
  seen.checks.push_back({std::string(rung_check::kRestored), is_restored && other.empty(), told});
  if (!is_restored)
    fail(useless ? name_of(DiagnosisId::cache_cannot_restore)
                 : name_of(DiagnosisId::restore_not_proven),
         told, seen);
  if (is_restored && !other.empty()) fail(name_of(DiagnosisId::restored_another), told, seen);
  return restore;
}

}  // namespace understudy::launcher
