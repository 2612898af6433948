// SPDX-License-Identifier: Apache-2.0
// Whole files in and out. A file that is missing, unreadable or a folder is the user's (`input`);
// anything else is the machine's (`system`). Every text names the path and the reason.
// Thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/error.h"

namespace understudy {

// Throws Error{input}: "cannot read weights.npy: No such file or directory"; Error{system}.
std::string read_text_file(const std::string& path);
std::vector<std::byte> read_binary_file(const std::string& path);

// Readers see the old content or the new, never a part: a temporary beside `path`, fsync, rename,
// fsync of the folder. Throws Error{system}; the temporary is gone then.
void write_file_atomically(const std::string& path, std::span<const std::byte> bytes);
void write_file_atomically(const std::string& path, std::string_view text);

// The Error for a failed system call on a file: "cannot <doing> <path>: <text of errno>".
Error file_error(std::string_view doing, const std::string& path, int error_number);

}  // namespace understudy
