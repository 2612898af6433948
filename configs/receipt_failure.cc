// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "configs/receipt.h"

namespace understudy::configs {

std::optional<ReceiptFailure> failure_in(const RunPlan& plan,
                                         const std::vector<std::optional<RecordContent>>& records) {
  const Failed* first = nullptr;
  std::size_t first_rank = 0;
  std::set<std::int64_t> missing;
  for (std::size_t rank = 0; rank < records.size(); ++rank) {
    if (!records[rank]) continue;
    for (const Observation& seen : records[rank]->observations) {
      const Failed* failed = std::get_if<Failed>(&seen);
      if (failed == nullptr) continue;
      missing.insert(failed->missing_ranks.begin(), failed->missing_ranks.end());
      const bool weightier =
          first == nullptr || (first->kind == "timeout" && failed->kind != "timeout");
      if (!weightier) continue;
      first = failed;
      first_rank = rank;
    }
  }
  if (first == nullptr) return std::nullopt;
  ReceiptFailure failure;
  failure.kind = first->kind;
  failure.rank = static_cast<std::int64_t>(first_rank);
  failure.host = plan.host_of[first_rank].value;
  failure.phase = first->phase;
  if (!first->op.empty()) failure.op = first->op;
  failure.message = first->message;
  failure.missing_ranks.assign(missing.begin(), missing.end());
  return failure;
}

}  // namespace understudy::configs
