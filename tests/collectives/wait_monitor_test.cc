// SPDX-License-Identifier: Apache-2.0
#include "collectives/wait_monitor.h"

#include <map>

#include "fmt/format.h"
#include "gtest/gtest.h"

namespace understudy::collectives {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A pod that the test moves by hand.
class FakeWatch final : public PeerWatch {
 public:
  struct Peer {
    PeerState state = PeerState::alive;
    std::uint64_t progress = 0;
    std::uint64_t heartbeat = 0;
    Rank waiting_for = kNobody;
  };
  Peer& operator[](int rank) { return peers_[Rank(rank)]; }
  int states_asked = 0;

  PeerState state(Rank peer) override {
    ++states_asked;
    return peers_[peer].state;
  }
  std::uint64_t progress(Rank peer) override { return peers_[peer].progress; }
  std::uint64_t heartbeat(Rank peer) override { return peers_[peer].heartbeat; }
  Rank waiting_for(Rank peer) override { return peers_[peer].waiting_for; }
  void publish_waiting_for(Rank) override {}
  std::string describe(Rank peer) override { return fmt::format("rank {} (host 9)", peer.value); }

 private:
  std::map<Rank, Peer> peers_;
};

// Rank 0 waits for rank 1; time is the test's.
class VigilTest : public testing::Test {
 protected:
  VigilTest() { wait_monitor_.restart(now_); }

  // Looks every 100 ms for so long; the text of the verdict with the time it came, or "".
  std::string wait(Clock::duration span, std::vector<Rank> awaited = {Rank(1)}) {
    for (const auto end = now_ + span; now_ < end;) {
      now_ += milliseconds(100);
      before_look();
      if (const auto lost = wait_monitor_.look(awaited, now_)) {
        missing_ = Rank(lost->peer.rank);
        return fmt::format("{:.1f} s: {}", Seconds(now_ - begin_).count(), lost->text);
      }
    }
    return "";
  }

