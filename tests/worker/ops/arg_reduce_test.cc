// SPDX-License-Identifier: Apache-2.0
// argmax and argmin against the steps of their definition, one element after the other.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tests/worker/ops/ops_fixture.h"

namespace understudy::worker {
namespace {

using namespace program;

float number(float x) { return x; }
float number(std::uint16_t x) { return std::bit_cast<float>(std::uint32_t{x} << 16); }
template <class T>
std::int64_t number(T x) {
  return x;
}

class ArgReduceTest : public OpTest {
 protected:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

  // Small sizes; long rows and many of them in some rounds.
  Shape draw_shape(int round) {
    Shape shape(static_cast<std::size_t>(draw(1, 3)));
    for (auto& size : shape) size = draw(round % 20 == 0 ? 0 : 1, round % 7 == 0 ? 80 : 9);
    if (round % 25 == 1) shape[0] = draw(255, 600);
    if (round % 25 == 9 && shape.size() > 1) shape.back() = draw(15, 600);
    return shape;
  }

  template <class T>
  void check(E element, const std::vector<T>& some, int round) {
    const Shape shape = draw_shape(round);
    ArgReduce work;
    work.dimension = draw(0, static_cast<std::int64_t>(shape.size()) - 1);
    const auto d = static_cast<std::size_t>(work.dimension);
    Shape kept = shape;
    kept.erase(kept.begin() + work.dimension);
    // NaN is the first of the values: most rounds have none.
    const std::int64_t first = round % 3 == 0 ? 0 : 1;
    std::vector<T> x;
    for (std::int64_t i = TensorType{element, shape}.elements(); i > 0; --i)
      x.push_back(
          some[static_cast<std::size_t>(draw(first, static_cast<std::int64_t>(some.size()) - 1))]);
    const T start = some[static_cast<std::size_t>(draw(first, 3))];
    const auto start_position = static_cast<std::int32_t>(draw(0, 20));
    std::size_t inner = 1, results = 1;
    for (std::size_t i = d + 1; i < shape.size(); ++i) inner *= static_cast<std::size_t>(shape[i]);
    for (const std::int64_t size : kept) results *= static_cast<std::size_t>(size);
    const auto size = static_cast<std::size_t>(shape[d]);
    for (const bool largest : {true, false}) {
      work.largest = largest;
      std::vector<T> values(results, start);
      std::vector<std::int32_t> positions(results, start_position);
      for (std::size_t r = 0; r < results; ++r)
        for (std::size_t k = 0; k < size; ++k) {
          const T next = x[(r / inner * size + k) * inner + r % inner];
          const auto a = number(values[r]), b = number(next);
          const auto position = static_cast<std::int32_t>(k);
          const bool keeps = (largest ? a > b : a < b) || a != a;
          if (!(keeps || (a == b && positions[r] < position))) positions[r] = position;
          if (!keeps) values[r] = next;
        }
      const Operand value = out(element, kept), position = out(E::i32, kept);
      run(work,
          {in<T>(shape, x, element), in<T>({}, {start}, element),
           in<std::int32_t>({}, {start_position})},
          {value, position});
      ASSERT_EQ(this->template values<std::int32_t>(position), positions) << "round " << round;
      const std::vector<T> found = this->template values<T>(value);
      ASSERT_EQ(found.size(), results);
      ASSERT_TRUE(results == 0 ||
                  std::memcmp(found.data(), values.data(), results * sizeof(T)) == 0)
          << "round " << round;
    }
  }

  std::mt19937 random_{21};
};

TEST_F(ArgReduceTest, GivesTheBitsOfItsSteps) {
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

}  // namespace
}  // namespace understudy::worker
