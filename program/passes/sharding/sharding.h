// SPDX-License-Identifier: Apache-2.0
// The distribution of one array over the partitions of one replica, from Shardy attributes and
// GSPMD strings. Here tile_of has one entry per partition. Pure functions. Equivalents:
// sdy.sharding, xla::OpSharding, jax.NamedSharding.
#pragma once

#include <cstdint>
#include <string_view>

#include "program/compile.h"
#include "program/ir/ir.h"

namespace understudy::program::passes {

// Every partition holds the whole array.
Sharding whole(std::int64_t ndims, std::int64_t partitions);
bool is_whole(const Sharding& sharding);  // one tile
bool same(const Sharding& a, const Sharding& b);

// The mesh that a sharding names. Throws Error{input} where there is none.
const Mesh& mesh_of(const Module& module, const DialectAttribute& sharding, const Location& where);
// Its devices: 1 for the meshes of one device and of none. Throws Error{input} at the mesh where it
// has more than a program may have, or another number of device ids.
std::int64_t size_of(const Mesh& mesh);

// More chips than any pod has; lists of this length are made of them.
inline constexpr std::int64_t kMostProcesses = 1'000'000;

// The #sdy.sharding of an array of that type. Throws Error{input} if it does not fit the array or
// the partitions.
Sharding sharding_of(const Module& module, const DialectAttribute& attribute,
                     const TensorType& type, std::int64_t partitions, const Location& where);

// The sharding of an mhlo.sharding string. Throws Error{input} if it is none or does not fit.
//   sharding := '{' kind '}'; kind := 'replicated' | 'maximal device=' id | 'manual' | 'unknown'
//     | 'unreduced'
//     | 'devices=[' tiles ']' ids [' last_tile_dim_replicate' | ' last_tile_dims={' kinds '}']
//   ids := '<=[' sizes ']' ['T(' permutation ')'] | ' '? id (',' id)*
// Tiles beyond the dimensions of the array hold copies. maximal, manual and unknown count as whole:
// a chip holds all of such a value, where it holds it at all.
Sharding sharding_of(std::string_view gspmd, const TensorType& type, std::int64_t partitions,
                     const Location& where);
bool is_manual(std::string_view gspmd);
// Element `index` of the string of a tuple, "{{replicated}, {devices=[2]<=[2]}}"; any other string
// as it is. Past the end: the last element.
std::string_view element_of(std::string_view gspmd, std::size_t index);

// The type of one partition's tile. Throws Error{input} if the tiles do not divide the array, as
// jax.shard_map does.
TensorType local_type(const TensorType& global, const Sharding& sharding, const Location& where);
// The same for partitioned programs, whose last tiles may be padded: sizes are rounded up.
TensorType padded_local_type(const TensorType& global, const Sharding& sharding);

}  // namespace understudy::program::passes
