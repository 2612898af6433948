// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/chip_link.h"

#include <array>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/base/version.h"
#include "configs/receipt/record/record.h"
#include "pjrt/core/launch_trace.h"

namespace understudy::pjrt {
namespace {

constexpr Seconds kPatience{600};  // a chip reads its socket between two launches
// The status cell is at the start of the memory object, smaller than the smallest page of x86-64
// and Arm.
constexpr std::size_t kPage = 4096;
// Short beside the start of a pod.
constexpr auto kLook = std::chrono::milliseconds(20);

// The socket exists once the worker has passed its gates; until then the host process waits.
Socket connect_when_ready(const std::string& path, Deadline deadline) {
  for (;;) {
    try {
      return Socket::connect(path);
    } catch (const Error& error) {
      if (deadline.passed())
        throw Error(ErrorKind::timeout,
                    fmt::format("the chip behind {} did not become ready in time", path))
            .note(error.message());
    }
    std::this_thread::sleep_for(kLook);
  }
}

configs::ChipGreeting read_greeting(const Socket& socket, configs::MessageCutter& cutter,
                                    Deadline deadline) {
  // Byte by byte where needed: the descriptor must stay in the socket for receive_descriptor().
  for (;;) {
    if (const auto message = cutter.next()) return configs::read_chip_greeting(*message);
    std::array<std::byte, 1> one;
    const auto got = socket.receive(one, deadline);
    if (!got || *got == 0)
      throw Error(ErrorKind::system, "a chip closed its connection before it greeted");
    cutter.feed(one);
  }
}

}  // namespace

ChipLink::ChipLink(std::int64_t rank, std::int64_t host, const std::string& socket_path,
                   Deadline deadline)
    : host_(host), socket_(connect_when_ready(socket_path, deadline)) {
  greeting_ = read_greeting(socket_, cutter_, deadline);
  if (!greeting_.refusal.empty()) throw Error(ErrorKind::protocol, greeting_.refusal);
  if (greeting_.rank != rank)
    throw Error(ErrorKind::protocol,
                fmt::format("{} belongs to rank {}, not {}", socket_path, greeting_.rank, rank));
  // Archives of executables and messages have no versions between builds: they are read by the
  // build that wrote them.
  if (greeting_.revision != revision())
    throw Error(ErrorKind::protocol,
                fmt::format("the worker of rank {} is of revision {}, the plugin of {}", rank,
                            greeting_.revision, revision()))
        .note("install understudy, its worker and its plugin from one build");
  const int descriptor = socket_.receive_descriptor(deadline);
  if (descriptor < 0) throw Error(ErrorKind::system, "a chip closed its connection");
  header_ = ::mmap(nullptr, kPage, PROT_READ, MAP_SHARED, descriptor, 0);
  // The status only improves the message about a lost chip, so the link works without it.
  if (header_ == MAP_FAILED) header_ = nullptr;
  memory_ = std::make_shared<DeviceMemory>(descriptor, greeting_.hbm_offset, greeting_.hbm_bytes,
                                           greeting_.usable_from, greeting_.usable_bytes);
}

FailureRef ChipLink::lost() const {
  const std::scoped_lock lock(mutex_);
  return lost_;
}

std::string ChipLink::name() const { return fmt::format("rank {} (host {})", rank(), host_); }

// Waits for one launch at a time, oldest first, and tries again after each: most programs fit after
// a few of them. Blocks only the caller; the reader thread goes on.
BlockRef ChipLink::allocate(std::uint64_t bytes, const std::string& label, bool for_program) {
  for (bool last = false;;) {
    try {
      return memory_->allocate(bytes, label, for_program);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::capacity || last) throw;
      CompletionRef oldest;
      {
        const std::scoped_lock lock(mutex_);
        // The last launch may have ended since the attempt, so there is one more.
        last = in_flight_.empty();
        if (!last) oldest = in_flight_.front().done;
      }
      if (oldest != nullptr) oldest->wait();
    }
  }
}

// A lost chip has room: the launch is then failed by send().
void ChipLink::await_room(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return in_flight_.size() < most || lost_ != nullptr; });
}

void ChipLink::send(Launch launch) {
  FailureRef lost;
  CompletionRef done = launch.done;
  {
    const std::scoped_lock lock(mutex_);
    lost = lost_;
    if (lost == nullptr) {
      // Numbering and sending are under one lock, so launch numbers on the socket only grow.
      launch.command.launch = next_++;
      launch.command.hbm_in_use = memory_->used();
      const std::vector<std::byte> bytes = configs::encode(configs::ChipCommand(launch.command));
      in_flight_.push_back(std::move(launch));
      launches_.fetch_add(1, std::memory_order_relaxed);
      try {
        socket_.send(bytes, Deadline::after(kPatience));
      } catch (const Error&) {
        // The reader thread finds the end of the connection and fails this launch.
      }
    }
  }
  if (lost != nullptr) done->set(lost);
}

