// SPDX-License-Identifier: Apache-2.0
// Injected faults: each is named on stderr, ends in time with its exit code, and is in the receipt.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

struct Case {
  std::string fault;
  std::vector<std::string> options;
  int code;
  double limit_seconds;
  std::vector<std::string> words;   // on stderr, each of them
  std::vector<std::int64_t> ranks;  // one of them is the failure's
};

class Faults : public testing::TestWithParam<Case> {};

TEST_P(Faults, AreNamedInTime) {
  const Case& want = GetParam();
  World world;
  std::vector<std::string> words{
      "run", program("dense_data_parallel"), "--steps", "40", "--fault", want.fault, "--timeout",
      "3"};
  words.insert(words.end(), want.options.begin(), want.options.end());
  const Ran ran = world.run(words);
  EXPECT_EQ(ran.code, want.code) << ran.err;
  EXPECT_LT(ran.seconds, want.limit_seconds);
  for (const std::string& word : want.words)
    EXPECT_NE(ran.err.find(word), std::string::npos) << word << "\n" << ran.err;
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.faults, std::vector<std::string>{want.fault});
  EXPECT_EQ(receipt.exit_code, want.code);
  ASSERT_TRUE(receipt.failure());
  ASSERT_TRUE(receipt.failure()->rank);
  EXPECT_EQ(std::count(want.ranks.begin(), want.ranks.end(), *receipt.failure()->rank), 1)
      << *receipt.failure()->rank;
}

const std::vector<std::int64_t> kAll{0, 1, 2, 3, 4, 5, 6, 7};

// Of the four all_reduces of a step, the first is asynchronous and done before the other three,
// which are combined, begin: a rank that leaves the combined one has left number 2.
INSTANTIATE_TEST_SUITE_P(
    Kinds, Faults,
    testing::Values(
        Case{
            "kill:rank=3,at=all_reduce#5",
            {},
            4,
            8,
            {"rank 3 (host 0) was killed", "first to fail: rank 3", "rank 3 left all_reduce#2 at "},
            {3}},
        Case{"kill:rank=3,at=all_reduce#5",
             {"--collectives", "ring"},
             4,
             8,
             {"rank 3 (host 0) was killed", "rank 3 left all_reduce#4 at "},
             {3}},
        Case{"stop:rank=0,at=all_reduce#7",
             {},
             4,
             10,
             {"rank 0 (host 0) was stopped", "rank 0 was last seen in all_reduce#5 at "},
             {0}},
        Case{"stop:rank=6",
             {},
             4,
             10,
             {"rank 6 (host 0) was stopped", "rank 6 entered no collective"},
             {6}},
        Case{"delay:rank=2,ms=60000,at=all_reduce#6",
             {},
             4,
             12,
             {"rank 2 (host 0) made no progress for ", "rank 2 was last seen in all_reduce#5 at "},
             kAll},
        Case{"drop-host:1,at=all_reduce#5",
             {"--hosts", "2"},
             4,
             8,
             {"(host 1) ", " left all_reduce#2 at "},
             {4, 5, 6, 7}},
        Case{"mismatch:rank=1,at=all_reduce#5",
             {},
             3,
             8,
             {"channel 1001", "channel 1,", "program.mlir:"},
             kAll},
        Case{"mismatch:rank=1,at=all_reduce#5",
             {"--collectives", "ring"},
             3,
             8,
             {"collectives do not match", "channel 1001", "program.mlir:"},
             kAll}));

// A slow rank is not a lost rank: the run passes, and the receipt names the straggler and its
// delay. The delay is far above the time for which a busy machine keeps another rank waiting.
TEST(Delay, IsAStragglerInTheReceipt) {
  World world;
  const Ran ran =
      world.run({"run", program("dense_data_parallel"), "--fault", "delay:rank=2,ms=400"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("fault injected: delay:rank=2,ms=400"), std::string::npos) << ran.out;
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "passed");
  ASSERT_TRUE(receipt.stragglers);
  ASSERT_FALSE(receipt.stragglers->ranks.empty());
  const configs::LateRank& late = receipt.stragglers->ranks.front();
  EXPECT_EQ(late.rank, 2);
  EXPECT_GE(late.behind_max_seconds, 0.2);
  for (const configs::ArrivalsSeen& site : receipt.stragglers->sites) {
    EXPECT_EQ(site.compared, 8);
    EXPECT_EQ(site.last.front().rank, 2) << site.place.value_or("");
    ASSERT_TRUE(site.place);
    EXPECT_NE(site.place->find("program.mlir:"), std::string::npos);
  }
}

// The run passes, and its counters show that the host executed some of the operations.
TEST(HostFallback, MovesTheCounterOfTheOperation) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--steps", "2", "--fault",
                             "host-fallback:op=dot_general,rank=5", "--metrics-report"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("Counter: aten::dot_general\n  Value: "), std::string::npos) << ran.out;
  const configs::Receipt receipt = world.receipt(ran);
  const auto count_of = [&](std::size_t chip) {
    const auto& counters = *receipt.ranks.at(chip).totals.value().counters;
    const auto found = counters.find("aten::dot_general");
    return found == counters.end() ? 0 : found->second;
  };
  EXPECT_GT(count_of(5), 0);
  EXPECT_EQ(count_of(5) % 2, 0) << "both steps count alike";
  EXPECT_EQ(count_of(4), 0);
  EXPECT_EQ(receipt.counters->at("aten::dot_general"), count_of(5));
}

// An operation that the framework could not trace counts as one in each step.
TEST(HostFallback, OfAnAbsentOperationCountsOncePerStepOnEveryRank) {
  World world;
  const Ran ran = world.run({"run", program("dense_data_parallel"), "--steps", "3", "--fault",
                             "host-fallback:op=aten::nonzero"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(world.receipt(ran).counters->at("aten::nonzero"), 3 * 8);
}

// The rung requires a count of zero.
TEST(HostFallback, FailsARung) {
  World world;
  const std::string ladder = world.write(
      "ladder.json",
      fmt::format(R"({{"schema": "understudy/ladder/1", "name": "mine", "rungs": [
                     {{"name": "chip", "program": "{0}", "metrics": "off"}},
                     {{"name": "host", "program": "{0}", "metrics": "off",
                       "faults": ["host-fallback:op=dot_general,rank=3"]}}]}})",
                  std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/ladders/programs/dense/4"));
  const Ran ran = world.run({"rehearse", "--slice", "v6e-4", "--hosts", "2", "--ladder", ladder});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_NE(ran.out.find("frontier: host is the first rung that fails (first that passes: chip)"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("layer: graph/compile (F52 host-fallback), host 1"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("aten::dot_general "), std::string::npos) << ran.out;
}

TEST(FaultWords, ThatAreWrongAreRefused) {
  World world;
  std::string all;
  for (const char* fault :
       {"kil:rank=3", "kill", "kill:rank=9", "kill:rank=x", "kill:rank=1,ms=5", "delay:rank=1",
        "kill:rank=1,at=all_reduce", "host-fallback:rank=1", "hbm-limit:rank=1",
        "kill:rank=1,at=all_reduces#1", "kill:rank=1,rank=2", "drop-host:7"}) {
    const Ran ran = world.run({"run", program("dense_data_parallel"), "--fault", fault});
    EXPECT_EQ(ran.code, 2) << fault;
    all += ran.err;
  }
  expect_golden(world, "fault_words.txt", all);
}

}  // namespace
}  // namespace understudy::mpi_testing
