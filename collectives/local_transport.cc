// SPDX-License-Identifier: Apache-2.0
#include "collectives/local_transport.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

#include "fmt/format.h"

#include "collectives/tags.h"
#include "collectives/wait_monitor.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Bounded, so that tests see a sender block as it would with MPI.
constexpr std::size_t kMostQueued = 64;  // messages per pair and tag; then the sender waits
constexpr auto kRecheck = std::chrono::milliseconds(10);

struct Message {
  MessageHeader header;
  std::vector<std::byte> payload;
};

struct Member {
  std::condition_variable news;  // a message arrived, or a queue has room again
  bool dead = false;
  bool failed = false;
  std::uint64_t progress = 0;
  Rank waiting_for = kNobody;
};

struct Mailboxes {
  explicit Mailboxes(int ranks) : members(static_cast<std::size_t>(ranks)) {}
  Member& member(Rank rank) { return members.at(static_cast<std::size_t>(rank.value)); }

  std::mutex mutex;  // guards all below
  std::vector<Member> members;
  // One queue per pair and tag keeps messages in the order sent. One lock for all is enough: this
  // transport is for tests, not for speed.
  std::map<std::tuple<Rank, Rank, int>, std::deque<Message>> boxes;  // from, to, tag
};

// What the pod knows about its members. Called with the lock held.
class LocalWatch final : public PeerWatch {
 public:
  LocalWatch(Mailboxes& mailboxes, Rank self) : mailboxes_(mailboxes), self_(self) {}
  PeerState state(Rank peer) override {
    const Member& member = mailboxes_.member(peer);
    if (member.dead) return PeerState::gone;
    return member.failed ? PeerState::gave_up : PeerState::alive;
  }
  std::uint64_t progress(Rank peer) override { return mailboxes_.member(peer).progress; }
  // Threads have no heartbeat: WaitLimits::still_heartbeat is 0, so state() is always asked.
  std::uint64_t heartbeat(Rank) override { return 0; }
  Rank waiting_for(Rank peer) override { return mailboxes_.member(peer).waiting_for; }
  void publish_waiting_for(Rank peer) override { mailboxes_.member(self_).waiting_for = peer; }
  std::string describe(Rank peer) override { return fmt::format("rank {}", peer.value); }

 private:
  Mailboxes& mailboxes_;
  Rank self_;
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(Mailboxes& mailboxes, Rank rank, WaitLimit wait_limit)
      : mailboxes_(mailboxes),
        rank_(rank),
        watch_(mailboxes, rank),
        wait_monitor_(watch_, rank,
                      WaitLimits{.no_progress = wait_limit.no_progress,
                                 .still_heartbeat = Seconds(0),
                                 // Longer than with processes: under a sanitizer a thread may not
                                 // run for many milliseconds.
                                 .second_hand = Seconds(1)}) {}

  Rank rank() const override { return rank_; }
  int size() const override { return static_cast<int>(mailboxes_.members.size()); }
  TrafficCount traffic() const override { return traffic_; }
  std::vector<Rank> missing() const override { return missing_; }

  void exchange_all(std::span<const Outbound> out, std::span<Inbound> in, Stream stream,
                    const MessageHeader& header, const Waiting& waiting) override {
    // Held during the whole exchange except in wait_for(): messages are moved by whoever runs.
    std::unique_lock lock(mailboxes_.mutex);
    Member& self = mailboxes_.member(rank_);
    std::vector<bool> sent(out.size()), got(in.size());
    wait_monitor_.restart(Clock::now());
    while (true) {
      if (move(out, in, stream, header, sent, got)) wait_monitor_.restart(Clock::now());
      const std::vector<Rank> awaited = awaited_of(out, in, sent, got);
      if (awaited.empty()) break;
      watch_.publish_waiting_for(awaited.front());
      give_up_if_lost(awaited, waiting);
      // The limit is for the wait monitor, which must also look when no message arrives.
      self.news.wait_for(lock, kRecheck);
    }
    watch_.publish_waiting_for(kNobody);
    // Progress is counted after a call, not within: watchers look for change, not for amounts.
    ++self.progress;
  }

  void begin_wait() override {
    const std::scoped_lock lock(mailboxes_.mutex);
    wait_monitor_.restart(Clock::now());
  }
  void look(std::span<const Rank> awaited, const Waiting& waiting) override {
    const std::scoped_lock lock(mailboxes_.mutex);
    watch_.publish_waiting_for(awaited.empty() ? kNobody : awaited.front());
    give_up_if_lost(awaited, waiting);
  }
  void end_wait() override {
    const std::scoped_lock lock(mailboxes_.mutex);
    watch_.publish_waiting_for(kNobody);
    ++mailboxes_.member(rank_).progress;
  }
  void abandon(const Error& /*error*/) override {
    const std::scoped_lock lock(mailboxes_.mutex);
    mailboxes_.member(rank_).failed = true;
  }

