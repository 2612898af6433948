// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/mesh_groups.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "program/passes/sharding/sharding.h"

namespace understudy::program::passes {

namespace {

// Axis `name` viewed as [before, size, rest]; the whole axis where `size` is 0.
struct ListedAxis {
  std::string name;
  std::int64_t before = 1, size = 0;
};

// A cursor over the text between the angles, such as
//   mesh = @m, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (2)2>]
class Cursor {
 public:
  Cursor(std::string_view text, const Location& where) : rest_(text), where_(where) {}

  const Location& where() const { return where_; }
  bool accept(std::string_view word) {
    blanks();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) fail(fmt::format("expected '{}'", word));
  }
  std::int64_t number() {
    blanks();
    std::int64_t value = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (read.ec != std::errc{}) fail("expected a number");
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return value;
  }
  // Up to one of `ends`, which stays, or to the end of the text.
  std::string until(std::string_view ends) {
    const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }
  std::string quoted() {
    expect("\"");
    std::string text = until("\"");
    expect("\"");
    return text;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw error_at(where_, ErrorKind::input,
                   fmt::format("replica_group_mesh_axes: {} at '{}'", why, rest_));
  }

 private:
  void blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
      rest_.remove_prefix(1);
  }

  std::string_view rest_;
  const Location& where_;
};

// [#stablehlo.mesh_axis<name = "x", size = 2>, <...>]: `field` reads what stands in the angles.
template <class Field>
void each_of_list(Cursor& cursor, const Field& field) {
  cursor.expect("[");
  while (!cursor.accept("]")) {
    // Skips "#stablehlo.mesh_axis" and the like: the kind follows from the list.
    cursor.until("<]");
    if (cursor.accept("]")) return;
    cursor.expect("<");
    field();
    cursor.expect(">");
    cursor.accept(",");
  }
}

// Grammar: mesh<axes=[mesh_axis<name = "x", size = 2>, ...], device_ids = dense<...>>, as MLIR
// prints it.
Mesh inline_mesh(Cursor& cursor) {
  // Skips "#stablehlo.mesh".
  Mesh mesh;
  cursor.until("<");
  cursor.expect("<");
  cursor.expect("axes");
  cursor.expect("=");
  each_of_list(cursor, [&] {
    cursor.expect("name");
    cursor.expect("=");
    std::string name = cursor.quoted();
    cursor.expect(",");
    cursor.expect("size");
    cursor.expect("=");
    mesh.axes.emplace_back(std::move(name), cursor.number());
  });
  if (cursor.accept(",")) {
    cursor.expect("device_ids");
    cursor.expect("=");
    cursor.expect("dense<");
    cursor.expect("[");
    while (!cursor.accept("]")) {
      mesh.device_ids.push_back(cursor.number());
      cursor.accept(",");
    }
    cursor.expect(">");
    cursor.expect(":");
    // The type of the list says nothing new.
    cursor.expect("tensor<");
    cursor.until(">");
    cursor.expect(">");
  }
  cursor.expect(">");
  mesh.location = cursor.where();
  return mesh;
}

Mesh mesh_in(Cursor& cursor, const Module& module) {
  cursor.expect("mesh");
  cursor.expect("=");
  if (!cursor.accept("@")) return inline_mesh(cursor);
  // A symbol may be quoted.
  std::string name = cursor.accept("\"") ? cursor.until("\"") : cursor.until(", >");
  cursor.accept("\"");
  const Mesh* mesh = module.find_mesh(name);
  if (mesh == nullptr) cursor.fail(fmt::format("no mesh @{}", name));
  return *mesh;
}

// Grammar: [#stablehlo.axis_ref<name = "x", sub_axis_info = (pre)size>, ...].
std::vector<ListedAxis> parts_in(Cursor& cursor) {
  cursor.expect(",");
  cursor.expect("axes");
  cursor.expect("=");
  std::vector<ListedAxis> parts;
  each_of_list(cursor, [&] {
    ListedAxis part;
    cursor.expect("name");
    cursor.expect("=");
    part.name = cursor.quoted();
    // Without sub_axis_info the whole axis is meant.
    if (cursor.accept(",")) {
      cursor.expect("sub_axis_info");
      cursor.expect("=");
      const bool named = cursor.accept("#stablehlo.sub_axis_info<");
      cursor.expect("(");
      part.before = cursor.number();
      cursor.expect(")");
      part.size = cursor.number();
      if (named) cursor.expect(">");
    }
    parts.push_back(std::move(part));
  });
  return parts;
}

