// SPDX-License-Identifier: Apache-2.0
// Hexadecimal digits to bytes and back, at the speed of memory. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::program {

// Appends the bytes that pairs of digits (0-9, a-f, A-F) stand for. Returns the position of a pair
// that holds something else; `bytes` is then of no use. *Requires* an even number of digits.
std::optional<std::size_t> append_hex(std::string_view digits, std::vector<std::byte>& bytes);

// Appends two upper-case digits for each byte.
void append_hex_digits(const std::vector<std::byte>& bytes, std::string& text);

}  // namespace understudy::program
