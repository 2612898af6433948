// SPDX-License-Identifier: Apache-2.0
// Reads record files, also while their writers run.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "configs/base/file.h"
#include "configs/receipt/record/record_fields.h"
#include "configs/receipt/record/record_layout.h"

namespace understudy::configs {
namespace {

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
  const std::vector<std::string> names(layout::kKinds.begin(), layout::kKinds.end());
  const std::string name = in.at("seen").one_of(names, "a kind of observation");
  const auto kind = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  return read_line(in, kind, std::make_index_sequence<layout::kKinds.size()>());
}

[[noreturn]] void no_record(const std::string& path, std::string_view why) {
  throw Error(ErrorKind::internal, fmt::format("{} is not a valid run record: {}", path, why));
}

// The bytes were read from the file while the writer may have been changing them. Each field is
// used by itself, and only `used` says how much of the log is valid.
RecordContent content_of(const std::vector<std::byte>& bytes, const std::string& path) {
  if (bytes.size() < layout::kStatusBytes) no_record(path, "too short");
  layout::Header header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof(layout::Header));
  if (header.magic != layout::kMagic) no_record(path, "wrong magic");
  if (header.format != layout::kFormat) no_record(path, fmt::format("format {}", header.format));
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
  layout::Header header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof(layout::Header));
  return header.used.load();
}

std::vector<FlightSeen> flight_of(const std::vector<std::byte>& bytes) {
  FlightRecord flight;
  std::memcpy(static_cast<void*>(&flight), bytes.data() + layout::kStatusBytes,
              sizeof(FlightRecord));
  return flight.read();
}

}  // namespace

std::optional<std::vector<std::byte>> layout::read_start(const std::string& path,
                                                         std::size_t most) {
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

std::optional<RecordContent> read_record_status(const std::string& path) {
  const std::optional<std::vector<std::byte>> bytes =
      layout::read_start(path, layout::kStatusBytes);
  if (!bytes) return std::nullopt;
  // The writer has created the file, but not filled its header yet (the magic is written last).
  if (bytes->size() < layout::kStatusBytes || (*bytes)[0] == std::byte{0}) return std::nullopt;
  return content_of(*bytes, path);
}

// The status is read first and the log after it, so observations may be newer than the status,
// never older.
std::optional<RecordContent> read_record(const std::string& path) {
  std::optional<RecordContent> content = read_record_status(path);
  if (!content) return content;
  const auto whole = layout::read_start(path, layout::kHeaderBytes + layout::kLogBytes);
  if (!whole) return std::nullopt;  // removed meanwhile
  const std::vector<std::byte>& bytes = *whole;
  if (bytes.size() < layout::kHeaderBytes) no_record(path, "too short");
  content->flight = flight_of(bytes);
  const std::size_t used =
      std::min<std::size_t>(used_of(bytes), bytes.size() - layout::kHeaderBytes);
  std::string_view log(reinterpret_cast<const char*>(bytes.data()) + layout::kHeaderBytes, used);
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
