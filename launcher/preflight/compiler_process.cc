// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compiler_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "configs/base/procfs.h"
#include "configs/base/units.h"
#include "launcher/partition/helper.h"

namespace understudy::launcher {
namespace {

constexpr std::size_t kNoteLines = 8;                 // of the log, below an error
constexpr std::chrono::milliseconds kLookEvery{100};  // between looks at memory and signals

// VmRSS of /proc/PID/status, in bytes; 0 if unknown.
std::uint64_t resident_bytes(pid_t pid) {
  const std::string text = read_kernel_file(fmt::format("/proc/{}/status", pid));
  constexpr std::string_view kKey = "VmRSS:";
  const std::size_t at = text.find(kKey);
  if (at == std::string::npos) return 0;
  const std::size_t digits = text.find_first_of("0123456789", at);
  if (digits == std::string::npos) return 0;
  std::uint64_t kib = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), kib);
  return kib * kKiB;
}

}  // namespace

CompilerProcess::CompilerProcess(const std::vector<std::string>& words,
                                 const std::vector<std::string>& variables, CompilerLimits limits,
                                 OnWait on_wait)
    : library_(words.size() > 1 ? words[1] : words.front()),
      limits_(limits),
      on_wait_(std::move(on_wait)),
      began_(Clock::now()) {
  std::array<int, 2> ends{};
  // One socket instead of two pipes: requests and answers may both be larger than a pipe's buffer.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(ErrorKind::system, fmt::format("socketpair failed: {}", std::strerror(errno)));
  socket_ = ends[0];
  // The child has our other end as its standard input and output. Close it here at once: while it
  // is open in this process, the end of the child is no end of the stream.
  try {
    process_.emplace(words, variables, Streams{ends[1], ends[1]});
    ::close(ends[1]);
    ends[1] = -1;
    const configs::Frame first = receive(Deadline::after(limits_.start));
    greeting_ = configs::read_compiler_greeting(first.head);
  } catch (const Error&) {
    if (ends[1] >= 0) ::close(ends[1]);
    process_.reset();
    ::close(socket_);
    throw;
  }
}

// Ends the child before the socket closes, so that it does not report a broken pipe in its log.
CompilerProcess::~CompilerProcess() {
  process_.reset();
  ::close(socket_);
}

CompilerReply CompilerProcess::ask(const configs::CompilerRequest& request, std::string_view body) {
  began_ = Clock::now();
  const Deadline deadline = Deadline::after(limits_.answer);
  const auto frame = configs::encode(
      to_json(request), {reinterpret_cast<const std::byte*>(body.data()), body.size()});
  send({reinterpret_cast<const char*>(frame.data()), frame.size()}, deadline);
  const configs::Frame reply = receive(deadline);
  return {configs::read_compiler_answer(reply.head),
          std::string(reinterpret_cast<const char*>(reply.body.data()), reply.body.size())};
}

// MSG_NOSIGNAL: the end of the process must not end the launcher by SIGPIPE.
void CompilerProcess::send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    wait_until(POLLOUT, deadline);
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EAGAIN && errno != EINTR)
      ended();
  }
}

configs::Frame CompilerProcess::receive(Deadline deadline) {
  // Scheduled programs are several MB; larger pieces mean fewer calls.
  constexpr std::size_t kPiece = 1U << 18;
  std::vector<std::byte> piece(kPiece);
  for (;;) {
    if (auto frame = decoder_.next()) return std::move(*frame);
    wait_until(POLLIN, deadline);
    const ssize_t got = ::recv(socket_, piece.data(), piece.size(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) ended();
    if (got > 0) decoder_.feed({piece.data(), static_cast<std::size_t>(got)});
  }
}

// A compiler can allocate faster than a deadline comes, so memory is looked at in each wait. The
// process is not asked to stop: the library does not return before its compilation ends.
void CompilerProcess::wait_until(short events, Deadline deadline) {
  for (;;) {
    pollfd one{socket_, events, 0};
    // The wait is cut into pieces of kLookEvery, which is also the longest delay of Ctrl-C.
    const int ready = ::poll(&one, 1, static_cast<int>(kLookEvery.count()));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR)
      throw Error(ErrorKind::system, fmt::format("poll failed: {}", std::strerror(errno)));
    const Seconds waited = Clock::now() - began_;
    if (on_wait_ && on_wait_(waited)) give_up(Error(ErrorKind::timeout, "interrupted"));
    if (deadline.passed())
      give_up(Error(ErrorKind::timeout,
                    fmt::format("the compiler gave no answer within {:.0f} s", waited.count()))
                  .note("allow more time with --compile-timeout"));
    const std::uint64_t used = resident_bytes(process_->pid());
    if (limits_.memory_bytes != 0 && used > limits_.memory_bytes)
      give_up(Error(ErrorKind::capacity,
                    fmt::format("the compiler uses {} of memory, more than the limit of {}",
                                bytes_text(used), bytes_text(limits_.memory_bytes)))
                  .note("allow more with --compile-memory"));
  }
}

void CompilerProcess::give_up(const Error& error) {
  process_->signal(SIGKILL);
  throw error;
}

void CompilerProcess::ended() {
  // It may need a moment to end after it closed the socket.
  constexpr Seconds kMoment{5};
  // The status tells a signal (a crash of the library) from an exit.
  const std::optional<int> status = process_->wait(Deadline::after(kMoment));
  process_->signal(SIGKILL);
  const std::string log = process_->output();
  const std::string words = last_words(log);
  Error error(ErrorKind::system,
              words.empty() ? fmt::format("the compiler's process failed: {}", ending_text(status))
                            : fmt::format("the compiler's process failed ({}): {}",
                                          ending_text(status), words));
  for (const std::string& line : end_of_log(log, kNoteLines)) error.note("libtpu: " + line);
  throw error;
}

// Our own error line, else the first fatal line of the library (those after it are consequences),
// else the last line.
std::string last_words(const std::string& log) {
  constexpr std::string_view kError = "ERROR: ";
  std::string fatal, last;
  for (const std::string& line : end_of_log(log, 1000)) {
    if (line.starts_with(kError)) return line.substr(kError.size());
    // "F1123 09:23:44.500826    4747 parse_flags_from_env.cc:234] Unknown flag ..."
    const std::size_t end = line.find("] ");
    const bool is_fatal = line.size() > 1 && line[0] == 'F' && line[1] >= '0' && line[1] <= '9' &&
                          end != std::string::npos;
    if (is_fatal && fatal.empty()) fatal = line.substr(end + 2);
    last = line;
  }
  return fatal.empty() ? last : fatal;
}

// Without stack traces and the line about host bounds, which the library prints in every run.
std::vector<std::string> end_of_log(const std::string& log, std::size_t most) {
  std::vector<std::string> lines = last_lines(log, log.size());
  std::erase_if(lines, [](const std::string& line) {
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string::npos || line[first] == '@' ||
           line.find("symbolize.") != std::string::npos ||
           line.find(" RAW: ") != std::string::npos ||
           line.starts_with("Failed to find host bounds for accelerator type");
  });
  if (lines.size() > most) lines.erase(lines.begin(), lines.end() - static_cast<long>(most));
  return lines;
}

}  // namespace understudy::launcher
