// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/orphans.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/folder_owner.h"
#include "configs/base/log.h"
#include "configs/base/procfs.h"
#include "launcher/pod/guardian.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolderPrefix = "understudy-";
constexpr std::size_t kLetters = 6;  // after the name

bool is_run_folder_name(const std::string& name) {
  return name.starts_with(kFolderPrefix) && name.size() == kFolderPrefix.size() + kLetters;
}

// A real folder (not a link) of this user.
// lstat(), because anyone may put a link of that name into /tmp; following it would remove a folder
// elsewhere.
bool is_own_folder(const std::string& path) {
  struct stat about {};
  return ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
         about.st_uid == ::geteuid();
}

std::vector<std::string> own_run_folders(const std::string& base) {
  std::vector<std::string> found;
  std::error_code code;
  fs::directory_iterator entry(base, code);
  for (; !code && entry != fs::directory_iterator(); entry.increment(code))
    if (is_run_folder_name(entry->path().filename()) && is_own_folder(entry->path()))
      found.push_back(entry->path());
  return found;
}

// The run folder in the command line of a process.
std::optional<std::string> run_folder_of(std::int64_t pid) {
  std::ifstream words(fmt::format("/proc/{}/cmdline", pid), std::ios::binary);
  for (std::string word; std::getline(words, word, '\0');)
    if (word.starts_with('/') && is_run_folder_name(fs::path(word).filename())) return word;
  return std::nullopt;
}

// Normally the lock of the run folder shows whether its launcher has ended. If the folder is gone,
// a parent of pid 1 shows it: orphans are reparented to init. Workers on other machines are
// children of Open MPI's daemon, not of init.
bool is_orphan(std::int64_t pid, const std::string& run_folder) {
  if (owner_of_folder(run_folder).state == OwnerState::gone) return true;
  std::error_code code;
  const auto stat = process_stat(pid);
  return stat && stat->parent == 1 && !fs::exists(run_folder, code) && !code;
}

// A guardian ends with its launcher, unless it is stopped (SIGSTOP). It is then reparented, so its
// parent is not understudy. Its command line is a copy of the launcher's and names no run folder.
bool is_orphaned_guardian(std::int64_t pid) {
  if (process_name(pid) != kGuardianName) return false;
  const auto stat = process_stat(pid);
  return stat && process_name(stat->parent) != "understudy";
}

}  // namespace

// Scans /proc once; a process belongs to the run folder that its command line names.
std::vector<OrphanPod> orphan_pods() {
  std::map<std::string, std::vector<std::int64_t>> by_folder;
  for (const std::int64_t pid : all_processes()) {
    // /proc/PID belongs to the user of the process, so this skips processes of other users.
    if (pid == ::getpid() || !is_own_folder(fmt::format("/proc/{}", pid))) continue;
    const std::optional<std::string> folder = run_folder_of(pid);
    if (folder && is_orphan(pid, *folder)) by_folder[*folder].push_back(pid);
    if (!folder && is_orphaned_guardian(pid)) by_folder["a removed run folder"].push_back(pid);
  }
  std::vector<OrphanPod> pods;
  for (auto& [folder, pids] : by_folder) {
    std::ranges::sort(pids);
    pods.push_back({folder, std::move(pids)});
  }
  return pods;
}

std::string remedy_for(const OrphanPod& pod) {
  return fmt::format("kill -9 {}", fmt::join(pod.pids, " "));
}

Orphans remove_orphans(const std::vector<std::string>& bases) {
  Orphans orphans;
  std::vector<std::string> gone;
  for (const std::string& base : bases)
    // A folder whose owner is unknown (no lock, or another machine of a shared /tmp) is kept: only
    // the state `gone` proves that nobody uses it.
    for (const std::string& folder : own_run_folders(base))
      if (owner_of_folder(folder).state == OwnerState::gone) gone.push_back(folder);
  if (gone.empty()) return orphans;
  // The scan of /proc costs in proportion to all processes of the machine, so it runs only if there
  // is something to remove.
  orphans.alive = orphan_pods();
  for (const std::string& folder : gone) {
    // The folder in /dev/shm has the same name as its run folder.
    const auto uses = [&](const OrphanPod& pod) {
      return fs::path(pod.run_folder).filename() == fs::path(folder).filename();
    };
    std::error_code code;
    // A folder in use by surviving processes is kept until they have been ended.
    if (std::ranges::any_of(orphans.alive, uses)) continue;
    fs::remove_all(folder, code);
    if (!code) orphans.removed.push_back(folder);
  }
  return orphans;
}

std::vector<std::string> orphan_lines(const Orphans& orphans) {
  std::vector<std::string> lines;
  if (!orphans.removed.empty())
    lines.push_back(fmt::format("removed leftovers of a run whose launcher was killed: {}",
                                fmt::join(orphans.removed, ", ")));
  for (const OrphanPod& pod : orphans.alive)
    lines.push_back(
        fmt::format("{} processes still run for {}, whose launcher has ended; to end them: {}",
                    pod.pids.size(), pod.run_folder, remedy_for(pod)));
  return lines;
}

void report_orphans(const Orphans& orphans) {
  for (const std::string& line : orphan_lines(orphans)) log_warn(line);
}

}  // namespace understudy::launcher
