// SPDX-License-Identifier: Apache-2.0
// One spatial dimension of a convolution whose holes are left out: which window positions meet
// elements of the input, and where. Values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::worker::ops {

// A window position that meets elements of the input, and the element of the first result.
struct Meeting {
  std::int64_t window, first;
};

// One spatial dimension. Results p, p + phases, ... for p below `phases` meet the same window
// positions, and their elements are `step` apart.
struct Side {
  std::int64_t input, output, window, stride, low, base, dilation;
  std::int64_t phases, step;
  std::int64_t before = 0, after = 0;  // padding

  Side(const program::Window& w, std::size_t s, std::int64_t in, std::int64_t out)
      : input(in),
        output(out),
        window(w.dimensions[s]),
        stride(w.strides[s]),
        low(w.padding_low[s]),
        base(w.base_dilations[s]),
        dilation(w.window_dilations[s]),
        phases(base / std::gcd(base, stride)),
        step(phases * stride / base) {
    for (std::int64_t p = 0; p < std::min(phases, output); ++p)
      for (const Meeting& one : meetings(p)) {
        before = std::max(before, -one.first);
        after = std::max(after, one.first + (count(p) - 1) * step - (input - 1));
      }
  }
  std::int64_t count(std::int64_t p) const { return (output - p + phases - 1) / phases; }
  std::int64_t padded() const { return before + input + after; }
  std::vector<Meeting> meetings(std::int64_t p) const {
    std::vector<Meeting> found;
    for (std::int64_t w = 0; w < window; ++w) {
      const std::int64_t at = p * stride + w * dilation - low;
      if (at % base == 0) found.push_back({w, at / base});
    }
    return found;
  }
};

}  // namespace understudy::worker::ops
