// SPDX-License-Identifier: Apache-2.0
// The sums of a matrix and a vector as docs/numerics.md describes them, and numbers for them.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace understudy::worker {

// Numbers that bf16 holds, so that both types of rows have the same sums.
inline std::vector<float> numbers_of_bf16(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> numbers(n);
  for (float& x : numbers)
    x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(normal(random)) & 0xFFFF0000U);
  return numbers;
}

inline std::vector<std::uint16_t> halves_of(const std::vector<float>& numbers) {
  std::vector<std::uint16_t> halves;
  for (const float number : numbers)
    halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(number) >> 16));
  return halves;
}

// 32 lanes, products fused with their sums, joined by a tree that starts with half of them.
inline float sum_along(const float* row, const float* x, std::size_t k) {
  float lanes[32] = {};
  for (std::size_t i = 0; i < k; ++i) {
    lanes[i % 32] = std::fma(row[i], x[i], lanes[i % 32]);
  }
  for (std::size_t half = 16; half > 0; half /= 2)
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}

// Eight products at a time, each rounded, joined by a tree, added in order; the rest one by one.
inline float sum_across(const float* column, std::size_t step, std::size_t count, const float* x) {
  const auto product = [&](std::size_t r) { return column[r * step] * x[r]; };
  const auto pair = [&](std::size_t r) { return product(r) + product(r + 1); };
  const auto four = [&](std::size_t r) { return pair(r) + pair(r + 2); };
  float sum = 0;
  std::size_t r = 0;
  for (; r + 8 <= count; r += 8) sum += four(r) + four(r + 4);
  for (; r < count; ++r) sum += product(r);
  return sum;
}

}  // namespace understudy::worker
