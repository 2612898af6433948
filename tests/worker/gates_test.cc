// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/gates.h"

#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using configs::Phase;

class GatesTest : public testing::Test {
 protected:
  TestFolder folder_;
  configs::RecordWriter record_{folder_.file("0"), Rank(0)};
  Gates gates_{record_, Clock::now()};
};

TEST_F(GatesTest, PassInOrderAndAreRecordedWithTheirTime) {
  const std::vector<Phase> order = {Phase::contract_checked,    Phase::environment_frozen,
                                    Phase::runtime_initialised, Phase::spmd_enabled,
                                    Phase::tensors_allowed,     Phase::programs_allowed};
  for (const Phase gate : order) gates_.pass(gate, "seen");
  const auto content = configs::read_record(folder_.file("0"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->phase, Phase::programs_allowed);
  ASSERT_EQ(content->observations.size(), order.size());
  double last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& passed = std::get<configs::GateSeen>(content->observations[i]);
    EXPECT_EQ(passed.gate, name_of(order[i]));
    EXPECT_EQ(passed.detail, "seen");
    EXPECT_GE(passed.seconds, last);
    last = passed.seconds;
  }
}

TEST_F(GatesTest, AFailedGateIsRecordedWithItsTimeAndReason) {
  gates_.pass(Phase::contract_checked, "seen");
  gates_.fail("environment frozen", "it changed");
  const auto content = configs::read_record(folder_.file("0"));
  ASSERT_EQ(content->observations.size(), 2U);
  const auto& failed = std::get<configs::GateSeen>(content->observations[1]);
  EXPECT_EQ(failed.gate, "environment frozen");
  EXPECT_EQ(failed.failed, "it changed");
  EXPECT_EQ(content->phase, Phase::contract_checked);
  EXPECT_FALSE(std::get<configs::GateSeen>(content->observations[0]).failed);
}

TEST_F(GatesTest, EveryStepOutOfOrderIsANamedError) {
  EXPECT_EQ(
      error_of([&] { gates_.pass(Phase::runtime_initialised, ""); }),
      "internal: error: gate \"runtime initialised\" is out of order: the last gate passed is "
      "\"started\"");
  gates_.pass(Phase::contract_checked, "");
  EXPECT_EQ(error_of([&] { gates_.pass(Phase::contract_checked, ""); }),
            "internal: error: gate \"contract checked\" is out of order: the last gate passed is "
            "\"contract checked\"");
  EXPECT_EQ(gates_.reached(), Phase::contract_checked);
}

TEST_F(GatesTest, ATensorBeforeItsGateIsAProtocolError) {
  EXPECT_EQ(error_of([&] { gates_.require(Phase::tensors_allowed, "a tensor"); }),
            "protocol: error: a tensor requires gate \"tensors allowed\": the last gate passed is "
            "\"started\"");
  gates_.pass(Phase::contract_checked, "");
  gates_.require(Phase::contract_checked, "anything");
}

}  // namespace
}  // namespace understudy::worker
