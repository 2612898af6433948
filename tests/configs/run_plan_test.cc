// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/run_plan.h"

#include <gmock/gmock.h>

#include "configs/launch/joined_slices.h"
#include "tests/configs/plan_testing.h"

namespace understudy::configs {
namespace {

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
      {"\"device_order\": []", "\"device_order\": [1, 1]"},
      {"\"device_order\": []", "\"device_order\": [1]"},
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

TEST(RunPlan, KnowsTheSliceOfAHost) {
  SliceRequest request;
  request.slice = "2xv6e-8";
  request.hosts = 2;
  RunPlan plan;
  plan.chips = 16;
  place_ranks(plan, make_joined(request));
  EXPECT_EQ(plan.slices, 2);
  EXPECT_EQ(slice_of_host(plan, HostId(1)), 0);
  EXPECT_EQ(slice_of_host(plan, HostId(2)), 1);
  EXPECT_EQ(slice_of_host(plan, HostId(9)), std::nullopt) << "there is no such host";
  EXPECT_EQ(slice_of_host(small_plan(), HostId(0)), std::nullopt) << "it has one slice";
}

}  // namespace
}  // namespace understudy::configs
