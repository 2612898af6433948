// SPDX-License-Identifier: Apache-2.0
// What every algorithm must do on every transport: one member's calls, with what they must give.
// Failures are expectations of GoogleTest.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tests/collectives/expected_folds.h"
#include "tests/collectives/local_ranks.h"

namespace understudy::collectives {

// A pod and its groups; a rank in no group takes no part.
struct GroupShape {
  std::string name;
  PodLayout layout;
  std::vector<std::vector<Rank>> groups;

  std::optional<Group> group_of(Rank rank) const {
    for (const auto& members : groups) {
      const auto found = std::find(members.begin(), members.end(), rank);
      if (found == members.end()) continue;
      return Group{members, static_cast<std::size_t>(found - members.begin())};
    }
    return std::nullopt;
  }
};

// Between -1000 and 1000, so that sums round. A sine took a quarter of the time of these tests.
inline float number_of(std::size_t seed) {
  const auto mixed = static_cast<std::uint32_t>(seed + 1) * 0x9e3779b1U;
  return (static_cast<float>(mixed >> 8U) * 0x1p-23F - 1.0F) * 1000.0F;
}

template <class T>
std::vector<T> operand(std::size_t member, std::size_t elements) {
  std::vector<T> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      values[i] = number_of(member * 7919 + i);
    } else if constexpr (std::is_same_v<T, std::uint16_t>) {
      values[i] = Bf16Sum::to_narrow(number_of(member * 7919 + i));
    } else if constexpr (std::is_same_v<T, Affine>) {
      values[i] = {static_cast<std::uint32_t>(2 * (member * 31 + i) + 3),
                   static_cast<std::uint32_t>(member * 7 + i * 13 + 1)};
    } else {
      values[i] = static_cast<T>(member * 31 + i * 17 + 5);
    }
  }
  return values;
}

// Sizes of operands of reductions and broadcasts, and of blocks: nothing, one, primes, one below
// and above the number of chunks.
inline std::vector<std::size_t> sizes_for(std::size_t n) {
  return {0, 1, n - 1, n, n + 1, 13, 6 * n + 1, 257};
}
inline constexpr std::size_t kBlocks[] = {0, 1, 2, 7, 13};

// The trees of all reductions that Conformance runs, by group, kind and size. Computed once, read
// by all members.
class Expectations {
 public:
  Expectations(const Algorithm& algorithm, const GroupShape& pod)
      : Expectations(algorithm.name(), pod) {}
  // The fold in group order, whatever the algorithm.
  explicit Expectations(const GroupShape& pod) : Expectations(std::string_view(), pod) {}

  const std::vector<std::string>& trees(const Group& group, Kind kind, std::size_t items) const {
    return trees_.at({group.members[0], kind, items});
  }

 private:
  Expectations(std::string_view algorithm, const GroupShape& pod) {
    for (const auto& members : pod.groups) {
      const auto add = [&](Kind kind, std::size_t items) {
        const Task task{.kind = kind,
                        .members = members.size(),
                        .items = items,
                        .layout = &pod.layout,
                        .ranks = members};
        trees_[{members[0], kind, items}] = trees_of(algorithm, task);
      };
      for (const std::size_t items : sizes_for(members.size())) add(Kind::all_reduce, items);
      for (const std::size_t block : kBlocks) add(Kind::reduce_scatter, block * members.size());
    }
  }
  std::map<std::tuple<Rank, Kind, std::size_t>, std::vector<std::string>> trees_;
};

// One member. All members of a group make the same calls.
class Conformance {
 public:
  Conformance(const Fabric& fabric, const Group& group, const Algorithm& algorithm,
              const Expectations& expected)
      : fabric_(fabric), group_(group), algorithm_(algorithm), expected_(expected) {}

