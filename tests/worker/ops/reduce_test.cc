// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include "tests/worker/ops/ops_fixture.h"
#include "tests/worker/program_run.h"
#include "worker/ops/operands.h"

namespace understudy::worker {
namespace {

using namespace program;

class Reducing : public OpTest {
 protected:
  Reduce sum_over(Shape dimensions, Reduction reduction = Reduction::sum) {
    Reduce reduce;
    reduce.dimensions = std::move(dimensions);
    reduce.reduction = reduction;
    reduce.body = body_of(Binary{BinaryOp::add}, E::f32, E::f32);
    return reduce;
  }
};

TEST_F(Reducing, SumsAnyDimensionsOfAnyShapeTheSameWithAndWithoutTheBody) {
  std::mt19937 random(3);
  for (int round = 0; round < 80; ++round) {
    Shape shape(1 + random() % 4);
    for (auto& size : shape) size = static_cast<std::int64_t>(random() % 7);
    TensorType type{E::f32, shape};
    std::vector<float> x(static_cast<std::size_t>(type.elements()));
    for (auto& value : x) value = static_cast<float>(random() % 1000);
    Shape dimensions, kept;
    Shape strides = ops::strides_of(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (random() % 2 == 0) {
        dimensions.push_back(static_cast<std::int64_t>(d));
      } else {
        kept.push_back(shape[d]);
      }
    }
    // Integers below 2^24 add exactly, so the order does not matter here.
    TensorType out_type{E::f32, kept};
    std::vector<float> wanted(static_cast<std::size_t>(out_type.elements()), 5.0F);
    ops::Counter counter(shape);
    if (!counter.empty()) {
      std::size_t at = 0;
      do {
        std::int64_t to = 0;
        for (std::size_t d = 0; d < shape.size(); ++d) {
          if (std::find(dimensions.begin(), dimensions.end(), static_cast<std::int64_t>(d)) ==
              dimensions.end()) {
            to = to * shape[d] + counter.at()[d];
          }
        }
        wanted[static_cast<std::size_t>(to)] += x[at++];
      } while (counter.next());
    }
    for (const Reduction reduction : {Reduction::sum, Reduction::none}) {
      EXPECT_EQ(result<float>(sum_over(dimensions, reduction),
                              {in<float>(shape, x), in<float>({}, {5})}, kept),
                wanted);
    }
  }
}

TEST_F(Reducing, AccumulatesBf16InF32AndRoundsOnce) {
  const std::vector<std::uint16_t> ones(1024 * 2, bf16(1));
  const auto rows = result<std::uint16_t>(
      sum_over({1}), {in<std::uint16_t>({2, 1024}, ones), in<std::uint16_t>({}, {bf16(0)})}, {2});
  EXPECT_EQ(from_bf16(rows[0]), 1024.0F);
  const auto columns = result<std::uint16_t>(
      sum_over({0}), {in<std::uint16_t>({1024, 2}, ones), in<std::uint16_t>({}, {bf16(0)})}, {2});
  EXPECT_EQ(from_bf16(columns[1]), 1024.0F);
}

TEST_F(Reducing, KnowsEveryRecognisedReduction) {
  const auto x = in<std::int32_t>({4}, {3, -1, 2, 6});
  const auto with = [&](Reduction reduction, std::int32_t init) {
    Reduce reduce = sum_over({0}, reduction);
    return result<std::int32_t>(reduce, {x, in<std::int32_t>({}, {init})}, {})[0];
  };
  EXPECT_EQ(with(Reduction::sum, 1), 11);
  EXPECT_EQ(with(Reduction::product, 1), -36);
  EXPECT_EQ(with(Reduction::minimum, INT32_MAX), -1);
  EXPECT_EQ(with(Reduction::maximum, INT32_MIN), 6);
  EXPECT_EQ(with(Reduction::logical_and, -1), 2);
  EXPECT_EQ(with(Reduction::logical_or, 0), -1);
  EXPECT_EQ(with(Reduction::logical_xor, 0x100), 0x100 ^ 3 ^ -1 ^ 2 ^ 6);
}

// argmax as JAX lowers it: (value, index) pairs, the larger value or the smaller index.
Body argmax_body() {
  const auto slot = [](std::uint64_t i, E element) {
    Operand operand;
    operand.at = {Space::frame, 0, i * 16};
    operand.type = {element, {}};
    return operand;
  };
  const auto step = [](Work work, std::vector<Operand> inputs, Operand output) {
    Instruction instruction;
    instruction.work = std::move(work);
    instruction.inputs = std::move(inputs);
    instruction.outputs = {std::move(output)};
    return instruction;
  };
  Body body;
  const auto value = slot(0, E::f32), index = slot(1, E::i32);
  const auto other = slot(2, E::f32), other_index = slot(3, E::i32);
  const auto greater = slot(4, E::pred), equal = slot(5, E::pred), lower = slot(6, E::pred);
  body.parameters = {value, index, other, other_index};
  body.code = {step(Compare{Direction::gt, false}, {value, other}, greater),
               step(Compare{Direction::eq, false}, {value, other}, equal),
               step(Compare{Direction::lt, false}, {index, other_index}, lower),
               step(Binary{BinaryOp::logical_and}, {equal, lower}, equal),
               step(Binary{BinaryOp::logical_or}, {greater, equal}, equal),
               step(Select{}, {greater, value, other}, slot(7, E::f32)),
               step(Select{}, {equal, index, other_index}, slot(8, E::i32))};
  body.results = {slot(7, E::f32), slot(8, E::i32)};
  body.frame_bytes = 9 * 16;
  return body;
}

TEST_F(Reducing, RunsBodiesOfSeveralOperands) {
  Reduce reduce;
  reduce.dimensions = {1};
  reduce.body = argmax_body();
  for (const bool lanewise : {true, false}) {
    reduce.body.lanewise = lanewise;
    const auto value = out(E::f32, {3});
    const auto index = out(E::i32, {3});
    run(reduce,
        {in<float>({3, 4}, {1, 7, 7, 2, -1, -2, -3, -4, 0, 0, 0, 9}),
         in<std::int32_t>({3, 4}, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}),
         in<float>({}, {-std::numeric_limits<float>::infinity()}), in<std::int32_t>({}, {0})},
        {value, index});
    EXPECT_EQ(values<float>(value), (std::vector<float>{7, -1, 9}));
    EXPECT_EQ(values<std::int32_t>(index), (std::vector<std::int32_t>{1, 0, 3}));
  }
}

TEST_F(Reducing, OneResultFromManyElementsIsAsExactAsLanes) {
  const std::vector<float> x = counting(100003, 1, 0);
  EXPECT_EQ(result<float>(sum_over({0}), {in<float>({100003}, x), in<float>({}, {0})}, {})[0],
            100003.0F);
}

// (a, b) then (c, d) is the map x -> c (a x + b) + d: associative, but no two may change places.
Body composing_body() {
  const auto slot = [](std::uint64_t i) {
    return Operand{{Space::frame, 0, i * 16}, {E::i32, {}}};
  };
  Body body;
  body.parameters = {slot(0), slot(1), slot(2), slot(3)};
  body.code = {{Binary{BinaryOp::multiply}, {slot(0), slot(2)}, {slot(4)}},
               {Binary{BinaryOp::multiply}, {slot(1), slot(2)}, {slot(5)}},
               {Binary{BinaryOp::add}, {slot(5), slot(3)}, {slot(6)}}};
  body.results = {slot(4), slot(6)};
  body.frame_bytes = 7 * 16;
  return body;
}

// Few results of many elements, which are divided into blocks, and many; lines that lie dense,
// apart, and in several dimensions.
TEST_F(Reducing, BodiesCombineElementsInTheirOrder) {
  struct Case {
    Shape shape, dimensions, kept;
  };
  const std::vector<Case> cases{{{15}, {0}, {}},
                                {{33}, {0}, {}},
                                {{1000}, {0}, {}},
                                {{20001}, {0}, {}},
                                {{3, 4097}, {1}, {3}},
                                {{50, 20, 7}, {0, 1}, {7}},
                                {{3, 211, 5}, {1}, {3, 5}},
                                {{9, 130, 6}, {0, 2}, {130}},
                                {{7, 100, 2}, {0, 2}, {100}},
                                {{200, 300}, {1}, {200}},
                                {{0}, {0}, {}}};
  std::mt19937 random(5);
  for (const bool lanewise : {true, false}) {
    Reduce reduce;
    reduce.body = composing_body();
    reduce.body.lanewise = lanewise;
    for (const Case& one : cases) {
      SCOPED_TRACE(testing::PrintToString(one.shape));
      reduce.dimensions = one.dimensions;
      const auto n = static_cast<std::size_t>(TensorType{E::i32, one.shape}.elements());
      std::vector<std::int32_t> a(n), b(n);
      for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<std::int32_t>(random() % 2 * 2 + 1);
        b[i] = static_cast<std::int32_t>(random() % 1000);
      }
      const auto results = static_cast<std::size_t>(TensorType{E::i32, one.kept}.elements());
      std::vector<std::uint32_t> scales(results, 5), shifts(results, 7);
      ops::Counter counter(one.shape);
      for (std::size_t i = 0; i < n; ++i, counter.next()) {
        std::size_t to = 0;
        for (std::size_t d = 0; d < one.shape.size(); ++d)
          if (std::ranges::find(one.dimensions, static_cast<std::int64_t>(d)) ==
              one.dimensions.end())
            to = to * static_cast<std::size_t>(one.shape[d]) +
                 static_cast<std::size_t>(counter.at()[d]);
        scales[to] *= static_cast<std::uint32_t>(a[i]);
        shifts[to] =
            shifts[to] * static_cast<std::uint32_t>(a[i]) + static_cast<std::uint32_t>(b[i]);
      }
      const auto scale = out(E::i32, one.kept), shift = out(E::i32, one.kept);
      run(reduce,
          {in<std::int32_t>(one.shape, a), in<std::int32_t>(one.shape, b),
           in<std::int32_t>({}, {5}), in<std::int32_t>({}, {7})},
          {scale, shift});
      EXPECT_EQ(values<std::uint32_t>(scale), scales);
      EXPECT_EQ(values<std::uint32_t>(shift), shifts);
    }
  }
}

