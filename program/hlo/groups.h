// SPDX-License-Identifier: Apache-2.0
// Replica groups in XLA's compact forms as lists of ids, so that equal groups compare equal however
// they are written. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/hlo/hlo.h"

namespace understudy::program::hlo {

// iota(product of `sizes`) reshaped to `sizes`, transposed, read row-major. nullopt where that is
// no permutation, or more ids than any pod has chips.
std::optional<Ints> transposed_iota(const Ints& sizes, const Ints& permutation);

// [groups, members] <= [sizes] T(permutation).
std::optional<Rows> iota_groups(std::int64_t groups, std::int64_t members, const Ints& sizes,
                                const Ints& permutation);

// The axes of a mesh over which a collective communicates; size 0 means the whole axis, else the
// axis is viewed as [before, size, rest].
struct MeshAxis {
  std::size_t axis = 0;
  std::int64_t before = 1, size = 0;
};
struct GroupMesh {
  std::vector<std::pair<std::string, std::int64_t>> axes;
  Ints devices;  // empty: iota
};
// One group for each place on the other axes, members over the listed axes, the first slowest.
std::optional<Rows> mesh_groups(const GroupMesh& mesh, const std::vector<MeshAxis>& over);

}  // namespace understudy::program::hlo
