// SPDX-License-Identifier: Apache-2.0
// Fourier transforms have the same bits on every instruction set and by every way over memory.
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "gtest/gtest.h"

#include "worker/ops/fft/fft_plan.h"

namespace understudy::worker {
namespace {

std::vector<double> normal_numbers(std::size_t n) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& value : values) value = normal(random);
  return values;
}

// Every instruction set has the same bits.
template <class Real>
void expect_equal_lines(std::size_t n) {
  const auto x = normal_numbers(2 * n);
  const ops::FftLine<Real> line(n);
  std::vector<std::vector<Real>> results;
  for (const program::kernels::KernelTable* table : program::kernels::available()) {
    std::vector<Real> pairs(x.begin(), x.end()), a(2 * line.room()), b(2 * line.room());
    const auto& kernels = ops::fft_kernels<Real>(*table);
    ops::FftArrays<Real> from{a.data(), a.data() + line.room()};
    kernels.split(pairs.data(), from, n);
    from = line.run(*table, from, {b.data(), b.data() + line.room()});
    kernels.join({from.re, from.im}, Real(0.3), pairs.data(), n);
    if (n > 1) {
      const auto roots = ops::FftPlans().roots<Real>(2 * (n - 1));
      std::vector<Real> spectrum(2 * n);
      kernels.pack_line(pairs.data(), roots->at(), n - 1, from);
      kernels.unpack_line({from.re, from.im}, roots->at(), n - 1, spectrum.data());
      pairs.insert(pairs.end(), spectrum.begin(), spectrum.end());
    }
    results.push_back(pairs);
  }
  for (const auto& result : results)
    EXPECT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(Real)), 0) << n;
}

template <class Real>
void expect_equal_rows(std::size_t n) {
  constexpr std::size_t kRow = ops::kFftRow<Real>;
  const auto x = normal_numbers(2 * n * kRow);
  std::vector<std::vector<Real>> results;
  for (const program::kernels::KernelTable* table : program::kernels::available()) {
    const std::vector<Real> lines(x.begin(), x.end());
    std::vector<Real> a(2 * (n + 1) * kRow), b(a.size()), out(a.size());
    const auto arrays = [&](std::vector<Real>& of) {
      return ops::FftArrays<Real>{of.data(), of.data() + (n + 1) * kRow};
    };
    const auto& kernels = ops::fft_kernels<Real>(*table);
    kernels.split_lines(lines.data(), 2 * n, kRow - 1, n, arrays(a));
    const auto y = ops::FftRows<Real>(n).run(*table, arrays(a), arrays(b));
    auto& other = y.re == a.data() ? b : a;
    const auto roots = ops::FftPlans().roots<Real>(2 * n);
    kernels.unpack({y.re, y.im}, roots->at(), n, kRow, arrays(other));
    kernels.pack({arrays(other).re, arrays(other).im}, roots->at(), n, kRow, y);
    kernels.join_lines({y.re, y.im}, Real(1), kRow - 1, n, out.data(), 2 * n);
    results.push_back(out);
  }
  for (const auto& result : results)
    EXPECT_EQ(std::memcmp(result.data(), results[0].data(), result.size() * sizeof(Real)), 0) << n;
}

// What reads or writes complex numbers in memory on the way has the bits of two passes.
template <class Real>
void expect_equal_passes(std::size_t n, const program::kernels::KernelTable& table) {
  constexpr std::size_t kRow = ops::kFftRow<Real>;
  SCOPED_TRACE(std::string(table.isa) + " " + std::to_string(n));
  const auto values = normal_numbers(2 * n + 2);
  std::vector<Real> x(values.begin(), values.end());
  x[2] = std::numeric_limits<Real>::quiet_NaN();
  const auto& kernels = ops::fft_kernels<Real>(table);
  const ops::FftLine<Real> line(n);
  const std::size_t room = line.room() + kRow;
  std::vector<Real> held[4];
  for (auto& one : held) one.resize(2 * room);
  const auto arrays = [&](std::size_t i) {
    return ops::FftArrays<Real>{held[i].data(), held[i].data() + room};
  };
  const auto expect_same = [](const Real* a, const Real* b, std::size_t count) {
    EXPECT_EQ(std::memcmp(a, b, count * sizeof(Real)), 0);
  };
  for (const bool swap : {false, true}) {
    if (!line.joins()) break;
    const auto turned = [swap](ops::FftArrays<Real> of) { return swap ? ops::swapped(of) : of; };
    std::vector<Real> two(2 * n), one(2 * n);
    kernels.split(x.data(), arrays(0), n);
    const auto y = turned(line.run(table, turned(arrays(0)), turned(arrays(1))));
    kernels.join({y.re, y.im}, Real(0.3), two.data(), n);
    kernels.split(x.data(), arrays(0), n);
    line.run_to(table, turned(arrays(0)), turned(arrays(1)), swap, Real(0.3), one.data());
    expect_same(one.data(), two.data(), 2 * n);
    const bool reads =
        line.run_pairs(table, x.data(), arrays(0), arrays(1), swap, Real(0.3), one.data());
    EXPECT_EQ(reads, n == 256 || n == 1024);
    if (reads) expect_same(one.data(), two.data(), 2 * n);
  }
  const auto roots = ops::FftPlans().roots<Real>(2 * n);
  std::vector<Real> two(2 * n + 2), one(2 * n + 2);
  kernels.split(x.data(), arrays(0), n + 1);
  kernels.pack({arrays(0).re, arrays(0).im}, roots->at(), n, 1, arrays(1));
  kernels.pack_line(x.data(), roots->at(), n, arrays(2));
  expect_same(arrays(1).re + 2, arrays(2).re + 2, n - 3);  // not where a NaN is
  expect_same(arrays(1).im + 2, arrays(2).im + 2, n - 3);
  kernels.unpack({arrays(1).re, arrays(1).im}, roots->at(), n, 1, arrays(3));
  kernels.join({arrays(3).re, arrays(3).im}, Real(1), two.data(), n + 1);
  kernels.unpack_line({arrays(1).re, arrays(1).im}, roots->at(), n, one.data());
  expect_same(one.data(), two.data(), 2 * n + 2);
}

TEST(Fft, OnePassLessHasTheSameBits) {
  for (const program::kernels::KernelTable* table : program::kernels::available())
    for (const std::size_t n :
         {4U, 13U, 17U, 34U, 60U, 250U, 256U, 360U, 592U, 1001U, 1024U, 5000U}) {
      expect_equal_passes<float>(n, *table);
      expect_equal_passes<double>(n, *table);
    }
}

TEST(Fft, EveryInstructionSetHasTheSameBits) {
  for (const std::size_t n : {1U, 2U, 6U, 13U, 16U, 17U, 60U, 77U, 256U, 360U, 1024U, 1001U, 31U,
                              37U, 592U, 999U, 1016U, 1271U}) {
    expect_equal_lines<float>(n);
    expect_equal_lines<double>(n);
    if (!ops::FftRows<float>::takes(n)) continue;
    expect_equal_rows<float>(n);
    expect_equal_rows<double>(n);
  }
}

}  // namespace
}  // namespace understudy::worker
