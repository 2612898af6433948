// SPDX-License-Identifier: Apache-2.0
// Where the axes of a program's mesh lie in a slice: along which ICI axes, and over how many links.
// Pure functions. Equivalents: jax.experimental.mesh_utils, XLA's device assignment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/launch/topology.h"

namespace understudy::configs {

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;
  std::vector<std::int64_t> coordinate = {};  // of each process on this axis
};

struct MeshAxisPlace {
  std::string name;
  std::int64_t size = 1;
  // "x", "y", "z": along which chips differ whose processes differ in this axis only.
  std::vector<std::string> ici_axes;
  std::int64_t hops = 0;       // links between neighbours on the axis; the largest number
  std::int64_t hops_back = 0;  // the same from the last to the first, as a ring needs it
};

// Whether `order` has each of 0, 1, ..., count - 1 once.
bool is_device_order(const std::vector<std::int64_t>& order, std::int64_t count);
// The numbers of "3,1,0,2"; empty for "". Throws Error{usage} naming `option` for anything else.
std::vector<std::int64_t> parse_device_order(const std::string& text, const char* option);

// "data=4,model=2": the mesh in row-major order, the last axis varies fastest. Throws Error{usage}.
std::vector<MeshAxis> parse_mesh(const std::string& text);

// Process p is on the chip of rank order[p], or p where the order is empty. Throws Error{usage} if
// the slice has too few chips, or the order is none. Nothing is known of joined slices.
std::vector<MeshAxisPlace> mesh_in_slice(const std::vector<MeshAxis>& axes, const Slice& slice,
                                         const std::vector<std::int64_t>& order);

// One line per axis: "  data (4)  ICI axis y, 1 link between neighbours, 3 from the last to the
// first".
std::string text_of(const std::vector<MeshAxisPlace>& places);

}  // namespace understudy::configs