// A run of digits of a position in the mesh: `size` places, `stride` apart; `member` says whether
// members of one group differ in it, and `order` in which order of speed.
struct Digit {
  std::int64_t size, stride;
  std::size_t order;
};

// The axis cut where its listed parts begin and end. Members first in the order listed.
void digits_of(const std::pair<std::string, std::int64_t>& axis, std::int64_t stride,
               const std::vector<ListedAxis>& parts, const Cursor& cursor,
               std::vector<Digit>& members, std::vector<Digit>& others) {
  // Cuts are numbers of devices before them: 1 is the start of the axis, its size the end.
  std::set<std::int64_t> cuts = {1, axis.second};
  for (const ListedAxis& part : parts) {
    if (part.name != axis.first || part.size == 0) continue;
    if (part.before < 1 || part.size < 1 ||
        axis.second % checked_multiply(part.before, part.size) != 0)
      cursor.fail(fmt::format("\"{}\":({}){} is not a sub-axis of an axis of size {}", part.name,
                              part.before, part.size, axis.second));
    // Between two cuts, no part begins or ends.
    cuts.insert({part.before, part.before * part.size});
  }
  for (auto from = cuts.begin(); std::next(from) != cuts.end(); ++from) {
    const std::int64_t to = *std::next(from);
    const auto listed = std::ranges::find_if(parts, [&](const ListedAxis& part) {
      const std::int64_t size = part.size == 0 ? axis.second : part.size;
      return part.name == axis.first && *from >= part.before && to <= part.before * size;
    });
    const bool is_member = listed != parts.end();
    (is_member ? members : others)
        // `stride` is one step along the axis; a digit nearer to its start takes larger ones.
        .push_back({to / *from, axis.second / to * stride,
                    static_cast<std::size_t>(listed - parts.begin())});
  }
}

// The positions that the digits reach, the first digit slowest.
Shape positions(const std::vector<Digit>& digits) {
  Shape all = {0};
  for (const Digit& digit : digits) {
    Shape next;
    for (const std::int64_t base : all)
      for (std::int64_t i = 0; i < digit.size; ++i) next.push_back(base + i * digit.stride);
    all = std::move(next);
  }
  return all;
}

}  // namespace

std::optional<std::vector<Shape>> mesh_groups(const Module& module, const Attribute& attribute,
                                              const Location& where) {
  const DialectAttribute* dialect = attribute.dialect();
  if (dialect == nullptr || dialect->mnemonic != "replica_group_mesh_axes") return std::nullopt;
  const auto* text =
      dialect->parameters.empty() ? nullptr : dialect->parameters[0].second.get<StringAttribute>();
  Cursor cursor(text == nullptr ? "" : std::string_view(text->value), where);
  const Mesh mesh = mesh_in(cursor, module);
  const std::vector<ListedAxis> parts = parts_in(cursor);
  // Before any group is built: a misspelt axis would silently make groups of one.
  for (const ListedAxis& part : parts)
    if (std::ranges::none_of(mesh.axes, [&](const auto& axis) { return axis.first == part.name; }))
      cursor.fail(fmt::format("the mesh has no axis \"{}\"", part.name));
  std::vector<Digit> members, others;
  // Row-major: the first axis is slowest.
  std::int64_t stride = size_of(mesh);
  for (const auto& axis : mesh.axes) {
    stride /= axis.second;
    digits_of(axis, stride, parts, cursor, members, others);
  }
  // Members are ordered as the axes are listed, not as the mesh has them.
  std::ranges::stable_sort(members, {}, &Digit::order);
  std::vector<Shape> groups;
  // One group for each position of the axes that are not listed.
  for (const std::int64_t base : positions(others)) {
    groups.emplace_back();
    for (const std::int64_t offset : positions(members)) {
      const auto at = static_cast<std::size_t>(base + offset);
      groups.back().push_back(mesh.device_ids.empty() ? base + offset : mesh.device_ids.at(at));
    }
  }
  return groups;
}

}  // namespace understudy::program::passes
