// SPDX-License-Identifier: Apache-2.0
// The container of MLIR bytecode: sections, strings, the names of dialects and operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/bytecode/cursor.h"

namespace understudy::program::bytecode {

// "MLIR" in a form that is not text: the third byte is not ASCII.
inline constexpr std::string_view kMagic = "ML\xEFR";

// Numbers of the format, in its order.
enum class SectionId : std::uint8_t {
  string,
  dialect,
  attr_type,
  attr_type_offset,
  ir,
  resource,
  resource_offset,
  dialect_versions,
  properties,
};
inline constexpr std::size_t kSections = 9;

// Sections of one level, by id; what is not there is empty.
struct Section {
  std::uint8_t id = 0;
  Cursor data;
};
// Reads one section header and its padding.
Section read_section(Cursor& in);

// "StableHLO_v1.15.0": the version of VHLO inside.
struct VhloVersion {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::string text() const;
  bool newer_than(const VhloVersion& other) const;
};

// As written, with the version: "vhlo" and "add_v1".
struct OpName {
  std::string_view dialect, name;
};

class Container {
 public:
  // Everything but tables, IR and resources. Throws Error{input}, or Error{unsupported} for
  // bytecode that is no portable artifact, or of a newer format.
  Container(const std::string& path, std::string_view bytes);

  std::uint64_t version() const { return version_; }
  const VhloVersion& vhlo() const { return vhlo_; }
  // Nothing where the section is absent.
  std::optional<Cursor> find(SectionId id) const;
  Cursor section(SectionId id) const;  // throws Error{input} where the section is absent

  // Strings are views of the file's bytes, which outlive the container.
  std::string_view string_at(Cursor& in, std::string_view what) const;
  std::string_view string(std::uint64_t index, const Cursor& in) const;
  std::string_view dialect(std::uint64_t index, const Cursor& in) const;
  const std::vector<OpName>& op_names() const { return op_names_; }

 private:
  // In the order in which the sections depend on each other: names need strings.
  void read_producer(Cursor& in);
  void read_sections(Cursor& in);
  void read_strings();
  void read_dialects();
  void read_op_names(Cursor& in);

  const std::string* path_;
  std::uint64_t size_ = 0;
  std::uint64_t version_ = 0;
  VhloVersion vhlo_;
  std::array<std::optional<Cursor>, kSections> sections_;
  std::vector<std::string_view> strings_;
  std::vector<std::string_view> dialects_;
  std::vector<OpName> op_names_;
};

}  // namespace understudy::program::bytecode
