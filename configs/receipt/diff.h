// SPDX-License-Identifier: Apache-2.0
// The differences between two receipts, without the fields that differ in every run
// (volatile_fields()). Pure functions.
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
  std::optional<std::string> cold, restored;  // as JSON; null: absent
};
// Sorted by field.
std::vector<FieldDifference> differences_of(const Receipt& cold, const Receipt& restored);

// Whether a pointer matches a pattern, or is below one that does: "/steps/*/wall_seconds"; "*" is
// any key.
bool matches(std::string_view pointer, std::string_view pattern);

}  // namespace understudy::configs
