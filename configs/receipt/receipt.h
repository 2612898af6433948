// SPDX-License-Identifier: Apache-2.0
// What a run observed, and never what it was told: understudy/receipt/2
// (docs/formats.md; configs/schema/receipt.json is made from it). The launcher assembles it from
// the workers' records and its own observations. What nobody saw is null. Plain values, pure
// functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/mesh_layout.h"
#include "configs/receipt/cache_stress.h"
#include "configs/receipt/partition.h"
#include "configs/receipt/preflight/preflight.h"
#include "configs/receipt/provenance.h"
#include "configs/receipt/receipt_sections.h"
#include "configs/receipt/rehearsal.h"

namespace understudy::configs {

struct Receipt {
  std::string run_id;
  std::string started_at;  // UTC, "2026-01-31T12:00:00Z"
  double wall_seconds = 0;
  std::string verdict;  // "passed" or "failed"
  std::int64_t exit_code = 0;
  std::string contract_digest;          // the launcher's
  std::optional<bool> contract_agreed;  // every worker computed the same; null until all told
  std::optional<ReceiptLaunch> launch;  // null: of `cache stress`
  ReceiptVersions versions;
  std::string slice, chip;  // empty: ended before they were known
  // Null of a run that ended before its slice was known.
  std::optional<std::int64_t> chip_count, host_count;
  ReceiptProgram program;
  std::optional<PartitionSeen> partition;          // null: it was a chip's own program already
  std::optional<std::vector<MeshAxisPlace>> mesh;  // its axes in the slice; null: not known
  std::optional<CompileSeen> compile;
  std::optional<std::int64_t> compiles, executes;  // all chips together; null until all told
  HbmPeak hbm_peak_bytes;
  HostPeak host_peak_bytes;
  std::vector<StepSeen> steps;                             // that every chip finished
  std::optional<std::vector<CollectiveSeen>> collectives;  // null until all chips told
  std::optional<Stragglers> stragglers;                    // null: nobody was compared
  std::vector<ResultReceipt> results;
  std::optional<NonFinite> non_finite;
  std::vector<std::string> faults;  // injected
  std::vector<HostSeen> hosts;
  std::vector<RankSeen> ranks;
  // Counters by torch_xla's names, all chips together; null until all told.
  std::optional<std::map<std::string, std::int64_t>> counters;
  std::optional<ScriptSeen> script;                       // of a run with host processes
  std::optional<std::vector<PolicyStress>> cache_stress;  // of `cache stress`
  // Of `rehearse`; the rest is of the last run on its ladder.
  std::optional<LadderSeen> ladder;
  std::optional<Claims> claims;
  std::optional<RestoreSeen> restore;
  std::optional<std::vector<MetricSeen>> metrics_declared;
  std::optional<Preflight> preflight;  // of `rehearse --preflight`
  // What it takes to get the same again (receipt/provenance.h). Null: of `cache stress`, or of a
  // receipt from before these were told.
  std::optional<std::string> tool_version, created_utc;
  std::optional<Pins> pins;
  std::optional<EnvRestore> env_restore;
  std::optional<CodeState> code_state;
  std::optional<RuntimeNote> runtime_note;
  std::optional<Hardware> hardware;
  std::optional<GateAnswers> gates;
  std::optional<CacheUse> cache;
  std::optional<HostMemoryUse> mem;
  // What failed the run is the first; what rungs warned of follows.
  std::vector<ReceiptFailure> failures;
  std::optional<std::map<std::string, std::string>> durability;
  std::optional<std::vector<std::string>> volatile_fields;

  // What failed the run; nullptr of one that passed.
  const ReceiptFailure* failure() const {
    return !failures.empty() && failures.front().kind ? &failures.front() : nullptr;
  }
};

// What follows from all else in it; once more after something of it was changed.
void complete(Receipt& receipt);

std::string to_json(const Receipt& receipt);
// The JSON schema of to_json(), made from the list of fields: configs/schema/receipt.json.
std::string receipt_schema();
// Every single value by its JSON pointer, as JSON has it.
std::map<std::string, std::string> leaves_of_receipt(const Receipt& receipt);
// Throws Error{config} with file, line, column and pointer.
Receipt read_receipt(const std::string& text, const std::string& path);

}  // namespace understudy::configs
