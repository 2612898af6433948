// SPDX-License-Identifier: Apache-2.0
// Windows and sorts against straightforward implementations of the specification.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/worker/ops/ops_fixture.h"
#include "worker/ops/operands.h"

namespace understudy::worker {
namespace {

using namespace program;
using std::int64_t;

class WindowRules : public OpTest {
 protected:
  std::mt19937 random_{11};
  int64_t draw(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  struct Case {
    Shape input, output;
    Window window;
  };
  void check_floats(const Case& one, int round);
  template <class T>
  void check_lines();
  template <class T>
  static T number(float x) {
    if constexpr (std::is_same_v<T, std::uint16_t>) return bf16(x);
    return static_cast<T>(x);
  }
  Case draw_case() {
    for (;;) {
      Case one;
      const int64_t ndims = draw(0, 4);
      for (int64_t d = 0; d < ndims; ++d) {
        const bool plain = draw(0, 2) == 0;
        one.input.push_back(draw(1, 6));
        one.window.dimensions.push_back(plain ? 1 : draw(1, 4));
        one.window.strides.push_back(plain ? 1 : draw(1, 3));
        one.window.base_dilations.push_back(plain ? 1 : draw(1, 3));
        one.window.window_dilations.push_back(plain ? 1 : draw(1, 3));
        one.window.padding_low.push_back(plain ? 0 : draw(-1, 3));
        one.window.padding_high.push_back(plain ? 0 : draw(-1, 3));
        const auto i = static_cast<std::size_t>(d);
        const int64_t padded = (one.input[i] - 1) * one.window.base_dilations[i] + 1 +
                               one.window.padding_low[i] + one.window.padding_high[i];
        const int64_t reach = (one.window.dimensions[i] - 1) * one.window.window_dilations[i] + 1;
        one.output.push_back(padded < reach ? 0 : (padded - reach) / one.window.strides[i] + 1);
      }
      if (std::ranges::find(one.output, 0) == one.output.end()) return one;
    }
  }

  // The element at a position of a window; -1: padding.
  static int64_t met(const Case& one, const Shape& output, const Shape& position) {
    const Shape strides = ops::strides_of(one.input);
    int64_t flat = 0;
    for (std::size_t d = 0; d < output.size(); ++d) {
      const int64_t at = output[d] * one.window.strides[d] +
                         position[d] * one.window.window_dilations[d] - one.window.padding_low[d];
      if (at < 0 || at % one.window.base_dilations[d] != 0) return -1;
      if (at / one.window.base_dilations[d] >= one.input[d]) return -1;
      flat += at / one.window.base_dilations[d] * strides[d];
    }
    return flat;
  }

  // The definition: each source is added to the first largest element of its window. Results begin
  // as 3.
  static std::vector<std::int32_t> scattered(const Case& one, const std::vector<std::int32_t>& x,
                                             const std::vector<std::int32_t>& source) {
    std::vector<std::int32_t> wanted(x.size(), 3);
    ops::Counter output(one.output);
    std::size_t next = 0;
    do {
      int64_t kept = -1;
      ops::Counter position(one.window.dimensions);
      do {
        const int64_t at = met(one, output.at(), position.at());
        if (at < 0) continue;
        if (kept < 0 || x[static_cast<std::size_t>(kept)] < x[static_cast<std::size_t>(at)])
          kept = at;
      } while (position.next());
      if (kept >= 0) wanted[static_cast<std::size_t>(kept)] += source[next];
      ++next;
    } while (output.next());
    return wanted;
  }

  static std::vector<std::int32_t> sums(const Case& one, const std::vector<std::int32_t>& x,
                                        std::int32_t init) {
    std::vector<std::int32_t> all;
    ops::Counter output(one.output);
    do {
      std::int32_t sum = init;
      ops::Counter position(one.window.dimensions);
      do {
        const int64_t at = met(one, output.at(), position.at());
        sum += at < 0 ? init : x[static_cast<std::size_t>(at)];
      } while (position.next());
      all.push_back(sum);
    } while (output.next());
    return all;
  }
};

TEST_F(WindowRules, ReduceWindowFollowsTheDefinitionWithAndWithoutAKnownReducer) {
  for (int round = 0; round < 1500; ++round) {
    const Case one = draw_case();
    std::vector<std::int32_t> x(static_cast<std::size_t>(TensorType{E::i32, one.input}.elements()));
    for (auto& value : x) value = static_cast<std::int32_t>(draw(-50, 50));
    const auto init = static_cast<std::int32_t>(draw(0, 1) * draw(-3, 3));
    ReduceWindow work;
    work.window = one.window;
    work.body = body_of(Binary{BinaryOp::add}, E::i32, E::i32);
    for (const Reduction reduction : {Reduction::sum, Reduction::none}) {
      work.reduction = reduction;
      ASSERT_EQ(result<std::int32_t>(
                    work, {in<std::int32_t>(one.input, x), in({}, std::vector{init})}, one.output),
                sums(one, x, init))
          << "round " << round;
    }
  }
}

// Many lines run side by side, in pieces; few lines or long blocks one by one.
TEST_F(WindowRules, CumulativeWindowsRunBothWays) {
  for (const Shape& shape : {Shape{3, 5, 2}, Shape{2, 9, 3}, Shape{1, 67, 130}, Shape{2, 1, 200}}) {
    std::vector<std::int32_t> x(static_cast<std::size_t>(TensorType{E::i32, shape}.elements()));
    std::iota(x.begin(), x.end(), 1);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      for (const bool forward : {true, false}) {
        Case one{shape, shape, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}}};
        one.window.dimensions[axis] = shape[axis];
        (forward ? one.window.padding_low : one.window.padding_high)[axis] = shape[axis] - 1;
        ReduceWindow work;
        work.window = one.window;
        work.reduction = Reduction::sum;
        work.body = body_of(Binary{BinaryOp::add}, E::i32, E::i32);
        EXPECT_EQ(result<std::int32_t>(work, {in(shape, x), in<std::int32_t>({}, {0})}, shape),
                  sums(one, x, 0));
      }
  }
}

// The order of the sums of a line does not depend on how many lines there are, nor on the type's
// size.
template <class T>
void WindowRules::check_lines() {
  constexpr int64_t kLines = 70, kSize = 150;
  const Shape shape = {kLines, kSize};
  std::vector<T> x;
  for (int64_t i = 0; i < kLines * kSize; ++i)
    x.push_back(number<T>(static_cast<float>(draw(-999, 999)) / 7));
  ReduceWindow work;
  work.window = {{1, kSize}, {1, 1}, {1, 1}, {1, 1}, {0, kSize - 1}, {0, 0}};
  work.reduction = Reduction::sum;
  work.body = body_of(Binary{BinaryOp::add}, element_for<T>(), element_for<T>());
  const std::vector<T> all = result<T>(work, {in(shape, x), in<T>({}, {T{}})}, shape);
  for (int64_t line = 0; line < kLines; line += 23) {
    const auto first = x.begin() + line * kSize, to = all.begin() + line * kSize;
    EXPECT_EQ(
        result<T>(work, {in<T>({1, kSize}, std::vector<T>(first, first + kSize)), in<T>({}, {T{}})},
                  {1, kSize}),
        std::vector<T>(to, to + kSize));
  }
}
TEST_F(WindowRules, LinesSideBySideHaveTheBitsOfOne) {
  check_lines<std::int8_t>();
  check_lines<std::uint16_t>();
  check_lines<float>();
  check_lines<double>();
}

// The loops for comparisons of floats select what the body selects: without a known reduction the
// body runs.
void WindowRules::check_floats(const Case& one, int round) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const std::vector<float> some{0, -0.0F, 1, 1, 2, -3, kInf, -kInf, std::nanf("")};
  std::vector<float> x, source;
  std::vector<std::uint16_t> narrow, narrow_source;
  for (std::int64_t i = TensorType{E::f32, one.input}.elements(); i > 0; --i) {
    x.push_back(some[static_cast<std::size_t>(draw(0, round % 2 == 0 ? 8 : 5))]);
    narrow.push_back(bf16(x.back()));
  }
  for (std::int64_t i = TensorType{E::f32, one.output}.elements(); i > 0; --i) {
    source.push_back(static_cast<float>(draw(1, 900)) / 7);
    narrow_source.push_back(bf16(source.back()));
  }
  SelectAndScatter work;
  work.window = one.window;
  for (const Direction direction :
       {Direction::ge, Direction::gt, Direction::le, Direction::lt, Direction::ne}) {
    const auto both = [&](E element, const Operand& operand, const Operand& of_windows,
                          const Operand& init) {
      work.select = body_of(Compare{direction, false}, element, E::pred);
      work.scatter = body_of(Binary{BinaryOp::add}, element, element);
      std::vector<std::vector<std::byte>> bytes;
      for (const Reduction reduction : {Reduction::none, Reduction::sum}) {
        work.reduction = reduction;
        const Operand to = out(element, one.input);
        run(work, {operand, of_windows, init}, {to});
        const std::byte* const at = execution_.address(to.at);
        bytes.emplace_back(at, at + to.type.bytes());
      }
      ASSERT_EQ(bytes[0], bytes[1]) << "round " << round;
    };
    both(E::f32, in(one.input, x), in(one.output, source), in<float>({}, {0.5F}));
    both(E::bf16, in(one.input, narrow), in(one.output, narrow_source),
         in<std::uint16_t>({}, {bf16(0.5F)}));
  }
}

