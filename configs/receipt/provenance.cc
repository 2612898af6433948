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
  for (const ChipSeen& chip : receipt.chips)
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
  for (const ChipSeen& chip : receipt.chips) {
    if (!chip.totals) return std::nullopt;
    if (!chip.totals->counters) continue;
    const auto found = chip.totals->counters->find("CacheEntryWrite");
    if (found != chip.totals->counters->end() && found->second > 0) ranks.push_back(chip.rank);
  }
  return ranks;
}

RankNote note_of(const ChipSeen& chip, const std::vector<double>& skew_ms) {
  RankNote note;
  note.rank = chip.rank;
  note.host = chip.host;
  note.last_stage = chip.phase;
  if (chip.probed) note.coord = chip.probed->coord;
  if (chip.probed && !chip.probed->device_kind.empty()) note.device_kind = chip.probed->device_kind;
  if (!chip.started) return note;
  note.worker_id = chip.started->worker_id;
  note.lib_version = fmt::format("{} ({})", chip.started->version, chip.started->revision);
  const auto at = static_cast<std::size_t>(chip.rank);
  if (at < skew_ms.size()) note.clock_skew_ms = skew_ms[at];
  return note;
}

FailureNote note_of(const ReceiptFailure& failure) {
  const Diagnosis* const known = find_diagnosis(failure.diagnosis.value_or(""));
  return {known == nullptr ? "" : std::string(known->id), failure.layer.value_or(""),
          failure.first_to_die ? failure.first_to_die : failure.rank, failure.message,
          failure.advice.value_or("")};
}

// The failure, and the warnings of rungs, which did not fail the ladder.
std::vector<FailureNote> failures_in(const Receipt& receipt) {
  std::vector<FailureNote> notes;
  if (receipt.failure) notes.push_back(note_of(*receipt.failure));
  if (!receipt.ladder) return notes;
  for (const RungSeen& rung : receipt.ladder->rungs)
    for (const RungWarning& one : rung.warnings) {
      const Diagnosis* const known = find_diagnosis(one.diagnosis);
      notes.push_back({known == nullptr ? "" : std::string(known->id), one.layer, one.rank,
                       fmt::format("{}: {}", rung.rung, one.why), one.advice});
    }
  return notes;
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
  bool all = !receipt.chips.empty();
  for (const ChipSeen& chip : receipt.chips) {
    const bool told = chip.started && (*chip.started).*member;
    if (told && *((*chip.started).*member) != want) return false;
    all = all && told;
  }
  return all ? std::optional(true) : std::nullopt;
}

}  // namespace

const std::map<std::string, std::string>& durability() {
  // The first four as section 7.1 of the bring-up facts has them.
  static const std::map<std::string, std::string> kDurability = {
      {"pins", "keep"},       {"ladder", "keep"},         {"naming", "recheck"},
      {"quota", "recheck"},   {"contract", "keep"},       {"hardware", "keep"},
      {"results", "keep"},    {"metrics", "keep"},        {"cache", "recheck"},
      {"timings", "recheck"}, {"host_limits", "recheck"}, {"processes", "recheck"}};
  return kDurability;
}

const std::vector<std::string>& volatile_fields() {
  static const std::vector<std::string> kFields = {"/run_id",
                                                   "/created_utc",
                                                   "/started_at",
                                                   "/wall_seconds",
                                                   "/compile/wall_seconds",
                                                   "/compile/compile_seconds",
                                                   "/compile/lock_wait_seconds",
                                                   "/steps/*/wall_seconds",
                                                   "/stragglers",
                                                   "/gates/*/evidence",
                                                   "/chips/*/started/pid",
                                                   "/chips/*/started/pid_start",
                                                   "/chips/*/gates/*/seconds",
                                                   "/chips/*/gates/*/detail",
                                                   "/chips/*/compiled/wall_seconds",
                                                   "/chips/*/compiled/compile_seconds",
                                                   "/chips/*/compiled/cache/wait_seconds",
                                                   "/chips/*/compiled/cache/read_seconds",
                                                   "/chips/*/compiled/cache/write_seconds",
                                                   "/chips/*/compiled/cache/lock_wait_seconds",
                                                   "/chips/*/flight",
                                                   "/ladder/rungs/*/seconds",
                                                   "/ladder/rungs/*/receipts",
                                                   "/restore/cold_receipt",
                                                   "/restore/restored_receipt"};
  return kFields;
}

void add_provenance(Receipt& receipt, const std::optional<Provenance>& provenance,
                    const ExpectedDigests& expected, const std::vector<double>& skew_ms) {
  if (provenance) {
    receipt.pins = provenance->pins;
    for (const std::string& mpi : receipt.versions.mpi)
      receipt.pins->packages.push_back({"MPI", mpi});
    receipt.code_state = provenance->code_state;
    receipt.runtime_note = provenance->runtime_note;
    receipt.hardware = provenance->hardware;
    receipt.cache = provenance->cache;
    receipt.mem = provenance->mem;
    receipt.code_state->tree_sha256_per_rank_equal =
        all_told(receipt, &Started::program_digest, expected.program);
    receipt.cache->writer_ranks = writers_in(receipt);
  }
  if (receipt.launch)
    receipt.launch->env_equal_across_ranks =
        all_told(receipt, &Started::environment_digest, expected.environment);
  std::vector<RankNote>& ranks = receipt.ranks.emplace();
  for (const ChipSeen& chip : receipt.chips) ranks.push_back(note_of(chip, skew_ms));
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
