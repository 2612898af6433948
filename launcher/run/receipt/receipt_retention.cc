// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/receipt_retention.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/characters.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

struct Candidate {
  std::string name;
  std::time_t modified = 0;
  std::uint64_t bytes = 0;
};

bool is_alphanumeric(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

// Matches <run-id>.json of runs and rehearsals, for example 20260131-120000-aB3dE6.json.
bool is_receipt_name(std::string_view name) {
  constexpr std::string_view kTime = "dddddddd-dddddd-";
  constexpr std::string_view kEnd = ".json";
  if (name.size() <= kTime.size() + kEnd.size() || !name.ends_with(kEnd)) return false;
  for (std::size_t i = 0; i < kTime.size(); ++i)
    if (kTime[i] == 'd' ? !is_digit(name[i]) : name[i] != kTime[i]) return false;
  name.remove_suffix(kEnd.size());
  return std::ranges::all_of(name.substr(kTime.size()), is_alphanumeric);
}

// Never follows a link (O_NOFOLLOW) and never blocks on a FIFO (O_NONBLOCK).
bool has_receipt_content(int folder, const std::string& name) {
  const int file = ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  // The schema is the first key that to_json() writes.
  std::array<char, 512> start{};
  const ssize_t got = ::pread(file, start.data(), start.size(), 0);
  ::close(file);
  const std::string_view text(start.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return text.find("\"schema\": \"understudy/receipt/") != std::string_view::npos;
}

std::vector<std::string> names_in(DIR* folder, const std::string& path) {
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(folder)) {
    if (is_receipt_name(entry->d_name)) names.emplace_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) throw file_error("read", path, errno);
  return names;
}

// Newest first. A file that another process has removed meanwhile is skipped.
std::vector<Candidate> candidates_of(int folder, std::vector<std::string> names) {
  std::vector<Candidate> all;
  for (std::string& name : names) {
    struct stat about {};
    if (::fstatat(folder, name.c_str(), &about, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(about.st_mode))
      all.push_back({std::move(name), about.st_mtime, static_cast<std::uint64_t>(about.st_size)});
  }
  std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
    return a.modified != b.modified ? a.modified > b.modified : a.name > b.name;
  });
  return all;
}

std::uint64_t number(const char* name, const std::string& value, std::uint64_t otherwise) {
  if (value.empty()) return otherwise;
  std::uint64_t parsed = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, code] = std::from_chars(value.data(), end, parsed);
  if (code == std::errc() && stop == end) return parsed;
  throw Error(ErrorKind::usage, fmt::format("{}: expected a whole number, got '{}'", name, value));
}

bool is_older(const Candidate& one, const PruneRequest& request) {
  constexpr std::uint64_t kSecondsPerDay = 86400;
  // A clock that was set back may give files of the future; treat them as new.
  if (one.modified >= request.now) return request.rule.days == 0;
  const auto age = static_cast<std::uint64_t>(request.now - one.modified);
  return age / kSecondsPerDay >= request.rule.days;
}

}  // namespace

ReceiptRule receipt_rule(const Environment& environment) {
  const ReceiptRule usual;
  return {number("UNDERSTUDY_RECEIPT_KEEP_NEWEST", environment.receipt_keep_newest, usual.newest),
          number("UNDERSTUDY_RECEIPT_KEEP_DAYS", environment.receipt_keep_days, usual.days)};
}

std::string receipt_folder(const Environment& environment) {
  return environment.state_home + "/understudy/receipts";
}

// All operations are relative to one open directory, so a renamed or replaced folder cannot
// redirect a removal.
PrunedReceipts prune_receipts(const std::string& folder, const PruneRequest& request) {
  PrunedReceipts pruned;
  const Folder opened(::opendir(folder.c_str()), &::closedir);
  if (!opened && errno == ENOENT) return pruned;
  if (!opened) throw file_error("read", folder, errno);
  std::vector<std::string> names = names_in(opened.get(), folder);
  pruned.kept = names.size();
  if (names.size() <= request.rule.newest) return pruned;
  const int at = ::dirfd(opened.get());
  const std::vector<Candidate> all = candidates_of(at, std::move(names));
  pruned.kept = all.size();
  // Oldest first. Stops at the first receipt that is young enough, as all before it in the list are
  // younger.
  for (std::size_t i = all.size(); i > request.rule.newest; --i) {
    const Candidate& one = all[i - 1];
    if (pruned.removed.size() >= request.most || !is_older(one, request)) break;
    // A file of such a name that the user put there is never removed.
    if (!has_receipt_content(at, one.name)) continue;
    const std::string path = folder + "/" + one.name;
    if (!request.dry_run && ::unlinkat(at, one.name.c_str(), 0) != 0 && errno != ENOENT)
      throw file_error("remove", path, errno);
    pruned.removed.push_back(path);
    pruned.removed_bytes += one.bytes;
    --pruned.kept;
  }
  return pruned;
}

}  // namespace understudy::launcher