TEST_F(WindowRules, SelectAndScatterFollowsTheDefinition) {
  for (int round = 0; round < 800; ++round) {
    Case one = draw_case();
    std::ranges::fill(one.window.base_dilations, 1);
    std::ranges::fill(one.window.window_dilations, 1);
    bool is_empty = false;
    for (std::size_t d = 0; d < one.input.size(); ++d) {
      const int64_t room = one.input[d] + one.window.padding_low[d] + one.window.padding_high[d] -
                           one.window.dimensions[d];
      one.output[d] = room < 0 ? 0 : room / one.window.strides[d] + 1;
      is_empty = is_empty || room < 0;
    }
    if (is_empty) continue;
    std::vector<std::int32_t> x(static_cast<std::size_t>(TensorType{E::i32, one.input}.elements()));
    for (auto& value : x) value = static_cast<std::int32_t>(draw(0, 5));
    std::vector<std::int32_t> source(
        static_cast<std::size_t>(TensorType{E::i32, one.output}.elements()));
    for (auto& value : source) value = static_cast<std::int32_t>(draw(1, 9));
    SelectAndScatter work;
    work.window = one.window;
    work.select = body_of(Compare{Direction::ge, false}, E::i32, E::pred);
    work.scatter = body_of(Binary{BinaryOp::add}, E::i32, E::i32);
    ASSERT_EQ(
        result<std::int32_t>(
            work, {in(one.input, x), in(one.output, source), in<std::int32_t>({}, {3})}, one.input),
        scattered(one, x, source))
        << "round " << round;
    check_floats(one, round);
  }
}