 private:
  // Sends before receives: a rank that waits for itself in a batch finds its message in the same
  // round.
  bool move(std::span<const Outbound> out, std::span<Inbound> in, Stream stream,
            const MessageHeader& header, std::vector<bool>& sent, std::vector<bool>& got) {
    bool moved = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (sent[i] || !put(out[i], tag_of(stream, lane_of(out, i)), header)) continue;
      sent[i] = moved = true;
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (got[i] || !take(in[i], tag_of(stream, lane_of(in, i)), header)) continue;
      got[i] = moved = true;
    }
    return moved;
  }

  // As MpiExchange::add_awaited(): senders first.
  static std::vector<Rank> awaited_of(std::span<const Outbound> out, std::span<const Inbound> in,
                                      const std::vector<bool>& sent, const std::vector<bool>& got) {
    std::vector<Rank> peers;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (!got[i]) peers.push_back(in[i].from);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!sent[i]) peers.push_back(out[i].to);
    }
    return peers;
  }

  // Copies the payload: the sender's buffer is free when the message is queued, as with an eager
  // MPI send.
  bool put(const Outbound& message, int tag, MessageHeader header) {
    auto& box = mailboxes_.boxes[{rank_, message.to, tag}];
    if (box.size() >= kMostQueued) return false;
    header.bytes = message.bytes.size();
    box.push_back(Message{header, {message.bytes.begin(), message.bytes.end()}});
    // Counted once queued, so that a failed exchange counts what left.
    ++traffic_.messages;
    traffic_.bytes += message.bytes.size();
    mailboxes_.member(message.to).news.notify_all();
    return true;
  }

  bool take(Inbound& message, int tag, const MessageHeader& expected) {
    auto& box = mailboxes_.boxes[{message.from, rank_, tag}];
    if (box.empty()) return false;
    message.received = box.front().header;
    try {
      check_header(expected, message.bytes.size(), rank_, message.received, message.from);
    } catch (const Error&) {
      // Before the error leaves, so that peers do not wait for this rank.
      mailboxes_.member(rank_).failed = true;
      throw;
    }
    std::copy(box.front().payload.begin(), box.front().payload.end(), message.bytes.begin());
    box.pop_front();
    mailboxes_.member(message.from).news.notify_all();
    return true;
  }

  void give_up_if_lost(std::span<const Rank> awaited, const Waiting& waiting) {
    const auto lost = wait_monitor_.look(awaited, Clock::now());
    if (!lost) return;
    missing_ = {Rank(lost->peer.rank)};
    mailboxes_.member(rank_).failed = true;
    throw Error(ErrorKind::timeout, fmt::format("{}: {}", waiting.what, lost->text))
        .because_of(lost->peer);
  }

  Mailboxes& mailboxes_;
  Rank rank_;
  LocalWatch watch_;
  WaitMonitor wait_monitor_;
  TrafficCount traffic_;
  std::vector<Rank> missing_;
};

}  // namespace

struct LocalPod::State {
  State(PodLayout places, WaitLimit wait_limit, LocalMemory::Buffers buffers,
        const std::vector<std::int64_t>& machine)
      : layout(std::move(places)),
        mailboxes(static_cast<int>(layout.at.size())),
        boards(layout.at.size()) {
    for (std::size_t rank = 0; rank < layout.at.size(); ++rank) {
      transports.push_back(std::make_unique<LocalTransport>(
          mailboxes, Rank(static_cast<std::int64_t>(rank)), wait_limit));
      memories.push_back(std::make_unique<LocalMemory>(
          boards, Rank(static_cast<std::int64_t>(rank)), buffers, machine));
    }
  }
  const PodLayout layout;
  Mailboxes mailboxes;
  LocalBoards boards;
  std::vector<std::unique_ptr<LocalTransport>> transports;
  std::vector<std::unique_ptr<LocalMemory>> memories;
};

LocalPod::LocalPod(int ranks, WaitLimit wait_limit)
    : LocalPod(layout_in_a_row(static_cast<std::size_t>(ranks)), wait_limit) {}
LocalPod::LocalPod(PodLayout layout, WaitLimit wait_limit, LocalMemory::Buffers buffers,
                   const std::vector<std::int64_t>& machine)
    : state_(std::make_unique<State>(std::move(layout), wait_limit, buffers, machine)) {}
LocalPod::~LocalPod() = default;

Transport& LocalPod::transport(Rank rank) {
  return *state_->transports.at(static_cast<std::size_t>(rank.value));
}

Fabric LocalPod::fabric(Rank rank) {
  return {transport(rank), state_->layout,
          state_->memories.at(static_cast<std::size_t>(rank.value)).get()};
}

// Wakes all ranks, so that those which wait for this one look at it at once.
void LocalPod::declare_dead(Rank rank) {
  const std::scoped_lock lock(state_->mailboxes.mutex);
  state_->mailboxes.member(rank).dead = true;
  for (Member& member : state_->mailboxes.members) member.news.notify_all();
}

}  // namespace understudy::collectives
