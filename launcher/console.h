// SPDX-License-Identifier: Apache-2.0
// Where a verb speaks: results on `out`, everything else on `err`. Does not own the streams.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace understudy::launcher {

enum class Tint : std::uint8_t { red, green, yellow, bold };

struct Console {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
  int verbosity = 0;          // -q is -1, -v is 1
  bool out_colour = false;    // `out` is a terminal and NO_COLOR is not set
  bool err_terminal = false;  // `err` is a terminal: progress may be drawn

  // Whole texts, without a newline at their end.
  void result(std::string_view text) const;                    // on out
  void remark(std::string_view text) const;                    // on err, unless -q
  void failure(std::string_view text) const;                   // on err, always
  std::string tinted(Tint tint, std::string_view text) const;  // for `out`
};

}  // namespace understudy::launcher
