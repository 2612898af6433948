// SPDX-License-Identifier: Apache-2.0
// The writer of record files (record_layout.h).
// Disk space is allocated before it is used. A full disk is then an error code, not a SIGBUS in the
// mapped pages, and the worker can still record that it failed.
#include "configs/receipt/record/record.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/file.h"
#include "configs/receipt/record/record_fields.h"
#include "configs/receipt/record/record_layout.h"

namespace understudy::configs {
namespace {

constexpr std::size_t kRoomForFailures = 64 * 1024;  // of kLogBytes, for failures only
constexpr std::size_t kLongestFailureText = 8 * 1024;
constexpr std::size_t kAhead = 24 * 1024;  // kept allocated for the report of a full disk
constexpr std::size_t kGrowth = kRecordBytesAtStart - layout::kHeaderBytes - kAhead;

std::string line_of(const Observation& observation) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("seen");
  out.text(layout::kKinds[observation.index()]);
  FieldWriter field(out);
  std::visit([&](const auto& seen) { fields(field, seen); }, observation);
  out.end_object();
  return out.take() + "\n";
}

std::string cut(std::string text) {
  if (text.size() <= kLongestFailureText) return text;
  return text.substr(0, kLongestFailureText) + " ...";
}

// Shortened to fit into the space that is reserved for a failure (kRoomForFailures, kAhead).
Failed shortened(Failed failed) {
  constexpr std::size_t kMostRanks = 1024;
  failed.message = cut(std::move(failed.message));
  failed.op = cut(std::move(failed.op));
  if (failed.missing_ranks.size() > kMostRanks) failed.missing_ranks.resize(kMostRanks);
  return failed;
}

// pwrite(2) instead of the mapping: the log may grow without being mapped, and errors are codes.
bool write_at(int file, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::size_t>(put);
  }
  return true;
}

// 0, or the errno.
int allocate(int file, std::size_t begin, std::size_t end) {
  int code = EINTR;
  while (code == EINTR)
    code = ::posix_fallocate(file, static_cast<off_t>(begin), static_cast<off_t>(end - begin));
  return code;
}

}  // namespace

std::string_view name_of(Phase phase) {
  return EnumNames<Phase>::kNames[static_cast<std::size_t>(phase)];
}

struct RecordWriter::State {
  std::string path;
  int file = -1;
  layout::Header* header = nullptr;
  FlightRecord* flight = nullptr;
  std::size_t allocated = 0;
  std::atomic<int> write_error{0};
  mutable std::mutex mutex;

  ~State() {
    if (header != nullptr) ::munmap(header, layout::kHeaderBytes);
    if (file >= 0) ::close(file);
  }
  void open(Rank rank) {
    file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) throw file_error("create", path, errno);
    if (const int code = allocate(file, 0, kRecordBytesAtStart); code != 0) {
      ::unlink(path.c_str());  // readers would take it for an invalid record
      throw file_error("write", path, code, kRecordBytesAtStart);
    }
    allocated = kRecordBytesAtStart;
    void* mapped =
        ::mmap(nullptr, layout::kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) throw file_error("map", path, errno);
    header = new (mapped) layout::Header;
    header->rank = rank.value;
    header->format = layout::kFormat;
    // The magic is stored last: until then readers see a file that has no header yet.
    flight = new (static_cast<std::byte*>(mapped) + layout::kStatusBytes) FlightRecord;
    std::atomic_thread_fence(std::memory_order_release);
    header->magic = layout::kMagic;
  }
  // Only a failure may use the last kAhead allocated bytes.
  bool write_line(std::string_view line, std::size_t begin, bool failure) {
    const std::size_t end = begin + line.size() + (failure ? 0 : kAhead);
    if (end > allocated) {
      if (const int code = allocate(file, allocated, end + kGrowth)) return refuse(code);
      allocated = end + kGrowth;
    }
    return write_at(file, line, begin) || refuse(errno);
  }
  bool refuse(int code) {
    // Only the first error is kept.
    int none = 0;
    write_error.compare_exchange_strong(none, code);
    return false;
  }
};

RecordWriter::RecordWriter(const std::string& path, Rank rank) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->open(rank);
}
RecordWriter::~RecordWriter() = default;

StatusCell& RecordWriter::status() noexcept { return state_->header->status; }
FlightRecord& RecordWriter::flight() noexcept { return *state_->flight; }

void RecordWriter::append(const Observation& observation) noexcept {
  const Failed* failed = std::get_if<Failed>(&observation);
  const std::string line = line_of(failed ? Observation(shortened(*failed)) : observation);
  const std::size_t room = failed ? layout::kLogBytes : layout::kLogBytes - kRoomForFailures;
  layout::Header& header = *state_->header;
  const std::lock_guard lock(state_->mutex);
  // Relaxed: only this process writes it, under the lock.
  const std::uint64_t used = header.used.load(std::memory_order_relaxed);
  if (used + line.size() > room ||
      !state_->write_line(line, layout::kHeaderBytes + used, failed != nullptr)) {
    // Counted, so that a reader knows that the log is incomplete.
    header.dropped.fetch_add(1);
    return;
  }
  // Publishes the line: after pwrite(2), so that `used` never covers bytes that are not in the
  // file.
  header.used.store(used + line.size(), std::memory_order_release);
}

// append() must not throw, as it is used while a worker fails; the owner asks afterwards.
int RecordWriter::write_error() const noexcept { return state_->write_error.load(); }

std::vector<std::byte> RecordWriter::bytes() const {
  const std::lock_guard lock(state_->mutex);
  const std::optional<std::vector<std::byte>> bytes =
      layout::read_start(state_->path, layout::kHeaderBytes + state_->header->used.load());
  if (!bytes) throw file_error("read", state_->path, ENOENT);
  return *bytes;
}

}  // namespace understudy::configs
