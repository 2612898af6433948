// SPDX-License-Identifier: Apache-2.0
// Where a verb speaks: results on `out`, everything else on `err`. Does not own the streams. Each
// text is flushed at once; a text that cannot be written is noted and decides the exit code at the
// end, where finish_output() is asked. Copies share what was noted. Thread-compatible.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace understudy::launcher {

enum class Tint : std::uint8_t { red, green, yellow, bold };

// The errno of the first text that could not be written, 0 while there is none.
struct LostOutput {
  int out = 0;
  int err = 0;
};

struct Console {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
  int verbosity = 0;          // -q is -1, -v is 1
  bool out_colour = false;    // `out` is a terminal and NO_COLOR is not set
  bool err_terminal = false;  // `err` is a terminal: progress may be drawn
  std::shared_ptr<LostOutput> lost = std::make_shared<LostOutput>();

  // Whole texts, without a newline at their end.
  void result(std::string_view text) const;                    // on out
  void remark(std::string_view text) const;                    // on err, unless -q
  void failure(std::string_view text) const;                   // on err, always
  void draw(std::string_view text) const noexcept;             // on err, as it is: progress
  std::string tinted(Tint tint, std::string_view text) const;  // for `out`

  // The reader of the results closed its end of the pipe: nobody waits for more.
  bool reader_left() const noexcept;
};

// Call at the end of main(): the exit code of a command that returned `exit_code`. Where output was
// lost, a success becomes Error{system}'s code, said on `err`, or without a word 128 + SIGPIPE
// where the reader left; a failure keeps its own code.
int finish_output(const Console& console, int exit_code) noexcept;

}  // namespace understudy::launcher
