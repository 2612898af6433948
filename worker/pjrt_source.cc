// SPDX-License-Identifier: Apache-2.0
#include "worker/pjrt_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/launch/message/pod_message.h"

namespace understudy::worker {
namespace {

constexpr Seconds kPatience{60};        // until the peer of a socket must have read a message
constexpr int kLookMilliseconds = 500;  // between two looks at the peers

// A second start of the pod in the same run folder finds the file of the first.
Socket listen_anew(const std::string& path) {
  (void)::unlink(path.c_str());
  return Socket::listen(path);
}

std::string text_of(const Error& error) { return error.place() ? error.text() : error.message(); }

// The clock of the framework's profiler, into whose trace the times go.
std::int64_t nanoseconds_since_epoch() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

PjrtSource::PjrtSource(PjrtSourceSetup setup)
    : setup_(std::move(setup)),
      self_(setup_.greeting.rank),
      launcher_(Socket::connect(setup_.launcher_socket)),
      listening_(listen_anew(setup_.own_socket)) {
  launcher_.send(configs::encode(to_json(configs::PodGreeting{self_.value})),
                 Deadline::after(kPatience));
}

std::optional<Command> PjrtSource::next() {
  waiting_since_.clear();
  while (queue_.empty() && !finished_) wait();
  if (queue_.empty()) return std::nullopt;
  Command command = std::move(queue_.front());
  queue_.pop_front();
  if (const auto* launch = std::get_if<Launch>(&command)) {
    launch_ = static_cast<std::uint64_t>(launch->step);
    launch_began_ns_ = nanoseconds_since_epoch();
  }
  return command;
}

void PjrtSource::wait() {
  std::array<pollfd, 3> entries{pollfd{launcher_.get(), POLLIN, 0},
                                pollfd{listening_.get(), POLLIN, 0},
                                pollfd{client_.get(), POLLIN, 0}};
  const int ready = ::poll(entries.data(), entries.size(), kLookMilliseconds);
  if (ready <= 0) return look_at_peers();
  if (entries[2].revents != 0) hear_client();
  if (entries[0].revents != 0) hear_launcher();
  if (entries[1].revents != 0) admit();
}

// The launcher sends nothing but "finish", and that only when the host processes have ended.
void PjrtSource::hear_launcher() {
  std::array<std::byte, 4096> piece;
  const auto got = launcher_.receive(piece, Deadline::after(Seconds(0)));
  if (!got) return;
  if (*got == 0)
    throw Error(ErrorKind::system, "the launcher closed its connection before it sent \"finish\"");
  decoder_.feed(std::span(piece).first(*got));
  while (const auto frame = decoder_.next())
    if (configs::read_command(frame->head).command == configs::PodVerb::finish) finished_ = true;
  if (!finished_) return;
  // What the host process sent before it ended is still counted.
  while (client_.get() >= 0) hear_client();
  queue_.emplace_back(CollectCounters{});
}

// One host process at a time: a real chip refuses a second one as well.
void PjrtSource::admit() {
  auto socket = listening_.accept();
  if (!socket) return;
  configs::ChipGreeting greeting = setup_.greeting;
  const bool busy = client_.get() >= 0;
  if (busy) greeting.refusal = "the chip is in use by another process of this host";
  try {
    socket->send(configs::encode(greeting), Deadline::after(kPatience));
    if (busy) return;
    socket->send_descriptor(setup_.memory);
  } catch (const Error&) {
    return;  // it has left already
  }
  client_ = std::move(*socket);
  cutter_ = {};
}

void PjrtSource::hear_client() {
  constexpr std::size_t kPiece = 1 << 16;
  std::array<std::byte, kPiece> piece;
  const auto got = client_.receive(piece, Deadline::after(Seconds(0)));
  if (!got) {
    if (finished_) part(false);  // it is still there, but the run is over
    return;
  }
  if (*got == 0) return part(false);
  setup_.worker_status.progressed();
  cutter_.feed(std::span(piece).first(*got));
  while (client_.get() >= 0) {
    const auto message = cutter_.next();
    if (!message) return;
    take(configs::read_chip_command(*message));
  }
}

void PjrtSource::take(configs::ChipCommand command) {
  if (auto* const load = std::get_if<configs::ChipLoad>(&command)) {
    if (!programs_.emplace(load->program, load->name).second)
      throw Error(ErrorKind::protocol, fmt::format("program {} is already loaded", load->program));
    queue_.emplace_back(LoadArchive{load->program, std::move(load->archive), load->constants_bytes,
                                    load->process, std::move(load->ranks), load->name});
  } else if (const auto* unload = std::get_if<configs::ChipUnload>(&command)) {
    if (programs_.erase(unload->program) > 0) queue_.emplace_back(UnloadProgram{unload->program});
  } else if (auto* const launch = std::get_if<configs::ChipLaunch>(&command)) {
    queue_.emplace_back(Launch{launch->program, static_cast<std::int64_t>(launch->launch),
                               launch->temporaries, launch->constants, launch->hbm_in_use,
                               std::move(launch->arguments), std::move(launch->results)});
  } else if (const auto* bye = std::get_if<configs::ChipGoodbye>(&command)) {
    queue_.emplace_back(ClientLeft{bye->compiles, bye->hbm_peak});
    part(true);
  } else if (auto* const resume = std::get_if<configs::ChipResume>(&command)) {
    if (resume->launch == launch_) resume_ = std::move(*resume);
  }
}

// The host process left, or it died: its buffers go with it, as it alone knew where they were. Its
// launches that were not started are dropped, unless it said goodbye.
void PjrtSource::part(bool said_goodbye) {
  client_.close();
  if (!said_goodbye)
    std::erase_if(queue_, [](const Command& one) {
      return std::holds_alternative<Launch>(one) || std::holds_alternative<LoadArchive>(one);
    });
  for (const auto& [program, name] : programs_) queue_.emplace_back(UnloadProgram{program});
  programs_.clear();
}

// Waiting for a host process is no fault: it counts as progress. But if a peer waits for this chip,
// its host made a launch that ours has not made; that must end some time.
void PjrtSource::look_at_peers() {
  for (std::int64_t rank = 0; rank < setup_.ranks; ++rank) {
    if (setup_.watch.waiting_for(Rank(rank)) != self_) {
      waiting_since_.erase(rank);
      continue;
    }
    const Clock::time_point since = waiting_since_.emplace(rank, Clock::now()).first->second;
    if (Clock::now() - since < setup_.launch_timeout) continue;
    throw Error(ErrorKind::timeout,
                fmt::format("{} has waited for {:g} s for a launch that the host process of {} "
                            "has not made",
                            setup_.watch.describe(Rank(rank)), setup_.launch_timeout.count(),
                            setup_.watch.describe(self_)))
        .note(
            "all host processes must launch the same programs in the same order; "
            "--launch-timeout SECONDS gives a slow host more time");
  }
  setup_.worker_status.progressed();
}

void PjrtSource::deliver(const GetBuffer& /*asked*/, const program::TensorType& /*type*/,
                         std::span<const std::byte> /*bytes*/) {
  UNDERSTUDY_ASSERT(false);  // a host process reads HBM itself
}

void PjrtSource::tell(const configs::ChipNews& news) {
  if (client_.get() < 0) return;
  try {
    client_.send(configs::encode(news), Deadline::after(kPatience));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::timeout) throw;
    // It has just ended; hear_client() will see that.
  }
}

// The launch waits; further commands are queued meanwhile. A slow callback is no fault: see
// look_at_peers().
void PjrtSource::exchange(std::int64_t channel, std::span<const std::byte> bytes, bool sends) {
  const auto at = static_cast<std::uint64_t>(bytes.data() - setup_.hbm.data());
  resume_.reset();
  tell(configs::ChipRequest{launch_, channel, sends, at, bytes.size()});
  while (!resume_) {
    if (client_.get() < 0)
      throw Error(ErrorKind::system,
                  fmt::format("the host process ended while a launch waited for it on channel {}",
                              channel));
    std::array<pollfd, 2> entries{pollfd{client_.get(), POLLIN, 0},
                                  pollfd{launcher_.get(), POLLIN, 0}};
    if (::poll(entries.data(), entries.size(), kLookMilliseconds) <= 0) {
      setup_.worker_status.progressed();
      continue;
    }
    if (entries[0].revents != 0) hear_client();
    if (entries[1].revents != 0 && client_.get() >= 0) hear_launcher();
  }
  if (!resume_->error.empty()) callback_failure_.emplace(ErrorKind::check, resume_->error);
}

// After a failed callback the launch runs on, with zeros and without further callbacks, and fails
// at its end: its peers may be in a collective that waits for this chip.
void PjrtSource::send(std::int64_t channel, std::span<const std::byte> bytes) {
  if (!callback_failure_) exchange(channel, bytes, true);
}

void PjrtSource::receive(std::int64_t channel, std::span<std::byte> bytes) {
  if (!callback_failure_) exchange(channel, bytes, false);
  if (callback_failure_) std::ranges::fill(bytes, std::byte{0});
}

void PjrtSource::answer(const Command& command, const Answer& answer) {
  const auto* const load = std::get_if<LoadArchive>(&command);
  const auto* const launch = std::get_if<Launch>(&command);
  configs::ChipReport report;
  if (load != nullptr) report.program = load->program;
  if (launch != nullptr) {
    report.program = launch->program;
    report.launch = static_cast<std::uint64_t>(launch->step);
    report.begin_ns = launch_began_ns_;
    report.end_ns = nanoseconds_since_epoch();
  }
  const std::optional<Error> callback = std::exchange(callback_failure_, std::nullopt);
  const Error* const error = answer.error != nullptr ? answer.error
                             : callback              ? &*callback
                                                     : nullptr;
  if (error == nullptr) {
    if (launch != nullptr) tell(report);
    return;
  }
  report.error_kind = name_of(error->kind());
  report.error = text_of(*error);
  report.ends = !leaves_chips_in_step(error->kind());
  tell(report);
  // The chips may be out of step: only the end of the pod is safe.
  if (report.ends) throw *error;
}

}  // namespace understudy::worker
