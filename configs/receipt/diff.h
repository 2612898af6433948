// SPDX-License-Identifier: Apache-2.0
// What two receipts tell differently, but for what every run has anew (volatile_fields()). Pure
// functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt/receipt.h"

namespace understudy::configs {

struct FieldDifference {
  std::string field;                          // JSON pointer
  std::optional<std::string> cold, restored;  // as JSON; null: it is not there
};
// In the order of their names.
std::vector<FieldDifference> differences_of(const Receipt& cold, const Receipt& restored);

// Whether a pointer is one of a pattern, or below it: "/steps/*/wall_seconds"; "*" is any key.
bool matches(std::string_view pointer, std::string_view pattern);

}  // namespace understudy::configs
