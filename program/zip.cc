// SPDX-License-Identifier: Apache-2.0
#include "program/zip.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "configs/base/error.h"

namespace understudy::program {
namespace {

using Bytes = std::vector<std::byte>;

// APPNOTE 4.3: signatures and fixed sizes of the records.
constexpr std::uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;
constexpr std::uint32_t kEnd64Locator = 0x07064b50, kEnd64 = 0x06064b50;
constexpr std::size_t kLocalBytes = 30, kEntryBytes = 46, kEndBytes = 22, kLocatorBytes = 20;
constexpr std::size_t kEnd64Bytes = 56, kLongestComment = 65535;
constexpr std::uint16_t kZip64Field = 1;
constexpr std::uint64_t kInField64 = 0xFFFFFFFF;  // the value is in the ZIP64 field
constexpr std::uint16_t kStored = 0, kDeflated = 8;
constexpr std::uint16_t kEncrypted = 1;
// Sanity bounds: a set of arguments has far fewer members.
constexpr std::uint64_t kMostDirectoryBytes = std::uint64_t{16} << 20;
// A deflate block of 258-byte matches of two bits each: no stream expands further (zlib's manual).
constexpr std::uint64_t kMostExpansion = 1032;
constexpr std::uint64_t kSlack = 64;
constexpr std::size_t kInputBytes = std::size_t{1} << 16;

// Little-endian fields of a record that is long enough.
std::uint64_t number(const Bytes& from, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;)
    value = value << 8 | std::to_integer<std::uint64_t>(from.at(at + i));
  return value;
}
std::uint16_t two(const Bytes& from, std::size_t at) {
  return static_cast<std::uint16_t>(number(from, at, 2));
}
std::uint32_t four(const Bytes& from, std::size_t at) {
  return static_cast<std::uint32_t>(number(from, at, 4));
}

// Sizes and offset of 4 GiB and more, in the order in which the fixed part lacks them.
bool read_field64(const Bytes& from, std::size_t begin, std::size_t end, ZipFile::Member& member) {
  while (end - begin >= 4) {
    // Each extra field: two bytes of id, two of length, its data (APPNOTE 4.5.1).
    const std::size_t length = two(from, begin + 2);
    const bool is_it = two(from, begin) == kZip64Field;
    begin += 4;
    if (length > end - begin) return false;
    if (is_it) {
      std::size_t at = begin;
      // Only values that are full in the fixed part are present, in this order (APPNOTE 4.5.3).
      for (std::uint64_t* value : {&member.size, &member.packed, &member.header}) {
        if (*value != kInField64) continue;
        if (at + 8 > begin + length) return false;
        *value = number(from, at, 8);
        at += 8;
      }
      return true;
    }
    begin += length;
  }
  return true;
}

// The state of one inflate run, released at the end of its scope.
struct Inflate {
  z_stream stream = {};
  bool ready;
  // Negative window bits: no zlib header, as ZIP stores deflate streams.
  Inflate() : ready(inflateInit2(&stream, -MAX_WBITS) == Z_OK) {}
  ~Inflate() {
    if (ready) inflateEnd(&stream);
  }
  Inflate(const Inflate&) = delete;
  Inflate& operator=(const Inflate&) = delete;
};

}  // namespace

ZipFile::ZipFile(std::string path) : path_(std::move(path)) {
  if (const int code = open_regular_file(file_, path_, O_RDONLY, Links::follow); code != 0)
    throw Error(ErrorKind::input, fmt::format("cannot read {}: {}", path_, words_for_code(code)));
  struct stat found = {};
  if (::fstat(file_.get(), &found) != 0) fail("its size is unknown");
  size_ = static_cast<std::uint64_t>(found.st_size);
  read_directory();
}

void ZipFile::fail(const std::string& why) const {
  throw Error(ErrorKind::input, fmt::format("{}: not a usable ZIP archive: {}", path_, why));
}

Bytes ZipFile::bytes(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset)
    fail(fmt::format("it needs bytes {} to {}, but has {}", offset, offset + count, size_));
  Bytes out(count);
  for (std::size_t done = 0; done < count;) {
    const ssize_t got =
        ::pread(file_.get(), out.data() + done, count - done, static_cast<off_t>(offset + done));
    // A signal may interrupt the read, which then continues.
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("it cannot be read to its end");
    done += static_cast<std::size_t>(got);
  }
  return out;
}

