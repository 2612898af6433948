// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/display.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "configs/base/units.h"
#include "launcher/process/console.h"
#include "launcher/rehearse/judge_rung.h"
#include "launcher/rehearse/preflight_rung.h"

namespace understudy::launcher {
namespace {

using State = DisplayRung::State;
using std::chrono::steady_clock;

constexpr std::size_t kLeastNames = 14, kMostNames = 24;
constexpr std::size_t kBarWidth = 16;
// About 12 frames a second: smooth for a spinner, and little to send over a slow ssh connection.
constexpr auto kFrame = std::chrono::milliseconds(80);

struct Mark {
  const char* unicode;
  const char* ascii;
  const char* colour;
};
// By State.
constexpr std::array<Mark, 5> kMarks = {{{"·", ".", "\x1b[2m"},
                                         {"", ">", "\x1b[36m"},
                                         {"✔", "+", "\x1b[32m"},
                                         {"✘", "x", "\x1b[31m"},
                                         {"–", "-", "\x1b[2m"}}};
constexpr std::array<const char*, 8> kSpinner = {"⣾", "⣽", "⣻", "⢿", "⡿", "⣟", "⣯", "⣷"};
constexpr std::array<const char*, 4> kPlainSpinner = {"|", "/", "-", "\\"};

std::string tinted(const char* colour, const std::string& text, const DisplayLook& look) {
  return look.colour && !text.empty() ? fmt::format("{}{}\x1b[0m", colour, text) : text;
}

// At most `width` UTF-8 characters; a shortened text ends in two dots.
std::string clipped(const std::string& text, std::size_t width) {
  constexpr std::size_t kDots = 2;
  std::size_t characters = 0, keep = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80U) continue;  // continuation byte
    if (characters == (width > kDots ? width - kDots : 0)) keep = i;
    if (++characters > width) return text.substr(0, keep) + "..";
  }
  return text;
}

std::string bar(std::int64_t done, std::int64_t all, const DisplayLook& look) {
  const auto share = all <= 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
  const auto full = std::min(kBarWidth, static_cast<std::size_t>(share * kBarWidth));
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i)
    text += i < full ? (look.unicode ? "━" : "=") : (look.unicode ? "╌" : ".");
  return tinted("\x1b[36m", text, look);
}

std::string mark_of(const DisplayRung& rung, std::size_t tick, const DisplayLook& look) {
  const Mark& mark = kMarks[static_cast<std::size_t>(rung.state)];
  std::string text = look.unicode ? mark.unicode : mark.ascii;
  if (rung.state == State::running)
    text = look.unicode ? kSpinner[tick % kSpinner.size()]
                        : kPlainSpinner[tick % kPlainSpinner.size()];
  return tinted(mark.colour, text, look);
}

std::string progress_text(const RungProgress& progress, std::size_t room, const DisplayLook& look) {
  if (progress.steps == 0) return progress.doing.empty() ? "starting" : progress.doing;
  const std::int64_t now = std::min(progress.step + 1, progress.steps);
  const std::string head = progress.doing.empty() ? "" : progress.doing + ": ";
  const std::string text = fmt::format("{}step {} of {}", head, now, progress.steps);
  if (room < kBarWidth + 2 + text.size()) return clipped(text, room);
  return fmt::format("{}  {}", bar(progress.step, progress.steps, look), text);
}

std::size_t told_column(const DisplayLook& look) {
  return look.names + 13;  // mark, seconds and the spaces between
}

