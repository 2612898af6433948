// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/control_channel.h"

#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

class ControlChannelTest : public testing::TestWithParam<int> {
 protected:
  void in_pod(const std::function<void(ControlChannel&)>& work) {
    const auto errors = run_pod(GetParam(), [&](const collectives::Fabric& fabric) {
      collectives::Transport& transport = fabric.transport;
      ControlChannel control_channel(transport);
      work(control_channel);
    });
    for (const std::string& error : errors) EXPECT_EQ(error, "");
  }
};

TEST_P(ControlChannelTest, BroadcastBringsRootsBytesToAll) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100'003}}) {
    const std::string text(size, 'x');
    in_pod([&](ControlChannel& control_channel) {
      EXPECT_EQ(
          control_channel.broadcast_text(control_channel.is_root() ? text : "other", "a text"),
          text);
    });
  }
}

TEST_P(ControlChannelTest, GathersUnequalBytesInRankOrder) {
  in_pod([](ControlChannel& control_channel) {
    const Bytes mine(static_cast<std::size_t>(control_channel.rank().value), std::byte{1});
    const std::vector<Bytes> all = control_channel.all_gather(mine, "sizes");
    ASSERT_EQ(all.size(), static_cast<std::size_t>(control_channel.size()));
    for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(all[rank].size(), rank);
    EXPECT_EQ(control_channel.gather(mine, "again").size(),
              control_channel.is_root() ? all.size() : 0U);
    control_channel.barrier("end");
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, ControlChannelTest, testing::Values(1, 2, 3, 7, 8, 9));

TEST(ControlChannel, DifferentCallsAreAProtocolError) {
  const auto errors = run_pod(2, [](const collectives::Fabric& fabric) {
    collectives::Transport& transport = fabric.transport;
    ControlChannel control_channel(transport);
    control_channel.broadcast({}, control_channel.is_root() ? "the plan" : "the program");
  });
  EXPECT_NE(errors[1].find("collectives do not match: rank 1: the program; rank 0: the plan"),
            std::string::npos)
      << errors[1];
}

TEST(ControlChannel, AMissingPeerIsNamed) {
  const auto errors = run_pod(3, [](const collectives::Fabric& fabric) {
    collectives::Transport& transport = fabric.transport;
    ControlChannel control_channel(transport);
    if (transport.rank() == Rank(2)) throw Error(ErrorKind::internal, "rank 2 leaves");
    control_channel.barrier("the end of the run");
  });
  EXPECT_NE(errors[0].find("rank 2"), std::string::npos) << errors[0];
}

}  // namespace
}  // namespace understudy::worker
