// SPDX-License-Identifier: Apache-2.0
// Numbers with units, for people. GiB is a power of two, GB a power of ten. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace understudy {

inline constexpr std::uint64_t kKiB = 1024;
inline constexpr std::uint64_t kMiB = 1024 * kKiB;
inline constexpr std::uint64_t kGiB = 1024 * kMiB;

// "0 bytes", "17 bytes", "16 MiB" if the largest binary unit is exact, else decimal with three
// digits: "16 GB", "1.23 MB".
std::string bytes_text(std::uint64_t bytes);

// At least three significant digits, no trailing zeros: quantity_text(8.1e11, "B/s") is
// "810 GB/s", quantity_text(1.84e15, "OP/s") is "1.84 POP/s".
std::string quantity_text(double value, std::string_view unit);

}  // namespace understudy