// Columns: mark, name, seconds, text. Waiting rungs show what they add instead of a time.
std::string line_of(const DisplayRung& rung, std::size_t tick, const DisplayLook& look) {
  const std::size_t used = told_column(look);
  const std::size_t room = look.width > used ? look.width - used - 1 : 0;
  const bool waits = rung.state == State::waiting || rung.state == State::skipped;
  const std::string name = fmt::format("{:<{}}", clipped(rung.name, look.names), look.names);
  const std::string seconds = waits ? std::string(7, ' ') : fmt::format("{:5.1f} s", rung.seconds);
  std::string told = rung.state == State::running ? progress_text(rung.progress, room, look)
                     : waits ? tinted("\x1b[2m", clipped(rung.adds, room), look)
                             : clipped(rung.told, room);
  if (rung.state == State::failed) told = tinted("\x1b[31m", told, look);
  const std::string shown = waits                          ? tinted("\x1b[2m", name, look)
                            : rung.state == State::running ? tinted("\x1b[1m", name, look)
                                                           : name;
  return fmt::format(" {} {} {}  {}", mark_of(rung, tick, look), shown, seconds, told);
}

}  // namespace

// For output that scrolls: instead of clipping the text it is folded under its column.
std::string rung_line(const DisplayRung& rung, const DisplayLook& look) {
  DisplayLook wide = look;
  wide.width = 1 << 16;
  DisplayRung whole = rung;
  whole.told = folded_from_column(rung.told, told_column(look), look.width);
  whole.adds = folded_from_column(rung.adds, told_column(look), look.width);
  return line_of(whole, 0, wide);
}

// Bounded on both sides: short names leave the columns where users know them, long ones leave room
// for the text.
std::size_t names_width(const std::vector<DisplayRung>& rungs) {
  std::size_t most = kLeastNames;
  for (const DisplayRung& rung : rungs) most = std::max(most, rung.name.size());
  return std::min(most, kMostNames);
}

