// SPDX-License-Identifier: Apache-2.0
// The tables of attributes and types. Entries refer to each other by index; each is decoded once,
// on first use. Single-threaded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/bytecode/container.h"
#include "program/ir/ir.h"

namespace understudy::program::bytecode {

// The type of a literal: elements of type index are 64-bit integers.
struct LiteralType {
  TensorType tensor;
  bool is_index = false;
};

// Bounds the bytes that reading may produce from entries that the file holds once but refers to
// often: a small hostile file must not fill the memory.
class Budget {
 public:
  explicit Budget(std::uint64_t file_bytes);
  // Throws Error{input} at the cursor when it is used up.
  void charge(std::uint64_t bytes, const Cursor& in);
  void charge(const Type& type, const Cursor& in);
  void charge(const Attribute& attribute, const Cursor& in);

 private:
  std::uint64_t left_;
};

// Maps a file's name and position to locations; owns the sources that they point into.
class Places {
 public:
  explicit Places(const std::string& path);
  Location byte(std::uint64_t offset) const { return {sources_[0].get(), offset}; }
  Location line(std::string_view file, std::uint64_t line, std::uint64_t column);
  std::vector<std::shared_ptr<const Source>> take() { return std::move(sources_); }

 private:
  std::vector<std::shared_ptr<const Source>> sources_;
  std::map<std::string, const Source*, std::less<>> files_;
};

class Tables {
 public:
  Tables(const Container& container, Budget& budget, Places& places);

  // The next varint's entry. All throw Error{input} for an index out of range, an entry that refers
  // to itself or is nested too deeply, and entries that mean nothing.
  const Attribute& attribute(Cursor& in, std::string_view what);
  const Attribute* optional_attribute(Cursor& in, std::string_view what);
  const Type& type(Cursor& in, std::string_view what);
  // Its source position, or nothing if the entry has none.
  std::optional<Location> location(Cursor& in);

  const Attribute& attribute_of(std::uint64_t index, const Cursor& in);
  const Type& type_of(std::uint64_t index, const Cursor& in);
  // Throws where no literal has this type.
  LiteralType literal_type(Cursor& in);
  std::string string(Cursor& in, std::string_view what);  // through the string section
  // Meshes given inside shardings, by their generated name (program/ir/ir.h, kInlineMesh).
  std::map<std::string, Mesh>& inline_meshes() { return inline_meshes_; }
  Attribute resource(std::uint64_t index, const LiteralType& type, const Cursor& in);

  const Container& container() const { return container_; }
  Budget& budget() { return budget_; }

 private:
  // `at_work` while an entry is being decoded: met again then, it refers to itself.
  enum class State : std::uint8_t { fresh, at_work, done };
  struct Entry {
    std::string_view dialect;
    std::uint64_t begin = 0, size = 0;  // in the section of entries
    bool custom = false;
    State state = State::fresh;
  };
  struct Place {
    State state = State::fresh;
    std::optional<Location> location;
  };
  struct Resource {
    std::string_view bytes;
    std::uint64_t offset = 0;
    // False: another kind of resource than a blob of bytes.
    bool is_blob = false;
  };
  class Nest;

  void read_offsets();
  void read_group(Cursor& in, std::vector<Entry>& entries, std::size_t most, std::uint64_t& at);
  void read_resources();
  Cursor open(std::vector<Entry>& entries, std::uint64_t index, const Cursor& in);
  std::optional<Location> location_of(std::uint64_t index, const Cursor& in);
  std::optional<Location> decode_location(Cursor in);

  const Container& container_;
  Budget& budget_;
  Places& places_;
  Cursor data_;
  int depth_ = 0;
  std::vector<Entry> attribute_entries_, type_entries_;
  // Pointers stay valid while the tables grow; nullptr until first use.
  std::vector<std::unique_ptr<const Attribute>> attributes_;
  std::vector<std::unique_ptr<const Type>> types_;
  std::vector<Place> locations_;
  std::map<std::string, Mesh> inline_meshes_;
  // Most files have no resources, so they are read when one is asked for.
  bool resources_read_ = false;
  std::vector<Resource> resources_;
};

}  // namespace understudy::program::bytecode