  void run_float_reductions() {
    reductions<SumReducer<float>>("f32");
    reductions<Bf16Sum>("bf16");
  }
  void run_everything() {
    run_float_reductions();
    reductions<SumReducer<std::int32_t>>("i32");
    reductions<AffineReducer>("pair");
    for (const std::size_t block : kBlocks) {
      all_gather(block);
      all_to_all(block);
    }
    for (const std::size_t elements : {std::size_t{0}, std::size_t{1}, std::size_t{13}}) {
      for (std::size_t root = 0; root < n(); ++root) broadcast(elements, root);
    }
    broadcast(150'001, n() / 2);  // three segments
  }

 private:
  std::size_t n() const { return group_.size(); }

  template <class R>
  void reductions(std::string_view element) {
    for (const std::size_t items : sizes_for(n())) all_reduce<R>(element, items);
    for (const std::size_t block : kBlocks) reduce_scatter<R>(element, block);
  }

  // What item i of a reduction must be.
  template <class R>
  std::vector<typename R::Element> folded(Kind kind, std::size_t items) const {
    using T = typename R::Element;
    using A = typename R::Accumulator;
    std::vector<std::vector<T>> operands;
    for (std::size_t m = 0; m < n(); ++m) operands.push_back(operand<T>(m, items));
    const auto& trees = expected_.trees(group_, kind, items);
    std::vector<T> result;
    for (std::size_t i = 0; i < items; ++i) {
      std::size_t at = 0;
      result.push_back(R::to_narrow(value_of<A>(
          trees[i], at, [&](std::size_t m) { return R::to_wide(operands[m][i]); },
          [](A left, A right) { return R::fold(left, right); })));
    }
    return result;
  }

  template <class R>
  void all_reduce(std::string_view element, std::size_t items) {
    using T = typename R::Element;
    const auto in = operand<T>(group_.self, items);
    std::vector<T> out(items);
    const TrafficCount before = fabric_.transport.traffic();
    const auto report = algorithm_.all_reduce(
        fabric_, group_, R{}, bytes_of(in), bytes_of(out),
        {.op = "all_reduce", .element = element, .elements = items, .reduction = "sum"});
    expect_same(out, folded<R>(Kind::all_reduce, items), "all_reduce", items);
    expect_cost(report, before, Kind::all_reduce,
                shape(items, sizeof(T), sizeof(typename R::Accumulator)));
  }

  template <class R>
  void reduce_scatter(std::string_view element, std::size_t block) {
    using T = typename R::Element;
    const std::size_t items = block * n();
    const auto in = operand<T>(group_.self, items);
    std::vector<T> out(block);
    const TrafficCount before = fabric_.transport.traffic();
    const auto report = algorithm_.reduce_scatter(
        fabric_, group_, R{}, bytes_of(in), bytes_of(out),
        {.op = "reduce_scatter", .element = element, .elements = items, .reduction = "sum"});
    const auto all = folded<R>(Kind::reduce_scatter, items);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(group_.self * block);
    expect_same(out, {begin, begin + static_cast<std::ptrdiff_t>(block)}, "reduce_scatter", items);
    expect_cost(report, before, Kind::reduce_scatter,
                shape(items, sizeof(T), sizeof(typename R::Accumulator)));
  }

  void all_gather(std::size_t block) {
    const auto in = operand<float>(group_.self, block);
    std::vector<float> out(block * n(), 99), expected;
    for (std::size_t m = 0; m < n(); ++m) {
      const auto part = operand<float>(m, block);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    const TrafficCount before = fabric_.transport.traffic();
    const auto report =
        algorithm_.all_gather(fabric_, group_, bytes_of(in), bytes_of(out),
                              {.op = "all_gather", .element = "f32", .elements = block});
    expect_same(out, expected, "all_gather", block);
    expect_cost(report, before, Kind::all_gather, shape(block, sizeof(float), 0));
  }

  void all_to_all(std::size_t block) {
    const auto in = operand<std::int32_t>(group_.self, block * n());
    std::vector<std::int32_t> out(block * n(), 99), expected;
    for (std::size_t m = 0; m < n(); ++m) {
      const auto sent = operand<std::int32_t>(m, block * n());
      const auto begin = sent.begin() + static_cast<std::ptrdiff_t>(group_.self * block);
      expected.insert(expected.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
    }
    const TrafficCount before = fabric_.transport.traffic();
    const auto report =
        algorithm_.all_to_all(fabric_, group_, bytes_of(in), bytes_of(out),
                              {.op = "all_to_all", .element = "i32", .elements = block * n()});
    expect_same(out, expected, "all_to_all", block);
    expect_cost(report, before, Kind::all_to_all, shape(block * n(), sizeof(std::int32_t), 0));
  }

  void broadcast(std::size_t elements, std::size_t root) {
    const auto in = operand<float>(group_.self, elements);
    std::vector<float> out(elements, 99);
    const TrafficCount before = fabric_.transport.traffic();
    const auto report =
        algorithm_.broadcast(fabric_, group_, root, bytes_of(in), bytes_of(out),
                             {.op = "broadcast", .element = "f32", .elements = elements});
    expect_same(out, operand<float>(root, elements), "broadcast", elements);
    Shape of_broadcast = shape(elements, sizeof(float), 0);
    of_broadcast.root = root;
    expect_cost(report, before, Kind::broadcast, of_broadcast);
  }

  template <class T>
  void expect_same(const std::vector<T>& got, const std::vector<T>& expected, const char* op,
                   std::size_t items) const {
    const std::string where =
        fmt::format("{} of {} at member {} of {}", op, items, group_.self, n());
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::uint16_t>) {
      if (algorithm_.name() == "mpi") return expect_near(got, expected, where);
    }
    EXPECT_TRUE(got == expected) << where;
  }

  // MPI folds in a tree of its own that keeps the group's order: twice the bound of a fold, with
  // operands of at most 1000, and one rounding of bf16 at the end.
  template <class T>
  void expect_near(const std::vector<T>& got, const std::vector<T>& expected,
                   const std::string& where) const {
    ASSERT_EQ(got.size(), expected.size()) << where;
    const auto members = static_cast<float>(n());
    const bool small = sizeof(T) == 2;
    using Sum = std::conditional_t<sizeof(T) == 2, Bf16Sum, SumReducer<float>>;
    const float bound = 2 * (members - 1) * 0x1p-24F * members * 1000;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const float a = Sum::to_wide(got[i]), b = Sum::to_wide(expected[i]);
      EXPECT_LE(std::abs(a - b), bound + (small ? 0x1p-7F * std::abs(b) : 0)) << where;
    }
  }

  Shape shape(std::size_t elements, std::size_t unit, std::size_t wide) const {
    return {.members = n(),
            .self = group_.self,
            .elements = elements,
            .element_bytes = unit,
            .accumulator_bytes = wide,
            .layout = &fabric_.layout,
            .ranks = group_.members};
  }

  // The report, the transport and the cost model must agree.
  void expect_cost(const CallReport& report, const TrafficCount& before, Kind kind,
                   const Shape& shape) const {
    const TrafficCount now = fabric_.transport.traffic();
    EXPECT_EQ(now.messages - before.messages, report.messages);
    EXPECT_EQ(now.bytes - before.bytes, report.bytes);
    if (!is_schedule(algorithm_.name()) || fabric_.reproducible) return;
    const Cost cost = cost_of(algorithm_.name(), kind, shape);
    EXPECT_EQ(report.messages, cost.messages);
    EXPECT_EQ(report.bytes, cost.bytes);
    EXPECT_EQ(report.algorithm, schedule_of(algorithm_.name(), kind, shape).algorithm);
  }

  const Fabric& fabric_;
  const Group& group_;
  const Algorithm& algorithm_;
  const Expectations& expected_;
};

}  // namespace understudy::collectives
