// SPDX-License-Identifier: Apache-2.0
#include "launcher/process/console.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/process/fold.h"

namespace understudy::launcher {
namespace {

void put(std::FILE* stream, int& lost, std::string_view text) noexcept {
  if (lost != 0) return;
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!whole || std::fflush(stream) != 0) lost = errno != 0 ? errno : EIO;
}

// One write per line, so that output of other processes cannot split it.
std::string line_of(std::string_view text) {
  std::string line(text);
  line += '\n';
  return line;
}

// Errors of earlier writes may only show now: of a logger on the same stream, or of a file system
// that reports them on close (NFS, quotas). Closes a duplicate to see the latter.
void look_for_late_errors(std::FILE* stream, int& lost) noexcept {
  if (lost != 0) return;
  errno = 0;
  if (std::fflush(stream) != 0 || std::ferror(stream) != 0) {
    lost = errno != 0 ? errno : EIO;
    return;
  }
  const int copy = ::dup(::fileno(stream));
  if (copy >= 0 && ::close(copy) != 0) lost = errno;
}

// Files and pipes get lines as they are, so that they can be searched.
std::string for_reader(std::FILE* stream, std::string_view text) {
  const std::size_t columns = columns_of(stream);
  return line_of(columns == 0 ? std::string(text) : folded(text, columns));
}

// A reader that left (`| head`) ends other programs by SIGPIPE; shells expect the same status here.
int code_of_loss(int lost) {
  return lost == EPIPE ? kSignalled + SIGPIPE : exit_code_of(ErrorKind::system);
}

}  // namespace

void Console::result(std::string_view text) const {
  lost->answered = true;
  put(out, lost->out, line_of(text));
}

void Console::document(std::string_view json) const {
  while (json.ends_with('\n')) json.remove_suffix(1);
  result(json);
}

void Console::remark(std::string_view text) const {
  if (verbosity >= 0) put(err, lost->err, for_reader(err, text));
}

void Console::failure(std::string_view text) const {
  lost->last_failure = text;
  put(err, lost->err, for_reader(err, text));
}

void Console::draw(std::string_view text) const noexcept { put(err, lost->err, text); }

bool Console::reader_left() const noexcept { return lost->out == EPIPE; }

std::string Console::tinted(Tint tint, std::string_view text) const {
  if (!out_colour) return std::string(text);
  constexpr std::string_view kCodes[] = {"31", "32", "33", "1"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(tint)], text);
}

// A failed command keeps its own exit code: the reason of the failure is more useful than the lost
// output.
int finish_output(const Console& console, int exit_code) noexcept {
  LostOutput& lost = *console.lost;
  look_for_late_errors(console.out, lost.out);
  if (lost.out != 0 && lost.out != EPIPE) {
    console.draw("understudy: error: cannot write to standard output: ");
    console.draw(::strerrordesc_np(lost.out));
    console.draw("\n");
  }
  look_for_late_errors(console.err, lost.err);
  if (exit_code != 0) return exit_code;
  if (lost.out != 0) return code_of_loss(lost.out);
  return lost.err != 0 ? code_of_loss(lost.err) : 0;
}

}  // namespace understudy::launcher
