// SPDX-License-Identifier: Apache-2.0
// Progress display of a rehearsal: on a terminal a picture that is redrawn, elsewhere one line per
// finished rung. Call from the main thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "configs/launch/ladder.h"
#include "configs/receipt/rehearsal.h"
#include "launcher/rehearse/rung_run.h"

namespace understudy::launcher {

struct Console;

// Output capabilities.
struct DisplayLook {
  bool colour = false;
  bool unicode = false;    // else plain ASCII
  std::size_t width = 80;  // 0: not a terminal, no limit
  std::size_t height = 0;  // lines of the window; 0: no limit
  std::size_t names = 14;  // width of the rungs' names
};

// The current state of one rung.
struct DisplayRung {
  std::string name, adds;
  enum class State : std::uint8_t { waiting, running, passed, failed, skipped };
  State state = State::waiting;
  double seconds = 0;
  RungProgress progress;  // while it runs
  std::string told;       // after its end: a summary or the failure
};

// The picture as lines. `tick`: frame number of the spinner. Pure.
std::string picture(const std::string& title, const std::vector<DisplayRung>& rungs, double seconds,
                    std::size_t tick, const DisplayLook& look);
// The line of a finished rung, folded at the width of the window. Pure.
std::string rung_line(const DisplayRung& rung, const DisplayLook& look);
// Folds a text that begins in column `indent` at `width`; continuation lines are indented equally.
// Pure.
std::string folded_from_column(const std::string& text, std::size_t indent, std::size_t width);
// The width of the name column: the longest name, within limits.
std::size_t names_width(const std::vector<DisplayRung>& rungs);
// A short summary of a finished rung. Pure.
std::string told_of(const configs::RungSeen& seen);

// Draws on the console's `err` if that is a terminal; otherwise prints lines on `out`, unless
// `silent`.
class Display {
 public:
  Display(const Console& console, DisplayLook look, std::string title,
          std::vector<DisplayRung> rungs, bool silent);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  void begins(std::size_t rung);
  void goes_on(const RungProgress& progress);
  void ends(std::size_t rung, const configs::RungSeen& seen);
  // Erases the picture.
  void finish();
  const std::vector<DisplayRung>& rungs() const { return rungs_; }

 private:
  void draw(bool now);
  double seconds() const;

  const Console& console_;
  DisplayLook look_;
  std::string title_;
  std::vector<DisplayRung> rungs_;
  bool live_, silent_;
  std::chrono::steady_clock::time_point begin_, rung_begin_, drawn_;
  std::size_t lines_ = 0, current_ = 0, tick_ = 0;
};

// The capabilities of stderr: colours, characters of the locale, size of the window.
DisplayLook look_of(const Console& console, bool no_color);
// The same for stdout; a file has no width.
DisplayLook look_of_result(const Console& console);

}  // namespace understudy::launcher
