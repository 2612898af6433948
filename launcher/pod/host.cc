// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/host.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// Equals the default of --timeout: a worker that does not read for so long counts as lost.
constexpr Seconds kCommandTimeout{60};  // time for a worker to take a command from its socket

}  // namespace

PodHost::PodHost(const std::string& path) : listening_(Socket::listen(path)) {}

std::vector<PodHost::Event> PodHost::wait(Seconds wait_limit) {
  std::vector<pollfd> entries{{listening_.get(), POLLIN, 0}};
  for (const Line& line : lines_)
    entries.push_back({line.closed ? -1 : line.socket.get(), POLLIN, 0});
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(wait_limit).count();
  const int ready = ::poll(entries.data(), entries.size(), static_cast<int>(milliseconds));
  std::vector<Event> events;
  // 0: time limit; -1: EINTR. Callers poll, so both mean: no events.
  if (ready <= 0) return events;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (entries[i + 1].revents != 0) hear(lines_[i], events);
  if (entries[0].revents != 0)
    // A new connection is anonymous until its greeting names its rank.
    while (auto socket = listening_.accept()) lines_.push_back({std::move(*socket), {}, {}, false});
  return events;
}

// A connection that ends before its greeting gives no event: no rank is known that could be
// reported. The caller notices it by the missing greeting.
void PodHost::hear(Line& line, std::vector<Event>& events) {
  // A buffer on the stack. Large results take several rounds of poll(), which serves the other
  // ranks in between.
  constexpr std::size_t kPiece = 1 << 16;
  std::array<std::byte, kPiece> piece;
  const auto got = line.socket.receive(piece, Deadline::after(Seconds(0)));
  if (got && *got == 0) {
    line.closed = true;
    if (line.rank) events.push_back({Event::Kind::gone, *line.rank});
    return;
  }
  if (got) line.decoder.feed(std::span(piece).first(*got));
  while (auto frame = line.decoder.next()) {
    if (line.rank) {
      events.push_back({Event::Kind::answered, *line.rank, configs::read_answer(frame->head),
                        std::move(frame->body)});
      continue;
    }
    line.rank = Rank(configs::read_greeting(frame->head).rank);
    events.push_back({Event::Kind::greeted, *line.rank});
  }
}

void PodHost::send(Rank rank, const configs::PodCommand& command, std::span<const std::byte> body) {
  const auto line = std::ranges::find_if(lines_, [&](const Line& one) { return one.rank == rank; });
  UNDERSTUDY_ASSERT(line != lines_.end());
  if (line->closed) return;
  try {
    line->socket.send(configs::encode(to_json(command), body), Deadline::after(kCommandTimeout));
  } catch (const Error& error) {
    // A part of the command may be on the stream, so the framing is lost; give up.
    if (error.kind() == ErrorKind::timeout) throw;
    // Any other error means that the worker has ended; wait() will report that as an event.
  }
}

}  // namespace understudy::launcher
