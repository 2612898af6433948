// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/segment.h"

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectives/doorbell.h"
#include "tests/worker/worker_testing.h"
#include "worker/pod/memory.h"
#include "worker/pod/peers.h"

namespace understudy::worker {
namespace {

constexpr std::uint64_t kHbmBytes = 32'000'000'000;

TEST(Segment, IsSparseZeroAndAsLargeAsAsked) {
  const Segment segment = Segment::create(kHbmBytes);
  EXPECT_EQ(segment.hbm().size(), kHbmBytes);
  EXPECT_EQ(segment.hbm().front(), std::byte{0});
  EXPECT_EQ(segment.hbm().back(), std::byte{0});
  EXPECT_EQ(segment.status().instructions, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(segment.hbm().data()) % 4096, 0U);
  segment.hbm().back() = std::byte{1};
  struct stat status {};
  ASSERT_EQ(::fstat(segment.descriptor(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 1 << 20);
}

TEST(Segment, IsSharedBetweenProcessesThroughProc) {
  const Segment segment = Segment::create(kHbmBytes);
  const std::string path = fmt::format("/proc/{}/fd/{}", ::getpid(), segment.descriptor());
  const pid_t child = ::fork();
  if (child == 0) {
    const Segment theirs = Segment::map(::open(path.c_str(), O_RDWR | O_CLOEXEC), kHbmBytes);
    theirs.hbm()[12'345] = std::byte{42};
    theirs.status().instructions = 7;
    collectives::ring(theirs.status().doorbell);
    ::_exit(0);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(segment.hbm()[12'345], std::byte{42});
  EXPECT_EQ(segment.status().instructions, 7U);
  EXPECT_EQ(segment.status().doorbell, 1U);
}

TEST(Segment, TooLargeForTheAddressSpaceSaysSoWithARemedy) {
  const std::string text = error_of([] { Segment::create(std::uint64_t{1} << 60); });
  EXPECT_EQ(
      text.rfind("system: error: cannot map a chip's memory of 1152921504606846976 bytes: ", 0), 0U)
      << text;
  EXPECT_NE(text.find("note: raise the address space limit (ulimit -v unlimited)"),
            std::string::npos);
}

// What a pod of threads does in one process: descriptors of ours, opened again.
void share(collectives::Transport& transport, SegmentAccess access) {
  ControlChannel control_channel(transport);
  const PodMemory memory(control_channel, 1 << 20, "segment-test", access);
  const auto rank = static_cast<std::size_t>(transport.rank().value);
  memory.own().hbm()[rank] = static_cast<std::byte>(rank + 1);
  control_channel.barrier("written");
  for (std::size_t peer = 0; peer < memory.size(); ++peer) {
    const Rank of(static_cast<std::int64_t>(peer));
    ASSERT_NE(memory.of(of), nullptr);
    EXPECT_EQ(memory.of(of)->hbm()[peer], static_cast<std::byte>(peer + 1));
    EXPECT_EQ(memory.of(of)->descriptor(), -1);
    EXPECT_TRUE(memory.on_this_machine(of));
  }
  control_channel.barrier("read");
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

class PodMemoryTest : public testing::TestWithParam<SegmentAccess> {};

TEST_P(PodMemoryTest, EveryWorkerSeesEverySegmentAndKeepsNoDescriptor) {
  const std::size_t before = open_descriptors();
  for (const int ranks : {1, 2, 5}) {
    const auto errors = run_pod(ranks, [](const collectives::Fabric& fabric) {
      collectives::Transport& transport = fabric.transport;
      share(transport, GetParam());
    });
    for (const std::string& error : errors) EXPECT_EQ(error, "");
  }
  EXPECT_EQ(open_descriptors(), before);
}

INSTANTIATE_TEST_SUITE_P(Access, PodMemoryTest,
                         testing::Values(SegmentAccess::automatic, SegmentAccess::socket_only),
                         [](const auto& access) {
                           return access.param == SegmentAccess::automatic ? "ThroughProc"
                                                                           : "OverSockets";
                         });

TEST(PodWatch, TellsWhoGaveUpAndWhoWaitsForWhom) {
  const auto errors = run_pod(2, [](const collectives::Fabric& fabric) {
    collectives::Transport& transport = fabric.transport;
    ControlChannel control_channel(transport);
    const PodMemory memory(control_channel, 4096, "watch-test");
    PodWatch watch(memory, {HostId(0), HostId(1)});
    const Rank other(1 - transport.rank().value);
    EXPECT_EQ(watch.describe(Rank(1)), "rank 1 (host 1)");
    EXPECT_EQ(watch.state(other), collectives::PeerState::alive);
    EXPECT_TRUE(watch.leaving().empty());
    EXPECT_FALSE(watch.nobody_works());
    EXPECT_EQ(watch.waiting_for(transport.rank()), collectives::kNobody);
    watch.publish_waiting_for(other);
    EXPECT_EQ(watch.waiting_for(transport.rank()), other);
    control_channel.barrier("looked");
    memory.own().status().abort = 1;
    control_channel.barrier("gave up");
    EXPECT_EQ(watch.state(other), collectives::PeerState::gave_up);
    EXPECT_EQ(watch.leaving(), std::vector<Rank>{other});
    EXPECT_TRUE(watch.nobody_works());
    control_channel.barrier("done");
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
}

}  // namespace
}  // namespace understudy::worker
