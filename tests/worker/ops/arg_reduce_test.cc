// SPDX-License-Identifier: Apache-2.0
// argmax and argmin against the evaluation of their body: with two operands swapped, the body means
// the same and runs element by element.
#include "worker/ops/arg_reduce.h"

#include <cmath>
#include <limits>
#include <random>

#include "tests/worker/ops/ops_fixture.h"

namespace understudy::worker {
namespace {

using namespace program;

class ArgReduce : public OpTest {
 protected:
  static Operand slot(std::uint64_t i, E element) {
    Operand operand;
    operand.at = {Space::frame, 0, i * 16};
    operand.type = {element, {}};
    return operand;
  }
  // Over values 0 (so far) and 2, and their indices 1 and 3.
  static Body body(Direction better, E element, bool swapped) {
    Body body;
    const auto value = [&](std::uint64_t i) { return slot(i, element); };
    const auto index = [](std::uint64_t i) { return slot(i, E::i32); };
    const auto flag = [](std::uint64_t i) { return slot(i, E::pred); };
    body.parameters = {value(0), index(1), value(2), index(3)};
    const auto add = [&](Work work, std::vector<Operand> inputs, Operand output) {
      Instruction step;
      step.work = std::move(work);
      step.inputs = std::move(inputs);
      step.outputs = {std::move(output)};
      body.code.push_back(std::move(step));
    };
    add(Compare{better, false}, {value(0), value(2)}, flag(4));
    add(Compare{Direction::ne, false}, {value(0), value(0)}, flag(5));
    add(Binary{BinaryOp::logical_or}, {flag(swapped ? 5 : 4), flag(swapped ? 4 : 5)}, flag(6));
    add(Compare{Direction::eq, false}, {value(0), value(2)}, flag(7));
    add(Compare{Direction::lt, false}, {index(1), index(3)}, flag(8));
    add(Binary{BinaryOp::logical_and}, {flag(7), flag(8)}, flag(7));
    add(Binary{BinaryOp::logical_or}, {flag(6), flag(7)}, flag(7));
    add(Select{}, {flag(6), value(0), value(2)}, value(9));
    add(Select{}, {flag(7), index(1), index(3)}, index(10));
    body.results = {value(9), index(10)};
    body.frame_bytes = 11 * 16;
    return body;
  }
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  template <class T>
  void check(E element, const std::vector<T>& some, int round) {
    Shape shape(static_cast<std::size_t>(draw(1, 3)));
    for (auto& size : shape) size = draw(round % 20 == 0 ? 0 : 1, round % 7 == 0 ? 80 : 9);
    Reduce work;
    Shape kept;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (draw(0, 1) == 0) {
        work.dimensions.push_back(static_cast<std::int64_t>(d));
      } else {
        kept.push_back(shape[d]);
      }
    }
    std::vector<T> x;
    std::vector<std::int32_t> indices;
    // NaN is the first of the values: most rounds have none.
    const std::int64_t first = round % 3 == 0 ? 0 : 1;
    for (std::int64_t i = TensorType{element, shape}.elements(); i > 0; --i) {
      x.push_back(
          some[static_cast<std::size_t>(draw(first, static_cast<std::int64_t>(some.size()) - 1))]);
      indices.push_back(static_cast<std::int32_t>(draw(0, 1000)));
    }
    const std::vector<Operand> inputs{
        in<T>(shape, x, element), in(shape, indices),
        in<T>({}, {some[static_cast<std::size_t>(draw(first, 3))]}, element),
        in<std::int32_t>({}, {static_cast<std::int32_t>(draw(0, 500))})};
    for (const Direction better : {Direction::gt, Direction::lt}) {
      std::vector<std::vector<T>> values_of;
      std::vector<std::vector<std::int32_t>> indices_of;
      for (const bool swapped : {false, true}) {
        work.body = body(better, element, swapped);
        const Operand value = out(element, kept), index = out(E::i32, kept);
        run(work, inputs, {value, index});
        values_of.push_back(values<T>(value));
        indices_of.push_back(values<std::int32_t>(index));
      }
      ASSERT_EQ(indices_of[0], indices_of[1]) << "round " << round;
      ASSERT_TRUE(values_of[0].empty() || std::memcmp(values_of[0].data(), values_of[1].data(),
                                                      values_of[0].size() * sizeof(T)) == 0)
          << "round " << round;
    }
  }

  std::mt19937 random_{21};
};

TEST_F(ArgReduce, GivesTheBitsOfItsBody) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> some{std::nanf(""), -0.0F, kInf, -kInf, 0, 1, -1, 2.5F, 2.5F};
  std::vector<std::uint16_t> narrow;
  for (const float value : some) narrow.push_back(bf16(value));
  for (int round = 0; round < 300; ++round) {
    check<float>(E::f32, some, round);
    check<float>(E::f32, {-std::nanf("1"), 0.0F, -0.0F, -0.0F}, round);
    check<std::uint16_t>(E::bf16, narrow, round);
    check<std::int32_t>(E::i32, {5, 0, -7, std::numeric_limits<std::int32_t>::min(), 9, 9}, round);
    check<std::int8_t>(E::i8, {5, 0, -7, -128, 127, 127, 9}, round);
    check<std::uint8_t>(E::ui8, {5, 0, 200, 255, 128, 127, 127}, round);
    check<std::uint8_t>(E::pred, {0, 1, 0, 0, 1}, round);
  }
}

TEST_F(ArgReduce, LeavesOtherBodiesAlone) {
  Reduce work;
  work.dimensions = {0};
  Instruction instruction;
  instruction.inputs = {in<float>({2}, {1, 2}), in<std::int32_t>({2}, {0, 1}), in<float>({}, {0}),
                        in<std::int32_t>({}, {0})};
  instruction.outputs = {out(E::f32, {}), out(E::i32, {})};
  work.body = body(Direction::gt, E::f32, true);
  EXPECT_EQ(ops::arg_kernels_of(work, instruction), nullptr);
  work.body = body(Direction::ge, E::f32, false);
  EXPECT_EQ(ops::arg_kernels_of(work, instruction), nullptr);
  work.body = body(Direction::gt, E::f32, false);
  work.body.results[0] = work.body.parameters[0];
  EXPECT_EQ(ops::arg_kernels_of(work, instruction), nullptr);
  work.body = body(Direction::gt, E::f32, false);
  EXPECT_NE(ops::arg_kernels_of(work, instruction), nullptr);
}

}  // namespace
}  // namespace understudy::worker
