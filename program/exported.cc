// SPDX-License-Identifier: Apache-2.0
#include "program/exported.h"

#include <limits>

#include "program/bytecode/bytecode.h"

namespace understudy::program {
namespace {

// Fields of table Exported, by their position in serialization.fbs. JAX only appends fields.
constexpr std::uint64_t kDevicesShort = 6, kPlatforms = 9, kArtifact = 13, kDevices = 18;
constexpr std::uint64_t kMostPlatforms = 64;

// A bounded view of a FlatBuffer (little-endian; offsets are unsigned and relative to themselves).
// Reads outside of the file give nullopt.
class FlatBuffer {
 public:
  explicit FlatBuffer(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint64_t> number(std::uint64_t at, std::uint64_t width) const {
    if (at > bytes_.size() || width > bytes_.size() - at) return std::nullopt;
    std::uint64_t value = 0;
    for (std::uint64_t i = width; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }

  // The place that the 4-byte offset at `at` refers to.
  std::optional<std::uint64_t> follow(std::uint64_t at) const {
    // An offset of 0 would point to itself: the field is absent.
    const auto offset = number(at, 4);
    if (!offset || *offset == 0) return std::nullopt;
    return at + *offset;
  }

  // A vector of bytes or a string: its length, then its bytes.
  std::optional<std::string_view> span(std::uint64_t at) const {
    const auto length = number(at, 4);
    // `at + 4` is inside of the file, as number() has read these bytes.
    if (!length || *length > bytes_.size() - at - 4) return std::nullopt;
    return bytes_.substr(at + 4, *length);
  }

  // The place of a field of the table at `table`; nullopt if the table lacks it.
  std::optional<std::uint64_t> field(std::uint64_t table, std::uint64_t index) const {
    const auto back = number(table, 4);
    if (!back) return std::nullopt;
    // Signed: the list of fields usually precedes its table, but a writer may share one behind it.
    const std::int64_t list = static_cast<std::int64_t>(table) - static_cast<std::int32_t>(*back);
    if (list < 0) return std::nullopt;
    const auto begin = static_cast<std::uint64_t>(list);
    const auto length = number(begin, 2);
    // Behind two 16-bit sizes (of the list and of the table) come 16-bit offsets of fields.
    const std::uint64_t entry = 4 + 2 * index;
    if (!length || entry + 2 > *length) return std::nullopt;
    const auto offset = number(begin + entry, 2);
    if (!offset || *offset == 0) return std::nullopt;
    return table + *offset;
  }

 private:
  std::string_view bytes_;
};

std::vector<std::string> platforms_in(const FlatBuffer& buffer, std::uint64_t table) {
  std::vector<std::string> platforms;
  const auto field = buffer.field(table, kPlatforms);
  const auto list = field ? buffer.follow(*field) : std::nullopt;
  const auto count = list ? buffer.number(*list, 4) : std::nullopt;
  // A platform list of a damaged file is dropped; the artifact itself has checks of its own.
  if (!count || *count > kMostPlatforms) return {};
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto place = buffer.follow(*list + 4 + 4 * i);
    const auto text = place ? buffer.span(*place) : std::nullopt;
    if (!text) return {};
    platforms.emplace_back(*text);
  }
  return platforms;
}

// Until November 2025 a 16-bit field.
std::int64_t devices_in(const FlatBuffer& buffer, std::uint64_t table) {
  for (const auto& [index, width] : {std::pair{kDevices, 4}, std::pair{kDevicesShort, 2}}) {
    const auto field = buffer.field(table, index);
    const auto count =
        field ? buffer.number(*field, static_cast<std::uint64_t>(width)) : std::nullopt;
    if (count && *count > 0 && *count <= std::numeric_limits<std::int32_t>::max())
      return static_cast<std::int64_t>(*count);
  }
  return 0;
}

}  // namespace

std::optional<ExportedFile> exported_file(std::string_view bytes) {
  // The root table's offset is at 0. FlatBuffers have no magic, so each step checks that the file
  // fits.
  const FlatBuffer buffer(bytes);
  const auto table = buffer.follow(0);
  if (!table) return std::nullopt;
  const auto field = buffer.field(*table, kArtifact);
  const auto place = field ? buffer.follow(*field) : std::nullopt;
  const auto artifact = place ? buffer.span(*place) : std::nullopt;
  if (!artifact || !bytecode::is_bytecode(*artifact)) return std::nullopt;
  return ExportedFile{*artifact, platforms_in(buffer, *table), devices_in(buffer, *table)};
}

}  // namespace understudy::program
