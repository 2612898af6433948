// SPDX-License-Identifier: Apache-2.0
// Windows, sort, convolution, fft, linear algebra and random bits, against results of JAX 0.10 on a
// CPU.
#include <complex>

#include "tests/worker/ops/ops_fixture.h"

namespace understudy::worker {
namespace {

using namespace program;

class Windowed : public OpTest {
 protected:
  Operand board() {
    return in<float>({4, 5}, {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4});
  }
};

TEST_F(Windowed, ReduceWindowTakesMaximaWithPadding) {
  ReduceWindow pool;
  pool.window = {{2, 2}, {2, 2}, {1, 1}, {1, 1}, {0, 1}, {0, 0}};
  pool.reduction = Reduction::maximum;
  pool.body = body_of(Binary{BinaryOp::maximum}, E::f32, E::f32);
  EXPECT_EQ(result<float>(pool, {board(), in<float>({}, {-INFINITY})}, {2, 3}),
            (std::vector<float>{9, 6, 5, 5, 9, 9}));
}

TEST_F(Windowed, ReduceWindowKnowsStridesAndDilations) {
  ReduceWindow sum;
  sum.window = {{2, 2}, {1, 2}, {1, 2}, {2, 1}, {1, 0}, {0, 1}};
  sum.reduction = Reduction::sum;
  sum.body = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
  EXPECT_EQ(result<float>(sum, {board(), in<float>({}, {0})}, {3, 5}),
            (std::vector<float>{9, 2, 6, 5, 3, 8, 9, 13, 8, 14, 12, 4, 9, 13, 7}));
}

TEST_F(Windowed, ReduceWindowMakesPrefixSums) {
  ReduceWindow sum;
  sum.window = {{1, 5}, {1, 1}, {1, 1}, {1, 1}, {0, 4}, {0, 0}};
  sum.reduction = Reduction::sum;
  sum.body = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
  EXPECT_EQ(
      result<float>(sum, {board(), in<float>({}, {0})}, {4, 5}),
      (std::vector<float>{3, 4, 8, 9, 14, 9, 11, 17, 22, 25, 5, 13, 22, 29, 38, 3, 5, 8, 16, 20}));
}

TEST_F(Windowed, SelectAndScatterSendsSourcesToTheirMaxima) {
  SelectAndScatter gradient;
  gradient.window = {{2, 2}, {2, 2}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
  gradient.select = body_of(Compare{Direction::ge, false}, E::f32, E::pred);
  gradient.scatter = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
  gradient.reduction = Reduction::sum;
  EXPECT_EQ(result<float>(gradient,
                          {in<float>({4, 4}, {3, 1, 4, 1, 9, 2, 6, 5, 5, 8, 9, 7, 3, 2, 3, 8}),
                           in<float>({2, 2}, {1, 2, 3, 4}), in<float>({}, {0})},
                          {4, 4}),
            (std::vector<float>{0, 0, 0, 0, 1, 0, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0}));
}

class Sorting : public OpTest {};

TEST_F(Sorting, SortsEveryLineStablyAndCarriesTheOtherOperands) {
  Sort sort;
  sort.dimension = 0;
  Body less = body_of(Compare{Direction::lt, false}, E::f32, E::pred);
  const auto slot = [](std::uint64_t i, E element) {
    Operand operand;
    operand.at = {Space::frame, 0, i * 16};
    operand.type = {element, {}};
    return operand;
  };
  less.parameters = {slot(0, E::f32), slot(1, E::f32), slot(3, E::i32), slot(4, E::i32)};
  less.frame_bytes = 5 * 16;
  sort.comparator = less;
  const auto keys = out(E::f32, {5, 2});
  const auto places = out(E::i32, {5, 2});
  run(sort,
      {in<float>({5, 2}, {3, 1, 1, 1, 2, 0, 1, 5, 0, 1}),
       in<std::int32_t>({5, 2}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4})},
      {keys, places});
  EXPECT_EQ(values<float>(keys), (std::vector<float>{0, 0, 1, 1, 1, 1, 2, 1, 3, 5}));
  EXPECT_EQ(values<std::int32_t>(places),
            (std::vector<std::int32_t>{4, 2, 1, 0, 3, 1, 2, 4, 0, 3}));
}

class Convolving : public OpTest {
 protected:
  // NHWC x HWIO -> NHWC.
  static Convolution nhwc(Shape kernel) {
    Convolution c;
    c.input_batch = 0;
    c.input_feature = 3;
    c.kernel_input_feature = 2;
    c.kernel_output_feature = 3;
    c.output_batch = 0;
    c.output_feature = 3;
    c.input_spatial = c.output_spatial = {1, 2};
    c.kernel_spatial = {0, 1};
    c.window = {std::move(kernel), {1, 1}, {1, 1}, {1, 1}, {0, 0}, {0, 0}};
    return c;
  }
  Operand wave(Shape shape, int modulus, int shift) {
    const TensorType type{E::f32, shape};
    std::vector<float> x(static_cast<std::size_t>(type.elements()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(static_cast<int>(i) % modulus - shift);
    }
    return in<float>(shape, x);
  }
};

TEST_F(Convolving, SlidesAKernelOverAllFeatures) {
  EXPECT_EQ(result<float>(nhwc({2, 3}), {wave({1, 4, 5, 2}, 7, 3), wave({2, 3, 2, 3}, 5, 2)},
                          {1, 3, 3, 3}),
            (std::vector<float>{8,   -4, 14, 6,  12,  3,   -10, 7, -1,  12, 6,  -20, -4, 8,
                                -10, 8,  -4, 14, -19, -19, 16,  7, -10, -2, 12, 6,   -20}));
}

TEST_F(Convolving, KnowsStridesPaddingAndBothDilations) {
  Convolution c = nhwc({2, 3});
  c.window = {{2, 3}, {2, 1}, {2, 1}, {1, 2}, {1, 2}, {0, 1}};
  EXPECT_EQ(result<float>(c, {wave({1, 4, 5, 2}, 7, 3), wave({2, 3, 2, 3}, 5, 2)}, {1, 4, 4, 3}),
            (std::vector<float>{-6, 7, -5, -11, -7,  7,  4, -6, 9, 5,  -11, -7, 4,  0,  6,  6,
                                0,  4, -7, 7,   -4,  -3, 6, 0,  7, -7, -11, -5, 7,  -6, 10, 6,
                                -3, 3, -5, 7,   -11, -7, 7, 5,  0, 5,  6,   -9, -9, -5, 5,  0}));
}

TEST_F(Convolving, KeepsFeatureAndBatchGroupsApart) {
  Convolution features = nhwc({2, 2});
  features.window.strides = {1, 2};
  features.feature_groups = 2;
  EXPECT_EQ(
      result<float>(features, {wave({1, 4, 5, 2}, 7, 3), wave({2, 2, 1, 4}, 5, 2)}, {1, 3, 2, 4}),
      (std::vector<float>{4, 7, 4, -9, 1,   -14, 7, 4,  7, 0, 1, 6,
                          4, 7, 4, -9, -11, 0,   5, -7, 7, 0, 1, 6}));
  Convolution batches = nhwc({2, 2});
  batches.batch_groups = 2;
  EXPECT_EQ(
      result<float>(batches, {wave({2, 3, 3, 1}, 7, 3), wave({2, 2, 1, 4}, 5, 2)}, {1, 2, 2, 4}),
      (std::vector<float>{2, 8, 2, -9, 3, 8, -13, 3, 5, 1, -1, 6, -1, -13, 5, 4}));
}

class Transforms : public OpTest {
 protected:
  using C = std::complex<float>;
  static std::vector<float> flat(const std::vector<C>& x) {
    std::vector<float> parts;
    for (const C& value : x) {
      parts.push_back(value.real());
      parts.push_back(value.imag());
    }
    return parts;
  }
  template <class T>
  Operand complex_in(Shape shape, const std::vector<T>& x) {
    return in<T>(std::move(shape), x, E::c64);
  }
  void expect_near(const std::vector<C>& got, const std::vector<C>& wanted) {
    const auto a = flat(got), b = flat(wanted);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 2e-6);
  }
};

TEST_F(Transforms, FftTakesLengthsThatAreNoPowerOfTwo) {
  const std::vector<C> x = {{1, 0}, {2, 1}, {-1, 2}, {3, -1}, {0.5F, 4}};
  expect_near(result<C>(Fft{FftKind::fft, {5}}, {complex_in({5}, x)}, {5}, E::c64),
              {{5.5F, 6},
               {-0.93530548F, 1.6606240F},
               {-5.0210342F, -8.4219723F},
               {4.2120171F, 0.94983602F},
               {1.2443224F, -0.18848819F}});
  expect_near(result<C>(Fft{FftKind::ifft, {5}}, {complex_in({5}, x)}, {5}, E::c64),
              {{1.1F, 1.2F},
               {0.24886449F, -0.03769764F},
               {0.84240341F, 0.18996720F},
               {-1.0042069F, -1.6843945F},
               {-0.18706110F, 0.33212480F}});
}

TEST_F(Transforms, RealFftIsCutAndCompletedByItsInverse) {
  const auto x = in<float>({2, 4}, {1, 2, 3, 4, 0, -1, 5, 2});
  const auto half = result<C>(Fft{FftKind::rfft, {2, 4}}, {x}, {2, 3}, E::c64);
  expect_near(half, {{16, 0}, {-7, 5}, {2, 0}, {4, 0}, {3, -1}, {-6, 0}});
  const auto back = result<float>(Fft{FftKind::irfft, {2, 4}}, {complex_in({2, 3}, half)}, {2, 4});
  const std::vector<float> wanted = {1, 2, 3, 4, 0, -1, 5, 2};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(back[i], wanted[i], 1e-6);
}

class Solving : public OpTest {
 protected:
  static void expect_near(const std::vector<float>& got, const std::vector<float>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-6);
  }
};

TEST_F(Solving, CholeskyGivesTheLowerOrUpperFactor) {
  const auto a = in<float>({3, 3}, {4, 2, 1, 2, 5, 3, 1, 3, 6});
  expect_near(result<float>(Cholesky{true}, {a}, {3, 3}),
              {2, 0, 0, 1, 2, 0, 0.5F, 1.25F, 2.0463381F});
  expect_near(result<float>(Cholesky{false}, {a}, {3, 3}),
              {2, 1, 0.5F, 0, 2, 1.25F, 0, 0, 2.0463381F});
}

// Large enough that the matrix is transposed for LAPACK; the other triangle is not read.
TEST_F(Solving, CholeskyOfALargeMatrixReadsOneTriangle) {
  constexpr int kSize = 70;
  const auto at = [](int r, int c) { return static_cast<std::size_t>(r * kSize + c); };
  std::vector<float> factor(kSize * kSize), product(kSize * kSize);
  for (int r = 0; r < kSize; ++r)
    for (int c = 0; c <= r; ++c)
      factor[at(r, c)] = c == r ? 2.0F : static_cast<float>((r * 7 + c * 3) % 5 - 2) / 8;
  for (int r = 0; r < kSize; ++r)
    for (int c = 0; c < kSize; ++c)
      for (int k = 0; k < kSize; ++k) product[at(r, c)] += factor[at(r, k)] * factor[at(c, k)];
  for (const bool lower : {true, false}) {
    std::vector<float> given = product;
    for (int r = 0; r < kSize; ++r)
      for (int c = 0; c < kSize; ++c)
        if (lower ? c > r : c < r) given[at(r, c)] = 1000;
    const auto got =
        result<float>(Cholesky{lower}, {in<float>({kSize, kSize}, given)}, {kSize, kSize});
    for (int r = 0; r < kSize; ++r)
      for (int c = 0; c < kSize; ++c)
        ASSERT_NEAR(got[lower ? at(r, c) : at(c, r)], factor[at(r, c)], 1e-3) << r << " " << c;
  }
}

TEST_F(Solving, TriangularSolveOnEitherSideAndTransposed) {
  const auto a = in<float>({3, 3}, {2, 0, 0, 1, 3, 0, -1, 2, 4});
  const auto b = in<float>({3, 2}, {2, 4, 7, 1, 3, 5});
  const auto right = in<float>({2, 3}, {2, 7, 3, 4, 1, 5});
  TriangularSolve solve;
  expect_near(result<float>(solve, {a, b}, {3, 2}), {1, 2, 2, -0.33333334F, 0, 1.9166667F});
  solve.transpose = true;
  expect_near(result<float>(solve, {a, b}, {3, 2}),
              {0.45833331F, 2.875F, 1.8333334F, -0.5F, 0.75F, 1.25F});
  solve.transpose = false;
  solve.left_side = false;
  expect_near(result<float>(solve, {a, right}, {2, 3}),
              {0.45833331F, 1.8333334F, 0.75F, 2.875F, -0.5F, 1.25F});
  solve.transpose = true;
  solve.unit_diagonal = true;
  expect_near(result<float>(solve, {a, right}, {2, 3}), {2, 5, -5, 4, -3, 15});
}

class RandomBits : public OpTest {
 protected:
  static constexpr std::uint64_t kKey = 0x0123456789abcdef;
  template <class T>
  void expect_bits(RngAlgorithm algorithm, std::uint64_t counter, std::uint64_t after, Shape shape,
                   E element, const std::vector<T>& wanted) {
    const auto state = out(E::ui64, {2});
    const auto bits = out(element, std::move(shape));
    run(RngBitGenerator{algorithm}, {in<std::uint64_t>({2}, {kKey, counter})}, {state, bits});
    EXPECT_EQ(values<std::uint64_t>(state), (std::vector<std::uint64_t>{kKey, after}));
    EXPECT_EQ(values<T>(bits), wanted);
  }
};

TEST_F(RandomBits, ThreefryDrawsXlasBits) {
  const auto fry = RngAlgorithm::three_fry;
  expect_bits<std::uint32_t>(fry, 5, 8, {5}, E::ui32,
                             {2963079838, 2105865281, 1822680882, 2755357497, 3356640791});
  expect_bits<std::uint32_t>(
      fry, 5, 8, {2, 3}, E::ui32,
      {2963079838, 1822680882, 3356640791, 2105865281, 2755357497, 544688494});
  expect_bits<std::uint64_t>(fry, 5, 8, {3}, E::ui64,
                             {9044622514639930014U, 11834170340226098994U, 2339419271594133015U});
  expect_bits<std::uint8_t>(fry, 5, 8, {6}, E::ui8, {158, 65, 50, 57, 23, 110});
  expect_bits<std::uint16_t>(fry, 5, 8, {5}, E::ui16, {670, 62529, 59186, 27449, 17943});
}

TEST_F(RandomBits, PhiloxDrawsXlasBitsAcrossTheCountersCarry) {
  const auto philox = RngAlgorithm::philox;
  const std::uint64_t last = 0xfffffffffffffffe;
  expect_bits<std::uint32_t>(philox, last, 1, {9}, E::ui32,
                             {172511636, 1103493126, 3598856174, 948282324, 1105943027, 812877280,
                              1535849353, 2724394620, 1879495268});
  expect_bits<std::uint64_t>(philox, last, 0, {3}, E::ui64,
                             {4739466887703318932U, 4072841572553732078U, 3491281334367377907U});
  expect_bits<std::uint8_t>(philox, last, 0, {6}, E::ui8, {148, 6, 238, 212, 243, 224});
  expect_bits<std::uint16_t>(philox, last, 0, {5}, E::ui16, {20884, 63494, 12270, 41940, 23027});
}

TEST_F(RandomBits, RngStaysInItsRange) {
  const auto x = result<float>(Rng{false}, {in<float>({}, {-2}), in<float>({}, {3})}, {1000});
  double sum = 0;
  for (const float value : x) {
    ASSERT_GE(value, -2.0F);
    ASSERT_LT(value, 3.0F);
    sum += static_cast<double>(value);
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.2);
}

}  // namespace
}  // namespace understudy::worker
