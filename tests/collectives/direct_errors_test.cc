// SPDX-License-Identifier: Apache-2.0
// Errors on the direct path name their cause.
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "collectives/algorithms/direct.h"
#include "tests/collectives/direct_testing.h"

namespace understudy::collectives {
namespace {

using testing::HasSubstr;

std::vector<std::optional<Error>> meet(LocalPod& pod, std::size_t n,
                                       const std::function<Group(std::size_t)>& group,
                                       const std::function<CallSite(std::size_t)>& site) {
  return run_ranks(pod, n, [&](const Fabric& fabric, std::size_t rank) {
    const CallSite own = site(rank);
    const std::vector<float> in(own.elements);
    std::vector<float> out(own.elements);
    algorithm_named("direct").all_reduce(fabric, group(rank), SumReducer<float>{}, bytes_of(in),
                                         bytes_of(out), own);
  });
}

TEST(DirectMismatch, IsNamedByBothSides) {
  LocalPod pod(3, kPatience);
  const auto errors = meet(
      pod, 3, [](std::size_t rank) { return group_of_first(3, rank); },
      [](std::size_t rank) { return site_of("all_reduce", rank == 1 ? 9 : 8); });
  for (std::size_t rank = 0; rank < 3; ++rank) {
    ASSERT_TRUE(errors[rank].has_value()) << rank;
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::protocol);
    EXPECT_THAT(errors[rank]->message(), HasSubstr("collectives do not match: rank"));
    EXPECT_THAT(errors[rank]->message(), HasSubstr("f32[8]"));
    EXPECT_THAT(errors[rank]->message(), HasSubstr("f32[9]"));
  }
}

// Of two calls with one signature the text names the place of the one that is under way.
TEST(DirectMismatch, NamesThePlaceOfThisCallNotOfAnEarlierOne) {
  LocalPod pod(2, kPatience);
  const auto errors = run_ranks(pod, 2, [&](const Fabric& fabric, std::size_t rank) {
    for (const std::string_view place : {"op 1", "op 2"}) {
      const bool last = place == "op 2";
      const std::size_t elements = last && rank == 1 ? 9 : 8;
      CallSite site = site_of("all_reduce", elements);
      site.place = place;
      const std::vector<float> in(elements);
      std::vector<float> out(elements);
      algorithm_named("direct").all_reduce(fabric, group_of_first(2, rank), SumReducer<float>{},
                                           bytes_of(in), bytes_of(out), site);
    }
  });
  ASSERT_TRUE(errors[1].has_value());
  EXPECT_THAT(errors[1]->message(), HasSubstr("rank 0: all_reduce f32[8]"));
  EXPECT_THAT(errors[1]->message(), HasSubstr("group 0,1, op 2; rank 0"));
  EXPECT_THAT(errors[1]->message(), testing::Not(HasSubstr("op 1")));
}

// Each waits for the other in a group of its own: neither will ever come.
TEST(DirectMismatch, CrossedGroupsAreFoundLongBeforePatienceEnds) {
  LocalPod pod(3, WaitLimit{Seconds(60)});
  const auto errors = meet(
      pod, 3,
      [](std::size_t rank) {
        return rank == 2 ? group_of({1, 2}, 2) : group_of({0, 1, 2}, rank);
      },
      [](std::size_t) { return site_of("all_reduce", 4); });
  std::size_t named = 0;
  for (const auto& error : errors) {
    ASSERT_TRUE(error.has_value());
    named += error->kind() == ErrorKind::protocol &&
                     error->message().find("group 1,2") != std::string::npos &&
                     error->message().find("group 0,1,2") != std::string::npos
                 ? 1U
                 : 0U;
  }
  EXPECT_GE(named, 1U);
}

// Rank 2 is late to a call that the others have entered and left to itself; rank 1 is late to the
// next, in which rank 0 waits for it.
TEST(DirectMismatch, IsNoCallThatOnlyAThirdIsLateTo) {
  LocalPod pod(3, kPatience);
  expect_no_errors(run_ranks(pod, 3, [](const Fabric& fabric, std::size_t rank) {
    Fabric lane = fabric;
    lane.lane = 1;
    const Group all = group_of_first(3, rank);
    const std::vector<float> in(10, 1.0F);
    std::vector<float> first(10), second(10);
    const SumReducer<float> sum;
    if (rank == 2) std::this_thread::sleep_for(std::chrono::milliseconds(600));
    const auto entered = algorithm_named("direct").start_all_reduce(
        lane, all, sum, bytes_of(in), bytes_of(first), site_of("all_reduce", 10));
    ASSERT_NE(entered, nullptr);
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    algorithm_named("direct").all_reduce(fabric, all, sum, bytes_of(in), bytes_of(second),
                                         site_of("all_reduce", 10));
    entered->finish();
    EXPECT_EQ(first, std::vector<float>(10, 3.0F));
    EXPECT_EQ(second, std::vector<float>(10, 3.0F));
  }));
}

TEST(DirectLoss, NamesTheMissingRank) {
  LocalPod pod(4, kPatience);
  pod.declare_dead(Rank(2));
  const auto errors = run_ranks(pod, 4, [&](const Fabric& fabric, std::size_t rank) {
    if (rank == 2) return;
    const std::vector<float> in(10);
    std::vector<float> out(10);
    algorithm_named("direct").all_reduce(fabric, group_of_first(4, rank), SumReducer<float>{},
                                         bytes_of(in), bytes_of(out), site_of("all_reduce", 10));
  });
  for (const std::size_t rank : {0U, 1U, 3U}) {
    ASSERT_TRUE(errors[rank].has_value());
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::timeout);
  }
  EXPECT_THAT(errors[0]->message(), HasSubstr("rank 2 is gone"));
}

}  // namespace
}  // namespace understudy::collectives