class SortRules : public OpTest {
 protected:
  static Sort by(Direction direction, bool lanewise = true) {
    Sort sort;
    sort.comparator = body_of(Compare{direction, false}, E::i32, E::pred);
    sort.comparator.lanewise = lanewise;
    return sort;
  }
};

// Long lines with many equal keys: pieces of merges, and stability through the second operand.
TEST_F(SortRules, IsStableOnLinesOfAnyLength) {
  std::mt19937 random(5);
  for (const int64_t size : {1, 2, 3, 17, 255, 256, 1000, 4097, 40000}) {
    std::vector<std::int32_t> keys(static_cast<std::size_t>(size));
    for (auto& key : keys) key = static_cast<std::int32_t>(random() % 50);
    std::vector<std::int32_t> places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    Sort sort = by(Direction::lt);
    sort.comparator.parameters.resize(4);
    for (std::size_t i = 2; i < 4; ++i) {
      sort.comparator.parameters[i] = sort.comparator.parameters[0];
      sort.comparator.parameters[i].at.offset = 16 * (i + 1);
    }
    sort.comparator.frame_bytes = 80;
    const Operand sorted_keys = out(E::i32, {size}), sorted_places = out(E::i32, {size});
    run(sort, {in({size}, keys), in({size}, places)}, {sorted_keys, sorted_places});
    std::ranges::stable_sort(places, std::less<>(),
                             [&](std::int32_t at) { return keys[static_cast<std::size_t>(at)]; });
    EXPECT_EQ(values<std::int32_t>(sorted_places), places) << size;
    std::ranges::sort(keys);
    EXPECT_EQ(values<std::int32_t>(sorted_keys), keys) << size;
  }
}

TEST_F(SortRules, GivesAPermutationWhateverTheComparatorSays) {
  std::vector<std::int32_t> keys(5000);
  std::iota(keys.begin(), keys.end(), -2000);
  std::mt19937 random(7);
  std::ranges::shuffle(keys, random);
  // "Always true" and "always false" are both inconsistent orders.
  for (const Direction direction : {Direction::ne, Direction::eq, Direction::ge}) {
    auto got = result<std::int32_t>(by(direction), {in({5000}, keys)}, {5000});
    std::ranges::sort(got);
    EXPECT_EQ(got.front(), -2000);
    EXPECT_EQ(std::ranges::adjacent_find(got), got.end());
    EXPECT_EQ(got.back(), 2999);
  }
}

TEST_F(SortRules, OneLaneGivesTheSame) {
  std::vector<std::int32_t> keys(3000);
  std::mt19937 random(9);
  for (auto& key : keys) key = static_cast<std::int32_t>(random() % 1000);
  for (const Shape& shape : {Shape{3000}, Shape{30, 100}, Shape{100, 30}}) {
    const auto lanes = result<std::int32_t>(by(Direction::gt), {in(shape, keys)}, shape);
    EXPECT_EQ(result<std::int32_t>(by(Direction::gt, false), {in(shape, keys)}, shape), lanes);
  }
}

}  // namespace
}  // namespace understudy::worker
