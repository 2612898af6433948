// SPDX-License-Identifier: Apache-2.0
// Text for a terminal. Pure function.
#pragma once

#include <string>
#include <string_view>

namespace understudy {

// Control bytes and bytes that are no UTF-8 become \xNN; line ends and tabs stay. Messages quote
// files that may hold anything, and a terminal would obey their control sequences.
std::string printable(std::string_view text);

}  // namespace understudy
