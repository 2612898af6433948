// SPDX-License-Identifier: Apache-2.0
// Replica groups, meshes, shardings, windows and maps of HLO protos.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/hlo/proto_parts.h"

namespace understudy::program::hlo {
namespace {

// MeshProto.IotaTransform: reshape_dims = 1, transpose_perm = 2.
Ints devices_in(Wire in) {
  Ints sizes, permutation;
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 1) in.append(sizes);
    if (in.field() == 2) in.append(permutation);
  }
  const auto ids = transposed_iota(sizes, permutation);
  if (!ids) start.fail("the device order of a mesh is not a permutation");
  return *ids;
}

std::string axis_text(const GroupMesh& mesh, const MeshAxis& axis, const Wire& in) {
  if (axis.axis >= mesh.axes.size()) in.fail("a sharding names an axis that its mesh lacks");
  const std::string quoted = fmt::format("'{}'", mesh.axes[axis.axis].first);
  // Parts of an axis print as in Shardy: 'x':(before)size.
  return axis.size == 0 ? quoted : fmt::format("{}:({}){}", quoted, axis.before, axis.size);
}

std::string axes_text(const GroupMesh& mesh, const std::vector<MeshAxis>& axes, const Wire& in) {
  std::string out;
  for (const MeshAxis& axis : axes) out += (out.empty() ? "" : ", ") + axis_text(mesh, axis, in);
  return out;
}

// NamedShardingProto.DimensionSharding: axes = 1, is_closed = 2.
std::string dimension_text(Wire in, const GroupMesh& mesh) {
  std::vector<MeshAxis> axes;
  bool closed = false;
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 1) axes.push_back(mesh_axis_in(in.message()));
    if (in.field() == 2) closed = in.flag();
  }
  std::string text = axes_text(mesh, axes, start);
  // An open dimension may be sharded further by propagation, which its "?" says.
  if (!closed) text += text.empty() ? "?" : ", ?";
  return "{" + text + "}";
}

// NamedShardingProto: mesh = 2, dim_shardings = 3, replicated_axes = 4, unreduced_axes = 5,
// manual_axes = 7.
std::string named_text(Wire in) {
  GroupMesh mesh;
  std::vector<Wire> dimensions;
  // In the order of kLists below.
  std::vector<MeshAxis> listed[3];
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 2) mesh = mesh_in(in.message());
    if (in.field() == 3) dimensions.push_back(in.message());
    if (in.field() == 4) listed[0].push_back(mesh_axis_in(in.message()));
    if (in.field() == 5) listed[1].push_back(mesh_axis_in(in.message()));
    if (in.field() == 7) listed[2].push_back(mesh_axis_in(in.message()));
  }
  std::string axes, out;
  for (const auto& [name, size] : mesh.axes)
    axes += fmt::format("{}'{}'={}", axes.empty() ? "" : ",", name, size);
  for (const Wire& each : dimensions) out += (out.empty() ? "" : ", ") + dimension_text(each, mesh);
  out = fmt::format("{{mesh[{}], [{}]", axes, out);
  constexpr std::string_view kLists[] = {"replicated", "unreduced", "manual"};
  for (std::size_t i = 0; i < 3; ++i)
    if (!listed[i].empty())
      out += fmt::format(", {}={{{}}}", kLists[i], axes_text(mesh, listed[i], start));
  return out + "}";
}

struct Tiling {
  std::int64_t type = 0;
  Ints tiles, devices, sizes, permutation, last;
  bool replicate_last = false;
  std::vector<std::string> parts;
  std::string named;
};

constexpr std::int64_t kReplicated = 0, kMaximal = 1, kTuple = 2, kOther = 3, kManual = 4,
                       kUnknown = 5, kUnreduced = 6;

std::string_view type_word(std::int64_t type, const Wire& in) {
  if (type == kReplicated) return "replicated";
  if (type == kManual) return "manual";
  if (type == kUnknown) return "unknown";
  if (type == kUnreduced) return "unreduced";
  // A new kind would change where data is placed: an error, not "unknown".
  in.fail(fmt::format("unknown kind of sharding {}", type));
}

// {devices=[4,1,2]<=[8] last_tile_dim_replicate}
std::string tiled_text(const Tiling& in, const Wire& at) {
  std::string out = fmt::format("{{devices=[{}]", fmt::join(in.tiles, ","));
  // Version 1 lists the devices, version 2 (iota) describes them by a reshape and a transposition;
  // XLA prints both in these forms.
  if (in.sizes.empty()) {
    out += fmt::format("{}", fmt::join(in.devices, ","));
  } else {
    out += fmt::format("<=[{}]", fmt::join(in.sizes, ","));
    // A transposition of one dimension is the identity, which XLA leaves out.
    if (in.permutation.size() > 1) out += fmt::format("T({})", fmt::join(in.permutation, ","));
  }
  if (in.replicate_last) out += " last_tile_dim_replicate";
  if (!in.last.empty()) {
    std::string words;
    for (const std::int64_t type : in.last)
      words += fmt::format("{}{}", words.empty() ? "" : ", ", type_word(type, at));
    out += fmt::format(" last_tile_dims={{{}}}", words);
  }
  return out + "}";
}

}  // namespace

Words words_in(Wire in) {
  Words out;
  while (in.next()) {
    if (in.field() != 1) continue;
    Wire entry = in.message();
    out.emplace_back();
    while (entry.next()) {
      if (entry.field() == 1) out.back().first = entry.text();
      if (entry.field() == 2) out.back().second = entry.text();
    }
  }
  // A map has no order on the wire. Sorted entries make programs comparable.
  std::sort(out.begin(), out.end());
  return out;
}

