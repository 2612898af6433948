// SPDX-License-Identifier: Apache-2.0
// Classes of ASCII characters, whatever the locale is. Pure.
#pragma once

namespace understudy {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace understudy