// Counts characters, not bytes: continuation bytes of UTF-8 have no width.
std::string folded_from_column(const std::string& text, std::size_t indent, std::size_t width) {
  constexpr std::size_t kLeastRoom = 20;
  if (width < indent + kLeastRoom) return text;
  std::string out;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto letters = static_cast<std::size_t>(std::ranges::count_if(
        word, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
    // A word that is longer than a line stays whole: paths and commands must be copyable.
    if (column > indent && column + 1 + letters > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (at > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += letters;
    at = end + 1;
  }
  return out;
}

// Only checks that say more than "passed" are repeated in the line.
std::string told_of(const configs::RungSeen& seen) {
  if (seen.status == "failed")
    return fmt::format("{}: {}", seen.layer_of_failure.value_or("unknown layer"),
                       seen.why.value_or("unknown reason"));
  if (seen.status == "not-run") return seen.checks.empty() ? "" : seen.checks.front().seen;
  if (seen.rung == kPreflightRung && !seen.checks.empty()) return seen.checks.front().seen;
  std::string text = fmt::format("{} steps", seen.steps);
  if (seen.steps == 1) text = "1 step";
  if (seen.compiles)
    text += fmt::format(", {} compiled, {} loaded", *seen.compiles, seen.loads.value_or(0));
  if (seen.hbm_observed) text += fmt::format(", HBM {}", bytes_text(*seen.hbm_observed));
  for (const configs::RungCheck& check : seen.checks)
    if (std::ranges::find(rung_check::kShown, check.name) != rung_check::kShown.end())
      text += ", " + check.seen;
  return text;
}

// Title, one line per rung, total progress bar.
std::string picture(const std::string& title, const std::vector<DisplayRung>& rungs, double seconds,
                    std::size_t tick, const DisplayLook& look) {
  std::string text = tinted("\x1b[1m", clipped(title, look.width), look) + "\n\n";
  std::size_t over = 0;
  for (const DisplayRung& rung : rungs)
    over += rung.state == State::passed || rung.state == State::failed ? 1 : 0;
  // A picture higher than the window would scroll and could not be overdrawn. Show the rungs around
  // the current one.
  constexpr std::size_t kOther = 5;  // title, bar, blank lines, cursor
  std::size_t shown = rungs.size();
  if (look.height > 0) shown = std::min(shown, std::max(look.height, kOther + 1) - kOther);
  // Scrolls so that the current rung stays in the middle.
  const std::size_t before = over > shown / 2 ? over - shown / 2 : 0;
  const std::size_t first = std::min(before, rungs.size() - shown);
  for (std::size_t i = first; i < first + shown; ++i) text += line_of(rungs[i], tick, look) + "\n";
  return text + fmt::format("\n {}  {} of {} rungs, {:.1f} s\n",
                            bar(static_cast<std::int64_t>(over),
                                static_cast<std::int64_t>(rungs.size()), look),
                            over, rungs.size(), seconds);
}

Display::Display(const Console& console, DisplayLook look, std::string title,
                 std::vector<DisplayRung> rungs, bool silent)
    : console_(console),
      look_(look),
      title_(std::move(title)),
      rungs_(std::move(rungs)),
      live_(console.err_terminal && console.verbosity >= 0),
      silent_(silent),
      begin_(steady_clock::now()) {
  look_.names = names_width(rungs_);
  // Output in a file is not clipped: it is searched and quoted.
  if (!live_) look_.width = 0;
  if (!live_ && !silent_) console_.result(title_);
}

Display::~Display() { finish(); }

double Display::seconds() const {
  return std::chrono::duration<double>(steady_clock::now() - begin_).count();
}

// Progress callbacks are frequent; kFrame limits the redraws unless a rung begins or ends.
void Display::draw(bool now) {
  if (!live_) return;
  const auto time = steady_clock::now();
  if (!now && time - drawn_ < kFrame) return;
  drawn_ = time;
  const std::string text = picture(title_, rungs_, seconds(), tick_++, look_);
  // Overwrite line by line instead of clearing first, which would flicker.
  std::string out = lines_ > 0 ? fmt::format("\x1b[{}A", lines_) : "";
  for (const char letter : text) {
    if (letter == '\n') out += "\x1b[K";
    out += letter;
  }
  console_.draw(out + "\x1b[J");
  // How far the next picture has to move up.
  lines_ = static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void Display::begins(std::size_t rung) {
  current_ = rung;
  rung_begin_ = steady_clock::now();
  rungs_.at(rung).state = State::running;
  rungs_.at(rung).progress = {};
  draw(true);
}

void Display::goes_on(const RungProgress& progress) {
  DisplayRung& rung = rungs_.at(current_);
  rung.progress = progress;
  rung.seconds = std::chrono::duration<double>(steady_clock::now() - rung_begin_).count();
  draw(false);
}

void Display::ends(std::size_t index, const configs::RungSeen& seen) {
  DisplayRung& rung = rungs_.at(index);
  rung.state = seen.status == "passed"   ? State::passed
               : seen.status == "failed" ? State::failed
                                         : State::skipped;
  rung.seconds = seen.seconds;
  rung.told = told_of(seen);
  if (!live_ && !silent_) console_.result(rung_line(rung, look_));
  draw(true);
}

// The final table is printed by rehearsal_text(), so the live picture is erased.
void Display::finish() {
  if (lines_ > 0) console_.draw(fmt::format("\x1b[{}A\x1b[J", lines_));
  lines_ = 0;
  live_ = false;
}

namespace {

DisplayLook look_at(std::FILE* file, bool colour) {
  DisplayLook look;
  look.colour = colour;
  look.width = 0;
  // The precedence of POSIX: the first variable that is set and not empty decides.
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    look.unicode = text.find("UTF-8") != text.npos || text.find("utf8") != text.npos;
    break;
  }
  winsize window{};
  if (::ioctl(fileno(file), TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    look.width = window.ws_col;
    look.height = window.ws_row;
  }
  return look;
}

}  // namespace

DisplayLook look_of(const Console& console, bool no_color) {
  DisplayLook look = look_at(console.err, console.err_terminal ? !no_color : console.out_colour);
  constexpr std::size_t kUsual = 80;
  if (look.width == 0) look.width = kUsual;
  return look;
}

DisplayLook look_of_result(const Console& console) {
  return look_at(console.out, console.out_colour);
}

}  // namespace understudy::launcher