void ChipLink::send(const configs::ChipCommand& command) {
  const std::scoped_lock lock(mutex_);
  if (lost_ != nullptr) return;
  try {
    socket_.send(configs::encode(command), Deadline::after(kPatience));
  } catch (const Error&) {
    // As above.
  }
}

bool ChipLink::hear(CopyThread& callback_thread) {
  std::array<std::byte, 1 << 14> piece;
  std::optional<std::size_t> got;
  try {
    got = socket_.receive(piece, Deadline::after(Seconds(0)));
  } catch (const Error&) {
    return false;
  }
  if (!got) return true;
  if (*got == 0) return false;
  cutter_.feed(std::span(piece).first(*got));
  while (const auto message = cutter_.next()) {
    const configs::ChipNews news = configs::read_chip_news(*message);
    if (const auto* told = std::get_if<configs::ChipReport>(&news)) report(*told);
    if (const auto* asked = std::get_if<configs::ChipRequest>(&news))
      serve(*asked, callback_thread);
  }
  return true;
}

// The callback runs elsewhere: it may take Python's interpreter lock for long.
void ChipLink::serve(const configs::ChipRequest& request, CopyThread& callback_thread) {
  std::shared_ptr<HostCallbacks> callbacks;
  {
    const std::scoped_lock lock(mutex_);
    // The chip executes in order, so only the oldest launch can ask.
    if (!in_flight_.empty() && in_flight_.front().command.launch == request.launch)
      callbacks = in_flight_.front().callbacks;
  }
  const auto resume = [this, launch = request.launch](std::string error) {
    send(configs::ChipCommand(configs::ChipResume{launch, std::move(error)}));
  };
  if (callbacks == nullptr)
    return resume(fmt::format("channel {} connects to a host program, but the launch has none",
                              request.channel));
  const std::span<std::byte> place = memory_->place(request.at, request.bytes);
  callback_thread.run([callbacks, request, place, resume] {
    request.sends ? callbacks->take(request.channel, place, resume)
                  : callbacks->give(request.channel, place, resume);
  });
}

void ChipLink::report(const configs::ChipReport& report) {
  FailureRef failure;
  if (!report.error_kind.empty())
    failure = make_failure(code_of(error_kind_of(report.error_kind).value_or(ErrorKind::internal)),
                           fmt::format("{}: {}", name(), report.error));
  Launch done;
  {
    const std::scoped_lock lock(mutex_);
    if (report.ends) ended_with_ = report.error;
    // A load that failed (launch 0) fails its first launch, which the chip refuses as well.
    if (in_flight_.empty() || report.launch != in_flight_.front().command.launch) return;
    // The end of the chip explains its launches better (lose()).
    if (report.ends) return;
    done.held = std::move(in_flight_.front().held);
  }
  // Before the launch leaves the list: allocate() takes an empty list as "nothing will be freed".
  done.held.clear();
  {
    const std::scoped_lock lock(mutex_);
    if (in_flight_.empty() || report.launch != in_flight_.front().command.launch) return;
    done = std::move(in_flight_.front());
    in_flight_.pop_front();
  }
  changed_.notify_all();
  if (LaunchTrace& trace = LaunchTrace::of_process(); trace.is_recording())
    trace.add({rank(), done.program, report.begin_ns, report.end_ns});
  for (const CompletionRef& earlier : done.after)
    if (failure == nullptr) failure = earlier->failure();
  done.done->set(std::move(failure));
}

// The first reason stays: what follows is a consequence of it. Completions are set without the
// lock, because their callbacks may launch again.
void ChipLink::lose(const FailureRef& why) {
  std::deque<Launch> failed;
  {
    const std::scoped_lock lock(mutex_);
    if (lost_ == nullptr) lost_ = why;
    failed.swap(in_flight_);
  }
  changed_.notify_all();
  for (Launch& launch : failed) launch.done->set(why);
}

std::string ChipLink::last_work() const {
  const std::scoped_lock lock(mutex_);
  if (!ended_with_.empty()) return ended_with_;
  if (in_flight_.empty()) return "it had no work";
  const Launch& launch = in_flight_.front();
  const auto* const status =
      header_ == nullptr ? nullptr
                         : std::launder(reinterpret_cast<const configs::StatusCell*>(header_));
  // The worker writes it with every operation and may be dead; no other data depends on it, so
  // relaxed suffices. Operations count from 1, 0 is none.
  const std::uint32_t op = status == nullptr ? 0 : status->op.load(std::memory_order_relaxed);
  if (op == 0 || launch.op_names == nullptr || op > launch.op_names->size())
    return fmt::format("while it executed {}", launch.program);
  return fmt::format("while it executed {} of {}", (*launch.op_names)[op - 1], launch.program);
}

}  // namespace understudy::pjrt
