// SPDX-License-Identifier: Apache-2.0
#include "launcher/script/host_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/pod/process_session.h"
#include "launcher/process/start_report.h"

namespace understudy::launcher {
namespace {

constexpr Seconds kToKill{5};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

// Between fork and exec: only calls that are safe beside other threads.
[[noreturn]] void become(char* const* words, char* const* environment, pid_t launcher, int report) {
  // A session of its own, so that end_session() reaches all children of the script.
  (void)setsid();
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(1);
  // Ignored signals survive execve(), and Python would then not install its handler of SIGINT.
  for (int number = 1; number < NSIG; ++number) (void)::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, nullptr);
  (void)execve(words[0], words, environment);
  report_failed_start(report);
}

}  // namespace

HostProcess::HostProcess(std::int64_t host, const std::vector<std::string>& words,
                         const std::vector<std::string>& environment)
    : host_(host), began_(Clock::now()) {
  const std::vector<char*> arguments = pointers(words), variables = pointers(environment);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    throw Error(ErrorKind::system, fmt::format("pipe2 failed: {}", std::strerror(errno)));
  const pid_t launcher = getpid();
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // No handler of the launcher may run in the child between fork() and execve().
  (void)pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_ = fork();
  if (pid_ == 0) become(arguments.data(), variables.data(), launcher, report[1]);
  const int code = errno;
  (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(report[1]);
  const int failed = pid_ < 0 ? code : errno_of_start(report[0]);
  close(report[0]);
  if (failed != 0) {
    if (pid_ > 0) (void)waitpid(pid_, nullptr, 0);
    throw Error(ErrorKind::system,
                fmt::format("cannot start {}: {}", words.front(), std::strerror(failed)));
  }
  if (const auto stat = process_stat(pid_)) start_ = stat->start;
}

HostProcess::~HostProcess() {
  kill_all();
  if (!status_) (void)waitpid(pid_, nullptr, 0);
}

std::optional<int> HostProcess::ended() {
  if (status_) return status_;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = status;
    over_ = Clock::now();
  }
  return status_;
}

Seconds HostProcess::stopped_for() {
  const auto stat = process_stat(pid_);
  const bool stopped = !ended() && stat && stat->state == 'T';
  if (!stopped) stopped_.reset();
  if (stopped && !stopped_) stopped_ = Clock::now();
  return stopped ? Seconds(Clock::now() - *stopped_) : Seconds(0);
}

void HostProcess::signal(int number) {
  if (!ended()) (void)kill(pid_, number);
}

void HostProcess::kill_all() { (void)end_session(identity(), Deadline::after(kToKill)); }

double HostProcess::seconds() const {
  return Seconds(over_.value_or(Clock::now()) - began_).count();
}

}  // namespace understudy::launcher
