// SPDX-License-Identifier: Apache-2.0
// What the experiments say of one result, and the evidence of a report in words. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/report/metrics_report.h"
#include "launcher/metrics/probe.h"
#include "program/analysis/metric_verdict.h"

namespace understudy::launcher {

// By shard of one group of arguments.
struct GroupSeen {
  std::vector<bool> moved;   // finite numbers in it change the result on some chip
  std::vector<bool> hidden;  // nothing that was tried shows, not even where all chips are alike
  bool by_poison = false;    // NaN in some hidden shard shows
};

// Summary of the experiments for one result.
struct Experiments {
  bool ran = false;
  bool equal = true;      // all copies are equal bit for bit
  bool close = true;      // all copies agree within rounding
  bool complete = false;  // the data of every chip affect the result on every chip
  bool partial = false;   // some shard affects only some chips
  bool none = false;      // some shard affects no chip, although others of its group do
  bool stable = true;     // copies that agreed still agree after every change of data
  bool invariant = true;  // rotating shards changes it no more than rounding
  double spread = 0, rotated = 0;
  std::int64_t shards = 0, runs = 0;
  std::vector<GroupSeen> groups = {};
};

// `observed`: nullopt if nothing was run; all members then have their defaults.
Experiments experiments_of(std::size_t index, const program::Parameter& result, std::int64_t chips,
                           const program::analysis::StaticReport& analysis,
                           const std::optional<Observations>& observed);

// One row per kind of evidence: what was done, what was seen, and whether it speaks for "globally
// reduced" (nullopt: neither). An observation that seems to contradict the verdict says why it does
// not.
std::vector<configs::VerdictEvidence> evidence_of(const program::analysis::StaticResult& flow,
                                                  const Experiments& seen,
                                                  const std::string& verdict);

}  // namespace understudy::launcher
