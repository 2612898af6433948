// SPDX-License-Identifier: Apache-2.0
#include "collectives/wait_monitor.h"

#include <algorithm>

#include "fmt/format.h"

#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// `second_hand`: the peer itself is alive, but a rank that it waits for gave up. Which one that is
// can only be seen from the lack of progress.
PeerLoss loss_of(PeerState fate, bool second_hand) {
  if (fate == PeerState::gone) return PeerLoss::gone;
  if (fate == PeerState::stopped) return PeerLoss::stopped;
  return fate == PeerState::gave_up && !second_hand ? PeerLoss::gave_up : PeerLoss::no_progress;
}

std::string words_of(PeerLoss how, Seconds still) {
  switch (how) {
    case PeerLoss::gone:
      return "is gone: its process ended";
    case PeerLoss::stopped:
      return "is stopped (process state T)";
    case PeerLoss::gave_up:
      return "ended after an error in its own process";
    case PeerLoss::no_progress:
      break;
  }
  return fmt::format("made no progress for {:.1f} s", still.count());
}

}  // namespace

WaitMonitor::WaitMonitor(PeerWatch& watch, Rank self, WaitLimits limits)
    : watch_(watch), self_(self), limits_(limits), last_look_(Clock::now()) {}

void WaitMonitor::restart(Clock::time_point now) {
  // All clocks start again: whatever stood still before may move now.
  suspects_.clear();
  hearts_.clear();
  last_look_ = now;
}

std::optional<Lost> WaitMonitor::look(std::span<const Rank> awaited, Clock::time_point now) {
  // We were stopped or not scheduled: the time that passed says nothing about the peers.
  // Otherwise a laptop that slept would report all its peers as dead.
  if (now - last_look_ > limits_.own_pause_limit) restart(now);
  last_look_ = now;
  suspects_.resize(awaited.size());
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    if (auto lost = judge(suspects_[i], follow(awaited[i], now), now)) return lost;
  }
  return std::nullopt;
}

// A beating heart is cheap to check (shared memory); /proc is read only for a peer whose heartbeat
// has stood still for a while.
PeerState WaitMonitor::state_of(Rank peer, Clock::time_point now) {
  const std::uint64_t beats = watch_.heartbeat(peer);
  auto heart = std::find_if(hearts_.begin(), hearts_.end(),
                            [&](const Heart& known) { return known.rank == peer; });
  if (heart == hearts_.end()) heart = hearts_.insert(hearts_.end(), Heart{peer, beats, now});
  // Any change counts, also a smaller number: a counter may wrap.
  if (heart->beats != beats) *heart = Heart{peer, beats, now};
  return now - heart->since < limits_.still_heartbeat ? PeerState::alive : watch_.state(peer);
}

// If the waits form a cycle (members that wait for each other in different collectives), no rank on
// it is more at fault than the peer that we wait for. As long as any of them makes progress it is
// no deadlock: two ranks may exchange a long message while a third waits for one of them. So the
// progress of all is summed.
WaitMonitor::Chain WaitMonitor::follow(Rank awaited, Clock::time_point now) {
  Chain chain;
  for (Rank link = awaited;;) {
    chain.links.push_back(link);
    chain.progress += watch_.progress(link);
    chain.state = state_of(link, now);
    // A peer that is alive but waits for another one, or is not the one we wait for, is known
    // second-hand.
    if (chain.state == PeerState::alive || link != awaited) chain.second_hand = true;
    if (chain.state == PeerState::gone || chain.state == PeerState::stopped) return chain;
    chain.somebody_gave_up |= chain.state == PeerState::gave_up;
    const Rank next = watch_.waiting_for(link);
    if (next == kNobody) return chain;
    const bool circle = next == self_ || std::find(chain.links.begin(), chain.links.end(), next) !=
                                             chain.links.end();
    if (circle) {
      // A circle without somebody who gave up is a deadlock: only the lack of progress ends it.
      chain.links.resize(1);
      chain.state = chain.somebody_gave_up ? PeerState::gave_up : PeerState::alive;
      return chain;
    }
    link = next;
  }
}

Seconds WaitMonitor::grace_for(PeerState fate, bool second_hand) const {
  if (fate == PeerState::stopped) return limits_.stopped;
  // A state that others report must last: the rank between us may only be slow to notice its own
  // error.
  return second_hand ? limits_.second_hand : Seconds(0);
}

std::optional<Lost> WaitMonitor::judge(Suspect& suspect, const Chain& chain,
                                       Clock::time_point now) {
  const Rank guilty = chain.links.back();
  // Another rank at fault, or progress anywhere on the chain: the clocks start again.
  if (suspect.rank != guilty || suspect.progress != chain.progress) {
    suspect = Suspect{guilty, chain.progress, now, PeerState::alive, now};
  }
  const bool gave_up = chain.state == PeerState::alive && chain.somebody_gave_up;
  const PeerState fate = gave_up ? PeerState::gave_up : chain.state;
  // The state must hold without interruption for its grace period.
  if (suspect.fate != fate) {
    suspect.fate = fate;
    suspect.fate_since = now;
  }
  const Seconds still = now - suspect.since;
  const bool fate_counts =
      fate != PeerState::alive && now - suspect.fate_since >= grace_for(fate, chain.second_hand);
  // Two reasons end a wait: the peer has ended, stopped or given up for long enough, or nothing
  // moved for the wait limit.
  if (!fate_counts && still < limits_.no_progress) return std::nullopt;

  const PeerLoss how = loss_of(fate_counts ? fate : PeerState::alive, gave_up);
  return Lost{
      {guilty.value, how},
      fmt::format("{} {}{}", watch_.describe(guilty), words_of(how, still), chain_text(chain))};
}

std::string WaitMonitor::chain_text(const Chain& chain) const {
  const auto& links = chain.links;
  if (links.size() == 1) return "";
  std::string text = fmt::format("; rank {} waits for rank {}", self_.value, links[0].value);
  // Long chains are cut: first and last link tell who is to blame.
  if (links.size() > 3) return text + fmt::format(", and so on to rank {}", links.back().value);
  for (std::size_t i = 1; i < links.size(); ++i) {
    text += fmt::format(", rank {} for rank {}", links[i - 1].value, links[i].value);
  }
  return text;
}

}  // namespace understudy::collectives
