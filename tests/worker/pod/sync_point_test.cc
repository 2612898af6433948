// SPDX-License-Identifier: Apache-2.0
// Sync points of ranks that are threads of one process.
#include "worker/pod/sync_point.h"

#include <array>
#include <functional>
#include <gmock/gmock.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using ::testing::HasSubstr;

constexpr int kRanks = 5;

configs::RunPlan plan_of_two_hosts() {
  configs::RunPlan plan;
  plan.chips = kRanks;
  plan.host_of = {HostId(0), HostId(0), HostId(0), HostId(1), HostId(1)};
  return plan;
}

// The error and the culprit of each rank.
struct Ends {
  std::vector<std::string> errors;
  std::array<std::optional<Rank>, kRanks> culprits;
};
using Deed = std::function<void(ControlChannel&, const configs::RunPlan&, std::optional<Rank>&)>;
Ends in_pod(const Deed& deed) {
  Ends ends;
  const configs::RunPlan plan = plan_of_two_hosts();
  ends.errors = run_pod(kRanks, [&](const collectives::Fabric& fabric) {
    ControlChannel control_channel(fabric.transport);
    deed(control_channel, plan,
         ends.culprits.at(static_cast<std::size_t>(control_channel.rank().value)));
  });
  return ends;
}

// The clock of `rank` is `off` seconds fast.
Ends with_clock(std::int64_t rank, double off) {
  return in_pod([&](ControlChannel& control_channel, const configs::RunPlan& plan,
                    std::optional<Rank>& culprit) {
    const double mine = control_channel.rank() == Rank(rank) ? off : 0;
    const double before = wall_clock() + mine;
    control_channel.barrier("earlier");
    const double now = wall_clock() + mine;
    compare_clocks(control_channel, plan, before, now, culprit, [](const std::vector<double>&) {});
  });
}

TEST(SyncPoint, AtOnePointIsABarrier) {
  const Ends ends =
      in_pod([](ControlChannel& control_channel, const configs::RunPlan& plan,
                std::optional<Rank>& culprit) { barrier(control_channel, plan, "SPMD", culprit); });
  for (const std::string& error : ends.errors) EXPECT_EQ(error, "");
}

TEST(SyncPoint, NamesWhoIsElsewhere) {
  const Ends ends = in_pod([](ControlChannel& control_channel, const configs::RunPlan& plan,
                              std::optional<Rank>& culprit) {
    barrier(control_channel, plan, control_channel.rank() == Rank(3) ? "evaluation" : "SPMD",
            culprit);
  });
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    EXPECT_THAT(ends.errors[rank],
                HasSubstr("ranks are at different sync points: rank 3 (host 1) is at "
                          "\"evaluation\"; the others are at \"SPMD\""));
    EXPECT_EQ(ends.culprits.at(rank), rank == 3 ? std::nullopt : std::optional(Rank(3)));
  }
}

TEST(Clocks, ThatAgreeAreNotTold) {
  for (const std::string& error : with_clock(1, 0).errors) EXPECT_EQ(error, "");
  for (const std::string& error : with_clock(1, 0.5).errors) EXPECT_EQ(error, "");
}

TEST(Clocks, ThatAreFastOrSlowAreNamed) {
  for (const double off : {3600.0, -3600.0}) {
    const Ends ends = with_clock(3, off);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      EXPECT_THAT(ends.errors[rank], HasSubstr("clocks differ from rank 0's: rank 3 (host 1) by "));
      EXPECT_EQ(ends.culprits.at(rank), rank == 3 ? std::nullopt : std::optional(Rank(3)));
    }
  }
}

// Rank 0 judges; where all others differ from it, its own clock is wrong.
TEST(Clocks, OfRank0IsNamedWhereAllOthersDiffer) {
  const Ends ends = with_clock(0, 3600);
  for (const std::string& error : ends.errors)
    EXPECT_THAT(error, HasSubstr("the clock of rank 0 (host 0) differs by "));
  EXPECT_EQ(ends.culprits.at(4), Rank(0));
  EXPECT_EQ(ends.culprits.at(0), std::nullopt);
}

}  // namespace
}  // namespace understudy::worker
