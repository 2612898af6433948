// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/subprocess.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/process/start_report.h"

namespace understudy::launcher {
namespace {

constexpr int kUnknownStatus = 0xff00;  // like exit(255)
constexpr int kPollMilliseconds = 5;    // polling interval of a child

void check(int code, const char* call) {
  if (code != 0)
    throw Error(ErrorKind::system, fmt::format("{} failed: {}", call, std::strerror(code)));
}
void check_errno(int result, const char* call) {
  if (result < 0) check(errno, call);
}

// The data of execve(), prepared before the fork: the process may have threads, so between fork and
// exec only async-signal-safe calls are allowed (no allocation).
class Start {
 public:
  Start(const std::vector<std::string>& words, const std::vector<std::string>& variables)
      : words_(words) {
    const auto is_set = [&](std::string_view entry) {
      const std::string_view name = entry.substr(0, entry.find('=') + 1);
      return std::ranges::any_of(variables,
                                 [&](const std::string& one) { return one.starts_with(name); });
    };
    for (const std::string& word : words) arguments_.push_back(const_cast<char*>(word.c_str()));
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (!is_set(*entry)) environment_.push_back(*entry);
    for (const std::string& one : variables) environment_.push_back(const_cast<char*>(one.c_str()));
    arguments_.push_back(nullptr);
    environment_.push_back(nullptr);
  }

  // Returns when execve() has succeeded in the child. *Throws* Error{system} otherwise.
  pid_t run(Streams streams, int captured) {
    std::array<int, 2> report{};
    check_errno(pipe2(report.data(), O_CLOEXEC), "pipe2");
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    // Signal handlers of the launcher must not run in the child.
    check(pthread_sigmask(SIG_SETMASK, &all, &before), "pthread_sigmask");
    const pid_t launcher = getpid();
    const pid_t child = fork();
    const int code = errno;
    if (child == 0) become_program(streams, captured, launcher, report[1]);
    (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
    close(report[1]);
    const int failed = child < 0 ? code : errno_of_start(report[0]);
    close(report[0]);
    if (failed == 0) return child;
    if (child > 0) (void)waitpid(child, nullptr, 0);
    throw Error(ErrorKind::system,
                fmt::format("cannot start {}: {}", words_.front(), std::strerror(failed)));
  }

 private:
  [[noreturn]] void become_program(Streams streams, int captured, pid_t launcher, int report) {
    // Its own session: the terminal's Ctrl-C reaches only the launcher, and the whole tree can be
    // found and killed by its session id.
    (void)setsid();
    // If the launcher ends before prctl(), no signal is sent; check for that afterwards.
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != launcher) _exit(1);
    // Reset all handlers. SIGXFSZ stays ignored: children then get EFBIG beyond `ulimit -f`.
    for (int number = 1; number < NSIG; ++number)
      if (number != SIGXFSZ) (void)::signal(number, SIG_DFL);
    const int nothing = open("/dev/null", O_RDONLY);
    const int input = streams.input < 0 ? nothing : streams.input;
    const int output = streams.output < 0 ? captured : streams.output;
    const bool ready = nothing >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
                       dup2(output, STDOUT_FILENO) >= 0 && dup2(captured, STDERR_FILENO) >= 0;
    if (nothing > STDERR_FILENO) close(nothing);
    // The mask is inherited over execve(); the parent had blocked all signals for the fork.
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, nullptr);
    if (ready) (void)execve(words_.front().c_str(), arguments_.data(), environment_.data());
    report_failed_start(report);
  }

  const std::vector<std::string>& words_;
  std::vector<char*> arguments_, environment_;
};

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& words,
                       const std::vector<std::string>& variables, Streams streams) {
  // A memory file instead of a pipe: it never fills up, so a child cannot block on its output, and
  // no thread has to drain it.
  output_ = memfd_create("understudy-output", MFD_CLOEXEC);
  check_errno(output_, "memfd_create");
  // Both output streams may share one file; with O_APPEND no write overwrites another.
  check_errno(fcntl(output_, F_SETFL, O_APPEND), "fcntl");
  try {
    pid_ = Start(words, variables).run(streams, output_);
    if (const auto stat = process_stat(pid_)) start_ = stat->start;
  } catch (const Error&) {
    close(output_);
    throw;
  }
}

