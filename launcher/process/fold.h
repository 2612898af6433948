// SPDX-License-Identifier: Apache-2.0
// Folds long lines of text for people at spaces. Pure functions.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace understudy::launcher {

// The widest line of a report, in columns.
inline constexpr std::size_t kLineColumns = 100;

// `text` with lines of at most `columns`. The rest of a folded line is indented by `hang` columns
// more than its beginning. A word is never broken, and a line that is followed by a caret (quoted
// source) is cut with "..." behind the caret, not folded. Neither is "receipt: PATH".
std::string folded(std::string_view text, std::size_t columns = kLineColumns, std::size_t hang = 4);

// The columns of the terminal behind `stream`, at most kLineColumns; 0 if it is no terminal.
std::size_t columns_of(std::FILE* stream) noexcept;

}  // namespace understudy::launcher
