// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/container.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <tuple>

namespace understudy::program::bytecode {
namespace {

// MLIR bytecode format versions (mlir.llvm.org/docs/BytecodeFormat): 1 added the version flag of
// dialects, 2 nested sections for isolated regions, 3 use-list orders, 4 the location flag of block
// arguments and the total of operation names, 5 properties and the flag of registered operations, 6
// segment sizes inside properties. StableHLO targets 0.9 to 0.14 use versions 0 to 4, later ones 6.
constexpr std::uint64_t kNewestVersion = 6;
constexpr std::uint64_t kDialectVersionsSince = 1;
constexpr std::uint64_t kOpCountSince = 4;
constexpr std::uint64_t kRegisteredOpsSince = 5;
// The newest VHLO version whose operations and attributes the tables of this folder cover. VHLO
// only guarantees that newer readers read older artifacts, so newer ones are refused.
constexpr VhloVersion kNewestVhlo = {1, 20, 0};

constexpr std::array<std::string_view, kSections> kSectionNames = {
    "string",    "dialect",  "attribute and type", "attribute and type offset",
    "IR",        "resource", "resource offset",    "dialect version",
    "properties"};

// A portable artifact names its VHLO version in the producer string. Any other producer
// ("MLIR23.0.0git") wrote the unversioned dialects, whose encodings may change with each MLIR
// commit.
constexpr std::string_view kProducer = "StableHLO_v";
constexpr std::string_view kHint =
    "write a portable artifact with jax.export(...).mlir_module_serialized or "
    "stablehlo-translate --serialize";

// "1.15.0": three numbers and nothing else.
std::optional<VhloVersion> version_of(std::string_view text) {
  // Empty text is no version either: from_chars reads at least one digit.
  VhloVersion out;
  const char* at = text.data();
  const char* end = at + text.size();
  for (std::uint64_t* part : {&out.major, &out.minor, &out.patch}) {
    const auto read = std::from_chars(at, end, *part);
    if (read.ec != std::errc{}) return std::nullopt;
    at = read.ptr;
    if (part != &out.patch && (at == end || *at++ != '.')) return std::nullopt;
  }
  return at == end ? std::optional(out) : std::nullopt;
}

}  // namespace

std::string VhloVersion::text() const { return fmt::format("{}.{}.{}", major, minor, patch); }

// Patch releases do not change the encoding.
bool VhloVersion::newer_than(const VhloVersion& other) const {
  return std::tie(major, minor) > std::tie(other.major, other.minor);
}

// A section is an id byte (bit 7: aligned), a length, and, if aligned, an alignment and 0xCB
// padding up to that offset in the file. The limit on alignments keeps a hostile file from scanning
// far.
Section read_section(Cursor& in) {
  constexpr std::uint8_t kAligned = 0x80;
  constexpr std::uint8_t kPadding = 0xCB;
  constexpr std::uint64_t kLargestAlignment = 1u << 20;
  const std::uint8_t head = in.byte("a section's id");
  Section out;
  out.id = head & static_cast<std::uint8_t>(~kAligned);
  const std::uint64_t size = in.varint("a section's length");
  if ((head & kAligned) != 0) {
    const std::uint64_t alignment = in.varint("a section's alignment");
    // A power of two, as MLIR writes it.
    if (alignment == 0 || alignment > kLargestAlignment || (alignment & (alignment - 1)) != 0) {
      in.fail(fmt::format("a section cannot be aligned to {} bytes", alignment));
    }
    // Padding is counted from the start of the file, not of the section.
    while (in.offset() % alignment != 0) {
      if (in.byte("padding") != kPadding) in.fail("expected padding before a section");
    }
  }
  // Unknown sections are read like known ones, and refused by the caller.
  const bool named = out.id < kSections;
  out.data = in.part(
      size, named ? fmt::format("the {} section", kSectionNames[out.id]) : "an unknown section");
  return out;
}

Container::Container(const std::string& path, std::string_view bytes)
    : path_(&path), size_(bytes.size()) {
  Cursor in(path, bytes, 0);
  // A file shorter than the magic is compared with what it has.
  if (in.take(std::min<std::uint64_t>(kMagic.size(), bytes.size()), "the magic") != kMagic) {
    in.fail_at(0, "not an MLIR bytecode file");
  }
  const std::uint64_t at = in.offset();
  version_ = in.varint("the version of the format");
  if (version_ > kNewestVersion) {
    in.unsupported_at(at, fmt::format("unsupported MLIR bytecode version {}; expected 0 to {}",
                                      version_, kNewestVersion));
  }
  read_producer(in);
  read_sections(in);
  read_strings();
  read_dialects();
}

// The producer line decides whether the rest can be read at all, so it is checked before any
// section.
void Container::read_producer(Cursor& in) {
  const std::uint64_t at = in.offset();
  const std::string_view producer = in.until_nul("the name of the producer");
  const auto version = producer.substr(0, kProducer.size()) == kProducer
                           ? version_of(producer.substr(kProducer.size()))
                           : std::nullopt;
  if (!version) {
    // The producer is arbitrary text of the file.
    constexpr std::size_t kShown = 60;
    Error error =
        error_at_byte(*path_, at,
                      fmt::format("bytecode written by '{}' is not a portable StableHLO artifact",
                                  producer.substr(0, kShown)),
                      ErrorKind::unsupported);
    throw error.note(std::string(kHint));
  }
  vhlo_ = *version;
  if (vhlo_.newer_than(kNewestVhlo)) {
    Error error = error_at_byte(
        *path_, at,
        fmt::format("unsupported artifact version StableHLO {}; the newest supported is {}",
                    vhlo_.text(), kNewestVhlo.text()),
        ErrorKind::unsupported);
    throw error.note("write the artifact again for an older target version");
  }
}

// Sections may come in any order (the string section is usually near the end), so all are indexed
// before any is decoded. Dialect versions occur only nested in the dialect section.
void Container::read_sections(Cursor& in) {
  while (!in.at_end()) {
    const std::uint64_t at = in.offset();
    const Section section = read_section(in);
    if (section.id >= kSections ||
        section.id == static_cast<std::uint8_t>(SectionId::dialect_versions)) {
      in.fail_at(at, fmt::format("unexpected section kind {}", section.id));
    }
    auto& place = sections_[section.id];
    if (place) in.fail_at(at, fmt::format("duplicate {} section", kSectionNames[section.id]));
    place = section.data;
  }
}

std::optional<Cursor> Container::find(SectionId id) const {
  return sections_[static_cast<std::size_t>(id)];
}

Cursor Container::section(SectionId id) const {
  const auto found = find(id);
  if (found) return *found;
  throw error_at_byte(
      *path_, size_,
      fmt::format("the {} section is missing", kSectionNames[static_cast<std::size_t>(id)]));
}

// The lengths come last string first, and each counts its closing NUL; the bytes follow in forward
// order.
void Container::read_strings() {
  Cursor in = section(SectionId::string);
  strings_.resize(in.count("the number of strings"));
  std::vector<std::uint64_t> sizes(strings_.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    // At least its closing NUL.
    sizes[i] = in.varint("the length of a string");
    if (sizes[i] == 0) in.fail("a string without its terminating zero");
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::string_view text = in.take(sizes[i], "a string");
    if (text.back() != '\0') in.fail("a string does not end with a zero");
    text.remove_suffix(1);
    strings_[i] = text;
  }
  in.expect_end("the strings");
}

std::string_view Container::string(std::uint64_t index, const Cursor& in) const {
  if (index >= strings_.size()) {
    in.fail(
        fmt::format("string index {} is out of range: the file has {}", index, strings_.size()));
  }
  return strings_[index];
}

std::string_view Container::string_at(Cursor& in, std::string_view what) const {
  const std::uint64_t index = in.varint(what);
  return string(index, in);
}

std::string_view Container::dialect(std::uint64_t index, const Cursor& in) const {
  if (index >= dialects_.size()) {
    in.fail(
        fmt::format("dialect index {} is out of range: the file has {}", index, dialects_.size()));
  }
  return dialects_[index];
}

void Container::read_dialects() {
  Cursor in = section(SectionId::dialect);
  const std::size_t count = in.count("the number of dialects");
  for (std::size_t i = 0; i < count; ++i) {
    bool versioned = false;
    const std::uint64_t index = version_ >= kDialectVersionsSince
                                    ? in.flagged("a dialect", versioned)
                                    : in.varint("a dialect");
    dialects_.push_back(string(index, in));
    // A dialect's own version record is skipped: for VHLO the producer string is authoritative.
    // It is a section in the section: a length and bytes.
    if (versioned) read_section(in);
  }
  if (version_ >= kOpCountSince) in.varint("the number of operation names");
  read_op_names(in);
}

// Operations refer to the concatenation of these groups by index.
void Container::read_op_names(Cursor& in) {
  while (!in.at_end()) {
    const std::uint64_t dialect_index = in.varint("the dialect of operation names");
    const std::string_view of = dialect(dialect_index, in);
    const std::size_t count = in.count("the number of operation names");
    for (std::size_t i = 0; i < count; ++i) {
      bool registered = false;
      const std::uint64_t index = version_ >= kRegisteredOpsSince
                                      ? in.flagged("an operation name", registered)
                                      : in.varint("an operation name");
      op_names_.push_back({of, string(index, in)});
    }
  }
}

}  // namespace understudy::program::bytecode