// WindowDimension: size = 1, stride = 2, padding_low = 3, padding_high = 4, window_dilation = 5,
// base_dilation = 6, window_reversal = 7.
Rows window_in(Wire in) {
  Rows out;
  while (in.next()) {
    if (in.field() != 1) continue;
    Wire dimension = in.message();
    // Zeros, not ones: what absence means per column is decided by windows_of() in
    // convert_algebra.cc.
    out.push_back({0, 0, 0, 0, 0, 0, 0});
    while (dimension.next())
      if (dimension.field() >= 1 && dimension.field() <= 7)
        out.back()[dimension.field() - 1] = dimension.number();
  }
  return out;
}

// CollectiveDeviceListProto: replica_groups = 1 (ReplicaGroup: replica_ids = 1),
// iota_replica_group_list = 2.
Rows group_list_in(Wire in) {
  Rows out;
  while (in.next()) {
    if (in.field() == 1) {
      Wire group = in.message();
      out.emplace_back();
      while (group.next())
        if (group.field() == 1) group.append(out.back());
    }
    if (in.field() == 2) out = iota_groups_in(in.message());
  }
  return out;
}

// IotaReplicaGroupListProto: num_replica_groups = 1, num_devices_per_group = 2,
// iota_reshape_dims = 3, iota_transpose_perm = 4.
Rows iota_groups_in(Wire in) {
  std::int64_t groups = 0, members = 0;
  Ints sizes, permutation;
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 1) groups = in.number();
    if (in.field() == 2) members = in.number();
    if (in.field() == 3) in.append(sizes);
    if (in.field() == 4) in.append(permutation);
  }
  const auto out = iota_groups(groups, members, sizes, permutation);
  if (!out) start.fail("replica groups: the iota form does not fit the number of groups");
  return *out;
}

// MeshAxesReplicaGroupListProto: mesh = 1, axes = 2.
Rows mesh_groups_in(Wire in) {
  GroupMesh mesh;
  std::vector<MeshAxis> axes;
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 1) mesh = mesh_in(in.message());
    if (in.field() == 2) axes.push_back(mesh_axis_in(in.message()));
  }
  const auto out = mesh_groups(mesh, axes);
  if (!out) start.fail("replica groups: the axes do not fit their mesh");
  return *out;
}

// MeshProto: axes = 1 (name = 1, size = 2), device_ids = 2, iota_transform = 3.
GroupMesh mesh_in(Wire in) {
  GroupMesh out;
  while (in.next()) {
    if (in.field() == 1) {
      Wire axis = in.message();
      out.axes.emplace_back();
      while (axis.next()) {
        if (axis.field() == 1) out.axes.back().first = axis.text();
        if (axis.field() == 2) out.axes.back().second = axis.number();
      }
    }
    if (in.field() == 2) in.append(out.devices);
    if (in.field() == 3) out.devices = devices_in(in.message());
    // Either list or iota; the later field wins, as XLA writes one of them.
  }
  return out;
}

// AxisRefProto: mesh_axis_index = 1, sub_axis_info = 2 (pre_size = 1, size = 2).
MeshAxis mesh_axis_in(Wire in) {
  MeshAxis out;
  while (in.next()) {
    if (in.field() == 1) out.axis = static_cast<std::size_t>(in.number());
    if (in.field() == 2) {
      Wire part = in.message();
      while (part.next()) {
        if (part.field() == 1) out.before = part.number();
        if (part.field() == 2) out.size = part.number();
      }
      // Size 0 would stand for the whole axis in MeshAxis.
      if (out.size == 0) in.fail("a part of a mesh axis needs a size");
    }
  }
  return out;
}

// OpSharding: type = 1, tile_assignment_dimensions = 3, tile_assignment_devices = 4,
// tuple_shardings = 5, replicate_on_last_tile_dim = 6, last_tile_dims = 8, iota_reshape_dims = 9,
// iota_transpose_perm = 10, named_sharding = 14.
std::string sharding_in(Wire in, int depth) {
  if (depth > kDeepest) in.fail("a sharding is nested too deeply");
  Tiling out;
  const Wire start = in;
  while (in.next()) {
    if (in.field() == 1) out.type = in.number();
    if (in.field() == 3) in.append(out.tiles);
    if (in.field() == 4) in.append(out.devices);
    if (in.field() == 5) out.parts.push_back(sharding_in(in.message(), depth + 1));
    if (in.field() == 6) out.replicate_last = in.flag();
    if (in.field() == 8) in.append(out.last);
    if (in.field() == 9) in.append(out.sizes);
    if (in.field() == 10) in.append(out.permutation);
    if (in.field() == 14) out.named = named_text(in.message());
  }
  // Newer XLA fills named_sharding and leaves the other fields at their defaults, which would read
  // as replicated.
  if (!out.named.empty()) return out.named;
  if (out.type == kTuple) return fmt::format("{{{}}}", fmt::join(out.parts, ", "));
  if (out.type == kOther) return tiled_text(out, start);
  if (out.type == kMaximal)
    // Exactly one device has the data; XLA numbers it in the same list as tiles.
    return fmt::format("{{maximal device={}}}", out.devices.empty() ? 0 : out.devices[0]);
  return fmt::format("{{{}}}", type_word(out.type, start));
}

}  // namespace understudy::program::hlo
