// SPDX-License-Identifier: Apache-2.0
// Classes of processes, groups as processes, and the data flow over drawn collectives.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

#include "program/analysis/collective_classes.h"
#include "program/analysis/metric_verdict.h"
#include "program/read.h"

namespace understudy::program::analysis {
namespace {

TEST(Classes, MeetIsEqualWhereBothAre) {
  const Classes a = Classes::of({0, 0, 1, 1}), b = Classes::of({0, 1, 0, 1});
  EXPECT_EQ(a.meet(b), Classes::distinct(4));
  EXPECT_EQ(a.meet(Classes::uniform(4)), a);
  EXPECT_EQ(a.meet(a), a);
  EXPECT_EQ(Classes::of({7, 7, 3, 3}), a);
  EXPECT_TRUE(a.at_least_as_equal_as(Classes::distinct(4)));
  EXPECT_FALSE(a.at_least_as_equal_as(Classes::uniform(4)));
}

TEST(Groups, OfAllFourModesAsProcesses) {
  Interface interface;
  interface.replicas = 2;
  interface.partitions = 3;
  Collective collective;
  const auto groups = [&](GroupMode mode, std::vector<std::vector<std::int64_t>> rows) {
    collective.mode = mode;
    collective.groups = std::move(rows);
    return groups_of(collective, interface);
  };
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(groups(GroupMode::flattened_ids, {{5, 0}}), (Groups{{5, 0}}));
  EXPECT_EQ(groups(GroupMode::cross_replica, {{1, 0}}), (Groups{{3, 0}, {4, 1}, {5, 2}}));
  EXPECT_EQ(groups(GroupMode::cross_partition, {{0, 2}}), (Groups{{0, 2}, {3, 5}}));
  EXPECT_EQ(groups(GroupMode::cross_replica_and_partition, {{0, 1}}), (Groups{{0, 3, 1, 4, 2, 5}}));
}

// A chain of drawn collectives over a drawn mesh of three axes; the truth is the set of axes over
// which the value still varies, kept beside by hand.
class DrawnChain {
 public:
  explicit DrawnChain(std::uint32_t seed) : random_(seed) {
    for (std::int64_t& size : sizes_) size = 2 + static_cast<std::int64_t>(random_() % 2);
    for (int axis = 0; axis < 3; ++axis)
      if (random_() % 3 != 0) varies_.insert(axis);
    varies_at_start_ = varies_;
    const int steps = 1 + static_cast<int>(random_() % 5);
    for (int step = 0; step < steps; ++step) step_over(static_cast<int>(random_() % 3));
  }

  std::string text() const {
    std::string spec, shape;
    std::int64_t rows = 4;
    for (const int axis : varies_at_start_) rows *= sizes_[static_cast<std::size_t>(axis)];
    for (const int axis : varies_at_start_)
      spec += fmt::format("{}\"a{}\"", spec.empty() ? "" : ", ", axis);
    const std::int64_t chips = sizes_[0] * sizes_[1] * sizes_[2];
    return fmt::format(
        "module attributes {{mhlo.num_partitions = {0} : i32}} {{\n"
        "  sdy.mesh @mesh = <[\"a0\"={1}, \"a1\"={2}, \"a2\"={3}]>\n"
        "  func.func public @main(%x: tensor<{4}xf32> {{sdy.sharding = #sdy.sharding<@mesh, "
        "[{{{5}}}]>}}) -> tensor<4xf32> {{\n"
        "    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{{5}}}]>] "
        "out_shardings=[<@mesh, [{{}}]>] manual_axes={{\"a0\", \"a1\", \"a2\"}} (%v0: "
        "tensor<4xf32>) {{\n{6}      sdy.return %v{7} : tensor<4xf32>\n    }} : "
        "(tensor<{4}xf32>) -> tensor<4xf32>\n    return %0 : tensor<4xf32>\n  }}\n}}\n",
        chips, sizes_[0], sizes_[1], sizes_[2], rows, spec, body_, last_);
  }

  const std::set<int>& varies() const { return varies_; }

 private:
  void add(const std::string& line) { body_ += "      " + line + "\n"; }