// The end record is last in the file, before a comment; it says where the directory is.
void ZipFile::read_directory() {
  const std::uint64_t tail = std::min<std::uint64_t>(size_, kEndBytes + kLongestComment);
  const Bytes last = bytes(size_ - tail, tail);
  std::size_t end = last.size();
  // From the back: a comment may contain the signature, but the record itself is the last.
  for (std::size_t at = last.size(); at-- > 0 && end == last.size();)
    if (at + kEndBytes <= last.size() && four(last, at) == kEnd) end = at;
  if (end == last.size()) fail("the record of its end is missing");
  std::uint64_t count = two(last, end + 10);
  std::uint64_t length = four(last, end + 12);
  std::uint64_t begin = four(last, end + 16);
  const std::uint64_t end_at = size_ - tail + end;
  if (end_at >= kLocatorBytes) {
    // The locator stands right before the end record, and only in ZIP64 archives.
    const Bytes locator = bytes(end_at - kLocatorBytes, kLocatorBytes);
    if (four(locator, 0) == kEnd64Locator) {
      const Bytes more = bytes(number(locator, 8, 8), kEnd64Bytes);
      if (four(more, 0) != kEnd64) fail("its ZIP64 record is missing");
      count = number(more, 32, 8);
      length = number(more, 40, 8);
      begin = number(more, 48, 8);
    }
  }
  if (length > kMostDirectoryBytes) fail("its directory is larger than 16 MiB");
  const Bytes directory = bytes(begin, length);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto member = member_at(directory, at);
    if (!member) fail(fmt::format("entry {} of its directory is damaged", i));
    members_.push_back(std::move(*member));
  }
}

// The entry of the directory at `at`, which moves behind it; nullopt where it is damaged.
std::optional<ZipFile::Member> ZipFile::member_at(const Bytes& directory, std::size_t& at) {
  // at never exceeds the size: the checks below keep it inside.
  if (directory.size() - at < kEntryBytes || four(directory, at) != kEntry) return std::nullopt;
  Member member;
  member.flags = two(directory, at + 8);
  member.method = two(directory, at + 10);
  member.crc = four(directory, at + 16);
  member.packed = four(directory, at + 20);
  member.size = four(directory, at + 24);
  member.header = four(directory, at + 42);
  const std::size_t name = two(directory, at + 28);
  const std::size_t extra = two(directory, at + 30);
  const std::size_t comment = two(directory, at + 32);
  at += kEntryBytes;
  if (directory.size() - at < name + extra + comment) return std::nullopt;
  member.name.assign(reinterpret_cast<const char*>(directory.data()) + at, name);
  if (!read_field64(directory, at + name, at + name + extra, member)) return std::nullopt;
  at += name + extra + comment;
  return member;
}

const ZipFile::Member* ZipFile::find(std::string_view name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? nullptr : &*found;
}

// Name and extra field of the local header may differ in length from those of the directory, so
// they are read again.
std::uint64_t ZipFile::data_offset(const Member& member) const {
  const Bytes local = bytes(member.header, kLocalBytes);
  if (four(local, 0) != kLocal) fail(fmt::format("the header of {} is missing", member.name));
  return member.header + kLocalBytes + two(local, 26) + two(local, 28);
}

// Produces at most `count` bytes, however long the stream is.
Bytes ZipFile::inflated(const Member& member, std::uint64_t count) const {
  Inflate run;
  if (!run.ready) throw Error(ErrorKind::system, "zlib cannot start: out of memory");
  std::uint64_t from = data_offset(member);
  std::uint64_t left = member.packed;
  Bytes out(count);
  std::uint64_t made = 0;
  int code = Z_OK;
  Bytes input;
  // Ends at Z_STREAM_END, at an error, or when `count` bytes exist. A truncated stream gives
  // Z_BUF_ERROR.
  while (code == Z_OK && made < count) {
    if (run.stream.avail_in == 0 && left > 0) {
      input = bytes(from, std::min<std::uint64_t>(left, kInputBytes));
      from += input.size();
      left -= input.size();
      run.stream.next_in = reinterpret_cast<Bytef*>(input.data());
      run.stream.avail_in = static_cast<uInt>(input.size());
    }
    const auto room = std::min<std::uint64_t>(count - made, std::numeric_limits<uInt>::max());
    run.stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
    run.stream.avail_out = static_cast<uInt>(room);
    code = inflate(&run.stream, Z_NO_FLUSH);
    made += room - run.stream.avail_out;
  }
  if ((code != Z_OK && code != Z_STREAM_END) || made < count)
    fail(fmt::format("the data of {} are damaged", member.name));
  return out;
}

Bytes ZipFile::read(const Member& member, std::uint64_t count) const {
  if ((member.flags & kEncrypted) != 0) fail(fmt::format("{} is encrypted", member.name));
  if (member.method != kStored && member.method != kDeflated)
    fail(fmt::format("{} is packed with method {}; numpy.savez and savez_compressed are read",
                     member.name, member.method));
  const bool possible = member.method == kStored
                            ? member.size == member.packed
                            // Checked before anything is allocated: a small file cannot demand
                            // terabytes.
                            : member.size / kMostExpansion <= member.packed + kSlack;
  if (!possible)
    fail(fmt::format("{} declares {} bytes, which its {} packed bytes cannot hold", member.name,
                     member.size, member.packed));
  const bool all = count >= member.size;
  count = std::min(count, member.size);
  Bytes out =
      member.method == kStored ? bytes(data_offset(member), count) : inflated(member, count);
  uLong sum = 0;
  for (std::size_t at = 0; all && at < out.size(); at += kInputBytes)
    sum = crc32(sum, reinterpret_cast<const Bytef*>(out.data() + at),
                static_cast<uInt>(std::min(out.size() - at, kInputBytes)));
  // A partial read cannot be checked; read() of the whole member follows for data that are used.
  if (all && sum != member.crc) fail(fmt::format("the checksum of {} is wrong", member.name));
  return out;
}

}  // namespace understudy::program
