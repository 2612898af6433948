// SPDX-License-Identifier: Apache-2.0
// Chips that run different programs: where their collectives differ, the error shows both calls
// with their places.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

// A program of four replicas whose body is `lines`, which end in %out.
std::string program_of(const std::string& lines) {
  return "module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {\n"
         "  func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n" +
         lines + "    return %out : tensor<8xf32>\n  }\n}\n";
}

struct Reduce {
  std::string to = "%out", from = "%x", type = "8xf32", reducer = "add";
  std::string groups = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>";
  int channel = 1;
  std::string more;  // attributes
};

std::string all_reduce(const Reduce& reduce) {
  const std::string scalar = reduce.type.substr(reduce.type.find('x') + 1);
  return fmt::format(
      "    {0} = \"stablehlo.all_reduce\"({1}) <{{channel_handle = "
      "#stablehlo.channel_handle<handle "
      "= {5}, type = 1>, replica_groups = {4}}}> ({{\n"
      "    ^bb0(%a: tensor<{6}>, %b: tensor<{6}>):\n"
      "      %r = stablehlo.{3} %a, %b : tensor<{6}>\n"
      "      stablehlo.return %r : tensor<{6}>\n"
      "    }}) {7} : (tensor<{2}>) -> tensor<{2}>\n",
      reduce.to, reduce.from, reduce.type, reduce.reducer, reduce.groups, reduce.channel, scalar,
      reduce.more);
}

const char* const kGather =
    "    %g = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, channel_handle = "
    "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : "
    "tensor<1x4xi64>}> : (tensor<8xf32>) -> tensor<32xf32>\n"
    "    %out = stablehlo.slice %g [0:8] : (tensor<32xf32>) -> tensor<8xf32>\n";

struct Case {
  std::string name;
  std::string ours, theirs;  // bodies; rank 2 runs theirs
  int code;
  std::vector<std::string> words;  // on stderr
};

std::string both(const Reduce& first, const Reduce& second) {
  Reduce one = first;
  one.to = "%mid";
  Reduce two = second;
  two.from = "%mid";
  return all_reduce(one) + all_reduce(two);
}

std::string of_slice() {
  Reduce reduce;
  reduce.from = "%s";
  reduce.to = "%t";
  reduce.type = "4xf32";
  return "    %s = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>\n" +
         all_reduce(reduce) +
         "    %out = stablehlo.concatenate %t, %t, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> "
         "tensor<8xf32>\n";
}

std::string of_integers() {
  Reduce reduce;
  reduce.from = "%s";
  reduce.to = "%t";
  reduce.type = "8xi32";
  return "    %s = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xi32>\n" + all_reduce(reduce) +
         "    %out = stablehlo.convert %t : (tensor<8xi32>) -> tensor<8xf32>\n";
}

std::string with(const std::string& reducer, int channel, const std::string& more = "") {
  Reduce reduce;
  reduce.reducer = reducer;
  reduce.channel = channel;
  reduce.more = more;
  return all_reduce(reduce);
}

std::string of_pairs() {
  Reduce reduce;
  reduce.groups = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>";
  return all_reduce(reduce);
}

std::string of_negated() {
  Reduce reduce;
  reduce.from = "%y";
  return all_reduce(reduce);
}

std::string swapped(bool swap) {
  Reduce one, two;
  one.channel = swap ? 2 : 1;
  two.channel = swap ? 1 : 2;
  two.reducer = swap ? "add" : "maximum";
  one.reducer = swap ? "maximum" : "add";
  return both(one, two);
}

class TwoPrograms : public testing::TestWithParam<Case> {};

TEST_P(TwoPrograms, ShowBothCallsWithTheirPlaces) {
  const Case& want = GetParam();
  World world;
  const std::string ours = world.write("ours.mlir", program_of(want.ours));
  const std::string theirs = world.write("theirs.mlir", program_of(want.theirs));
  for (const char* algorithm : {"auto", "ring"}) {
    const Ran ran = world.run({"run", ours, "--program", "2=" + theirs, "--fill", "ones",
                               "--timeout", "3", "--collectives", algorithm});
    EXPECT_EQ(ran.code, want.code) << algorithm << "\n" << ran.err;
    EXPECT_LT(ran.seconds, 12);
    for (const std::string& word : want.words)
      EXPECT_NE(ran.err.find(word), std::string::npos) << algorithm << ": " << word << "\n"
                                                       << ran.err;
    EXPECT_EQ(world.leftovers(ran), "");
    EXPECT_EQ(world.receipt(ran).verdict, want.code == 0 ? "passed" : "failed");
  }
}

const std::vector<std::string> kBothPlaces{"ours.mlir:", "theirs.mlir:"};

std::vector<std::string> and_places(std::vector<std::string> words) {
  words.insert(words.end(), kBothPlaces.begin(), kBothPlaces.end());
  return words;
}

INSTANTIATE_TEST_SUITE_P(
    Differences, TwoPrograms,
    testing::Values(
        Case{"none",
             with("add", 1),
             "    %y = stablehlo.negate %x : tensor<8xf32>\n" + of_negated(),
             0,
             {}},
        Case{"op", with("add", 1), kGather, 3,
             and_places({"all_reduce f32[8] sum", "all_gather f32[8]"})},
        Case{"order", swapped(false), swapped(true), 3,
             and_places({"sum, channel 1", "maximum, channel 2"})},
        Case{"shape", with("add", 1), of_slice(), 3,
             and_places({"all_reduce f32[8]", "all_reduce f32[4]"})},
        Case{"dtype", with("add", 1), of_integers(), 3,
             and_places({"all_reduce f32[8]", "all_reduce i32[8]"})},
        Case{"reducer", with("add", 1), with("maximum", 1), 3,
             and_places({"f32[8] sum", "f32[8] maximum"})},
        Case{"channel", with("add", 1), with("add", 7), 3, and_places({"channel 1", "channel 7"})},
        Case{"layout", with("add", 1), with("add", 1, "{constrain_layout = true}"), 3,
             and_places({"layout constrained"})},
        Case{"group", with("add", 1), of_pairs(), 3, and_places({"group 0,1,2,3", "group 2,3"})},
        Case{"absent",
             with("add", 1),
             "    %out = stablehlo.negate %x : tensor<8xf32>\n",
             4,
             {"rank 2 (host 0)", "ours.mlir:", "rank 2 entered no collective"}}),
    [](const auto& one) { return one.param.name; });

TEST(TwoProgramWords, ThatDoNotFitAreRefused) {
  World world;
  const std::string ours = world.write("ours.mlir", program_of(with("add", 1)));
  const std::string narrow = world.write(
      "narrow.mlir",
      "module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {\n"
      "  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "    return %x : tensor<4xf32>\n  }\n}\n");
  std::string all;
  const std::vector<std::vector<std::string>> wrong = {
      {"2=" + narrow}, {"4=" + ours}, {"x=" + ours},
      {"2-1=" + ours}, {"2"},         {"1-2=" + ours, "2=" + ours}};
  for (const std::vector<std::string>& words : wrong) {
    std::vector<std::string> line{"run", ours, "--fill", "ones"};
    for (const std::string& word : words) line.insert(line.end(), {"--program", word});
    const Ran ran = world.run(line);
    EXPECT_EQ(ran.code, 2) << words.front();
    all += ran.err;
  }
  expect_golden(world, "program_words.txt", all);
}

}  // namespace
}  // namespace understudy::mpi_testing
