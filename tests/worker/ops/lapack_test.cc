// SPDX-License-Identifier: Apache-2.0
// What self-checking programs (tests/ops/lapack.mlir) do not show: matrices that are not finite or
// singular, narrow floats, and that a result does not depend on where the matrix is in memory.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "gtest/gtest.h"

#include "tests/worker/ops/ops_fixture.h"
#include "worker/lapack/library.h"

namespace understudy::worker {
namespace {

using program::Lapack;
using program::Routine;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class Decompositions : public OpTest {
 protected:
  static bool all_nan(const std::vector<float>& values) {
    return std::ranges::all_of(values, [](float x) { return std::isnan(x); });
  }
};

TEST_F(Decompositions, EigenvaluesOfWhatIsNotFiniteAreNanAndTheInfoSaysSo) {
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    const auto a = in<float>({2, 2, 2}, {1, 0, bad, 1, 2, 0, 0, 3});
    const auto v = out(E::f32, {2, 2, 2}), w = out(E::f32, {2, 2}), info = out(E::i32, {2});
    run(Lapack{Routine::syevd, true, true}, {a}, {v, w, info});
    EXPECT_NE(values<int>(info)[0], 0);
    EXPECT_EQ(values<int>(info)[1], 0);
    const auto found = values<float>(w);
    EXPECT_TRUE(all_nan({found[0], found[1]}));
    EXPECT_EQ(found[2], 2);
    EXPECT_EQ(found[3], 3);
  }
}

TEST_F(Decompositions, EighReadsItsTriangleAloneAndHasNoInfo) {
  const auto a = in<float>({2, 2}, {2, kNan, 0, 1});
  const auto v = out(E::f32, {2, 2}), w = out(E::f32, {2});
  run(Lapack{Routine::eigh, true, true}, {a}, {v, w});
  EXPECT_EQ(values<float>(w), (std::vector<float>{1, 2}));
  run(Lapack{Routine::eigh, false, true}, {a}, {v, w});
  EXPECT_TRUE(all_nan(values<float>(w)));
  EXPECT_TRUE(all_nan(values<float>(v)));
}

TEST_F(Decompositions, IterationsEndForWhatIsNotFinite) {
  std::vector<float> numbers(20 * 20, 1);
  numbers[57] = kNan;
  const auto a = in<float>({20, 20}, numbers);
  const auto matrix = out(E::f32, {20, 20}), u = out(E::f32, {20, 20}), vt = out(E::f32, {20, 20});
  const auto c = out(E::c64, {20, 20}), d = out(E::c64, {20, 20});
  const auto s = out(E::f32, {20}), t = out(E::f32, {20});
  const auto info = out(E::i32, {}), sorted = out(E::i32, {}), pivots = out(E::i32, {20});
  Lapack svd{Routine::gesdd, false, true};
  run(svd, {a}, {matrix, s, u, vt, info});
  EXPECT_LT(values<int>(info)[0], 0);
  EXPECT_TRUE(all_nan(values<float>(s)));
  svd.routine = Routine::gesvd;
  run(svd, {a}, {matrix, s, u, vt, info});
  EXPECT_TRUE(all_nan(values<float>(u)));
  run(Lapack{Routine::geev, false, false, true, true}, {a}, {s, t, c, d, info});
  EXPECT_TRUE(all_nan(values<float>(t)));
  run(Lapack{Routine::gees, false, true}, {a}, {matrix, u, s, t, sorted, info});
  EXPECT_TRUE(all_nan(values<float>(matrix)));
  const auto order = in<std::int32_t>({20}, std::vector<std::int32_t>(20, 0));
  run(Lapack{Routine::geqp3}, {a, order}, {matrix, pivots, s});
  EXPECT_TRUE(all_nan(values<float>(matrix)));
  EXPECT_EQ(values<int>(pivots)[19], 20);
}

TEST_F(Decompositions, PivotsOfNanAreInRange) {
  for (std::size_t bad = 0; bad < 9; ++bad) {
    std::vector<float> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 10};
    numbers[bad] = kNan;
    for (const bool all : {false, true}) {
      if (all) numbers.assign(9, kNan);
      const auto lu = out(E::f32, {3, 3});
      const auto pivots = out(E::i32, {3}), rows = out(E::i32, {3});
      run(Lapack{Routine::lu}, {in<float>({3, 3}, numbers)}, {lu, pivots, rows});
      auto order = values<int>(rows);
      std::ranges::sort(order);
      EXPECT_EQ(order, (std::vector<int>{0, 1, 2})) << bad;
    }
  }
}

