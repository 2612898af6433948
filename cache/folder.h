// SPDX-License-Identifier: Apache-2.0
// A cache folder that several users share: which folders are used, and whose entries are trusted.
// The user names the cache folder (--cache-dir); below it no link is followed. Uses the machine's
// own file system. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::cache {

// Checks the cache folder `root` and all folders between it and `path` below it; missing folders
// are fine. *Throws* Error{system}: a link or a file in the place of a folder, or a world-writable
// folder of another user.
void check_folder(const std::string& root, const std::string& path);

// 0, or the errno of the refusal if this user may not write (read) in a folder; for a missing
// folder, in the nearest existing one above it.
int write_refusal(const std::string& folder);
int read_refusal(const std::string& path);

// "this user cannot write to the cache folder X, which belongs to user U".
std::string words_for_read_only(const std::string& root);

// Whether files of a user are trusted: this process's user, root, the owner of the cache folder,
// and the users in `named`, by name or number.
bool is_trusted(std::uint32_t user, const std::string& root, const std::vector<std::string>& named);
// *Throws* Error{usage} for an unknown user name.
void check_user_names(const std::vector<std::string>& named);
// "alice (1000)", or "1000".
std::string words_for_user(std::uint32_t user);

}  // namespace understudy::cache
