// SPDX-License-Identifier: Apache-2.0
// The observations of a rehearsal, as its receipt (understudy/receipt/2, `ladder`, `claims`,
// `restore`, `metrics_declared`) and `rehearse --json` (understudy/rehearsal/1) have it. Plain
// values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/receipt/preflight/preflight.h"

namespace understudy::configs {

// One check on a rung.
struct RungCheck {
  std::string name;  // "compiles once"
  bool holds = false;
  std::string seen;  // the observation, in words
};

// A problem found on a rung that did not fail it.
struct RungWarning {
  std::string diagnosis, layer, why, advice;
  std::optional<std::int64_t> host, rank;
};

struct RungSeen {
  std::string rung, added_feature;
  std::string status = "not-run";  // "passed", "failed" or "not-run"
  double seconds = 0;
  // Of a rung that failed.
  std::optional<std::string> layer_of_failure, code, diagnosis, why, advice;  // code: "F49"
  std::optional<std::int64_t> host, rank;
  std::int64_t chips = 0, steps = 0;
  std::optional<std::int64_t> compiles, loads, late_programs, fallbacks;
  std::optional<std::uint64_t> hbm_predicted, hbm_observed;  // bytes of the fullest chip
  std::vector<RungCheck> checks;
  std::vector<RungWarning> warnings;
  std::vector<std::string> retries;   // reasons for restarts: only failures at the start
  std::vector<std::string> receipts;  // of its runs
};

// An attempt with other settings, before the one that the rungs describe (docs/rehearsal.md).
struct AttemptSeen {
  std::string setting;                         // "collectives=ring"
  std::string launch_class;                    // "known-good", "unseen" or "known-bad"
  std::optional<std::uint64_t> predicted_hbm;  // bytes
  std::string outcome;                         // of configs/launch/catalogue.h
  std::string why;                             // if it was given up
};

struct LadderSeen {
  std::string name;
  std::vector<RungSeen> rungs;
  std::optional<std::string> first_passing, next_failing;
  std::vector<AttemptSeen> attempts;  // the rungs describe the last one
};

// Instead of a single "works": each is "proven", "not shown" or "failed".
struct Claims {
  std::string installation, runtime, compile, model;
  // Of the real TPU compiler; null: it was not asked.
  std::optional<std::string> tpu_compiler = std::nullopt;
};

// One property that another machine must share with the first one.
struct PinSeen {
  std::string name, then, now;
  bool same = false;
  bool must = true;  // false: a difference is only worth checking
};

// The cold canary and the restored one (configs/receipt/restore_proof.h).
struct RestoreSeen {
  std::string verdict;
  std::vector<std::string> reasons;
  std::map<std::string, std::int64_t> cold, restored;  // counters, all chips together
  std::string cold_receipt, restored_receipt;
  std::map<std::string, std::string> pins;  // of the cold canary: what `--from` compares
  std::vector<PinSeen> compared;            // with those of the receipt that this is restored from
};

// One result that is declared replicated, on one rung.
struct MetricSeen {
  std::string rung, name;
  std::int64_t index = 0;
  std::vector<std::string> axes;       // over which it must be reduced
  std::map<std::string, bool> probes;  // conclusive probes and their answers
  std::string verdict;
};

// understudy/rehearsal/1.
struct Rehearsal {
  std::string slice, chip;
  std::int64_t chips = 0, hosts = 0;
  std::string profile;
  std::string verdict;  // "passed" or "failed"
  LadderSeen ladder;
  Claims claims;
  std::optional<RestoreSeen> restore;
  std::optional<Preflight> preflight;
  std::vector<std::string> notes;  // requests that could not be met
  double wall_seconds = 0;
  std::optional<std::string> receipt;
  std::int64_t exit_code = 0;
};
std::string to_json(const Rehearsal& rehearsal);

}  // namespace understudy::configs
