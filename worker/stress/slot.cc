// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/slot.h"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

#include "cache/owner.h"
#include "configs/base/digest.h"
#include "configs/base/file.h"

namespace understudy::worker {
namespace {

// A cache line: counts of keys start on their own line.
constexpr std::size_t kAlign = 64;
constexpr int kMapping = PROT_READ | PROT_WRITE;

std::size_t rounded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

ContenderMemory::ContenderMemory(std::size_t keys) {
  const std::size_t head = rounded(sizeof(Slot));
  bytes_ = head + keys * sizeof(KeyCount);
  // Anonymous and shared: the fork server and all its contenders inherit it, and the kernel frees
  // it with the last of them.
  start_ = ::mmap(nullptr, bytes_, kMapping, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start_ == MAP_FAILED) throw file_error("map", "shared memory", errno);
  auto* const bytes = static_cast<std::byte*>(start_);
  slot_ = reinterpret_cast<Slot*>(bytes);
  counts_ = {reinterpret_cast<KeyCount*>(bytes + head), keys};
  clear();
}

void ContenderMemory::clear() {
  // Constructed in place, over what a previous discipline left. No contender may run.
  std::construct_at(slot_);
  for (KeyCount& count : counts_) std::construct_at(&count);
}

ContenderMemory::~ContenderMemory() { ::munmap(start_, bytes_); }

MachinePage::MachinePage(const std::string& directory) {
  const std::string path =
      directory + "/machine-" + digest_of(cache::this_process().machine) + ".page";
  FileDescriptor file;
  const int failed = open_regular_file(file, path, O_RDWR | O_CREAT, Links::refuse, 0600);
  if (failed != 0) throw file_error("open", path, failed);
  // All ranks set the same size before they write, so the order does not matter.
  // A new file reads as zeros, which is the initial state of every counter; nobody has to
  // initialise it.
  void* start = MAP_FAILED;
  if (::ftruncate(file.get(), sizeof(Content)) == 0)
    start = ::mmap(nullptr, sizeof(Content), kMapping, MAP_SHARED, file.get(), 0);
  // Before anything else can overwrite errno.
  const int code = errno;
  if (start == MAP_FAILED) throw file_error("map", path, code);
  content_ = static_cast<Content*>(start);
}

MachinePage::~MachinePage() { ::munmap(content_, sizeof(Content)); }

}  // namespace understudy::worker
