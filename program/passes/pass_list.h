// SPDX-License-Identifier: Apache-2.0
// The passes between lowering and buffer planning, in their order. A pass that is switched off
// changes speed and memory, never a result (fold-transposes: the last bits of a dot,
// docs/numerics.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/passes/draft.h"

namespace understudy::program::passes {

struct PassRow {
  std::string_view name;  // of --disable-pass
  std::string_view does;
  void (*run)(Draft& draft);
};

std::span<const PassRow> pass_list();

// Throws Error{usage} with the names there are where one is not among them.
void check_pass_names(const std::vector<std::string>& names);

}  // namespace understudy::program::passes
