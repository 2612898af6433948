// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/lifeline.h"

#include <array>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "configs/base/folder_owner.h"

namespace understudy::worker {
namespace {

// What mpirun and the launcher get after the parent's end to note how this worker ended.
constexpr int kGraceMilliseconds = 1000;

int watch_process(std::int64_t pid) {
  return static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0));
}

void kill_process(int pidfd) {
  static_cast<void>(::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0));
}

[[noreturn]] void die() {
  for (;;) ::kill(::getpid(), SIGKILL);
}

// -1 where the launcher runs elsewhere.
int watch_launcher(const std::string& run_dir) {
  const OwnerSeen before = owner_of_folder(run_dir);
  if (!before.owner || !shares_pids(*before.owner)) return -1;
  if (before.state == OwnerState::gone) die();
  const int launcher = watch_process(before.owner->pid);
  // The lock is still held: the pid was not given to another process before it was watched.
  if (owner_of_folder(run_dir).state == OwnerState::gone) die();
  return launcher;
}

bool happens(int descriptor, int milliseconds) {
  pollfd one{descriptor, POLLIN, 0};
  return descriptor >= 0 && ::poll(&one, 1, milliseconds) > 0;
}

}  // namespace

Lifeline::Lifeline(const std::string& run_dir)
    : launcher_(watch_launcher(run_dir)),
      parent_(watch_process(::getppid())),
      end_(::eventfd(0, EFD_CLOEXEC)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals are the main thread's.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Lifeline::~Lifeline() {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(end_, &one, sizeof one));
  thread_.join();
  for (const int descriptor : {launcher_, parent_, end_})
    if (descriptor >= 0) ::close(descriptor);
}

void Lifeline::watch() const {
  ::prctl(PR_SET_NAME, "lifeline");
  std::array<pollfd, 3> all{pollfd{end_, POLLIN, 0}, pollfd{launcher_, POLLIN, 0},
                            pollfd{parent_, POLLIN, 0}};
  while (::poll(all.data(), all.size(), -1) < 0) {
  }
  if (all[0].revents != 0) return;
  if (all[1].revents == 0) {
    // A launcher that lives ends this worker itself, and is to find it as its parent's end left it.
    if (happens(end_, 0)) return;
    if (!happens(launcher_, kGraceMilliseconds) && launcher_ < 0)
      ::poll(nullptr, 0, kGraceMilliseconds);
    if (happens(end_, 0)) return;
  }
  // A stopped mpirun would stay.
  if (all[1].revents != 0 && parent_ >= 0 && ::getppid() > 1) kill_process(parent_);
  die();
}

}  // namespace understudy::worker
