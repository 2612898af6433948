// SPDX-License-Identifier: Apache-2.0
// A cache folder that several users share: which folders are used, and whose entries are believed.
// The cache folder is what a person names (--cache-dir); below it no link is followed. Asks the
// machine's own file system. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace understudy::cache {

// Checks the cache folder `root` and all between it and `path`, which is below it; what is not
// there yet is good. *Throws* Error{system}: a link or a file in the place of a folder, or a folder
// of another user into which every user may write.
void check_folder(const std::string& root, const std::string& path);

// 0, or the errno with which this user may not write (read) in a folder; where it is not there,
// in the nearest one above it.
int write_refusal(const std::string& folder);
int read_refusal(const std::string& path);

// "this user cannot write to the cache folder X, which belongs to user U".
std::string words_for_read_only(const std::string& root);

// Whether files of a user count: this process's user, root, the owner of the cache folder, and who
// is named, by name or number.
bool is_trusted(std::uint32_t user, const std::string& root, const std::vector<std::string>& named);
// *Throws* Error{usage} for a name that this machine does not know.
void check_user_names(const std::vector<std::string>& named);
// "alice (1000)", or "1000".
std::string words_for_user(std::uint32_t user);

}  // namespace understudy::cache
