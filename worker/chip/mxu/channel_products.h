// SPDX-License-Identifier: Apache-2.0
// The sums of depthwise convolutions: each channel is multiplied with weights of its own. Each
// product is rounded, in the order of k; the same bits on every instruction set. Stateless.
#pragma once

#include <cstdint>

namespace understudy::worker {

// c[c_rows[i] + j] = sum over k of a[rows[i] + columns[k] + j] * b[k * channels + j], for i below
// m, j below channels.
struct ChannelProduct {
  std::int64_t m = 0, channels = 0, k = 0;
  const float* a = nullptr;
  const std::int64_t* rows = nullptr;
  const std::int64_t* columns = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
  const std::int64_t* c_rows = nullptr;
};

void multiply_channels(const ChannelProduct& product);

}  // namespace understudy::worker
