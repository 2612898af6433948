// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/numbers.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

#include "program/kernels/kernels.h"

namespace understudy::worker {
namespace {

using program::ElementType;

TEST(Numbers, HalvesAreWhatTheKernelsMakeOfThem) {
  const auto& kernels = program::kernels::select("portable");
  std::vector<std::uint16_t> codes(1 << 16);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint16_t>(i);
  std::vector<float> wide(codes.size());
  kernels.convert(ElementType::f16, ElementType::f32)(codes.data(), wide.data(), codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const float value = float_of_f16(codes[i]);
    if (wide[i] == wide[i])
      ASSERT_EQ(__builtin_bit_cast(std::uint32_t, value),
                __builtin_bit_cast(std::uint32_t, wide[i]))
          << i;
    else
      ASSERT_NE(value, value) << i;
  }
}

// Around each half, at the middles between two of them, and beyond the largest.
TEST(Numbers, NumbersRoundToHalvesAsTheKernelsRoundThem) {
  const auto& kernels = program::kernels::select("portable");
  std::vector<float> wide;
  for (std::uint32_t code = 0; code < 1 << 16; ++code) {
    const auto bits =
        __builtin_bit_cast(std::uint32_t, float_of_f16(static_cast<std::uint16_t>(code)));
    for (const std::uint32_t more : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU, 0xffffffffU})
      wide.push_back(__builtin_bit_cast(float, bits + more));
  }
  for (std::uint32_t bits = 0; bits < 0x47900000U; bits += 0x3fd)  // positive, to beyond 2^16
    wide.push_back(__builtin_bit_cast(float, bits));
  std::vector<std::uint16_t> narrow(wide.size());
  kernels.convert(ElementType::f32, ElementType::f16)(wide.data(), narrow.data(), wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const std::uint16_t half = f16_of(settled(wide[i]));
    ASSERT_EQ(half, wide[i] == wide[i] ? narrow[i] : 0x7e00U) << wide[i];
  }
}

}  // namespace
}  // namespace understudy::worker