  // Groups that run along one axis.
  std::string groups(int axis) const {
    std::int64_t step = 1;
    for (int i = 2; i > axis; --i) step *= sizes_[static_cast<std::size_t>(i)];
    const std::int64_t size = sizes_[static_cast<std::size_t>(axis)];
    const std::int64_t chips = sizes_[0] * sizes_[1] * sizes_[2];
    std::string rows;
    std::int64_t count = 0;
    for (std::int64_t chip = 0; chip < chips; ++chip) {
      if (chip / step % size != 0) continue;
      std::string row;
      for (std::int64_t i = 0; i < size; ++i)
        row += fmt::format("{}{}", i == 0 ? "" : ", ", chip + i * step);
      rows += fmt::format("{}[{}]", count++ == 0 ? "" : ", ", row);
    }
    return fmt::format("dense<[{}]> : tensor<{}x{}xi64>", rows, count, size);
  }

  // The next value, from the last one, by one drawn operation.
  void step_over(int axis) {
    const std::string type = "tensor<4xf32>";
    const std::string in = fmt::format("%v{}", last_), out = fmt::format("%v{}", ++last_);
    const std::string how = fmt::format(
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = {}, "
        "use_global_device_ids",
        groups(axis));
    const std::int64_t rows = 4 * sizes_[static_cast<std::size_t>(axis)];
    switch (random_() % 4) {
      case 0:
        varies_.erase(axis);
        return add(fmt::format(
            "{} = \"stablehlo.all_reduce\"({}) <{{{}}}> ({{ ^bb0(%a: tensor<f32>, %b: "
            "tensor<f32>): %s = stablehlo.add %a, %b : tensor<f32> stablehlo.return %s : "
            "tensor<f32> }}) : ({}) -> {}",
            out, in, how, type, type));
      case 1:
        varies_.erase(axis);
        add(
            fmt::format("%g{} = \"stablehlo.all_gather\"({}) <{{all_gather_dim = 0 : i64, {}}}> : "
                        "({}) -> tensor<{}xf32>",
                        last_, in, how, type, rows));
        return add(fmt::format("{} = stablehlo.slice %g{} [0:4] : (tensor<{}xf32>) -> {}", out,
                               last_, rows, type));
      case 2:  // every chip's number goes in
        varies_ = {0, 1, 2};
        add(fmt::format("%p{} = stablehlo.partition_id : tensor<ui32>", last_));
        add(fmt::format("%q{0} = stablehlo.convert %p{0} : (tensor<ui32>) -> tensor<f32>", last_));
        add(fmt::format(
            "%r{0} = stablehlo.broadcast_in_dim %q{0}, dims = [] : (tensor<f32>) -> {1}", last_,
            type));
        return add(fmt::format("{} = stablehlo.add {}, %r{} : {}", out, in, last_, type));
      default:
        return add(fmt::format("{} = stablehlo.tanh {} : {}", out, in, type));
    }
  }

  std::mt19937 random_;
  std::vector<std::int64_t> sizes_ = {2, 2, 2};
  std::set<int> varies_, varies_at_start_;
  std::string body_;
  int last_ = 0;
};

TEST(MetricReport, KnowsTheAxesOfDrawnChains) {
  const char* const more = std::getenv("UNDERSTUDY_DRAWN_CHAINS");  // thousands, by hand
  const auto chains = static_cast<std::uint32_t>(more == nullptr ? 400 : std::atoi(more));
  for (std::uint32_t seed = 0; seed < chains; ++seed) {
    const DrawnChain chain(seed);
    const auto module = parse(std::make_shared<const Source>("drawn.mlir", chain.text()));
    verify(*module);
    const Interface interface = interface_of(*module, {});
    const StaticReport report = metric_report(*module, {}, interface);
    std::set<int> found;
    for (const std::string& axis : report.results.at(0).axes) found.insert(axis.back() - '0');
    ASSERT_EQ(found, chain.varies()) << seed << "\n" << chain.text();
    ASSERT_EQ(report.results[0].agrees, chain.varies().empty()) << seed;
  }
}

}  // namespace
}  // namespace understudy::program::analysis
