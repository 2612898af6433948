// SPDX-License-Identifier: Apache-2.0
// The parts of the provenance that follow from the rest of a receipt.
#include "configs/receipt/provenance.h"

#include <algorithm>
#include <fmt/format.h>

#include "configs/base/sha256.h"
#include "configs/base/version.h"
#include "configs/receipt/claims.h"
#include "configs/receipt/diagnosis.h"
#include "configs/receipt/parts.h"

namespace understudy::configs {
namespace {

// Whether all chips passed a gate before anything that it has to come before.
GateAnswer answer_of(const Receipt& receipt, Phase gate, std::string_view then) {
  std::int64_t passed = 0;
  double latest = 0;
  GateAnswer answer;
  for (const RankSeen& chip : receipt.ranks)
    for (const GateSeen& seen : chip.gates) {
      if (seen.gate != name_of(gate)) continue;
      if (seen.failed && !answer.holds) {
        answer.holds = false;
        answer.evidence =
            fmt::format("rank {}, after {:.3f} s: {}", chip.rank, seen.seconds, *seen.failed);
      }
      passed += seen.failed ? 0 : 1;
      latest = std::max(latest, seen.seconds);
    }
  if (answer.holds) return answer;
  if (passed > 0 && passed == receipt.chip_count.value_or(0)) answer.holds = true;
  answer.evidence = fmt::format("{} of {} chips passed gate \"{}\" before {}{}", passed,
                                receipt.chip_count.value_or(0), name_of(gate), then,
                                passed > 0 ? fmt::format(", the last after {:.3f} s", latest) : "");
  return answer;
}

std::optional<std::vector<std::int64_t>> writers_in(const Receipt& receipt) {
  std::vector<std::int64_t> ranks;
  for (const RankSeen& chip : receipt.ranks) {
    if (!chip.totals) return std::nullopt;
    if (!chip.totals->counters) continue;
    const auto found = chip.totals->counters->find("CacheEntryWrite");
    if (found != chip.totals->counters->end() && found->second > 0) ranks.push_back(chip.rank);
  }
  return ranks;
}

// By its diagnosis, in the catalogue of failures.
std::string id_of(std::string_view diagnosis) {
  const Diagnosis* const known = find_diagnosis(diagnosis);
  return known == nullptr ? "" : std::string(known->id);
}

ReceiptFailure warning_of(const RungSeen& rung, const RungWarning& warning) {
  ReceiptFailure note;
  note.kind.reset();
  note.id = id_of(warning.diagnosis);
  note.rank = note.rank_first = warning.rank;
  note.message = fmt::format("{}: {}", rung.rung, warning.why);
  note.diagnosis = warning.diagnosis;
  note.layer = warning.layer;
  note.advice = warning.advice;
  return note;
}

// What did not fail the ladder stands behind what did.
std::vector<ReceiptFailure> failures_in(const Receipt& receipt) {
  std::vector<ReceiptFailure> all;
  if (const ReceiptFailure* const failure = receipt.failure()) {
    all.push_back(*failure);
    all.back().id = id_of(failure->diagnosis.value_or(""));
    if (!failure->rank_first) all.back().rank_first = failure->rank;
  }
  if (!receipt.ladder) return all;
  for (const RungSeen& rung : receipt.ladder->rungs)
    for (const RungWarning& warning : rung.warnings) all.push_back(warning_of(rung, warning));
  return all;
}

EnvRestore restore_of(const Pins& pins) {
  std::string lines;
  for (const PackagePin& pin : pins.packages)
    lines += fmt::format("{}={}\n", pin.name, pin.version);
  return {pins.script_sha256 ? "setup script" : "pin set",
          pins.script_sha256 ? *pins.script_sha256 : sha256_of(lines),
          fmt::format("understudy {} ({})", version(), revision())};
}

// True if all chips reported the value `want`; false if one reported a different value.
std::optional<bool> all_told(const Receipt& receipt, std::optional<std::string> Started::*member,
                             const std::string& want) {
  bool all = !receipt.ranks.empty();
  for (const RankSeen& chip : receipt.ranks) {
    const bool told = chip.started && (*chip.started).*member;
    if (told && *((*chip.started).*member) != want) return false;
    all = all && told;
  }
  return all ? std::optional(true) : std::nullopt;
}

}  // namespace

const std::map<std::string, std::string>& durability() {
  static const std::map<std::string, std::string> kDurability = {
      {"pins", "keep"},       {"ladder", "keep"},         {"naming", "recheck"},
      {"quota", "recheck"},   {"contract", "keep"},       {"hardware", "keep"},
      {"results", "keep"},    {"metrics", "keep"},        {"cache", "recheck"},
      {"timings", "recheck"}, {"host_limits", "recheck"}, {"processes", "recheck"}};
  return kDurability;
}

// Fields that differ between two equal runs. They are listed in the receipt itself, so other tools
// can leave them out as well.
const std::vector<std::string>& volatile_fields() {
  static const std::vector<std::string> kFields = {"/run_id",
                                                   "/created_utc",
                                                   "/started_at",
                                                   "/wall_seconds",
                                                   "/partition/cached",
                                                   "/partition/seconds",
                                                   "/compile/wall_seconds",
                                                   "/compile/compile_seconds",
                                                   "/cache/lock_wait_seconds",
                                                   "/steps/*/wall_seconds",
                                                   "/stragglers",
                                                   "/gates/*/evidence",
                                                   "/ranks/*/started/pid",
                                                   "/ranks/*/started/pid_start",
                                                   "/ranks/*/gates/*/seconds",
                                                   "/ranks/*/gates/*/detail",
                                                   "/ranks/*/compiled/wall_seconds",
                                                   "/ranks/*/compiled/compile_seconds",
                                                   "/ranks/*/compiled/cache/wait_seconds",
                                                   "/ranks/*/compiled/cache/read_seconds",
                                                   "/ranks/*/compiled/cache/write_seconds",
                                                   "/ranks/*/compiled/cache/lock_wait_seconds",
                                                   "/ranks/*/flight",
                                                   "/preflight/wall_seconds",
                                                   "/preflight/log",
                                                   "/preflight/programs/*/seconds",
                                                   "/preflight/programs/*/cached",
                                                   "/ladder/rungs/*/seconds",
                                                   "/ladder/rungs/*/receipts",
                                                   "/restore/cold_receipt",
                                                   "/restore/restored_receipt"};
  return kFields;
}

void add_provenance(Receipt& receipt, const std::optional<Provenance>& provenance,
                    const ExpectedDigests& expected) {
  if (provenance) {
    receipt.pins = provenance->pins;
    for (const std::string& mpi : receipt.versions.mpi)
      receipt.pins->packages.push_back({"MPI", mpi});
    receipt.code_state = provenance->code_state;
    receipt.runtime_note = provenance->runtime_note;
    receipt.hardware = provenance->hardware;
    CacheUse& cache = receipt.cache ? *receipt.cache : receipt.cache.emplace();
    // The policy that the ranks used wins over the one that was asked for.
    if (cache.policy.empty()) cache.policy = provenance->cache.policy;
    cache.path_class = provenance->cache.path_class;
    cache.lock_selftest = provenance->cache.lock_selftest;
    cache.writer_ranks = writers_in(receipt);
    receipt.mem = provenance->mem;
    receipt.code_state->tree_sha256_per_rank_equal =
        all_told(receipt, &Started::program_digest, expected.program);
  }
  if (receipt.launch)
    receipt.launch->env_equal_across_ranks =
        all_told(receipt, &Started::environment_digest, expected.environment);
  receipt.gates =
      GateAnswers{answer_of(receipt, Phase::environment_frozen, "the runtime was initialised"),
                  answer_of(receipt, Phase::spmd_enabled, "a tensor was allowed")};
  complete(receipt);
}

void complete(Receipt& receipt) {
  receipt.tool_version = fmt::format("understudy {} ({})", version(), revision());
  if (receipt.pins) receipt.env_restore = restore_of(*receipt.pins);
  receipt.claims = claims_in(receipt);
  receipt.failures = failures_in(receipt);
  receipt.durability = durability();
  receipt.volatile_fields = volatile_fields();
}

}  // namespace understudy::configs
