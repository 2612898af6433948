// SPDX-License-Identifier: Apache-2.0
// Statistics of paired measurements: ours and a rival alternate in the order A B B A, so that other
// load on the machine affects both alike. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace understudy::bench {

struct Pair {
  double ours_seconds = 0;
  double rival_seconds = 0;
};

// rival / ours: above 1 where ours is faster. An interval that contains 1 means "no difference".
struct Ratio {
  double median = 0;
  double low = 0, high = 0;  // bootstrap 95 % interval of the median
  std::int64_t pairs = 0;
};

// *Requires* at least one pair, all times positive. The same pairs give the same interval.
Ratio ratio_of(std::span<const Pair> pairs);

double median_of(std::vector<double> values);

}  // namespace understudy::bench
