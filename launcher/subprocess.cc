// SPDX-License-Identifier: Apache-2.0
#include "launcher/subprocess.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

constexpr int kUnknownStatus = 0xff00;  // as exit(255)
constexpr Seconds kLook{0.005};         // between two looks at a child

void check(int code, const char* call) {
  if (code != 0)
    throw Error(ErrorKind::system, fmt::format("{} failed: {}", call, std::strerror(code)));
}
void check_errno(int result, const char* call) {
  if (result < 0) check(errno, call);
}

// What posix_spawn() shall do in the child before the program starts.
class SpawnSettings {
 public:
  explicit SpawnSettings(int output) {
    check(posix_spawn_file_actions_init(&files_), "posix_spawn_file_actions_init");
    check(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
    check(posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0),
          "posix_spawn_file_actions_addopen");
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
      check(posix_spawn_file_actions_adddup2(&files_, output, stream),
            "posix_spawn_file_actions_adddup2");
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    check(posix_spawnattr_setsigmask(&attributes_, &none), "posix_spawnattr_setsigmask");
    check(posix_spawnattr_setsigdefault(&attributes_, &all), "posix_spawnattr_setsigdefault");
    check(posix_spawnattr_setpgroup(&attributes_, 0), "posix_spawnattr_setpgroup");
    check(posix_spawnattr_setflags(
              &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP),
          "posix_spawnattr_setflags");
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  pid_t start(const std::vector<std::string>& words) const {
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    pid_t pid = -1;
    const int code =
        posix_spawn(&pid, words.front().c_str(), &files_, &attributes_, pointers.data(), environ);
    if (code != 0)
      throw Error(ErrorKind::system,
                  fmt::format("cannot start {}: {}", words.front(), std::strerror(code)));
    return pid;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Subprocess::Subprocess(const std::vector<std::string>& words) {
  output_ = memfd_create("understudy-output", MFD_CLOEXEC);
  check_errno(output_, "memfd_create");
  // Two streams, one file: every write goes to its end.
  check_errno(fcntl(output_, F_SETFL, O_APPEND), "fcntl");
  try {
    pid_ = SpawnSettings(output_).start(words);
  } catch (const Error&) {
    close(output_);
    throw;
  }
}

Subprocess::~Subprocess() {
  if (!ended()) {
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
  // Reaped by somebody else: its end is known, how it ended is not.
  if (pid < 0 && errno == ECHILD) status_ = kUnknownStatus;
  return status_;
}

std::optional<int> Subprocess::wait(Deadline deadline) {
  while (!ended() && !deadline.passed()) std::this_thread::sleep_for(kLook);
  return status_;
}

void Subprocess::signal(int number) {
  if (!ended()) (void)kill(pid_, number);
}

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

SignalQueue::SignalQueue() {
  sigemptyset(&held_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&held_, number);
  check(pthread_sigmask(SIG_BLOCK, &held_, &before_), "pthread_sigmask");
}

SignalQueue::~SignalQueue() {
  if (sigismember(&before_, SIGINT) == 1) return;
  // What came too late to be handed out must not strike after all is done.
  const timespec now{};
  while (sigtimedwait(&held_, nullptr, &now) > 0) {
  }
  (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalQueue::next(Seconds patience) {
  const double whole = std::floor(patience.count());
  constexpr double kNanoseconds = 1e9;
  timespec span{};
  span.tv_sec = static_cast<time_t>(whole);
  span.tv_nsec = static_cast<long>((patience.count() - whole) * kNanoseconds);
  const int number = sigtimedwait(&held_, nullptr, &span);
  if (number > 0) return number;
  if (errno != EAGAIN && errno != EINTR) check(errno, "sigtimedwait");
  return std::nullopt;
}

}  // namespace understudy::launcher