// Whole numbers, so that the order does not matter; the body would take them one after the other.
TEST_F(Reducing, ComplexSumsAndProductsUseKernels) {
  const std::string text = R"(
    func.func @main(%x: tensor<37x3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<37xcomplex<f32>>) {
      %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
      %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
      %sums = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<37x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
      %products = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [1]
        : (tensor<37x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<37xcomplex<f32>>
      return %sums, %products : tensor<3xcomplex<f32>>, tensor<37xcomplex<f32>>
    })";
  std::vector<float> x, sums(6, 0.0F), products;
  for (int r = 0; r < 37; ++r) {
    float re = 1, im = 0;
    for (int c = 0; c < 3; ++c) {
      const auto a = static_cast<float>(r % 7 - 3), b = static_cast<float>((r + c) % 5 - 2);
      x.insert(x.end(), {a, b});
      sums[static_cast<std::size_t>(2 * c)] += a;
      sums[static_cast<std::size_t>(2 * c + 1)] += b;
      const float was = re;
      re = was * a - im * b;
      im = was * b + im * a;
    }
    products.insert(products.end(), {re, im});
  }
  const auto results = run_program(text, {bytes_of(x)});
  EXPECT_EQ(values_of<float>(results[0]), sums);
  EXPECT_EQ(values_of<float>(results[1]), products);
  int recognised = 0;
  for (const Instruction& instruction : compiled(text).code) {
    const auto* reduce = std::get_if<Reduce>(&instruction.work);
    recognised += reduce != nullptr && reduce->reduction != Reduction::none ? 1 : 0;
  }
  EXPECT_EQ(recognised, 2);
}

}  // namespace
}  // namespace understudy::worker
