// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

using program::ElementType;

// Beside the edges of the integer types, which floats convert to.
std::vector<double> numbers_at_edges() {
  std::vector<double> numbers{0.5, 1, 1.5, 2, 2.5, 3, 7, 10, 100, 0.1, 1e-40, 1e-310, 1e30};
  for (const int exponent : {7, 8, 15, 16, 31, 32, 53, 63, 64}) {
    const double edge = std::ldexp(1.0, exponent);
    numbers.insert(numbers.end(), {edge, std::nextafter(edge, 0), edge - 1, edge + 1});
  }
  return numbers;
}

template <class T, class Bits>
std::vector<std::uint64_t> float_patterns(Bits quiet) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  std::vector<std::uint64_t> patterns;
  std::vector<T> values{T(0), kInfinity, std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min()};
  for (const double number : numbers_at_edges()) values.push_back(static_cast<T>(number));
  for (const T value : values)
    for (const T one : {value, -value}) patterns.push_back(std::bit_cast<Bits>(one));
  // Quiet and signalling NaNs of both signs.
  const Bits infinity = std::bit_cast<Bits>(kInfinity), sign = std::bit_cast<Bits>(T(-0.0));
  for (const Bits payload : {quiet, static_cast<Bits>(quiet | 5), Bits{1}})
    for (const Bits one : {payload, static_cast<Bits>(payload | sign)})
      patterns.push_back(static_cast<Bits>(infinity | one));
  return patterns;
}

std::vector<std::uint64_t> integer_patterns(std::size_t bytes) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - 8 * bytes);
  const std::uint64_t top = std::uint64_t{1} << (8 * bytes - 1);
  std::vector<std::uint64_t> patterns{top, top - 1, top + 1, all, all - 1, all - 6};
  for (const std::uint64_t number : {0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 31, 32, 33, 63, 64, 100})
    patterns.insert(patterns.end(), {number, (0 - number) & all});
  for (const std::uint64_t number : {0x12345678, 0x7ffffff1, 1000003})
    patterns.push_back(number & all);
  return patterns;
}

}  // namespace

std::vector<std::uint64_t> special_patterns(ElementType type) {
  if (type == ElementType::f32) return float_patterns<float, std::uint32_t>(0x400000);
  if (type == ElementType::f64) return float_patterns<double, std::uint64_t>(0x8000000000000);
  // A pred of an argument is 0 or 1 (docs/formats.md); what computes with it keeps that.
  if (type == ElementType::pred) return {0, 1};
  std::vector<std::uint64_t> patterns = integer_patterns(program::byte_size(type));
  std::ranges::sort(patterns);
  patterns.erase(std::ranges::unique(patterns).begin(), patterns.end());
  return patterns;
}

Bytes patterns_argument(ElementType type, const std::vector<std::uint64_t>& patterns) {
  const std::size_t bytes = program::byte_size(type);
  Bytes argument(patterns.size() * bytes + kSlack);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    std::memcpy(argument.data() + i * bytes, &patterns[i], bytes);
  return argument;
}

}  // namespace understudy::worker
