// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/deadline.h"
#include "configs/base/error.h"
#include "configs/base/procfs.h"

namespace understudy::worker {
namespace {

// SIGKILL and SIGSTOP cannot be blocked: peers find out about those through /proc.
sigset_t stop_signals() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  // SIGHUP ends the worker with its terminal, SIGQUIT by the key for a core dump.
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::sigaddset(&set, number);
  return set;
}

void check_descriptor(int descriptor, const char* what) {
  if (descriptor < 0) {
    throw Error(ErrorKind::system,
                fmt::format("{}: {}", what, std::generic_category().message(errno)));
  }
}

// Ends the process with the signal's default action, so that mpirun sees "killed by signal N" and
// not an exit code.
[[noreturn]] void end_by(int number) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, number);
  // Default action and unblocked, in this order: a pending signal then acts at once.
  (void)::signal(number, SIG_DFL);
  (void)::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  (void)::raise(number);
  constexpr int kSignalExit = 128;
  ::_exit(kSignalExit + number);  // its default action did not end us
}

}  // namespace

void block_stop_signals() {
  // Before any thread exists, so all threads inherit the mask.
  const sigset_t set = stop_signals();
  if (const int code = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); code != 0) {
    throw Error(ErrorKind::system,
                "cannot block signals: " + std::generic_category().message(code));
  }
}

StopSignals::StopSignals(std::function<void(const configs::SignalSeen&)> record)
    : record_(std::move(record)), parent_(::getppid()) {
  const sigset_t set = stop_signals();
  // Non-blocking: another thread may consume the signal between poll() and read().
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  check_descriptor(signals_, "signalfd");
  end_ = ::eventfd(0, EFD_CLOEXEC);
  check_descriptor(end_, "eventfd");
  thread_ = std::jthread([this] { run(); });
}

StopSignals::~StopSignals() {
  const std::uint64_t one = 1;
  (void)!::write(end_, &one, sizeof(one));
  thread_.join();
  ::close(signals_);
  ::close(end_);
}

// A copy under the lock: the main thread polls while the signal thread may write.
std::optional<configs::SignalSeen> StopSignals::received() const {
  const std::scoped_lock lock(mutex_);
  return first_;
}

void StopSignals::run() {
  (void)::pthread_setname_np(::pthread_self(), "signals");
  std::array<pollfd, 2> waited = {{{signals_, POLLIN, 0}, {end_, POLLIN, 0}}};
  // An unexpected error of poll() ends the thread: then signals stay blocked and the launcher's
  // SIGKILL ends the worker.
  while (true) {
    if (::poll(waited.data(), waited.size(), -1) < 0 && errno != EINTR) return;
    if (waited[1].revents != 0) return;
    // One signal per turn: several pending ones keep the descriptor readable.
    if (waited[0].revents != 0) take();
  }
}

void StopSignals::take() {
  signalfd_siginfo info{};
  if (::read(signals_, &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) return;
  configs::SignalSeen seen;
  seen.number = info.ssi_signo;
  seen.sender_pid = info.ssi_pid;
  seen.from_pod = static_cast<pid_t>(info.ssi_pid) == parent_;
  // The name is read from /proc now, while the sender probably still exists. Pid 0: the kernel, or
  // a sender in another pid namespace.
  // In /proc the name is gone as soon as the sender has ended, which kill(1) does at once.
  if (info.ssi_pid != 0) seen.sender = process_name(info.ssi_pid);
  timespec now{};
  (void)::clock_gettime(CLOCK_REALTIME, &now);
  seen.at_ns = now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
  // Record first: after end_by() nothing runs any more.
  record_(seen);
  {
    const std::scoped_lock lock(mutex_);
    // The first signal is the cause; later ones are usually mpirun clearing up.
    if (!first_) first_ = seen;
  }
  // Unsupervised: nobody polls received(), for example in MPI_Init.
  if (!supervised_.load()) end_by(static_cast<int>(info.ssi_signo));
}

std::string text_of(const configs::SignalSeen& seen) {
  std::string text = fmt::format("received SIG{}", sigabbrev_np(static_cast<int>(seen.number)));
  if (seen.sender_pid != 0) text += fmt::format(" from process {}", seen.sender_pid);
  if (!seen.sender.empty()) text += fmt::format(" ({})", seen.sender);
  return text;
}

}  // namespace understudy::worker
