// SPDX-License-Identifier: Apache-2.0
// Locations: the position in the source that a location attribute of the builtin dialect names. Of
// nested locations the innermost frame counts, as it is the line that created the operation.
// Locations are optional everywhere: one that cannot be read is dropped, not an error.
#include "program/bytecode/decode.h"
#include "program/bytecode/tables.h"

namespace understudy::program::bytecode {
namespace {

// Codes of the builtin dialect's location attributes.
enum class Code : std::uint64_t {
  callsite = 10,  // callee, caller
  file = 11,      // file, line, column
  fused = 12,     // locations
  fused_with = 13,
  name = 14,        // name, location
  file_range = 22,  // file, [line, column, ...]
};

}  // namespace

std::optional<Location> Tables::location(Cursor& in) {
  const Cursor at = in;
  return location_of(in.varint("a location"), at);
}

std::optional<Location> Tables::location_of(std::uint64_t index, const Cursor& in) {
  constexpr int kDeepestLocation = 64;
  if (index >= locations_.size()) in.fail("a location is not in the attribute table");
  Place& place = locations_[index];
  // A location that contains itself, or is nested too deeply, gives no position.
  // `done` returns the position, `at_work` none: the location contains itself.
  if (place.state != State::fresh || depth_ >= kDeepestLocation) return place.location;
  const Entry& entry = attribute_entries_[index];
  // Locations of other dialects, or in textual form.
  if (entry.dialect != "builtin" || !entry.custom) return std::nullopt;
  place.state = State::at_work;
  Cursor all = data_;
  all.take(entry.begin, "a location");
  ++depth_;
  place.location = decode_location(all.part(entry.size, "a location"));
  --depth_;
  place.state = State::done;
  return place.location;
}

// Of a call site the callee counts, of a name its child, of fused locations the first that gives a
// position. Lines and columns are varints.
std::optional<Location> Tables::decode_location(Cursor in) {
  switch (static_cast<Code>(in.varint("the code of a location"))) {
    case Code::callsite:
      return location(in);
    // The first operand is the callee; the caller is not read.
    case Code::name:
      in.varint("the name of a location");
      return location(in);
    case Code::file: {
      const Attribute& file = attribute(in, "the file of a location");
      const std::uint64_t line = in.varint("a line");
      return places_.line(text_in(file, in, "a file's name"), line, in.varint("a column"));
    }
    case Code::file_range: {
      const Attribute& file = attribute(in, "the file of a location");
      const std::size_t count = in.count("the number of positions");
      const std::uint64_t line = count > 0 ? in.varint("a line") : 0;
      const std::uint64_t column = count > 1 ? in.varint("a column") : 0;
      return places_.line(text_in(file, in, "a file's name"), line, column);
    }
    case Code::fused:
    case Code::fused_with:
      for (std::size_t left = in.count("the number of locations"); left > 0; --left) {
        if (const auto found = location(in)) return found;
      }
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace understudy::program::bytecode
