// SPDX-License-Identifier: Apache-2.0
#include "cache/folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/words.h"

namespace understudy::cache {
namespace {

// Larger than any line of /etc/passwd; the call needs memory of the caller.
constexpr std::size_t kNameBytes = 16 * 1024;

// A number is a user id even if no such user exists here: containers often have no passwd entry.
std::optional<std::uint32_t> user_of(const std::string& word) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (code == std::errc() && end == word.data() + word.size()) return number;
  passwd entry{};
  passwd* found = nullptr;
  std::string room(kNameBytes, '\0');
  (void)::getpwnam_r(word.c_str(), &entry, room.data(), room.size(), &found);
  return found == nullptr ? std::nullopt : std::optional<std::uint32_t>(found->pw_uid);
}

// One word may hold several users, separated by commas.
std::vector<std::string> words_of(const std::vector<std::string>& named) {
  std::vector<std::string> words;
  for (const std::string& one : named)
    std::ranges::move(nonempty_words(one, ','), std::back_inserter(words));
  return words;
}

void check_one(const std::string& path, const struct stat& about) {
  if (S_ISLNK(about.st_mode)) throw file_error("use the cache directory", path, kSymbolicLink);
  if (!S_ISDIR(about.st_mode)) throw file_error("use the cache directory", path, ENOTDIR);
  // With the sticky bit users can add files but not replace those of others; files are then trusted
  // by their owner.
  const bool everybody_writes = (about.st_mode & S_IWOTH) != 0 && (about.st_mode & S_ISVTX) == 0;
  // The owner's own folder is his choice, even if it is open to all.
  if (!everybody_writes || about.st_uid == ::geteuid()) return;
  throw Error(ErrorKind::system,
              fmt::format("cannot use the cache directory {}: it belongs to user {} and is "
                          "world-writable (run chmod o-w, or chmod +t if several users share it)",
                          path, words_for_user(about.st_uid)));
}

}  // namespace

void check_folder(const std::string& root, const std::string& path) {
  struct stat about {};
  // The root itself may be a link: the user chose it.
  // A root that does not exist is created later, by this user.
  if (::stat(root.c_str(), &about) != 0) return;
  check_one(root, about);
  for (std::size_t end = root.size(); end < path.size();) {
    end = std::min(path.find('/', end + 1), path.size());
    const std::string folder = path.substr(0, end);
    if (::lstat(folder.c_str(), &about) != 0) return;
    check_one(folder, about);
  }
}

int write_refusal(const std::string& folder) {
  std::string nearest = folder;
  while (true) {
    // The kernel decides (ACLs, read-only mounts, capabilities), for the effective user.
    if (::faccessat(AT_FDCWD, nearest.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return 0;
    const std::size_t slash = nearest.rfind('/');
    // The first existing folder above decides: what is missing would be made there.
    if (errno != ENOENT || slash == std::string::npos || slash == 0) return errno;
    nearest.resize(slash);
  }
}

int read_refusal(const std::string& path) {
  const bool may = ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0;
  return may || errno == ENOENT ? 0 : errno;
}

std::string words_for_read_only(const std::string& root) {
  struct stat about {};
  if (::stat(root.c_str(), &about) != 0)
    return fmt::format("this user cannot write to the cache folder {}", root);
  return fmt::format("this user cannot write to the cache folder {}, which belongs to user {}",
                     root, words_for_user(about.st_uid));
}

// root can replace any file anyway; the owner of the cache folder was trusted when the folder was
// chosen.
bool is_trusted(std::uint32_t user, const std::string& root,
                const std::vector<std::string>& named) {
  struct stat about {};
  if (user == 0 || user == ::geteuid()) return true;
  if (::stat(root.c_str(), &about) == 0 && about.st_uid == user) return true;
  return std::ranges::any_of(words_of(named),
                             [&](const std::string& word) { return user_of(word) == user; });
}

void check_user_names(const std::vector<std::string>& named) {
  for (const std::string& word : words_of(named))
    if (!user_of(word))
      throw Error(ErrorKind::usage, fmt::format("cache.trust: unknown user \"{}\"; expected user "
                                                "names or numeric ids",
                                                word));
}

std::string words_for_user(std::uint32_t user) {
  passwd entry{};
  passwd* found = nullptr;
  std::string room(kNameBytes, '\0');
  (void)::getpwuid_r(user, &entry, room.data(), room.size(), &found);
  return found == nullptr ? fmt::format("{}", user) : fmt::format("{} ({})", found->pw_name, user);
}

}  // namespace understudy::cache
