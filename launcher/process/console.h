// SPDX-License-Identifier: Apache-2.0
// The output of a verb: results on `out`, everything else on `err`. Does not own the streams. Each
// text is flushed at once. A write error is remembered (copies share it) and determines the exit
// code in finish_output(). Thread-compatible.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace understudy::launcher {

enum class Tint : std::uint8_t { red, green, yellow, bold };

// The errno of the first failed write, 0: none; and what main() needs to answer a command with
// --json that printed no document.
struct LostOutput {
  int out = 0;
  int err = 0;
  bool answered = false;     // result() was called
  std::string last_failure;  // of failure()
};

struct Console {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
  int verbosity = 0;          // -q is -1, -v is 1
  bool out_colour = false;    // `out` is a terminal and NO_COLOR is not set
  bool err_terminal = false;  // `err` is a terminal: progress may be drawn
  std::shared_ptr<LostOutput> lost = std::make_shared<LostOutput>();

  // Complete texts, without a final newline. remark() and failure() fold long lines on a terminal.
  void result(std::string_view text) const;                    // on out
  void remark(std::string_view text) const;                    // on err, unless -q
  void failure(std::string_view text) const;                   // on err, always
  void document(std::string_view json) const;                  // result() without final newlines
  void draw(std::string_view text) const noexcept;             // on err, unchanged: progress
  std::string tinted(Tint tint, std::string_view text) const;  // for `out`

  // The reader of the results has closed the pipe, so further output is useless.
  bool reader_left() const noexcept;
  bool quiet() const { return verbosity < 0; }
};

// Call at the end of main(). Returns the exit code of a command that returned `exit_code`. If
// output was lost, a success becomes the exit code of Error{system} with a message on `err`, or 128
// + SIGPIPE without a message if the reader closed the pipe. A failure keeps its code.
int finish_output(const Console& console, int exit_code) noexcept;

}  // namespace understudy::launcher
