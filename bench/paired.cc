// SPDX-License-Identifier: Apache-2.0
#include "bench/paired.h"

#include <algorithm>
#include <random>

#include "configs/base/error.h"

namespace understudy::bench {
namespace {

// Enough for bounds that do not change in the digits shown.
constexpr std::size_t kResamples = 2000;
constexpr std::uint32_t kSeed = 20240229;  // arbitrary; fixed, so that a table is reproducible

}  // namespace

double median_of(std::vector<double> values) {
  UNDERSTUDY_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Ratio ratio_of(std::span<const Pair> pairs) {
  std::vector<double> ratios;
  ratios.reserve(pairs.size());
  // Above 1: the rival needs longer.
  for (const Pair& pair : pairs) ratios.push_back(pair.rival_seconds / pair.ours_seconds);

  // A bootstrap: medians of samples drawn with replacement.
  std::mt19937 engine(kSeed);
  std::vector<double> medians, drawn(ratios.size());
  medians.reserve(kResamples);
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (double& one : drawn) one = ratios[engine() % ratios.size()];
    medians.push_back(median_of(drawn));
  }
  std::sort(medians.begin(), medians.end());
  // The middle 95 %: one fortieth is cut off at each end.
  return {median_of(ratios), medians[kResamples / 40], medians[kResamples - 1 - kResamples / 40],
          static_cast<std::int64_t>(pairs.size())};
}

}  // namespace understudy::bench
