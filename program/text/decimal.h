// SPDX-License-Identifier: Apache-2.0
// Decimal numbers such as 1.000000e+00, correctly rounded to double, without locale. Pure function.
#pragma once

#include <cstddef>
#include <string_view>

namespace understudy::program {

struct Decimal {
  double value = 0;        // beyond the range of double: infinity or zero
  std::size_t length = 0;  // characters read
};

// Reads digits "." digits? (("e" | "E") ("+" | "-")? digits)?. *Requires* a first digit.
Decimal read_decimal(std::string_view text);

}  // namespace understudy::program
