// SPDX-License-Identifier: Apache-2.0
// understudy-worker-start WORKER RUN_DIR: what mpirun starts on this machine. Takes the environment
// of its emulated host from the file that the launcher wrote (launcher/pod/environments.h), and
// executes WORKER with it. A worker without that file does the same by itself (worker/start.h), but
// loads its libraries twice: 4 ms of processor time. So this program has no libraries.
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "configs/launch/start_words.h"

extern "C" char** environ;

namespace {

constexpr int kUsageExit = 2, kSystemExit = 71;  // as configs/base/error.cc has them

// A stop signal that arrives now is taken by the worker, which records it.
void block_stop_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) ::sigaddset(&set, number);
  (void)::sigprocmask(SIG_BLOCK, &set, nullptr);
}

// Empty if it cannot be read.
std::string text_of(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0) text.clear();
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(file);
  return text;
}

// -1 if mpirun did not set it.
long rank_of_this() {
  const char* const text = std::getenv("OMPI_COMM_WORLD_RANK");
  long rank = -1;
  if (text == nullptr) return rank;
  const auto [stop, code] = std::from_chars(text, text + std::strlen(text), rank);
  return code == std::errc() && *stop == '\0' ? rank : -1;
}

// The entries of a rank; empty if the text does not have them.
std::vector<std::string_view> changes_of(std::string_view text, long rank) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; rank >= 0 && at < text.size();) {
    const std::size_t end = text.find('\0', at);
    if (end == std::string_view::npos) break;
    const std::string_view entry = text.substr(at, end - at);
    at = end + 1;
    if (!entry.empty()) {
      if (rank == 0) found.push_back(entry);
    } else if (rank-- == 0) {
      return found;
    }
  }
  return {};
}

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

// Points into `changes` and `environ`; each entry ends with a zero byte.
std::vector<char*> changed_environment(const std::vector<std::string_view>& changes) {
  std::vector<char*> made;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    bool kept = true;
    for (const std::string_view change : changes) kept = kept && name_of(change) != name_of(*entry);
    if (kept) made.push_back(*entry);
  }
  for (const std::string_view change : changes)
    if (change.find('=') != std::string_view::npos)
      made.push_back(const_cast<char*>(change.data()));
  made.push_back(nullptr);
  return made;
}

}  // namespace

int main(int count, char** words) {
  using understudy::configs::kEnvironmentsFile;
  if (count != 3) {
    std::fputs("understudy-worker-start is started by understudy: see understudy run --help\n",
               stderr);
    return kUsageExit;
  }
  block_stop_signals();
  const std::string text = text_of(std::string(words[2]) + "/" + kEnvironmentsFile);
  const std::vector<std::string_view> changes = changes_of(text, rank_of_this());
  std::string name = "understudy-worker", done = understudy::configs::kInEnvironment;
  // Without entries the worker makes its environment itself.
  char* const next[] = {name.data(), words[2], changes.empty() ? nullptr : done.data(), nullptr};
  if (changes.empty()) {
    ::execve(words[1], next, environ);
  } else {
    ::execve(words[1], next, changed_environment(changes).data());
  }
  std::fprintf(stderr, "understudy: error: cannot execute %s: %s\n", words[1],
               std::strerror(errno));
  return kSystemExit;
}
