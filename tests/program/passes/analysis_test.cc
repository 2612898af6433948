// SPDX-License-Identifier: Apache-2.0
// Classes of processes, and the data flow over drawn collectives.
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

#include "program/analysis/collective_classes.h"
#include "program/analysis/metric_verdict.h"
#include "program/read.h"
#include "program/text/python_place.h"

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

// A loop that passes each chip's own value through `length` carried values, one per round.
std::string chain_through_a_loop(int length) {
  std::string types = "tensor<f32>", starts = "%c0 = %x", next = "%c0";
  for (int i = 1; i < length; ++i) {
    types += ", tensor<f32>";
    starts += fmt::format(", %c{} = %z", i);
    if (i + 1 < length) next += fmt::format(", %c{}", i);
  }
  return fmt::format(
      "module attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
      "  sdy.mesh @mesh = <[\"data\"=4]>\n"
      "  func.func public @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, "
      "[{{\"data\"}}]>}}) -> tensor<f32> {{\n"
      "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{\"data\"}}]>] "
      "out_shardings=[<@mesh, []>] manual_axes={{\"data\"}} (%s: tensor<1xf32>) {{\n"
      "      %x = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>\n"
      "      %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "      %n = stablehlo.constant dense<0> : tensor<i32>\n"
      "      %m = stablehlo.constant dense<{0}> : tensor<i32>\n"
      "      %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "      %r:{1} = stablehlo.while(%i = %n, {2}) : tensor<i32>, {3}\n"
      "       cond {{\n"
      "        %p = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "        stablehlo.return %p : tensor<i1>\n"
      "      }} do {{\n"
      "        %j = stablehlo.add %i, %one : tensor<i32>\n"
      "        stablehlo.return %j, %c0{4} : tensor<i32>, {3}\n"
      "      }}\n"
      "      sdy.return %r#{0} : tensor<f32>\n"
      "    }} : (tensor<4xf32>) -> tensor<f32>\n"
      "    return %0 : tensor<f32>\n  }}\n}}\n",
      length, length + 1, starts, types, ", " + next);
}

// The last of n values differs from the n-th round on only.
TEST(MetricReport, FollowsALoopToItsFixedPoint) {
  for (const int length : {2, 17, 65, 130}) {
    SCOPED_TRACE(length);
    const auto module =
        parse(std::make_shared<const Source>("chain.mlir", chain_through_a_loop(length)));
    verify(*module);
    const Interface interface = interface_of(*module, {});
    const StaticReport report = metric_report(*module, {}, interface);
    EXPECT_FALSE(report.results.at(0).agrees);
    EXPECT_TRUE(report.results[0].touched);
    EXPECT_EQ(report.results[0].axes, std::vector<std::string>{"data"});
    EXPECT_EQ(report.warnings.size(), 0U);  // the counter stays equal on all chips
    EXPECT_EQ(flow_of(*module, {}, interface).most_rounds, length);
  }
}

// The chips whose data reach the sum of %v over four chips, with that body.
std::vector<bool> reach(const std::string& body) {
  const std::string text = fmt::format(
      "module attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
      "  sdy.mesh @mesh = <[\"data\"=4]>\n"
      "  func.func public @main(%a: tensor<4xf32> {{sdy.sharding = #sdy.sharding<@mesh, "
      "[{{\"data\"}}]>}}) -> tensor<1xf32> {{\n"
      "    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{\"data\"}}]>] "
      "out_shardings=[<@mesh, [{{}}]>] manual_axes={{\"data\"}} (%x: tensor<1xf32>) {{\n"
      "      %id = stablehlo.partition_id : tensor<ui32>\n"
      "      %one = stablehlo.constant dense<1> : tensor<ui32>\n"
      "      %zero = stablehlo.constant dense<0.0> : tensor<1xf32>\n"
      "      %is = stablehlo.compare EQ, %id, %one : (tensor<ui32>, tensor<ui32>) -> tensor<i1>\n"
      "{}"
      "      %sum = \"stablehlo.all_reduce\"(%v) <{{channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : "
      "tensor<1x4xi64>, use_global_device_ids}}> ({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>): "
      "%t = stablehlo.add %p, %q : tensor<f32> stablehlo.return %t : tensor<f32> }}) : "
      "(tensor<1xf32>) -> tensor<1xf32>\n"
      "      sdy.return %sum : tensor<1xf32>\n"
      "    }} : (tensor<4xf32>) -> tensor<1xf32>\n"
      "    return %0 : tensor<1xf32>\n  }}\n}}\n",
      body);
  const auto module = parse(std::make_shared<const Source>("reach.mlir", text));
  verify(*module);
  const StaticReport report = metric_report(*module, {}, interface_of(*module, {}));
  return report.results.at(0).reach.at(0);
}

