// SPDX-License-Identifier: Apache-2.0
// How a wait detects that the peer it waits for no longer works. PeerWatch is what the owner of the
// shared segments (a worker) or the in-process pod knows about peers; WaitMonitor decides from it.
// A wait fails for lack of progress, never because it took long. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/transport.h"
#include "configs/base/error.h"

namespace understudy::collectives {

enum class PeerState : std::uint8_t {
  alive,    // or unknown: a peer on another machine
  stopped,  // by a signal (/proc state T)
  gone,     // its process ended
  gave_up,  // it met an error and is about to end
};

class PeerWatch {
 public:
  virtual ~PeerWatch() = default;
  // May cost a read of /proc: asked only about peers whose heartbeat stands still.
  virtual PeerState state(Rank peer) = 0;
  virtual std::uint64_t progress(Rank peer) = 0;    // counts the work done
  virtual std::uint64_t heartbeat(Rank peer) = 0;   // counts while its main thread lives
  virtual Rank waiting_for(Rank peer) = 0;          // kNobody when it does not wait or is unknown
  virtual void publish_waiting_for(Rank peer) = 0;  // ours; kNobody when the wait is over
  virtual void publish_progress() {}                // ours: a part of a message moved
  virtual std::string describe(Rank peer) = 0;      // "rank 5 (host 1)"
};

struct WaitLimits {
  Seconds no_progress{60.0};
  Seconds stopped{1.0};          // how long a stopped peer may stay stopped
  Seconds still_heartbeat{0.5};  // without a beat; then state() is asked
  Seconds second_hand{0.2};      // how long the state of a peer that only others wait for must last
  Seconds own_pause_limit{1.0};  // a longer gap between looks means that we were stopped ourselves
};

struct Lost {
  LostPeer peer;
  std::string text;  // "rank 5 (host 1) is gone; rank 2 waits for rank 4, rank 4 for rank 5"
};

// Monitors one wait at a time. A peer that is itself waiting is not at fault: the chain of waits is
// followed to the peer that waits for nobody.
class WaitMonitor {
 public:
  WaitMonitor(PeerWatch& watch, Rank self, WaitLimits limits);
  // A new wait, or something arrived: all clocks start anew.
  void restart(Clock::time_point now);
  // Looks at the peers awaited (those of the same wait in the same order at each look).
  std::optional<Lost> look(std::span<const Rank> awaited, Clock::time_point now);

 private:
  // The rank at fault for one awaited peer, and since when. Reset by any progress.
  struct Suspect {
    Rank rank = kNobody;
    std::uint64_t progress = 0;  // of it and of those between us and it
    Clock::time_point since;
    PeerState fate = PeerState::alive;
    Clock::time_point fate_since;
  };
  // The last seen heartbeat of a peer, and when it changed.
  struct Heart {
    Rank rank = kNobody;
    std::uint64_t beats = 0;
    Clock::time_point since;
  };
  struct Chain {
    std::vector<Rank> links;  // from the awaited peer to the one at fault
    PeerState state = PeerState::alive;
    bool somebody_gave_up = false;
    bool second_hand = false;    // it is not the awaited peer itself that is gone or gave up
    std::uint64_t progress = 0;  // sum over all ranks on the way, also of a cycle
  };

  // How long a state must last before it counts. Ranks between us and the lost peer may still have
  // to read what it sent before it ended; we have read everything that it sent to us.
  Seconds grace_for(PeerState fate, bool second_hand) const;
  Chain follow(Rank awaited, Clock::time_point now);
  PeerState state_of(Rank peer, Clock::time_point now);
  std::optional<Lost> judge(Suspect& suspect, const Chain& chain, Clock::time_point now);
  std::string chain_text(const Chain& chain) const;

  PeerWatch& watch_;
  Rank self_;
  WaitLimits limits_;
  std::vector<Suspect> suspects_;  // by place among the awaited
  std::vector<Heart> hearts_;      // of the peers seen in chains during this wait
  Clock::time_point last_look_;
};

}  // namespace understudy::collectives
