// SPDX-License-Identifier: Apache-2.0
#include "configs/run_plan.h"

#include <gmock/gmock.h>

#include "configs/contract.h"
#include "tests/configs/plan_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(RunPlan, GoesThereAndBack) {
  const RunPlan plan = small_plan();
  EXPECT_EQ(read_run_plan(to_json(plan), "plan.json"), plan);
  expect_golden("run_plan/plan.json", to_json(plan));
}

TEST(RunPlan, KeepsTheTextsOfItsComplaints) {
  const std::pair<std::string, std::string> changes[] = {
      {"\"slice\"", "\"slcie\""},
      {"\"chips\": 2", "\"chips\": \"2\""},
      {"\"chips\": 2", "\"chips\": 3"},
      {"\"host_of\": [0, 0]", "\"host_of\": [0]"},
      {"\"partitions\": 2", "\"partitions\": 4"},
      {"\"steps\": 3", "\"steps\": 0"},
      {"\"numerics\": \"tpu\"", "\"numerics\": \"tpus\""},
      {"\"timeout_seconds\": 5.0", "\"timeout_seconds\": 0"},
      {"\"tile_of\": [0, 1]", "\"tile_of\": [0, 2]"},
      {"\"tile_of\": [0, 1]", "\"tile_of\": [0]"},
      {"\"shape\": [2, 3]", "\"shape\": [2, -3]"},
      {"\"carry\": [[0, 0]]", "\"carry\": [[1, 0]]"},
      {"\"carry\": [[0, 0]]", "\"carry\": [[0, 0, 0]]"},
      {"run-plan/1", "run-plan/0"},
  };
  std::string texts;
  for (const auto& [from, to] : changes) {
    std::string text = to_json(small_plan());
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    texts += error_of([&] { read_run_plan(text, "plan.json"); }) + "\n\n";
  }
  expect_golden("run_plan/errors.txt", texts);
}

TEST(Contract, TakesTheVariablesThatMatter) {
  EXPECT_THAT(contract_environment({"PATH=/bin", "UNDERSTUDY_ISA=portable", "OMP_NUM_THREADS=1",
                                    "UNDERSTUDY_X=a=b", "NOT_UNDERSTUDY_X=1", "odd"}),
              ElementsAre(Pair("OMP_NUM_THREADS", "1"), Pair("UNDERSTUDY_ISA", "portable"),
                          Pair("UNDERSTUDY_X", "a=b")));
}

TEST(Contract, IsEqualForEqualFactsAndNotOtherwise) {
  const std::map<std::string, std::string> environment = {{"OMP_NUM_THREADS", "1"}};
  const Contract contract = contract_of(small_plan(), "abc", environment);
  EXPECT_EQ(digest_of(contract), digest_of(contract_of(small_plan(), "abc", environment)));
  EXPECT_NE(digest_of(contract), digest_of(contract_of(small_plan(), "abd", environment)));
  EXPECT_NE(digest_of(contract), digest_of(contract_of(small_plan(), "abc", {})));
  RunPlan other = small_plan();
  other.contract_digest = "set later";
  other.run_id = "another";
  EXPECT_EQ(digest_of(contract), digest_of(contract_of(other, "abc", environment)));
  other.host_of = {HostId(0), HostId(1)};
  EXPECT_NE(digest_of(contract), digest_of(contract_of(other, "abc", environment)));
}

TEST(Contract, IsOneLineWithASchema) {
  Contract contract = contract_of(small_plan(), "abc", {{"OMP_NUM_THREADS", "1"}});
  contract.version = "VERSION";
  contract.revision = "REVISION";
  expect_golden("contract/contract.json", to_json(contract) + "\n");
  EXPECT_THAT(to_json(contract), HasSubstr("\"understudy/contract/1\""));
}

}  // namespace
}  // namespace understudy::configs
