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
#include "configs/base/procfs.h"

namespace understudy::worker {
namespace {

// After the parent's end the launcher and mpirun get this long to record how this worker ended.
// Long enough to write a record to a slow disk, short enough that a killed pod leaves nothing
// running.
constexpr int kGraceMilliseconds = 1000;

void kill_process(int pidfd) {
  // By pidfd, so that a reused pid is never hit.
  static_cast<void>(::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0));
}

// SIGKILL: no handler, no destructor and no MPI call may delay the end of a worker without a
// launcher. The loop only satisfies [[noreturn]].
[[noreturn]] void die() {
  for (;;) ::kill(::getpid(), SIGKILL);
}

// -1 where the launcher runs on another machine or in another pid namespace.
int watch_launcher(const std::string& run_dir) {
  const OwnerSeen before = owner_of_folder(run_dir);
  if (!before.owner || !shares_pids(*before.owner)) return -1;
  if (before.state == OwnerState::gone) die();
  const int launcher = open_pidfd(before.owner->pid);
  // The launcher's lock is checked again after the pidfd exists. If it is still held, the pid
  // cannot have been reused between reading it and opening the pidfd.
  if (owner_of_folder(run_dir).state == OwnerState::gone) die();
  return launcher;
}

// True where `descriptor` becomes readable within the time; false at once where it is -1.
bool happens(int descriptor, int milliseconds) {
  pollfd one{descriptor, POLLIN, 0};
  return descriptor >= 0 && ::poll(&one, 1, milliseconds) > 0;
}

}  // namespace

Lifeline::Lifeline(const std::string& run_dir)
    : launcher_(watch_launcher(run_dir)),
      parent_(open_pidfd(::getppid())),
      end_(::eventfd(0, EFD_CLOEXEC)) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // A thread inherits its creator's signal mask. All signals stay with the other threads.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Lifeline::~Lifeline() {
  // Ends the thread before its descriptors are closed.
  const std::uint64_t one = 1;
  static_cast<void>(!::write(end_, &one, sizeof one));
  thread_.join();
  for (const int descriptor : {launcher_, parent_, end_})
    // The write cannot block: an eventfd takes up to 2^64 - 2.
    if (descriptor >= 0) ::close(descriptor);
}

void Lifeline::watch() const {
  ::prctl(PR_SET_NAME, "lifeline");
  std::array<pollfd, 3> all{pollfd{end_, POLLIN, 0}, pollfd{launcher_, POLLIN, 0},
                            pollfd{parent_, POLLIN, 0}};
  // poll() ignores entries with descriptor -1, so an unwatched process never wakes the loop. The
  // only error to expect is EINTR.
  while (::poll(all.data(), all.size(), -1) < 0) {
  }
  if (all[0].revents != 0) return;
  if (all[1].revents == 0) {
    // Only the parent ended. A live launcher ends this worker itself within the grace, after it has
    // read how the worker was left when its parent died; without a launcher here, just wait.
    // The object is ending: its process is about to exit in order.
    if (happens(end_, 0)) return;
    if (!happens(launcher_, kGraceMilliseconds) && launcher_ < 0)
      ::poll(nullptr, 0, kGraceMilliseconds);
    if (happens(end_, 0)) return;
  }
  // The launcher is gone. Kill mpirun too: if it is stopped (SIGSTOP) it would never notice.
  // A parent of 1 means that mpirun is gone already.
  if (all[1].revents != 0 && parent_ >= 0 && ::getppid() > 1) kill_process(parent_);
  die();
}

}  // namespace understudy::worker
