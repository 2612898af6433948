// SPDX-License-Identifier: Apache-2.0
#include "configs/report/schemas.h"

#include "configs/receipt/preflight/preflight.h"
#include "configs/receipt/preflight/preflight_diff.h"
#include "configs/receipt/receipt.h"

namespace understudy::configs {

std::vector<NamedSchema> made_schemas() {
  std::vector<NamedSchema> all = {{"receipt", receipt_schema()},
                                  {"preflight", preflight_schema()},
                                  {"preflight-diff", preflight_diff_schema()},
                                  check_schema(),
                                  metrics_schema(),
                                  restore_proof_schema()};
  for (const auto& more : {command_schemas(), cache_schemas(), stress_schemas()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace understudy::configs