// The verdicts of a whole program are in tests/mpi/metrics_test.cc; here what each form keeps out.
TEST(Reach, OfSelectionsProductsBranchesAndSlices) {
  const std::vector<bool> all(4, true), second = {false, true, false, false};
  EXPECT_EQ(reach("%v = stablehlo.tanh %x : tensor<1xf32>\n"), all);
  EXPECT_EQ(reach("%v = stablehlo.select %is, %x, %zero : tensor<i1>, tensor<1xf32>\n"), second);
  EXPECT_EQ(reach("%f = stablehlo.convert %is : (tensor<i1>) -> tensor<f32>\n"
                  "%b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1xf32>\n"
                  "%v = stablehlo.multiply %x, %b : tensor<1xf32>\n"),
            second);
  EXPECT_EQ(reach("%v = \"stablehlo.if\"(%is) ({ stablehlo.return %x : tensor<1xf32> }, { "
                  "stablehlo.return %zero : tensor<1xf32> }) : (tensor<i1>) -> tensor<1xf32>\n"),
            second);
  // Data decide: any chip's may count.
  EXPECT_EQ(reach("%d = stablehlo.compare GT, %x, %zero : (tensor<1xf32>, tensor<1xf32>) -> "
                  "tensor<1xi1>\n"
                  "%v = stablehlo.select %d, %x, %zero : tensor<1xi1>, tensor<1xf32>\n"),
            all);
  const std::string gather =
      "%g = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, channel_handle = "
      "#stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : "
      "tensor<1x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>\n";
  EXPECT_EQ(reach(gather + "%v = stablehlo.slice %g [1:2] : (tensor<4xf32>) -> tensor<1xf32>\n"),
            second);
  EXPECT_EQ(reach(gather + "%v = stablehlo.dynamic_slice %g, %one, sizes = [1] : (tensor<4xf32>, "
                           "tensor<ui32>) -> tensor<1xf32>\n"),
            second);
  EXPECT_EQ(reach(gather + "%v = stablehlo.dynamic_slice %g, %id, sizes = [1] : (tensor<4xf32>, "
                           "tensor<ui32>) -> tensor<1xf32>\n"),
            all);
}

// As JAX writes them: aliases at the end of lines, call sites, a region that ends in a later line.
TEST(PythonPlaces, AreThoseOfTheUsersFrames) {
  const std::string text =
      "#loc1 = loc(\"params['w']\")\n"
      "#loc2 = loc(\"/x/jax/_src/lax.py\":1:2)\n"
      "#loc3 = loc(\"/home/me/train.py\":12:5)\n"
      "#loc4 = loc(callsite(#loc2 at #loc3))\n"
      "#loc5 = loc(\"psum\"(#loc4))\n"
      "module @jit_f {\n"
      "  func.func public @main(%arg0: tensor<4xf32> {a = \"%arg9\"} loc(\"x\"), %arg1: "
      "tensor<4xf32> loc(#loc1), %arg2: tensor<f32>) -> (tensor<f32>) {\n"
      "    %0 = \"stablehlo.all_reduce\"(%arg0) ({\n"
      "    ^bb0(%a: tensor<f32> loc(\"psum\"(#loc2)), %b: tensor<f32>):\n"
      "      stablehlo.return %a : tensor<f32> loc(#loc2)\n"
      "    }) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc5)\n"
      "    %1 = call @g(%0) : (tensor<4xf32>) -> tensor<4xf32> loc(#loc3)\n"
      "  }\n"
      "  func.func private @g(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n"
      "    %0 = stablehlo.tanh %arg0 : tensor<4xf32>\n"
      "  }\n"
      "}\n";
  const PythonPlaces places(text);
  EXPECT_EQ(places.argument_names(), (std::vector<std::string>{"x", "params['w']", ""}));
  EXPECT_EQ(places.of_line(8), "/home/me/train.py:12:5");
  EXPECT_EQ(places.of_line(15), "/home/me/train.py:12:5");  // where @g is called
  EXPECT_EQ(places.of_line(1000), std::nullopt);
  EXPECT_EQ(PythonPlaces("").of_line(1), std::nullopt);
}

}  // namespace
}  // namespace understudy::program::analysis
