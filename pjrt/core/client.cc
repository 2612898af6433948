// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/client.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/launch/run_plan.h"
#include "pjrt/core/compile/remote_partitioner.h"
#include "program/executable/numerics.h"

namespace understudy::pjrt {
namespace {

constexpr double kStartSeconds = 120;  // for the workers to pass their gates

// The launcher sets these variables; a value that is no number comes from a user's shell, and the
// default is better than an error inside the framework's start.
double seconds_in(const std::string& text, double otherwise) {
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, seconds);
  return code == std::errc() && stop == end && seconds > 0 ? seconds : otherwise;
}

int number_in(const std::string& text, int otherwise) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  return code == std::errc() && stop == end ? number : otherwise;
}

}  // namespace

Client::Client(KeyValueStore store) : store_(store) {
  if (environment_value("UNDERSTUDY_RUN_FOLDER").empty())
    throw Error(ErrorKind::system, "this process is no host process of an understudy pod")
        .note("start it with: understudy run --slice v6e-4 -- python script.py");
  topology_ = TopologyDescription::named("");
  process_index_ = number_in(environment_value("UNDERSTUDY_HOST"), 0);
  numerics_ = program::numerics_named(environment_value("UNDERSTUDY_NUMERICS"));
  partitioner_ = std::make_unique<RemotePartitioner>(environment_value("UNDERSTUDY_RUN_FOLDER"),
                                                     process_index_);
  launch_timeout_ = Seconds(seconds_in(environment_value("UNDERSTUDY_LAUNCH_TIMEOUT"), 300));
  most_in_flight_ = static_cast<std::size_t>(
      // The variable is libtpu's.
      std::max(1, number_in(environment_value("XLA_TPU_MAX_INFLIGHT_COMPUTATIONS"), 32)));
  connect();
  // The reader starts last: it uses the links, and may call lose() at once.
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  reader_ = std::jthread([this] { read(); });
}

// Local chips are the ranks of this host; the order of devices is that of their ids.
void Client::connect() {
  const std::string folder = environment_value("UNDERSTUDY_RUN_FOLDER");
  const Deadline deadline = Deadline::after(
      Seconds(seconds_in(environment_value("UNDERSTUDY_START_TIMEOUT"), kStartSeconds)));
  int local = 0;
  for (const auto& description : topology_->descriptions()) {
    std::shared_ptr<ChipLink> link;
    const bool is_local = description->process_index() == process_index_;
    if (is_local) {
      const Rank rank(description->id());
      link = std::make_shared<ChipLink>(rank.value, process_index_,
                                        folder + "/" + configs::chip_socket_of(rank), deadline);
      links_.push_back(link);
    }
    owned_.push_back(std::make_unique<Device>(*this, *description, link, is_local ? local++ : -1));
    devices_.push_back(owned_.back().get());
    if (!is_local) continue;
    local_devices_.push_back(owned_.back().get());
    for (Memory* const memory : owned_.back()->memories()) local_memories_.push_back(memory);
  }
  // More host processes than hosts were started, or UNDERSTUDY_HOST was changed.
  if (links_.empty())
    throw Error(ErrorKind::usage, fmt::format("host {} has no chips in {}", process_index_,
                                              topology_->inputs().slice));
}

// Every launch is finished first: its results may still be awaited by nobody, but the receipt
// counts it.
Client::~Client() {
  const std::int64_t compiles = compiles_.load();
  for (const auto& link : links_) {
    // Fewer than one in flight: all are done, or the chip is lost.
    link->await_room(1);
    // One chip reports the compiles of the process, so that the sum over ranks is right.
    link->send(configs::ChipGoodbye{&link == &links_.front() ? compiles : 0,
                                    static_cast<std::uint64_t>(link->memory()->stats().peak)});
  }
  const std::uint64_t one = 1;
  // The reader waits in poll() without a limit; a closed descriptor would not wake it.
  (void)!::write(wake_, &one, sizeof one);
  reader_.join();
  ::close(wake_);
}

Device& Client::device(std::int64_t id) const {
  if (id < 0 || id >= static_cast<std::int64_t>(devices_.size()))
    throw Error(ErrorKind::input, fmt::format("there is no device {}", id));
  return *devices_[static_cast<std::size_t>(id)];
}

std::uint64_t Client::next_meeting(const std::string& hosts) {
  const std::scoped_lock lock(meetings_mutex_);
  return meetings_[hosts]++;
}

// The reader thread. It ends with the client, or when the last chip is gone.
void Client::read() {
  (void)pthread_setname_np(pthread_self(), "us-reports");
  sigset_t all;
  sigfillset(&all);
  (void)pthread_sigmask(SIG_BLOCK, &all, nullptr);
  std::vector<pollfd> entries;
  for (const auto& link : links_) entries.push_back({link->descriptor(), POLLIN, 0});
  entries.push_back({wake_, POLLIN, 0});
  for (std::size_t left = links_.size(); left > 0;) {
    if (::poll(entries.data(), entries.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (entries[i].revents == 0) continue;
      bool alive = false;
      try {
        alive = links_[i]->hear(callbacks_);
      } catch (const Error&) {
        // A broken message: the connection is of no use any more.
      }
      if (alive) continue;
      entries[i].fd = -1;
      --left;
      lose(*links_[i]);
    }
    if (entries.back().revents != 0) return;
  }
}

// One lost chip ends the pod: the others are told at once what the first one did.
// Waiting for the others to time out would cost --timeout, and their reports would name each other.
void Client::lose(ChipLink& first) {
  if (first.lost() != nullptr) return;
  const FailureRef why =
      make_failure(abi::kUnavailable,
                   fmt::format("the worker of {} has ended; {}", first.name(), first.last_work()));
  first.lose(why);
  for (const auto& link : links_) link->lose(why);
}

}  // namespace understudy::pjrt
