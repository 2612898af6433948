// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/chip_lock.h"

#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <unistd.h>

#include "configs/base/file.h"
#include "configs/base/procfs.h"
#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using testing::HasSubstr;

class ChipLockTest : public testing::Test {
 protected:
  // The error text of taking the lock, and its diagnosis.
  std::pair<std::string, std::string> refusal(Seconds wait_limit = Seconds(0)) {
    try {
      const ChipLock lock(place_, HostId(1), wait_limit);
    } catch (const Error& error) {
      return {error.text(), error.diagnosis()};
    }
    return {"taken", ""};
  }

  TestFolder folder_;
  ChipPlace place_ = chip_place(folder_.path(), HostId(1), 0);
};

TEST_F(ChipLockTest, NamesItsHolderWhileHeldAndIsFreeAfterwards) {
  {
    const ChipLock lock(place_, HostId(1), Seconds(0));
    const auto holder = parse_holder(read_text_file(place_.lock));
    ASSERT_TRUE(holder);
    EXPECT_EQ(holder->pid, ::getpid());
    EXPECT_EQ(holder->start, process_stat(::getpid())->start);
    const auto [text, name] = refusal();
    EXPECT_THAT(text, HasSubstr(fmt::format("the TPU of host 1 is already in use by process with "
                                            "pid {} (",
                                            ::getpid())));
    EXPECT_EQ(name, "chip-in-use");
  }
  EXPECT_EQ(refusal().first, "taken") << "its own earlier file is not stale";
}

TEST_F(ChipLockTest, DistinguishesStaleAndForeignFilesFromAHolder) {
  LockHolder other = own_holder();
  other.pid = 0x3ffffffe;
  write_file_atomically(place_.lock, text_of(other));
  EXPECT_THAT(refusal().first, HasSubstr("process 1073741822 no longer runs"));
  EXPECT_EQ(refusal().second, "lock-stale");
  other = own_holder();
  other.start += 1;  // the pid was given out again
  write_file_atomically(place_.lock, text_of(other));
  EXPECT_EQ(refusal().second, "lock-stale");
  other = own_holder();
  other.uid += 1;
  write_file_atomically(place_.lock, text_of(other));
  EXPECT_EQ(refusal().second, "lock-of-other-user");
}

TEST_F(ChipLockTest, FindsAHolderWhoseFileWasRemovedAtTheDevice) {
  const ChipLock lock(place_, HostId(1), Seconds(0));
  std::filesystem::remove(place_.lock);
  const auto [text, name] = refusal(Seconds(5));
  EXPECT_THAT(text, HasSubstr("but the lock file does not name it"));
  EXPECT_EQ(name, "lock-removed");
}

TEST_F(ChipLockTest, WaitsForABusyDeviceAndGivesUp) {
  const int busy = try_lock(place_.device);
  ASSERT_GE(busy, 0);
  EXPECT_EQ(refusal(Seconds(0.1)).second, "chip-busy");
  std::jthread later([busy] {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    ::close(busy);
  });
  const ChipLock lock(place_, HostId(1), Seconds(30));
  EXPECT_GT(lock.waited().count(), 0.03);
}

TEST(LockHolder, RoundTripsAsText) {
  const auto holder = parse_holder(text_of(LockHolder{12, 34, 56}));
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, 12);
  EXPECT_EQ(holder->uid, 34);
  EXPECT_EQ(holder->start, 56U);
  EXPECT_FALSE(parse_holder("")) << "a device without a holder has an empty file";
}

}  // namespace
}  // namespace understudy::worker
