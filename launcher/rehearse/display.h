// SPDX-License-Identifier: Apache-2.0
// What a person sees while a ladder is climbed: on a terminal one picture that is drawn again and
// again, elsewhere a line for each rung when it is over. Call from the main thread.
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

// How lines may look.
struct DisplayLook {
  bool colour = false;
  bool unicode = false;    // else plain ASCII
  std::size_t width = 80;  // 0: that of a file, which has none
  std::size_t height = 0;  // lines of the window; 0: any number
  std::size_t names = 14;  // width of the rungs' names
};

// One rung as it stands now.
struct DisplayRung {
  std::string name, adds;
  enum class State : std::uint8_t { waiting, running, passed, failed, skipped };
  State state = State::waiting;
  double seconds = 0;
  RungProgress progress;  // while it runs
  std::string told;       // when it is over: what it showed, or what is wrong
};

// The picture, lines with newlines. Pure; `tick` turns the wheel.
std::string picture(const std::string& title, const std::vector<DisplayRung>& rungs, double seconds,
                    std::size_t tick, const DisplayLook& look);
// One finished rung; what it told is folded where it is wider than the window. Pure.
std::string rung_line(const DisplayRung& rung, const DisplayLook& look);
// A text that begins in column `indent`, in lines that the window holds; the others begin there
// too. Pure.
std::string folded(const std::string& text, std::size_t indent, std::size_t width);
// As wide as the longest name needs and a window can give.
std::size_t names_width(const std::vector<DisplayRung>& rungs);
// What a rung that is over showed, in a few words. Pure.
std::string told_of(const configs::RungSeen& seen);

// Draws pictures on the console's `err` where that is a terminal; else prints lines on its `out`,
// unless `silent`.
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
  // Takes the picture away.
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

// How the console may be drawn on: its colours, the locale's characters, the window's width.
DisplayLook look_of(const Console& console, bool no_color);
// The same of what is printed on `out`; a file has no width.
DisplayLook look_of_result(const Console& console);

}  // namespace understudy::launcher
