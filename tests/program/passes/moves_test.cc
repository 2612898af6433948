// SPDX-License-Identifier: Apache-2.0
// Parallel assignments done one by one, beside what they mean: all sources read first.
#include "program/passes/moves.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace understudy::program::passes {
namespace {

// Values of f32[length] at byte offset `at` of buffer `index`.
Operand operand(std::uint32_t index, std::uint64_t at, std::int64_t length = 1) {
  return {{Space::temporary, index, 4 * at}, {ElementType::f32, {length}}};
}

// Memory of elements, each at first the number of its place.
struct Elements {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> at;

  std::int64_t get(std::uint32_t index, std::uint64_t place) {
    return at.try_emplace({index, place}, index * 1000 + static_cast<std::int64_t>(place))
        .first->second;
  }
  std::vector<std::int64_t> read(const Operand& from) {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < from.type.elements(); ++i)
      values.push_back(get(from.at.index, from.at.offset / 4 + static_cast<std::uint64_t>(i)));
    return values;
  }
  void write(const Operand& to, const std::vector<std::int64_t>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      at[{to.at.index, to.at.offset / 4 + i}] = values[i];
  }
};

// Does the moves; returns the order in which they were done, those set aside as -1 - i.
std::vector<std::int64_t> expect_right(std::vector<Operand> from, const std::vector<Operand>& to) {
  Elements truth, memory;
  std::vector<std::vector<std::int64_t>> read;
  for (const Operand& source : from) read.push_back(truth.read(source));
  for (std::size_t i = 0; i < to.size(); ++i) truth.write(to[i], read[i]);
  std::vector<std::int64_t> order;
  std::uint32_t fresh = 100;
  order_moves(
      from, to,
      [&](std::size_t i) {
        memory.write(to[i], memory.read(from[i]));
        order.push_back(static_cast<std::int64_t>(i));
      },
      [&](std::size_t i) {
        Operand aside = operand(fresh++, 0, from[i].type.elements());
        memory.write(aside, memory.read(from[i]));
        from[i] = aside;
        order.push_back(-1 - static_cast<std::int64_t>(i));
      });
  for (const Operand& destination : to)
    EXPECT_EQ(memory.read(destination), truth.read(destination));
  return order;
}

TEST(Moves, TheLowestThatMayMoveGoesFirst) {
  using Order = std::vector<std::int64_t>;
  EXPECT_EQ(expect_right({operand(7, 0), operand(8, 0)}, {operand(1, 0), operand(2, 0)}),
            (Order{0, 1}));
  // 2 = 1, 3 = 2: the second reads what the first writes.
  EXPECT_EQ(expect_right({operand(1, 0), operand(2, 0)}, {operand(2, 0), operand(3, 0)}),
            (Order{1, 0}));
  // A swap: the first source is set aside.
  EXPECT_EQ(expect_right({operand(1, 0), operand(2, 0)}, {operand(2, 0), operand(1, 0)}),
            (Order{-1, 1, 0}));
  // What stays where it is does not move, and is in nobody's way.
  EXPECT_EQ(expect_right({operand(1, 0), operand(1, 0)}, {operand(1, 0), operand(2, 0)}),
            (Order{1}));
}

TEST(Moves, DrawnMovesAreParallelAssignments) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Operand> from, to;
    const auto count = 1 + random() % 8;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto length = static_cast<std::int64_t>(1 + random() % 3);
      to.push_back(operand(i / 2, i % 2 * 4, length));  // two in each buffer, apart
      from.push_back(operand(static_cast<std::uint32_t>(random() % 6), random() % 6, length));
      // A source that overlaps its own destination is no move of a program.
      if (from.back().at.index == to.back().at.index) from.back().at = to.back().at;
    }
    expect_right(from, to);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

// With every step in proportion to the number of moves this would take hours.
TEST(Moves, ARotationOf200000ValuesIsOrdered) {
  std::vector<Operand> from, to;
  constexpr std::uint32_t kCount = 200'000;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    from.push_back(operand((i + 1) % kCount, 0));
    to.push_back(operand(i, 0));
  }
  std::size_t moved = 0, aside = 0;
  order_moves(
      from, to, [&](std::size_t) { ++moved; }, [&](std::size_t) { ++aside; });
  EXPECT_EQ(moved, kCount);
  EXPECT_EQ(aside, 1U);
}

}  // namespace
}  // namespace understudy::program::passes
