// SPDX-License-Identifier: Apache-2.0
#include "collectives/local_transport.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

#include "fmt/format.h"

#include "collectives/watch.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

constexpr std::size_t kMostQueued = 64;  // messages per pair and tag, then the sender waits
constexpr auto kRecheck = std::chrono::milliseconds(10);

struct Message {
  MessageHeader header;
  std::vector<std::byte> payload;
};

struct Member {
  std::condition_variable news;  // something came, or room was made
  bool dead = false;
  bool failed = false;
  std::uint64_t progress = 0;
  Rank waiting_for = kNobody;
};

struct Mail {
  explicit Mail(int ranks) : members(static_cast<std::size_t>(ranks)) {}
  Member& member(Rank rank) { return members.at(static_cast<std::size_t>(rank.value)); }

  std::mutex mutex;  // guards all below
  std::vector<Member> members;
  std::map<std::tuple<Rank, Rank, int>, std::deque<Message>> boxes;  // from, to, tag
};

// The pod's knowledge of its members; asked with the lock held.
class LocalWatch final : public PeerWatch {
 public:
  LocalWatch(Mail& mail, Rank self) : mail_(mail), self_(self) {}
  PeerState state(Rank peer) override {
    const Member& member = mail_.member(peer);
    if (member.dead) return PeerState::gone;
    return member.failed ? PeerState::gave_up : PeerState::alive;
  }
  std::uint64_t progress(Rank peer) override { return mail_.member(peer).progress; }
  std::uint64_t heartbeat(Rank) override { return 0; }
  Rank waiting_for(Rank peer) override { return mail_.member(peer).waiting_for; }
  void publish_waiting_for(Rank peer) override { mail_.member(self_).waiting_for = peer; }
  std::string describe(Rank peer) override { return fmt::format("rank {}", peer.value); }

 private:
  Mail& mail_;
  Rank self_;
};

class LocalTransport final : public Transport {
 public:
  LocalTransport(Mail& mail, Rank rank, Patience patience)
      : mail_(mail),
        rank_(rank),
        watch_(mail, rank),
        vigil_(watch_, rank,
               VigilLimits{.no_progress = patience.no_progress, .still_heartbeat = Seconds(0)}) {}

  Rank rank() const override { return rank_; }
  int size() const override { return static_cast<int>(mail_.members.size()); }
  TrafficCount traffic() const override { return traffic_; }
  std::vector<Rank> missing() const override { return missing_; }

  MessageHeader exchange(std::span<const std::byte> out, Rank to, std::span<std::byte> in,
                         Rank from, int tag, const MessageHeader& header,
                         const Waiting& waiting) override {
    std::unique_lock lock(mail_.mutex);
    Member& self = mail_.member(rank_);
    MessageHeader received;
    bool sent = to == kNobody;
    bool got = from == kNobody;
    vigil_.restart(Clock::now());
    while (true) {
      if (!sent && (sent = put(out, to, tag, header))) vigil_.restart(Clock::now());
      if (!got && (got = take(in, from, tag, header, received))) vigil_.restart(Clock::now());
      if (sent && got) break;
      watch_.publish_waiting_for(got ? to : from);
      give_up_if_lost(sent ? kNobody : to, got ? kNobody : from, waiting);
      self.news.wait_for(lock, kRecheck);
    }
    watch_.publish_waiting_for(kNobody);
    ++self.progress;
    return received;
  }

  void begin_wait() override {
    const std::scoped_lock lock(mail_.mutex);
    vigil_.restart(Clock::now());
  }
  void look(std::span<const Rank> awaited, const Waiting& waiting) override {
    const std::scoped_lock lock(mail_.mutex);
    watch_.publish_waiting_for(awaited.empty() ? kNobody : awaited.front());
    give_up_if_lost(awaited.first(std::min(awaited.size(), Vigil::kMostAwaited)), waiting);
  }
  void end_wait() override {
    const std::scoped_lock lock(mail_.mutex);
    watch_.publish_waiting_for(kNobody);
    ++mail_.member(rank_).progress;
  }
  void abandon(const Error& /*error*/) override {
    const std::scoped_lock lock(mail_.mutex);
    mail_.member(rank_).failed = true;
  }

