// SPDX-License-Identifier: Apache-2.0
// Layout: two pages, mapped and shared, with the header and the flight recorder; then the log,
// which is written with pwrite(2). `used` grows only after a line is complete: what a killed writer
// left behind it is not part of the record.
// Disk space is allocated before it is used. A full disk is then an error code, not a SIGBUS in the
// mapped pages, and the worker can still record that it failed.
#include "configs/receipt/record.h"

#include <algorithm>
#include <array>
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
#include "configs/receipt/record_fields.h"

namespace understudy::configs {
namespace {

constexpr std::array<char, 8> kMagic = {'U', 'S', 'R', 'E', 'C', 'O', 'R', 'D'};
constexpr std::uint32_t kFormat = 3;
constexpr std::size_t kStatusBytes = 1024;  // of the header; the flight recorder follows
constexpr std::size_t kHeaderBytes = 8192;
constexpr std::size_t kLogBytes = 1024 * 1024;  // at most; of these, for failures only:
constexpr std::size_t kRoomForFailures = 64 * 1024;
constexpr std::size_t kLongestFailureText = 8 * 1024;
constexpr std::size_t kAhead = 24 * 1024;  // kept allocated for the report of a full disk
constexpr std::size_t kGrowth = kRecordBytesAtStart - kHeaderBytes - kAhead;

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t format = 0;
  std::int32_t rank = 0;
  std::atomic<std::uint64_t> used{0};  // complete bytes of the log
  std::atomic<std::uint64_t> dropped{0};
  alignas(64) StatusCell status;
};
static_assert(sizeof(Header) <= kStatusBytes);
static_assert(kStatusBytes + sizeof(FlightRecord) <= kHeaderBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// The names of the lines, in the order of the alternatives of Observation.
constexpr std::array<std::string_view, 15> kKinds = {
    "process", "signal",     "started",  "clocks", "gate",   "probed", "compiled",  "step",
    "result",  "collective", "arrivals", "memory", "totals", "failed", "non_finite"};
static_assert(kKinds.size() == std::variant_size_v<Observation>);

std::string line_of(const Observation& observation) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("seen");
  out.text(kKinds[observation.index()]);
  FieldWriter field(out);
  std::visit([&](const auto& seen) { fields(field, seen); }, observation);
  out.end_object();
  return out.take() + "\n";
}

template <class T>
Observation read_as(const JsonReader& in) {
  T seen;
  read_fields(in, seen, "seen");
  return seen;
}

template <std::size_t... I>
// Table of readers, indexed by the kind of the line: the variant's alternatives in order.
Observation read_line(const JsonReader& in, std::size_t kind, std::index_sequence<I...>) {
  using Read = Observation (*)(const JsonReader&);
  constexpr std::array<Read, sizeof...(I)> kReaders = {
      &read_as<std::variant_alternative_t<I, Observation>>...};
  return kReaders[kind](in);
}

Observation observation_of(std::string_view line, const std::string& path) {
  const JsonReader in = JsonReader::parse(std::string(line), path);
  const std::vector<std::string> names(kKinds.begin(), kKinds.end());
  const std::string name = in.at("seen").one_of(names, "a kind of observation");
  const auto kind = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return read_line(in, kind, std::make_index_sequence<kKinds.size()>());
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

[[noreturn]] void no_record(const std::string& path, std::string_view why) {
  throw Error(ErrorKind::internal, fmt::format("{} is not a valid run record: {}", path, why));
}

// The bytes were read from the file while the writer may have been changing them. Each field is
// used by itself, and only `used` says how much of the log is valid.
RecordContent content_of(const std::vector<std::byte>& bytes, const std::string& path) {
  if (bytes.size() < kStatusBytes) no_record(path, "too short");
  Header header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof(Header));
  if (header.magic != kMagic) no_record(path, "wrong magic");
  if (header.format != kFormat) no_record(path, fmt::format("format {}", header.format));
  const std::uint32_t phase = header.status.phase.load();
  if (phase > static_cast<std::uint32_t>(Phase::failed)) no_record(path, "unknown phase");
  RecordContent content;
  content.rank = header.rank;
  content.heartbeat = header.status.heartbeat.load();
  content.instructions = header.status.instructions.load();
  content.step = header.status.step.load();
  content.dropped = header.dropped.load();
  content.phase = static_cast<Phase>(phase);
  content.op = header.status.op.load();
  content.waiting_for = header.status.waiting_for.load();
  content.aborted = header.status.abort.load() != 0;
  for (std::size_t i = 0; i < content.loops.size(); ++i)
    content.loops[i] = {header.status.loops[i].op.load(), header.status.loops[i].iterations.load()};
  return content;
}

std::uint64_t used_of(const std::vector<std::byte>& bytes) {
  Header header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof(Header));
  return header.used.load();
}

