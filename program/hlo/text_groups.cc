// SPDX-License-Identifier: Apache-2.0
// Replica groups of HLO text: {{0,1},{2,3}}, [2,4]<=[4,2]T(1,0), mesh['x'=4,'y'=2] {'y'}.
#include <fmt/format.h>
#include <numeric>

#include "program/hlo/text_parts.h"

namespace understudy::program::hlo {
namespace {

Ints listed(Scanner& in, std::string_view close) {
  Ints out;
  while (!in.accept(close)) {
    if (!out.empty()) in.expect(",", "between numbers");
    out.push_back(in.integer("a number"));
  }
  return out;
}

// Without T(...) the ids are in order.
Ints permutation_in(Scanner& in, std::size_t size) {
  if (in.accept("T(")) return listed(in, ")");
  Ints out(size);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// [groups,members]<=[sizes]T(permutation)
Rows iota_in(Scanner& in) {
  const std::uint64_t begin = in.at();
  const Ints shape = listed(in, "]");
  in.expect("<=[", "after the number of groups and members");
  const Ints sizes = listed(in, "]");
  const Ints permutation = permutation_in(in, sizes.size());
  const auto out =
      shape.size() == 2 ? iota_groups(shape[0], shape[1], sizes, permutation) : std::nullopt;
  if (!out) in.fail_at(begin, "replica_groups: the iota form does not fit the number of groups");
  return *out;
}

// Older text has no quotes.
std::string axis_name(Scanner& in) {
  const bool is_quoted = in.accept("'");
  const std::string_view whole = in.name("an axis");
  if (is_quoted) in.expect("'", "after an axis");
  return std::string(whole);
}

// ['x'=4,'y'=2], and maybe ", device_ids=(0,2,1,3)" or ", device_ids=([2,2]T(1,0))".
GroupMesh mesh_in(Scanner& in) {
  GroupMesh out;
  in.expect("[", "before the axes");
  while (!in.accept("]")) {
    if (!out.axes.empty()) in.expect(",", "between axes");
    std::string name = axis_name(in);
    in.expect("=", "after an axis");
    out.axes.emplace_back(std::move(name), in.integer("the size of an axis"));
  }
  // The comma belongs to the value only if devices follow it (Scanner::goes_on).
  if (!in.accept(", device_ids=(")) return out;
  if (!in.accept("[")) {
    out.devices = listed(in, ")");
    return out;
  }
  const Ints sizes = listed(in, "]");
  const auto ids = transposed_iota(sizes, permutation_in(in, sizes.size()));
  if (!ids) in.fail("replica_groups: the device order of the mesh is not a permutation");
  in.expect(")", "after the devices");
  out.devices = *ids;
  return out;
}

// {'x','y':(2)2}
std::vector<MeshAxis> axes_in(Scanner& in, const GroupMesh& mesh) {
  std::vector<MeshAxis> out;
  in.expect("{", "before the axes of the groups");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between axes");
    const std::uint64_t begin = in.at();
    const std::string name = axis_name(in);
    // The index one past the last axis marks "not found".
    MeshAxis axis{mesh.axes.size(), 1, 0};
    for (std::size_t i = 0; i < mesh.axes.size(); ++i)
      if (mesh.axes[i].first == name) axis.axis = i;
    if (axis.axis == mesh.axes.size())
      in.fail_at(begin, fmt::format("replica_groups: the mesh has no axis '{}'", name));
    if (in.accept(":(")) {
      axis.before = in.integer("the size before a part of an axis");
      in.expect(")", "after the size before a part of an axis");
      axis.size = in.integer("the size of a part of an axis");
      if (axis.size < 1) in.fail("replica_groups: a part of an axis has no size");
    }
    out.push_back(axis);
  }
  return out;
}

}  // namespace

Rows replica_groups_in(Scanner& in) {
  if (in.accept("[")) return iota_in(in);
  const std::uint64_t begin = in.at();
  if (in.accept_word("mesh")) {
    const GroupMesh mesh = mesh_in(in);
    // mesh_groups() is shared with the proto reader, so both forms give the same rows.
    const auto out = mesh_groups(mesh, axes_in(in, mesh));
    if (!out) in.fail_at(begin, "replica_groups: the axes do not fit their mesh");
    return *out;
  }
  // "{}" is one group of all processes, and stays an empty list here.
  Rows out;
  in.expect("{", "before the replica groups");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between groups");
    in.expect("{", "before a group");
    out.push_back(listed(in, "}"));
  }
  return out;
}

}  // namespace understudy::program::hlo
