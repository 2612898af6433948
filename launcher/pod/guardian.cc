// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/guardian.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/procfs.h"
#include "launcher/pod/process_session.h"

namespace understudy::launcher {
namespace {

// The signals by which terminals, batch systems and `timeout` ask a process to end. SIGQUIT keeps
// its default action, a core dump.
constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr std::string_view kEnd = "end\n";    // clean up now, then exit
constexpr std::string_view kDone = "done\n";  // the launcher has cleaned up; exit
constexpr Seconds kLongest{5};                // limit for killing and removing

// ---- in the guardian ----------------------------------------------------------------------------

// Protocol on the pipe, one line per command, from the launcher to the guardian:
// "/path" registers a folder to remove; "PID START" registers the leader of a session to kill
// (start time guards against pid reuse); "end" asks for an immediate clean-up; "done" says that the
// launcher has cleaned up itself. The end of the launcher without "done" also starts the clean-up.
class GuardianProcess {
 public:
  GuardianProcess(int pipe, pid_t launcher) : pipe_(pipe), launcher_(launcher) {}

  // Runs until the launcher has ended or reports that it cleaned up itself.
  void serve() {
    // End of file on the pipe is not enough to detect the end of the launcher: other forks of it
    // may hold the write end open. A pidfd of the launcher becomes readable when it ends.
    const int end = open_pidfd(launcher_);
    std::array<pollfd, 2> both{pollfd{pipe_, POLLIN, 0}, pollfd{end, POLLIN, 0}};
    for (;;) {
      // The launcher may have ended before the pidfd was opened; the guardian is then reparented.
      if (::getppid() != launcher_) break;
      if (::poll(both.data(), both.size(), -1) < 0) continue;
      if (both[0].revents != 0 && !hear()) break;
      if (both[1].revents != 0) break;
    }
    // Commands that the launcher wrote just before its end are still in the pipe.
    while (hear()) {
    }
    if (!done_) clean_up();
  }

 private:
  // Reads the available commands. False: nothing more to read now, or the last command was read.
  bool hear() {
    std::array<char, 4096> piece;
    const ssize_t got = ::read(pipe_, piece.data(), piece.size());
    if (got <= 0) return false;
    text_.append(piece.data(), static_cast<std::size_t>(got));
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      const std::string line = text_.substr(0, end + 1);
      text_.erase(0, end + 1);
      if (line == kDone) done_ = true;
      if (line == kDone || line == kEnd) return false;
      note(line.substr(0, end));
    }
    return true;
  }

  // A line that cannot be parsed is ignored: the guardian has no one to report to, and the other
  // entries must still be cleaned up.
  void note(const std::string& line) {
    if (line.starts_with('/')) {
      folders_.push_back(line);
      return;
    }
    ProcessIdentity leader;
    const char* const end = line.data() + line.size();
    const auto pid = std::from_chars(line.data(), end, leader.pid);
    if (pid.ec == std::errc() && pid.ptr != end) std::from_chars(pid.ptr + 1, end, leader.start);
    // Excludes 0 and 1: kill(0) would end the guardian's own group, and 1 is init.
    if (leader.pid > 1) leaders_.push_back(leader);
  }

  // Processes end first: a living worker could write into a folder that was removed already.
  void clean_up() const {
    // Long enough to remove a run folder of many files, short enough that a user who pressed Ctrl-C
    // does not take the launcher for stuck.
    const Deadline deadline = Deadline::after(kLongest);
    for (const ProcessIdentity& leader : leaders_) static_cast<void>(end_session(leader, deadline));
    for (const std::string& folder : folders_) {
      std::error_code code;
      // Workers that are being killed may still create files, so the removal is retried.
      do {
        std::filesystem::remove_all(folder, code);
      } while (code && !deadline.passed());
    }
  }

