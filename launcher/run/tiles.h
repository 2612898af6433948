// SPDX-License-Identifier: Apache-2.0
// Global arrays to tiles and back, by the sharding of a parameter. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/compile.h"
#include "program/npy.h"

namespace understudy::launcher {

using Bytes = std::vector<std::byte>;

// The shape of the whole array of a parameter. If every replica has its own array, the replica is
// the leading axis.
program::Shape shape_of_all_replicas(const program::Parameter& parameter, std::int64_t replicas);

// All distinct tiles, in the numbering of Sharding::tile_of. Padding of the last tiles is zero.
// *Requires*: `whole` has the global shape (every replica gets the same) or
// shape_of_all_replicas().
std::vector<Bytes> cut(const program::Array& whole, const program::Parameter& parameter,
                       std::int64_t replicas);

// The inverse: an array of the global shape, or of shape_of_all_replicas() for a parameter that
// each of several replicas has of its own.
program::Array join(const std::vector<Bytes>& tiles, const program::Parameter& parameter,
                    std::int64_t replicas);

}  // namespace understudy::launcher
