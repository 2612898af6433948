// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/helper.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// Must equal the number in understudy_partitioner; both are installed together.
constexpr std::int64_t kProtocol = 1;
constexpr std::size_t kNoteLines = 12;
// The package is found by its folder; -I keeps the user's Python settings out of the process.
constexpr const char* kBootstrap =
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from understudy_partitioner.__main__ import main; sys.exit(main())";

}  // namespace

std::vector<std::string> last_lines(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<long>(most));
  return lines;
}

// "F1123 04:55:55.551342   15313 spmd_partitioner.cc:656] text": severity, time, thread, file.
std::string fatal_words(const std::string& text) {
  for (const std::string& line : last_lines(text, text.size())) {
    // "F" for fatal and four digits of month and day: the prefix of absl's log.
    const bool dated = line.size() > 5 && line[0] == 'F' && line[5] == ' ' &&
                       line.find_first_not_of("0123456789", 1) == 5;
    const std::size_t end = line.find("] ");
    if (!dated || end == std::string::npos) continue;
    const std::size_t file = line.rfind(' ', end) + 1;
    std::string words = line.substr(end + 2);
    while (words.ends_with(' ')) words.pop_back();
    return fmt::format("{} ({})", words, line.substr(file, end - file));
  }
  return "";
}

namespace {

// What native code does to its own process. A kill from outside is no word on the program.
bool has_crashed(std::optional<int> status) {
  if (!status || !WIFSIGNALED(*status)) return false;
  const int signal = WTERMSIG(*status);
  return signal == SIGABRT || signal == SIGSEGV || signal == SIGFPE;
}

}  // namespace

Helper::Closed::~Closed() {
  if (socket >= 0) ::close(socket);
}

Helper::Helper(HelperCommand command) : command_(std::move(command)) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(ErrorKind::system, fmt::format("socketpair failed: {}", std::strerror(errno)));
  socket_ = ends[0];
  try {
    process_.emplace(
        std::vector<std::string>{command_.python, "-I", "-B", "-c", kBootstrap, command_.folder},
        std::vector<std::string>{}, Streams{ends[1], ends[1]});
  } catch (const Error&) {
    ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
  // The greeting comes after jaxlib was imported, so a wrong or missing jaxlib is known before a
  // question.
  const Frame first = receive(within(command_.start_limit));
  try {
    greeting_ = greeting_of(first.header);
  } catch (const Error& error) {
    lost(fmt::format("its greeting cannot be read: {}", error.message()));
  }
  if (!greeting_.error.empty()) lost(greeting_.error);
  if (greeting_.protocol != kProtocol)
    lost(fmt::format("it speaks protocol {}, expected {}", greeting_.protocol, kProtocol));
}

Deadline Helper::within(Seconds limit) const {
  const Deadline own = Deadline::after(limit);
  return command_.end && command_.end->at() < own.at() ? *command_.end : own;
}

Frame Helper::exchange(const Frame& request) {
  const Deadline deadline = within(command_.answer_limit);
  // What the process wrote before belongs to earlier programs.
  remarks_from_ = process_->output().size();
  is_asked_ = true;
  send(encoded(request), deadline);
  return receive(deadline);
}

std::string Helper::remarks() const { return process_->output().substr(remarks_from_); }

// MSG_NOSIGNAL: the end of the process must not end the launcher by SIGPIPE.
void Helper::send(const std::string& bytes, Deadline deadline) {
  for (std::size_t done = 0; done < bytes.size();) {
    wait_until(POLLOUT, deadline);
    const ssize_t sent =
        ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
    } else if (errno != EAGAIN && errno != EINTR) {
      lost("");
    }
  }
}

Frame Helper::receive(Deadline deadline) {
  const std::optional<FrameSizes> sizes = frame_sizes(receive_bytes(kFramePrefixBytes, deadline));
  if (!sizes) lost("its answer is malformed");
  std::string header = receive_bytes(sizes->header, deadline);
  return {std::move(header), receive_bytes(sizes->payload, deadline)};
}

std::string Helper::receive_bytes(std::size_t count, Deadline deadline) {
  // The size comes from the process: memory grows with what really arrives.
  constexpr std::size_t kPiece = 1U << 20;
  std::string bytes;
  while (bytes.size() < count) {
    wait_until(POLLIN, deadline);
    const std::size_t have = bytes.size();
    bytes.resize(std::min(count, have + kPiece));
    const ssize_t got = ::recv(socket_, bytes.data() + have, bytes.size() - have, MSG_DONTWAIT);
    const int code = errno;
    bytes.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || (got < 0 && code != EAGAIN && code != EINTR)) lost("");
  }
  return bytes;
}

void Helper::wait_until(short events, Deadline deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left()).count();
    pollfd one{socket_, events, 0};
    const int ready =
        left > 0 ? ::poll(&one, 1, static_cast<int>(std::min<long>(left, 60'000))) : 0;
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR)
      throw Error(ErrorKind::system, fmt::format("poll failed: {}", std::strerror(errno)));
    if (!deadline.passed()) continue;
    process_->signal(SIGKILL);
    Error error(
        ErrorKind::timeout,
        fmt::format("the partitioner ({}) did not answer {}", command_.python,
                    command_.end && command_.end->passed() ? "before the --deadline" : "in time"));
    for (const std::string& line : last_lines(remarks(), kNoteLines)) error.note(line);
    throw error;
  }
}

void Helper::lost(const std::string& why) {
  // It may need a moment to end after it closed the socket.
  constexpr Seconds kMoment{2};
  const std::optional<int> status = process_->wait(Deadline::after(kMoment));
  process_->signal(SIGKILL);
  const std::string fatal = fatal_words(remarks());
  // A crash while it worked on a program is about that program, and no retry would help; any other
  // end is a failure of the machine.
  if (is_asked_ && why.empty() && (has_crashed(status) || !fatal.empty())) {
    Error error(ErrorKind::unsupported,
                "XLA ended its process: " + (fatal.empty() ? ending_text(status) : fatal));
    error.note(
        "the program breaks an invariant of XLA's partitioner: another sharding or size of the "
        "arrays may avoid it");
    if (fatal.empty())
      for (const std::string& line : last_lines(remarks(), kNoteLines)) error.note(line);
    throw error;
  }
  Error error(ErrorKind::system, fmt::format("the partitioner ({}) failed: {}", command_.python,
                                             why.empty() ? ending_text(status) : why));
  for (const std::string& line : last_lines(remarks(), kNoteLines)) error.note(line);
  throw error;
}

}  // namespace understudy::launcher
