// SPDX-License-Identifier: Apache-2.0
// Powers of f32: those with exponents that have a way of their own are as exact as the others, and
// have the same bits whatever the exponents next to them are.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "gtest/gtest.h"

#include "program/kernels/kernels.h"

namespace understudy::program::kernels {
namespace {

std::vector<float> bases() {
  std::vector<float> all{0.0F, -0.0F, 1.0F, -1.0F, 1e-40F, 3e38F, -3e38F, INFINITY, -INFINITY, NAN};
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  while (all.size() < 1500) all.push_back(std::ldexp(normal(random), int(random() % 40) - 20));
  return all;
}

std::vector<float> powers(const KernelTable& kernels, const std::vector<float>& x,
                          const std::vector<float>& y) {
  std::vector<float> z(x.size());
  kernels.binary(BinaryOp::power, ElementType::f32)(x.data(), y.data(), z.data(), x.size());
  return z;
}

TEST(Powers, HaveTheSameBitsBesideOthers) {
  const std::vector<float> x = bases();
  for (const float exponent :
       {0.5F, -0.5F, 3.0F, -1.0F, 1.5F, 4.0F, -2.0F, 2.0F, 1.0F, 0.0F, 2.5F, -3.0F})
    for (const KernelTable* kernels : available()) {
      SCOPED_TRACE(testing::Message() << exponent << " " << kernels->isa);
      const std::vector<float> alone = powers(*kernels, x, std::vector<float>(x.size(), exponent));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const long double exact = std::pow(static_cast<long double>(x[i]), exponent);
        const auto wanted = static_cast<float>(exact);
        if (std::isnan(wanted)) {
          EXPECT_TRUE(std::isnan(alone[i])) << x[i];
        } else if (std::isinf(wanted) || std::fabs(wanted) < 1e-37F) {
          EXPECT_EQ(alone[i], wanted) << x[i];
          EXPECT_EQ(std::signbit(alone[i]), std::signbit(wanted)) << x[i];
        } else {
          const float ulp = std::nextafter(std::fabs(wanted), INFINITY) - std::fabs(wanted);
          EXPECT_LT(std::fabs(static_cast<long double>(alone[i]) - exact), 0.501L * ulp) << x[i];
        }
      }
      // Every second exponent is another one.
      for (const float other : {2.75F, 3.0F, 0.5F}) {
        std::vector<float> mixed(x.size(), exponent);
        for (std::size_t i = 0; i < mixed.size(); i += 2) mixed[i] = other;
        const std::vector<float> beside = powers(*kernels, x, mixed);
        for (std::size_t i = 1; i < mixed.size(); i += 2)
          EXPECT_EQ(std::memcmp(&beside[i], &alone[i], sizeof(float)), 0) << x[i] << " " << other;
      }
    }
}

}  // namespace
}  // namespace understudy::program::kernels
