// SPDX-License-Identifier: Apache-2.0
// Slices: chips at coordinates of a mesh or torus, hosts that drive blocks of chips, links. Pure
// data, no MPI. A chip's id is row-major with x fastest; a rank is a chip's place in process order:
// host by host (hosts row-major, x fastest), inside a host by chip id.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/base/ids.h"
#include "configs/launch/chip_spec.h"

namespace understudy::configs {

using Coordinates = std::array<std::int64_t, 3>;  // x, y, z; z = 0 on 2-D slices

struct Link {
  ChipId from, to;
  std::int64_t axis = 0;
  bool wraps = false;
};

struct Chip {
  ChipId id;
  Rank rank;
  HostId host;
  Coordinates at{};
};

struct Slice {
  std::string name;  // "v6e-8"; of one slice
  // Equal slices that DCN joins (launch/joined_slices.h). Hosts and chips are of all of them, all
  // else is of one.
  std::int64_t slices = 1;
  ChipSpec chip;
  Coordinates shape{1, 1, 1};
  std::array<bool, 3> wraps{};
  Coordinates host_shape{1, 1, 1};  // chips of one host
  std::int64_t hosts = 1;
  std::vector<Chip> chips;  // by rank
  std::int64_t chips_per_host() const { return static_cast<std::int64_t>(chips.size()) / hosts; }
  // Neighbours along the axes, in the first slice; each link once (from the lower coordinate; a
  // wrap link from the last).
  std::vector<Link> links() const;
  const Chip& by_id(ChipId id) const;
  // The number of real machines of such a slice: an emulated host is one process's part of a
  // machine.
  std::int64_t machines() const;
};

struct SliceRequest {
  std::string slice;     // "v6e-8"; or empty with chip and topology
  std::string chip;      // "v5e"
  std::string topology;  // "4x4"
  std::optional<std::int64_t> hosts, chips_per_host;
  std::optional<ChipSpec> spec;  // of `--chip-spec`; replaces the chip of the same name or alias
};

// Throws Error{usage}: unknown chip or slice, with the nearest valid names; a number of hosts that
// does not divide the chips; Error{unsupported} for slices joined by DCN ("2xv5e-16"), which only
// make_joined() makes (launch/joined_slices.h).
Slice make_slice(const SliceRequest& request);
// The smallest valid slice of `chip` with at least `chips` chips; throws Error{usage} if none.
Slice slice_for(const std::string& chip, std::int64_t chips);
// All valid names of all chips, in order: "v3-8", ...
std::vector<std::string> slice_names();

// "4x4", "2x2x1": as many axes as the chip's torus has.
std::string shape_text(const ChipSpec& chip, const Coordinates& shape);

// The output of `understudy describe`; the same as JSON (understudy/slice/1). `mesh`: where the
// axes of a mesh lie (configs/launch/mesh_layout.h); empty: left out.
struct MeshAxisPlace;
// `mesh`: empty if none was asked for.
std::string describe_text(const Slice& slice, const std::vector<MeshAxisPlace>& mesh);
std::string describe_json(const Slice& slice, const std::vector<MeshAxisPlace>& mesh);

}  // namespace understudy::configs
