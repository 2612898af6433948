// SPDX-License-Identifier: Apache-2.0
// Preloaded into mpirun only. mpirun is the parent of the workers on its machine, so it alone gets
// their wait statuses, but it prints only some of them: it often reports nothing about a worker
// that ends before MPI_Init. This library appends to the file in UNDERSTUDY_PROCESS_LOG, one line
// each (docs/formats.md), the start and the end of every child, every signal that mpirun sends to
// one, and every SIGTERM, SIGINT and SIGHUP that mpirun receives. C library only; thread-safe.
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using Execve = int (*)(const char*, char* const*, char* const*);
using Kill = int (*)(pid_t, int);
using Signal = sighandler_t (*)(int, sighandler_t);
using Waitpid = pid_t (*)(pid_t, int*, int);

// Looked up before main(): dlsym() may not be called in a child between fork() and execve().
Execve real_execve = nullptr;
Kill real_kill = nullptr;
Signal real_signal = nullptr;
Waitpid real_waitpid = nullptr;

std::array<char, PATH_MAX> log_path{};  // empty: no log

// The handlers of mpirun for the signals that end it, by number.
std::array<sighandler_t, NSIG> handlers{};

// Appends "WORD FIRST SECOND\n". Async-signal-safe. The file is opened for every line, because a
// child of mpirun closes all descriptors before execve(). A line that cannot be written is lost:
// the launcher then has the weaker evidence that it has without this library.
void append(std::string_view word, long first, long second) noexcept {
  if (log_path[0] == '\0') return;
  const int before = errno;
  std::array<char, 80> line{};
  char* const end = line.data() + line.size();
  char* at = line.data() + word.copy(line.data(), word.size());
  for (const long number : {first, second}) {
    *at++ = ' ';
    at = std::to_chars(at, end, number).ptr;
  }
  *at++ = '\n';
  const int file =
      open(log_path.data(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) {
    // One write() of a short line with O_APPEND is never mixed with that of another process.
    (void)!write(file, line.data(), static_cast<std::size_t>(at - line.data()));
    close(file);
  }
  errno = before;
}

__attribute__((constructor)) void find_real_functions() {
  real_execve = reinterpret_cast<Execve>(dlsym(RTLD_NEXT, "execve"));
  real_kill = reinterpret_cast<Kill>(dlsym(RTLD_NEXT, "kill"));
  real_signal = reinterpret_cast<Signal>(dlsym(RTLD_NEXT, "signal"));
  real_waitpid = reinterpret_cast<Waitpid>(dlsym(RTLD_NEXT, "waitpid"));
  const char* const path = getenv("UNDERSTUDY_PROCESS_LOG");
  if (path != nullptr && strlen(path) < log_path.size())
    memcpy(log_path.data(), path, strlen(path) + 1);
  // Not for the children of mpirun.
  unsetenv("UNDERSTUDY_PROCESS_LOG");
}

// The rank that Open MPI gives to the program with this environment; -1: it is not a worker.
long rank_in(char* const* environment) noexcept {
  constexpr std::string_view kName = "OMPI_COMM_WORLD_RANK=";
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    if (!entry.starts_with(kName)) continue;
    long rank = -1;
    std::from_chars(entry.data() + kName.size(), entry.data() + entry.size(), rank);
    return rank;
  }
  return -1;
}

void log_and_handle(int number, siginfo_t* about, void* /*context*/) {
  append("signal", number, about->si_pid);
  handlers[static_cast<std::size_t>(number)](number);
}

}  // namespace

#define UNDERSTUDY_EXPORT extern "C" __attribute__((visibility("default")))

// Called in the child.
UNDERSTUDY_EXPORT int execve(const char* path, char* const* words,
                             char* const* environment) noexcept {
  append("child", getpid(), rank_in(environment));
  return real_execve(path, words, environment);
}

UNDERSTUDY_EXPORT int kill(pid_t pid, int number) noexcept {
  // Before the signal is sent: the end that it causes must come later in the log. mpirun signals
  // the process group of a child, whose number is the child's pid.
  append("kill", pid < 0 ? -long{pid} : pid, number);
  return real_kill(pid, number);
}

UNDERSTUDY_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  int own = 0;
  const pid_t found = real_waitpid(pid, &own, options);
  if (found > 0) append("end", found, own);
  if (status != nullptr) *status = own;
  return found;
}

// Open MPI installs its handlers for these three signals with signal(). Like that function this one
// restarts interrupted system calls.
UNDERSTUDY_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  const bool ends_mpirun = number == SIGTERM || number == SIGINT || number == SIGHUP;
  if (!ends_mpirun || handler == SIG_DFL || handler == SIG_IGN || handler == SIG_ERR)
    return real_signal(number, handler);
  sighandler_t& place = handlers[static_cast<std::size_t>(number)];
  const sighandler_t before = place;
  place = handler;
  struct sigaction now {};
  struct sigaction old {};
  now.sa_sigaction = log_and_handle;
  now.sa_flags = SA_SIGINFO | SA_RESTART;
  if (sigaction(number, &now, &old) != 0) return SIG_ERR;
  return (old.sa_flags & SA_SIGINFO) != 0 ? before : old.sa_handler;
}