TEST_F(Decompositions, SingularMatricesHaveAPositiveInfo) {
  const auto lu = out(E::f32, {2, 2});
  const auto pivots = out(E::i32, {2}), info = out(E::i32, {});
  run(Lapack{Routine::getrf}, {in<float>({2, 2}, {1, 1, 1, 1})}, {lu, pivots, info});
  EXPECT_EQ(values<int>(info)[0], 2);
  const auto factor = out(E::f32, {2, 2});
  run(Lapack{Routine::potrf, true}, {in<float>({2, 2}, {1, 0, 2, 1})}, {factor, info});
  EXPECT_EQ(values<int>(info)[0], 2);
  EXPECT_TRUE(all_nan(
      {result<float>(program::Cholesky{true}, {in<float>({2, 2}, {1, 0, 2, 1})}, {2, 2})[2]}));
}

// Inverse iteration solves with a matrix that is singular: the solution is large but finite.
TEST_F(Decompositions, APerturbedSolveOfASingularMatrixIsFinite) {
  const auto zero = in<float>({3}, {0, 0, 0}), b = in<float>({3, 1}, {1, 2, 3});
  const auto x = result<float>(Lapack{Routine::gtsv_perturbed}, {zero, zero, zero, b}, {3, 1});
  for (const float value : x) EXPECT_TRUE(std::isfinite(value)) << value;
  const auto one = in<float>({3}, {1, 1, 1});
  const auto exact = result<float>(Lapack{Routine::gtsv_perturbed}, {one, one, one, b}, {3, 1});
  EXPECT_NEAR(exact[0] + exact[1], 1, 1e-6);
  EXPECT_NEAR(exact[0] + exact[1] + exact[2], 2, 1e-6);
  EXPECT_NEAR(exact[1] + exact[2], 3, 1e-6);
}

// Each matrix of a batch is at another place; all have the same bits.
TEST_F(Decompositions, ResultsDoNotDependOnThePlaceOfTheMatrix) {
  constexpr int kCount = 7, kSize = 13;
  std::vector<float> numbers;
  for (int i = 0; i < kCount; ++i)
    for (int k = 0; k < kSize * kSize; ++k)
      numbers.push_back(std::sin(static_cast<float>(k * k)) + (k % (kSize + 1) == 0 ? 20.0F : 0));
  const auto a = in<float>({kCount, kSize, kSize}, numbers);
  const auto v = out(E::f32, {kCount, kSize, kSize}), w = out(E::f32, {kCount, kSize});
  run(Lapack{Routine::eigh, true, true}, {a}, {v, w});
  const auto solved = result<float>(program::TriangularSolve{}, {a, a}, {kCount, kSize, kSize});
  for (const auto& all : {values<float>(v), solved})
    for (std::size_t i = 0; i < all.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(all[i]),
                std::bit_cast<std::uint32_t>(all[i % (kSize * kSize)]));
}

TEST_F(Decompositions, NarrowFloatsAreRoundedOnce) {
  // bf16: 4.0, 2.0, 2.0, 10.0; the factor is [[2, 0], [1, 3]].
  const auto a = in<std::uint16_t>({2, 2}, {0x4080, 0x4000, 0x4000, 0x4120}, E::bf16);
  EXPECT_EQ(result<std::uint16_t>(program::Cholesky{true}, {a}, {2, 2}, E::bf16),
            (std::vector<std::uint16_t>{0x4000, 0, 0x3f80, 0x4040}));
}

// Of an unknown CPU the library would use those of a Prescott, which is several times slower.
TEST_F(Decompositions, UseKernelsWithTheVectorsOfTheCpu) {
  if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "needs AVX2";
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "a user's choice";
  const auto name = reinterpret_cast<const char* (*)()>(lapack::symbol("openblas_get_corename"));
  EXPECT_STRNE(name(), "Prescott");
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "the launch contract fixes it";
}

TEST_F(Decompositions, EmptyMatricesHaveUnitVectors) {
  const auto a = in<float>({2, 0}, {});
  const auto matrix = out(E::f32, {2, 0}), s = out(E::f32, {0}), u = out(E::f32, {2, 2});
  const auto vt = out(E::f32, {0, 0}), info = out(E::i32, {});
  run(Lapack{Routine::gesdd, false, true}, {a}, {matrix, s, u, vt, info});
  EXPECT_EQ(values<float>(u), (std::vector<float>{1, 0, 0, 1}));
  EXPECT_EQ(values<int>(info)[0], 0);
}

}  // namespace
}  // namespace understudy::worker
