// SPDX-License-Identifier: Apache-2.0
// `receipt diff --json` of two pre-flights: understudy/preflight-diff/1. Plain values.
#pragma once

#include <string>
#include <vector>

#include "configs/receipt/preflight/preflight.h"

namespace understudy::configs {

struct PreflightDiff {
  std::vector<PreflightChange> changes;  // of changes_between()
};
std::string to_json(const PreflightDiff& diff);
// The JSON schema of to_json(), made from the list of fields.
std::string preflight_diff_schema();

}  // namespace understudy::configs