 private:
  bool put(std::span<const std::byte> out, Rank to, int tag, MessageHeader header) {
    auto& box = mail_.boxes[{rank_, to, tag}];
    if (box.size() >= kMostQueued) return false;
    header.bytes = out.size();
    box.push_back(Message{header, {out.begin(), out.end()}});
    ++traffic_.messages;
    traffic_.bytes += out.size();
    mail_.member(to).news.notify_all();
    return true;
  }

  bool take(std::span<std::byte> in, Rank from, int tag, const MessageHeader& expected,
            MessageHeader& received) {
    auto& box = mail_.boxes[{from, rank_, tag}];
    if (box.empty()) return false;
    received = box.front().header;
    try {
      check_header(expected, in.size(), rank_, received, from);
    } catch (const Error&) {
      mail_.member(rank_).failed = true;
      throw;
    }
    std::copy(box.front().payload.begin(), box.front().payload.end(), in.begin());
    box.pop_front();
    mail_.member(from).news.notify_all();
    return true;
  }

  void give_up_if_lost(Rank to, Rank from, const Waiting& waiting) {
    std::vector<Rank> awaited;
    for (const Rank peer : {from, to}) {
      if (peer != kNobody) awaited.push_back(peer);
    }
    give_up_if_lost(awaited, waiting);
  }

  void give_up_if_lost(std::span<const Rank> awaited, const Waiting& waiting) {
    const auto lost = vigil_.look(awaited, Clock::now());
    if (!lost) return;
    missing_ = {lost->missing};
    mail_.member(rank_).failed = true;
    throw Error(ErrorKind::timeout, fmt::format("{}: {}", waiting.what, lost->text));
  }

  Mail& mail_;
  Rank rank_;
  LocalWatch watch_;
  Vigil vigil_;
  TrafficCount traffic_;
  std::vector<Rank> missing_;
};

}  // namespace

struct LocalPod::State {
  State(PodLayout places, Patience patience, LocalMemory::Buffers buffers)
      : layout(std::move(places)),
        mail(static_cast<int>(layout.at.size())),
        boards(layout.at.size()) {
    for (std::size_t rank = 0; rank < layout.at.size(); ++rank) {
      transports.push_back(
          std::make_unique<LocalTransport>(mail, Rank(static_cast<std::int64_t>(rank)), patience));
      memories.push_back(std::make_unique<LocalMemory>(boards, buffers));
    }
  }
  const PodLayout layout;
  Mail mail;
  LocalBoards boards;
  std::vector<std::unique_ptr<LocalTransport>> transports;
  std::vector<std::unique_ptr<LocalMemory>> memories;
};

LocalPod::LocalPod(int ranks, Patience patience)
    : LocalPod(layout_in_a_row(static_cast<std::size_t>(ranks)), patience) {}
LocalPod::LocalPod(PodLayout layout, Patience patience, LocalMemory::Buffers buffers)
    : state_(std::make_unique<State>(std::move(layout), patience, buffers)) {}
LocalPod::~LocalPod() = default;

Transport& LocalPod::transport(Rank rank) {
  return *state_->transports.at(static_cast<std::size_t>(rank.value));
}

Fabric LocalPod::fabric(Rank rank) {
  return {transport(rank), state_->layout,
          state_->memories.at(static_cast<std::size_t>(rank.value)).get()};
}

void LocalPod::declare_dead(Rank rank) {
  const std::scoped_lock lock(state_->mail.mutex);
  state_->mail.member(rank).dead = true;
  for (Member& member : state_->mail.members) member.news.notify_all();
}

}  // namespace understudy::collectives
