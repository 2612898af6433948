// SPDX-License-Identifier: Apache-2.0
#include "cache/faulty_file_system.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <thread>
#include <utility>

#include "cache/store.h"
#include "configs/base/deadline.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

// A page: faults in mid-write then act at page granularity, as on a real disk.
constexpr std::size_t kPieceBytes = 4096;

bool changes(FileOperation operation) {
  return operation != FileOperation::read && operation != FileOperation::status &&
         operation != FileOperation::list;
}

bool is_entry(const std::string& path) { return path.find(kEntrySuffix) != std::string::npos; }

// Files may vanish while they are summed: then they count as 0.
std::uint64_t bytes_in(const std::string& directory) {
  std::error_code code;
  std::uint64_t all = 0;
  std::filesystem::recursive_directory_iterator it(directory, code), end;
  for (; !code && it != end; it.increment(code)) {
    std::error_code gone;
    const std::uint64_t size = it->file_size(gone);
    if (!gone) all += size;
  }
  return all;
}

}  // namespace

FaultyFileSystem::FaultyFileSystem(FileFaults faults)
    // Multiplied and odd, so that neighbouring seeds start far apart.
    : faults_(std::move(faults)), random_(faults_.seed * 0x9e3779b97f4a7c15U + 1) {}

// SplitMix64: the same seed gives the same failures.
bool FaultyFileSystem::happens(double share) {
  if (share <= 0) return false;
  const std::lock_guard lock(mutex_);
  random_ += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = random_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  mixed ^= mixed >> 31;
  constexpr double kUnit = 1.0 / 18446744073709551616.0;
  return static_cast<double>(mixed) * kUnit < share;
}

void FaultyFileSystem::note_own(const std::string& path) {
  const std::lock_guard lock(mutex_);
  own_.insert(path);
  absent_since_.erase(path);
}

// Whether this host does not see an existing file: it is younger than the delay of the emulated
// mount, or its absence is still cached (as an NFS client caches negative lookups). Own files are
// always visible.
bool FaultyFileSystem::hidden(const std::string& path) {
  if (faults_.invisible_for.count() <= 0 && faults_.remembers_absence.count() <= 0) return false;
  struct stat seen {};
  const bool there = ::stat(path.c_str(), &seen) == 0;
  const std::lock_guard lock(mutex_);
  if (own_.contains(path)) return false;
  const auto absent = absent_since_.find(path);
  if (absent != absent_since_.end() && Clock::now() - absent->second < faults_.remembers_absence)
    return true;
  bool hides = false;
  // By the change time: a rename makes a file visible under a new name.
  if (there && faults_.invisible_for.count() > 0) {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const std::int64_t age = (now.tv_sec - seen.st_ctim.tv_sec) * kNanosecondsPerSecond +
                             (now.tv_nsec - seen.st_ctim.tv_nsec);
    hides = std::chrono::nanoseconds(age) < faults_.invisible_for;
  }
  if (!there && absent == absent_since_.end()) absent_since_[path] = Clock::now();
  if (there) absent_since_.erase(path);
  return hides;
}

// Rate limit across processes: a shared clock of turns, which each read advances by its share of a
// second. A read sleeps until its turn.
void FaultyFileSystem::await_turn() {
  if (faults_.reads_per_second <= 0 || faults_.read_clock_ns == nullptr) return;
  const auto step = static_cast<std::int64_t>(static_cast<double>(kNanosecondsPerSecond) /
                                              faults_.reads_per_second);
  const std::int64_t now = Clock::now().time_since_epoch().count();
  std::int64_t last = faults_.read_clock_ns->load();
  std::int64_t turn = 0;
  do {
    turn = std::max(now, last + step);
  } while (!faults_.read_clock_ns->compare_exchange_weak(last, turn));
  std::this_thread::sleep_for(std::chrono::nanoseconds(turn - now));
}

// Delays first, then failures: a slow mount is slow to fail, too.
int FaultyFileSystem::before(FileOperation operation, const std::string& path) {
  Seconds pause = faults_.delay;
  {
    const std::lock_guard lock(mutex_);
    if (!touched_) pause += faults_.first_touch;
    touched_ = true;
  }
  if (pause.count() > 0) std::this_thread::sleep_for(pause);
  if (faults_.on_operation)
    if (const int code = faults_.on_operation(operation, path); code != 0) return code;
  if (changes(operation) && !faults_.may_write) return EACCES;
  if (changes(operation) && faults_.mount_read_only) return EROFS;
  if (operation == FileOperation::read && is_entry(path)) await_turn();
  if (operation == FileOperation::read && happens(faults_.stale_handles)) return ESTALE;
  const bool moves = operation == FileOperation::rename || operation == FileOperation::remove;
  return moves && happens(faults_.busy) ? EBUSY : 0;
}

std::optional<FileBytes> FaultyFileSystem::read(const std::string& path, std::uint64_t max_bytes) {
  if (hidden(path)) return std::nullopt;
  return DiskFileSystem::read(path, max_bytes);
}

std::optional<FileStatus> FaultyFileSystem::status(const std::string& path) {
  if (hidden(path)) return std::nullopt;
  return DiskFileSystem::status(path);
}

void FaultyFileSystem::write_new(const std::string& path, Pieces pieces, Sync sync) {
  note_own(path);
  DiskFileSystem::write_new(path, pieces, sync);
}

void FaultyFileSystem::write_in_place(const std::string& path, std::string_view bytes) {
  note_own(path);
  DiskFileSystem::write_in_place(path, bytes);
}

void FaultyFileSystem::rename(const std::string& from, const std::string& to) {
  note_own(to);
  DiskFileSystem::rename(from, to);
}

std::string FaultyFileSystem::place_of_create(const std::string& path) const {
  return faults_.creates_exclude ? path : fmt::format("{}.host{}", path, faults_.host);
}

// Without exclusion, each host creates a file of its own and believes that it holds the lock.
bool FaultyFileSystem::create_exclusive(const std::string& path, std::string_view bytes) {
  return DiskFileSystem::create_exclusive(place_of_create(path), bytes);
}

std::string FaultyFileSystem::lock_place(const std::string& path) {
  return faults_.locks_exclude ? path : fmt::format("{}.host{}", path, faults_.host);
}

std::size_t FaultyFileSystem::next_piece(const std::string& path, std::size_t done, std::size_t all,
                                         int& code) {
  const bool slow = faults_.write_bytes_per_second > 0;
  const bool limited = faults_.capacity_bytes > 0;
  // A writer may be killed in the middle of an entry, when about half of it is on disk.
  const bool half = done > 0 && done >= all / 2 && done < all / 2 + kPieceBytes;
  if (half && faults_.in_mid_write && is_entry(path)) faults_.in_mid_write(path);
  // Measured before each piece, so that the disk fills in the middle of an entry.
  if (limited && bytes_in(faults_.capacity_of) >= faults_.capacity_bytes) code = ENOSPC;
  if (!slow && !limited && !faults_.in_mid_write) return all - done;
  const std::size_t piece = std::min({kPieceBytes, all - done, std::max<std::size_t>(all / 4, 1)});
  if (slow)
    std::this_thread::sleep_for(
        Seconds(static_cast<double>(piece) / faults_.write_bytes_per_second));
  return piece;
}

}  // namespace understudy::cache
