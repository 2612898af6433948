// SPDX-License-Identifier: Apache-2.0
// Decides whether a second run got its programs from the cache that a first one filled, from the
// observations in both receipts, chip by chip. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt/diff.h"
#include "configs/receipt/receipt.h"

namespace understudy::configs {

enum class RestoreVerdict : std::uint8_t {
  proven,                // every row holds on every chip
  host_usable_only,      // it executed, but something was compiled or differs
  cache_cannot_restore,  // entries existed, but no chip could use them
  not_restored,          // it failed, or executed nothing
  vacuous,               // no cache, or no program
};
std::string_view name_of(RestoreVerdict verdict);

// One condition of a restore.
struct RestoreRow {
  std::string name;            // "UncachedCompile"
  std::string cold, restored;  // summed over all chips, or the distinct values
  bool holds = false;
  std::vector<std::int64_t> ranks;  // that violate it; empty also for conditions of the run
};

struct RestoreProof {
  RestoreVerdict verdict = RestoreVerdict::vacuous;
  std::vector<std::string> reasons;  // if it is not proven
  std::vector<RestoreRow> rows;
  // Other differences between the receipts, for `receipt diff`; not part of the verdict.
  std::vector<FieldDifference> fields;
};
// Never fails: a receipt that lacks evidence gives a proof that does not hold.
RestoreProof prove_restore(const Receipt& cold, const Receipt& restored);

// understudy/receipt-diff/1
std::string to_json(const RestoreProof& proof);
// For people: the verdict, the reasons, the rows.
std::string text_of(const RestoreProof& proof);

}  // namespace understudy::configs