  int pipe_;
  pid_t launcher_;
  bool done_ = false;
  std::string text_;
  std::vector<ProcessIdentity> leaders_;
  std::vector<std::string> folders_;
};

// Detaches the guardian from the launcher: its own session, all signals blocked, no shared
// descriptor except the pipe. A descriptor left open would delay the reader of the launcher's
// output, who waits until all writers have closed it. Returns the pipe, moved above the standard
// streams.
int leave_launcher(int pipe) {
  // A launcher that was started with closed standard streams gets pipe ends numbered 0 to 2.
  if (pipe <= STDERR_FILENO) pipe = ::fcntl(pipe, F_DUPFD, STDERR_FILENO + 1);
  ::setsid();
  ::prctl(PR_SET_NAME, kGuardianName);
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  if (pipe > 3) ::close_range(3, static_cast<unsigned>(pipe - 1), 0);
  ::close_range(static_cast<unsigned>(pipe + 1), ~0U, 0);
  // A guardian in the user's folder would keep its file system from being unmounted.
  static_cast<void>(!::chdir("/"));
  return pipe;
}

// ---- in the launcher ----------------------------------------------------------------------------

// The living guardians, in a static table because a signal handler takes no arguments. Atomics,
// because the handler may interrupt the main thread between two accesses.
struct Entry {
  std::atomic<int> pipe{-1};
  std::atomic<pid_t> pid{-1};
};
// A run owns one guardian; verbs that nest runs (rehearse, drill) own few at a time. A guardian
// without an entry still notices the end of the launcher through its pidfd.
std::array<Entry, 8> entries;
std::atomic<pid_t> owner{
    0};  // pid of the launcher: forked children inherit the handler but own no guardian

// The exit code in the receipt; -1: none is written yet.
std::atomic<int> settled{-1};

// The signal handler. Uses only async-signal-safe functions (signal-safety(7)).
void end_at_once(int number) noexcept {
  if (::getpid() == owner.load()) {
    for (const Entry& entry : entries) {
      const int pipe = entry.pipe.load();
      if (pipe < 0) continue;
      static_cast<void>(!::write(pipe, kEnd.data(), kEnd.size()));
      // Waits for the guardian, so that no process and no folder of the run is left when the
      // launcher's caller sees its exit code. The guardian bounds its own clean-up by kLongest.
      while (::waitpid(entry.pid.load(), nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    // _exit(), because exit handlers and destructors are not safe in a signal handler.
    if (settled.load() >= 0) ::_exit(settled.load());
    const char* const text = number == SIGINT    ? "understudy: error: interrupted by SIGINT\n"
                             : number == SIGTERM ? "understudy: error: interrupted by SIGTERM\n"
                                                 : "understudy: error: interrupted by SIGHUP\n";
    static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
  }
  ::_exit(kSignalled + number);
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kStopSignals) sigaddset(&set, number);
  return set;
}

}  // namespace

// The exit code must agree with the receipt that is written.
void settle_exit_code(int exit_code) noexcept { settled = exit_code; }

SignalsHeld::SignalsHeld() {
  const sigset_t set = stop_signals();
  static_cast<void>(pthread_sigmask(SIG_BLOCK, &set, &before_));
}

SignalsHeld::~SignalsHeld() { static_cast<void>(pthread_sigmask(SIG_SETMASK, &before_, nullptr)); }

// Signals are held while the guardian is created: the handler would otherwise find a child process
// without an entry in the table.
Guardian::Guardian() {
  const SignalsHeld held;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  // Non-blocking at both ends: the guardian polls, and the launcher must never block on a guardian
  // that no longer reads.
  static_cast<void>(::fcntl(ends[0], F_SETFL, O_NONBLOCK));
  static_cast<void>(::fcntl(ends[1], F_SETFL, O_NONBLOCK));
  const pid_t launcher = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    GuardianProcess(leave_launcher(ends[0]), launcher).serve();
    ::_exit(0);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
  if (pid_ < 0) return;
  for (Entry& entry : entries) {
    if (entry.pipe.load() >= 0) continue;
    entry.pid = pid_;
    // The handler skips entries without a pipe, so the pipe is stored after the pid: an entry that
    // it can see is complete.
    entry.pipe = pipe_;
    break;
  }
}

Guardian::~Guardian() {
  const SignalsHeld held;
  for (Entry& entry : entries)
    if (pipe_ >= 0 && entry.pipe.load() == pipe_) entry.pipe = -1;
  tell(std::string(kDone));
  if (pipe_ >= 0) ::close(pipe_);
  const Deadline deadline = Deadline::after(kLongest);
  // waitpid() has no time limit. A guardian that does not read its pipe is killed after kLongest.
  while (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (deadline.passed()) ::kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

void Guardian::tell(const std::string& line) const {
  // If the guardian was killed, the write raises SIGPIPE, which must not end the launcher.
  struct sigaction before {};
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignored, &before);
  if (pid_ > 0) static_cast<void>(!::write(pipe_, line.data(), line.size()));
  ::sigaction(SIGPIPE, &before, nullptr);
}

void Guardian::end_session_of(const ProcessIdentity& leader) const {
  tell(fmt::format("{} {}\n", leader.pid, leader.start));
}

void Guardian::remove_folder(std::string_view path) const { tell(fmt::format("{}\n", path)); }

void end_at_once_on_signals() {
  owner = ::getpid();
  struct sigaction act {};
  act.sa_handler = end_at_once;
  // No other handler may run while this one writes and waits.
  sigfillset(&act.sa_mask);
  for (const int number : kStopSignals) {
    struct sigaction before {};
    ::sigaction(number, nullptr, &before);
    // Keep an ignored SIGHUP (nohup): the run must outlive its terminal.
    if (number == SIGHUP && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &act, nullptr);
  }
  // The parent of this process may have blocked the signals; a mask survives execve().
  const sigset_t set = stop_signals();
  static_cast<void>(pthread_sigmask(SIG_UNBLOCK, &set, nullptr));
}

}  // namespace understudy::launcher
