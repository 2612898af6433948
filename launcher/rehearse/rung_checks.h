// SPDX-License-Identifier: Apache-2.0
// The checks of a rung; each is a function of the evidence. Internal to judge_rung.cc. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "configs/receipt/receipt.h"
#include "launcher/rehearse/judge_rung.h"

namespace understudy::launcher {

constexpr std::string_view kFallback =
    "aten::";  // prefix of counters of operations that ran on the host

// The result of one check. It holds if there is no failure.
struct Looked {
  std::string seen;
  std::optional<configs::ReceiptFailure> failure = std::nullopt;
  bool only_warns = false;
};

// The result of a check that does not hold.
Looked fail(std::string_view diagnosis, const std::string& message);
// A sum over the chips of a receipt.
std::int64_t sum(const configs::Receipt& receipt,
                 std::optional<std::int64_t> configs::RankSeen::*member);

// Each returns nullopt if it does not apply. docs/rehearsal.md describes them.
std::optional<Looked> starts(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> runs(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> executes(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> compiles_once(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> no_host_fallback(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> results_match(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> replicas_agree(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> metrics_are_global(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> uses_planned_hbm(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> algorithms_agree(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> cache_entries_intact(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> no_straggler(const configs::Rung& rung, const RungEvidence& evidence);
std::optional<Looked> hosts_are_set_up_alike(const configs::Rung& rung,
                                             const RungEvidence& evidence);

}  // namespace understudy::launcher