Subprocess::~Subprocess() {
  if (!ended()) {
    // The destructor must not block on a child that ignores SIGTERM.
    signal(SIGKILL);
    (void)waitpid(pid_, nullptr, 0);
  }
  close(output_);
}

std::optional<int> Subprocess::ended() {
  if (status_) return status_;
  int status = 0;
  const pid_t pid = waitpid(pid_, &status, WNOHANG);
  if (pid == pid_) status_ = status;
  // Already reaped elsewhere: it has ended, but its status is unknown.
  if (pid < 0 && errno == ECHILD) status_ = kUnknownStatus;
  return status_;
}

// waitpid() has no time limit, and SIGCHLD may be held by a SignalQueue. Linux before 5.3 has no
// descriptor that becomes readable when a process ends: poll() then only sleeps.
std::optional<int> Subprocess::wait(Deadline deadline) {
  if (ended()) return status_;
  const int process = open_pidfd(pid_);
  while (!ended() && !deadline.passed()) {
    // A descriptor below 0 is no event: the call returns after its time.
    pollfd event{process, POLLIN, 0};
    (void)poll(&event, 1, kPollMilliseconds);
  }
  if (process >= 0) close(process);
  return status_;
}

void Subprocess::signal(int number) {
  if (!ended()) (void)kill(pid_, number);
}

// pread() leaves the shared file offset alone, which the child may be using.
std::string Subprocess::output() const {
  struct stat about {};
  check_errno(fstat(output_, &about), "fstat");
  std::string text(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got =
        pread(output_, text.data() + have, text.size() - have, static_cast<off_t>(have));
    check_errno(static_cast<int>(got < 0 ? -1 : 0), "pread");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

Finished run_to_end(const std::vector<std::string>& words, Seconds limit) {
  Subprocess child(words);
  const std::optional<int> status = child.wait(Deadline::after(limit));
  return {status, child.output()};
}

std::string ending_text(const std::optional<int>& status) {
  if (!status) return "it closed its output";
  if (WIFSIGNALED(*status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(*status),
                       strsignal(WTERMSIG(*status)));
  return fmt::format("it ended with exit status {}", WEXITSTATUS(*status));
}

// SIGCHLD is included to wake next() at once when a child ends.
SignalQueue::SignalQueue() {
  sigemptyset(&held_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    struct sigaction now {};
    check_errno(sigaction(number, nullptr, &now), "sigaction");
    // Do not block an ignored SIGHUP (nohup): sigtimedwait() would return it although it is
    // ignored.
    if (number != SIGHUP || now.sa_handler != SIG_IGN) sigaddset(&held_, number);
  }
  check(pthread_sigmask(SIG_BLOCK, &held_, &before_), "pthread_sigmask");
}

SignalQueue::~SignalQueue() { (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> SignalQueue::next(Seconds wait_limit) {
  const double whole = std::floor(wait_limit.count());
  constexpr double kNanoseconds = 1e9;
  timespec span{};
  span.tv_sec = static_cast<time_t>(whole);
  span.tv_nsec = static_cast<long>((wait_limit.count() - whole) * kNanoseconds);
  const int number = sigtimedwait(&held_, nullptr, &span);
  if (number > 0) return number;
  if (errno != EAGAIN && errno != EINTR) check(errno, "sigtimedwait");
  return std::nullopt;
}

std::optional<int> SignalQueue::stop_signal() {
  for (;;) {
    const std::optional<int> number = next(Seconds(0));
    if (number != SIGCHLD) return number;
  }
}

}  // namespace understudy::launcher
