// SPDX-License-Identifier: Apache-2.0
#include "launcher/console.h"

#include <fmt/format.h>

namespace understudy::launcher {

void Console::result(std::string_view text) const { fmt::print(out, "{}\n", text); }

void Console::remark(std::string_view text) const {
  if (verbosity >= 0) fmt::print(err, "{}\n", text);
}

void Console::failure(std::string_view text) const { fmt::print(err, "{}\n", text); }

std::string Console::tinted(Tint tint, std::string_view text) const {
  if (!out_colour) return std::string(text);
  constexpr std::string_view kCodes[] = {"31", "32", "33", "1"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(tint)], text);
}

}  // namespace understudy::launcher