  FakeWatch watch_;
  std::function<void()> before_look = [] {};
  Clock::time_point begin_ = Clock::now();
  Clock::time_point now_ = begin_;
  WaitMonitor wait_monitor_{watch_, Rank(0), WaitLimits{.no_progress = Seconds(5)}};
  Rank missing_ = kNobody;
};

TEST_F(VigilTest, LosesAPeerThatMakesNoProgress) {
  EXPECT_EQ(wait(seconds(10)), "5.1 s: rank 1 (host 9) made no progress for 5.0 s");
  EXPECT_EQ(missing_, Rank(1));
}

TEST_F(VigilTest, NeverLosesASlowPeerThatMakesProgress) {
  before_look = [&] {
    if (now_.time_since_epoch() / seconds(4) % 2 == 0) ++watch_[1].progress;
  };
  EXPECT_EQ(wait(seconds(100)), "");
}

TEST_F(VigilTest, LosesAPeerWhoseProcessEnded) {
  watch_[1].state = PeerState::gone;
  EXPECT_EQ(wait(seconds(10)), "0.6 s: rank 1 (host 9) is gone: its process ended");
}

TEST_F(VigilTest, LosesAStoppedPeerAfterASecond) {
  watch_[1].state = PeerState::stopped;
  EXPECT_EQ(wait(seconds(10)), "1.6 s: rank 1 (host 9) is stopped (process state T)");
}

TEST_F(VigilTest, ForgivesAPeerThatGoesOnAfterAShortStop) {
  watch_[1].state = PeerState::stopped;
  EXPECT_EQ(wait(milliseconds(900)), "");
  watch_[1].state = PeerState::alive;
  EXPECT_EQ(wait(milliseconds(900)), "");
  watch_[1].state = PeerState::stopped;
  EXPECT_EQ(wait(milliseconds(900)), "");
}

TEST_F(VigilTest, AsksForTheStateOnlyWhenTheHeartStandsStill) {
  before_look = [&] { ++watch_[1].heartbeat, ++watch_[1].progress; };
  EXPECT_EQ(wait(seconds(10)), "");
  EXPECT_EQ(watch_.states_asked, 0);
}

TEST_F(VigilTest, FollowsTheChainOfWaitsToTheGuilty) {
  watch_[1].waiting_for = Rank(4);
  watch_[4].waiting_for = Rank(3);
  watch_[3].state = PeerState::gone;
  EXPECT_EQ(wait(seconds(10)),
            "0.8 s: rank 3 (host 9) is gone: its process ended; rank 0 waits for rank 1, rank 1 "
            "for rank 4, rank 4 for rank 3");
  EXPECT_EQ(missing_, Rank(3));
}

// Rank 3 sent its last message to rank 4 and ended; rank 4 had not read it when we looked.
TEST_F(VigilTest, BelievesOfAPeerThatOthersWaitForOnlyWhatLasts) {
  watch_[1].waiting_for = Rank(4);
  watch_[4].waiting_for = Rank(3);
  watch_[3].state = PeerState::gone;
  EXPECT_EQ(wait(milliseconds(600)), "");
  watch_[4].waiting_for = kNobody;
  EXPECT_EQ(wait(seconds(4)), "");
}

TEST_F(VigilTest, BelievesAtOnceOfThePeerThatWeWaitForOurselves) {
  watch_[1].state = PeerState::gave_up;
  EXPECT_EQ(wait(seconds(4)), "0.6 s: rank 1 (host 9) ended after an error in its own process");
}

TEST_F(VigilTest, ShortensALongChain) {
  for (int rank = 1; rank < 9; ++rank) watch_[rank].waiting_for = Rank(rank + 1);
  EXPECT_EQ(wait(seconds(10)),
            "5.1 s: rank 9 (host 9) made no progress for 5.0 s; rank 0 waits for rank 1, and so on "
            "to rank 9");
}

TEST_F(VigilTest, FindsAStoppedPeerThatItselfWaited) {
  watch_[1].waiting_for = Rank(2);
  watch_[2].waiting_for = Rank(0);
  watch_[2].state = PeerState::stopped;
  EXPECT_EQ(wait(seconds(10)),
            "1.6 s: rank 2 (host 9) is stopped (process state T); rank 0 waits for rank 1, rank 1 "
            "for rank 2");
}

TEST_F(VigilTest, BlamesTheAwaitedPeerWhereWaitsFormACircle) {
  watch_[1].waiting_for = Rank(2);
  watch_[2].waiting_for = Rank(1);
  EXPECT_EQ(wait(seconds(10)), "5.1 s: rank 1 (host 9) made no progress for 5.0 s");
}

// Rank 1 hands something long to rank 2; what moves is seen at rank 2 alone.
TEST_F(VigilTest, ACircleWithAMemberThatMovesIsNoDeadlock) {
  watch_[1].waiting_for = Rank(2);
  watch_[2].waiting_for = Rank(1);
  before_look = [&] { ++watch_[2].progress; };
  EXPECT_EQ(wait(seconds(20)), "");
}

TEST_F(VigilTest, APeerThatGaveUpPassesTheBlameOn) {
  watch_[1].state = PeerState::gave_up;
  watch_[1].waiting_for = Rank(2);
  EXPECT_EQ(wait(seconds(10)),
            "0.8 s: rank 2 (host 9) made no progress for 0.7 s; rank 0 waits for rank 1, rank 1 "
            "for rank 2");
  EXPECT_EQ(missing_, Rank(2));
}

TEST_F(VigilTest, APeerThatGaveUpForNobodyIsMissingItself) {
  watch_[1].state = PeerState::gave_up;
  EXPECT_EQ(wait(seconds(10)), "0.6 s: rank 1 (host 9) ended after an error in its own process");
}

TEST_F(VigilTest, WatchesTheReceiverToo) {
  before_look = [&] { ++watch_[1].progress; };
  watch_[2].state = PeerState::gone;
  EXPECT_EQ(wait(seconds(10), {Rank(1), Rank(2)}),
            "0.6 s: rank 2 (host 9) is gone: its process ended");
}

// A worker that was stopped and goes on must not blame its peers for the time it missed.
TEST_F(VigilTest, StartsAnewAfterItsOwnAbsence) {
  EXPECT_EQ(wait(seconds(4)), "");
  now_ += seconds(60);
  EXPECT_EQ(wait(seconds(4)), "");
}

TEST_F(VigilTest, ArrivalsRestartTheClock) {
  EXPECT_EQ(wait(seconds(4)), "");
  wait_monitor_.restart(now_);
  EXPECT_EQ(wait(seconds(4)), "");
}

}  // namespace
}  // namespace understudy::collectives
