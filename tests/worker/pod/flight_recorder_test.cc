// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/flight_recorder.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

// What one rank does: six all_reduces, with a record and segments. Returns the arrivals it saw.
std::vector<configs::Arrivals> reduce_six_times(const TestFolder& folder,
                                                const collectives::Fabric& fabric) {
  collectives::Transport& transport = fabric.transport;
  ControlChannel control_channel(transport);
  const Rank self = transport.rank();
  configs::RecordWriter record(folder.file(std::to_string(self.value)), self);
  const PodMemory memory(control_channel, 1 << 20, "run");
  configs::RunPlan plan;
  plan.host_of = {HostId(0), HostId(0), HostId(0)};
  plan.sites = {{42, "p.mlir:4:5", true}};
  plan.faults = {"delay:rank=2,ms=30"};
  FlightRecorder log(record, memory, plan);
  const std::vector<Rank> members = {Rank(1), Rank(0), Rank(2)};
  collectives::CallSite site;
  for (int i = 0; i < 6; ++i) {
    control_channel.barrier("start");
    const std::uint64_t ticket = log.enter("all_reduce", std::array{42U}, 512, members, site);
    EXPECT_EQ(site.place, "p.mlir:4:5");
    EXPECT_EQ(site.layout, "layout constrained");
    control_channel.barrier("the collective");
    log.done(ticket, "ring");
  }
  control_channel.barrier("end");
  return log.arrivals();
}

// Threads of one process as a pod with real segments; a fault delays rank 2 by 30 ms each time.
TEST(FlightRecorder, FindsStragglersAndTheirDelay) {
  const TestFolder folder;
  std::vector<configs::Arrivals> seen;
  const auto errors = run_pod(3, [&](const collectives::Fabric& fabric) {
    const auto arrivals = reduce_six_times(folder, fabric);
    if (fabric.transport.rank() == Rank(1)) {
      seen = arrivals;
    } else {
      EXPECT_TRUE(arrivals.empty()) << "only the first member compares";
    }
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].kind, "all_reduce");
  EXPECT_EQ(seen[0].op_index, 42);
  EXPECT_EQ(seen[0].members, 3);
  EXPECT_EQ(seen[0].compared, 3);
  EXPECT_EQ(seen[0].times, 6);
  ASSERT_FALSE(seen[0].last.empty());
  const auto late = std::ranges::find(seen[0].last, 2, &configs::LateRank::rank);
  ASSERT_NE(late, seen[0].last.end());
  EXPECT_EQ(late->times, 6);
  EXPECT_GE(late->behind_max_seconds, 0.02);
  EXPECT_GE(seen[0].spread_max_seconds, 0.02);
  const auto flight = configs::read_record(folder.file("0"))->flight;
  ASSERT_EQ(flight.size(), 6U);
  EXPECT_EQ(configs::name_of(flight.back()), "all_reduce#6");
  EXPECT_TRUE(flight.back().done_ns);
}

}  // namespace
}  // namespace understudy::worker
