// SPDX-License-Identifier: Apache-2.0
#include "configs/base/units.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace understudy {
namespace {

std::string trimmed(double value) {
  // Three significant digits below 1000.
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

// Whole multiples of a binary unit are shown in it, so that "16 GiB" of a chip reads as on its data
// sheet; all other amounts in powers of ten.
std::string bytes_text(std::uint64_t bytes) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 3> kBinary = {
      {{kGiB, "GiB"}, {kMiB, "MiB"}, {kKiB, "KiB"}}};
  if (bytes < 1000) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  for (const auto& [size, name] : kBinary) {
    if (bytes >= size && bytes % size == 0) return fmt::format("{} {}", bytes / size, name);
    if (bytes >= size) break;
  }
  return quantity_text(static_cast<double>(bytes), "B");
}

std::string quantity_text(double value, std::string_view unit) {
  constexpr std::array<std::pair<double, const char*>, 5> kDecimal = {
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  for (const auto& [size, prefix] : kDecimal) {
    if (std::abs(value) >= size) return fmt::format("{} {}{}", trimmed(value / size), prefix, unit);
  }
  return fmt::format("{} {}", trimmed(value), unit);
}

}  // namespace understudy