std::vector<FlightSeen> flight_of(const std::vector<std::byte>& bytes) {
  FlightRecord flight;
  std::memcpy(static_cast<void*>(&flight), bytes.data() + kStatusBytes, sizeof(FlightRecord));
  return flight.read();
}

// Up to `most` bytes from the start; nullopt if there is no file.
std::optional<std::vector<std::byte>> read_start(const std::string& path, std::size_t most) {
  FileDescriptor file;
  const int failed = open_regular_file(file, path, O_RDONLY, Links::refuse);
  if (failed == ENOENT) return std::nullopt;
  if (failed != 0) throw file_error("read", path, failed);
  std::vector<std::byte> bytes(most);
  std::size_t filled = 0;
  int error_number = 0;
  while (filled < most) {
    const ssize_t got =
        ::pread(file.get(), bytes.data() + filled, most - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error_number = errno;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  if (error_number != 0) throw file_error("read", path, error_number);
  bytes.resize(filled);
  return bytes;
}

}  // namespace

std::string_view name_of(Phase phase) {
  return EnumNames<Phase>::kNames[static_cast<std::size_t>(phase)];
}

struct RecordWriter::State {
  std::string path;
  int file = -1;
  Header* header = nullptr;
  FlightRecord* flight = nullptr;
  std::size_t allocated = 0;
  std::atomic<int> write_error{0};
  mutable std::mutex mutex;

  ~State() {
    if (header != nullptr) ::munmap(header, kHeaderBytes);
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
    void* mapped = ::mmap(nullptr, kHeaderBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) throw file_error("map", path, errno);
    header = new (mapped) Header;
    header->rank = rank.value;
    header->format = kFormat;
    // The magic is stored last: until then readers see a file that has no header yet.
    flight = new (static_cast<std::byte*>(mapped) + kStatusBytes) FlightRecord;
    std::atomic_thread_fence(std::memory_order_release);
    header->magic = kMagic;
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
  const std::size_t room = failed ? kLogBytes : kLogBytes - kRoomForFailures;
  Header& header = *state_->header;
  const std::lock_guard lock(state_->mutex);
  // Relaxed: only this process writes it, under the lock.
  const std::uint64_t used = header.used.load(std::memory_order_relaxed);
  if (used + line.size() > room ||
      !state_->write_line(line, kHeaderBytes + used, failed != nullptr)) {
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
      read_start(state_->path, kHeaderBytes + state_->header->used.load());
  if (!bytes) throw file_error("read", state_->path, ENOENT);
  return *bytes;
}

std::optional<RecordContent> read_record_status(const std::string& path) {
  const std::optional<std::vector<std::byte>> bytes = read_start(path, kStatusBytes);
  if (!bytes) return std::nullopt;
  // The writer has created the file, but not filled its header yet (the magic is written last).
  if (bytes->size() < kStatusBytes || (*bytes)[0] == std::byte{0}) return std::nullopt;
  return content_of(*bytes, path);
}

// The status is read first and the log after it, so observations may be newer than the status,
// never older.
std::optional<RecordContent> read_record(const std::string& path) {
  std::optional<RecordContent> content = read_record_status(path);
  if (!content) return content;
  const auto whole = read_start(path, kHeaderBytes + kLogBytes);
  if (!whole) return std::nullopt;  // removed meanwhile
  const std::vector<std::byte>& bytes = *whole;
  if (bytes.size() < kHeaderBytes) no_record(path, "too short");
  content->flight = flight_of(bytes);
  const std::size_t used = std::min<std::size_t>(used_of(bytes), bytes.size() - kHeaderBytes);
  std::string_view log(reinterpret_cast<const char*>(bytes.data()) + kHeaderBytes, used);
  for (std::size_t end = log.find('\n'); end != std::string_view::npos; end = log.find('\n')) {
    try {
      content->observations.push_back(observation_of(log.substr(0, end), path));
    } catch (const Error& error) {
      no_record(path, error.message());
    }
    log.remove_prefix(end + 1);
  }
  return content;
}

}  // namespace understudy::configs
