// SPDX-License-Identifier: Apache-2.0
// A link to a chip that a thread of the test plays.
#include "pjrt/core/chip_link.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/version.h"

namespace understudy::pjrt {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kHbm = 1 << 16;
constexpr Seconds kLimit{20};

class FakeChip {
 public:
  FakeChip() {
    char folder[] = "/tmp/understudy-link-XXXXXX";
    path_ = std::string(::mkdtemp(folder)) + "/chip.sock";
    listening_ = Socket::listen(path_);
  }
  ~FakeChip() {
    ::unlink(path_.c_str());
    ::rmdir(path_.substr(0, path_.rfind('/')).c_str());
  }
  const std::string& path() const { return path_; }

  void greet(configs::ChipGreeting greeting) {
    while (!(socket_ = accepted())) ::poll(nullptr, 0, 1);
    greeting.hbm_offset = 4096;
    greeting.hbm_bytes = greeting.usable_bytes = kHbm;
    socket_->send(configs::encode(greeting), Deadline::after(kLimit));
    const int descriptor = ::memfd_create("fake", 0);
    ASSERT_EQ(::ftruncate(descriptor, 4096 + kHbm), 0);
    socket_->send_descriptor(descriptor);
    ::close(descriptor);
  }
  configs::ChipCommand take() {
    for (;;) {
      if (const auto message = cutter_.next()) return configs::read_chip_command(*message);
      std::byte piece[4096];
      const auto got = socket_->receive(piece, Deadline::after(kLimit));
      if (!got || *got == 0) throw Error(ErrorKind::internal, "nothing was sent");
      cutter_.feed(std::span(piece).first(*got));
    }
  }
  void tell(const configs::ChipNews& news) {
    socket_->send(configs::encode(news), Deadline::after(kLimit));
  }
  void end() { socket_->close(); }

 private:
  std::optional<Socket> accepted() { return listening_.accept(); }
  std::string path_;
  Socket listening_;
  std::optional<Socket> socket_;
  configs::MessageCutter cutter_;
};

configs::ChipGreeting greeting() {
  configs::ChipGreeting greeting;
  greeting.rank = 2;
  greeting.revision = revision();
  return greeting;
}

class Link : public testing::Test {
 protected:
  void SetUp() override {
    std::jthread greets([this] { chip_.greet(greeting()); });
    link_ = std::make_unique<ChipLink>(2, 0, chip_.path(), Deadline::after(kLimit));
  }
  CompletionRef launch() {
    ChipLink::Launch launch;
    launch.command.program = 7;
    launch.program = "jit_f";
    launch.held.push_back(link_->allocate(64, "a result"));
    launch.done = std::make_shared<Completion>();
    CompletionRef done = launch.done;
    link_->send(std::move(launch));
    return done;
  }
  FakeChip chip_;
  CopyThread callbacks_;
  std::unique_ptr<ChipLink> link_;
};

TEST_F(Link, CompletesLaunchesInOrderAndGivesTheirMemoryBack) {
  const CompletionRef first = launch(), second = launch();
  EXPECT_EQ(std::get<configs::ChipLaunch>(chip_.take()).launch, 1U);
  EXPECT_EQ(std::get<configs::ChipLaunch>(chip_.take()).hbm_in_use, 128U);
  chip_.tell(configs::ChipReport{1, 7, "", "", false});
  ASSERT_TRUE(link_->hear(callbacks_));
  EXPECT_TRUE(first->ready());
  EXPECT_FALSE(second->ready());
  EXPECT_EQ(link_->memory()->used(), 64U);
}

TEST_F(Link, PassesAnErrorOnWithTheChipsName) {
  const CompletionRef done = launch();
  chip_.tell(configs::ChipReport{1, 7, "check", "index 9 is outside", false});
  ASSERT_TRUE(link_->hear(callbacks_));
  ASSERT_NE(done->failure(), nullptr);
  EXPECT_EQ(done->failure()->code, abi::kFailedPrecondition);
  EXPECT_EQ(done->failure()->message, "rank 2 (host 0): index 9 is outside");
}

// What is computed from a failed array has failed as well, though the chip cannot know.
TEST_F(Link, FailsALaunchWhoseArgumentFailed) {
  const CompletionRef first = launch();
  ChipLink::Launch next;
  next.after.push_back(first);
  next.done = std::make_shared<Completion>();
  const CompletionRef second = next.done;
  link_->send(std::move(next));
  chip_.tell(configs::ChipReport{1, 7, "check", "no", false});
  chip_.tell(configs::ChipReport{2, 7, "", "", false});
  while (!second->ready()) ASSERT_TRUE(link_->hear(callbacks_));
  EXPECT_EQ(second->failure(), first->failure());
}

TEST_F(Link, FailsEverythingOnceTheChipIsLost) {
  const CompletionRef done = launch();
  (void)chip_.take();
  chip_.end();
  EXPECT_FALSE(link_->hear(callbacks_));
  EXPECT_THAT(link_->last_work(), HasSubstr("while it executed jit_f"));
  link_->lose(make_failure(abi::kUnavailable, "gone"));
  EXPECT_EQ(done->failure()->message, "gone");
  EXPECT_EQ(launch()->failure()->message, "gone");
}

TEST_F(Link, WaitsForLaunchesInFlightBeforeItRunsOutOfMemory) {
  const CompletionRef done = launch();
  std::jthread reports([&] {
    chip_.tell(configs::ChipReport{1, 7, "", "", false});
    ASSERT_TRUE(link_->hear(callbacks_));
  });
  EXPECT_EQ(link_->allocate(kHbm, "all of it")->bytes(), kHbm);
  EXPECT_THROW((void)link_->allocate(kHbm + 64, "too much"), Error);
}

TEST(ChipLink, RefusesAWorkerOfAnotherBuildAndABusyChip) {
  for (const bool busy : {false, true}) {
    FakeChip chip;
    configs::ChipGreeting other = greeting();
    (busy ? other.refusal : other.revision) = "another";
    std::jthread greets([&] {
      try {
        chip.greet(other);
      } catch (const Error&) {
        // The link closed the socket at once.
      }
    });
    EXPECT_THROW(ChipLink(2, 0, chip.path(), Deadline::after(kLimit)), Error);
  }
}

TEST(ChipLink, GivesUpOnAChipThatNeverComes) {
  EXPECT_THROW(ChipLink(0, 0, "/tmp/understudy-no-such.sock", Deadline::after(Seconds(0.05))),
               Error);
}

}  // namespace
}  // namespace understudy::pjrt
