// SPDX-License-Identifier: Apache-2.0
// Whether a second run got its programs from the cache that a first one filled, by what both
// receipts observed, chip by chip. Pure functions.
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
  host_usable_only,      // it executed, but something was compiled, or is not the same
  cache_cannot_restore,  // entries were there, and nobody could use them
  not_restored,          // it failed, or executed nothing
  vacuous,               // no cache, or no program
};
std::string_view name_of(RestoreVerdict verdict);

// One thing that a restore must show.
struct RestoreRow {
  std::string name;            // "UncachedCompile"
  std::string cold, restored;  // over all chips, or where chips differ, what they differ in
  bool holds = false;
  std::vector<std::int64_t> ranks;  // where it does not hold; empty: it is no matter of chips
};

struct RestoreProof {
  RestoreVerdict verdict = RestoreVerdict::vacuous;
  std::vector<std::string> reasons;  // why it is not proven
  std::vector<RestoreRow> rows;
  // What else the receipts tell differently; of `receipt diff`, no part of the verdict.
  std::vector<FieldDifference> fields;
};
RestoreProof prove_restore(const Receipt& cold, const Receipt& restored);

// understudy/receipt-diff/1
std::string to_json(const RestoreProof& proof);
// For people: the verdict, the reasons, the rows.
std::string text_of(const RestoreProof& proof);

}  // namespace understudy::configs
