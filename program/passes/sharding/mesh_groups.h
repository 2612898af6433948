// SPDX-License-Identifier: Apache-2.0
// Replica groups that are written as axes of a mesh, as ids. Pure functions.
#pragma once

#include <vector>

#include "program/ir/ir.h"

namespace understudy::program::passes {

// #stablehlo.replica_group_mesh_axes<mesh = .., axes = [..]> as rows of device ids: one row for
// each place on the axes that are not listed (the mesh's first axis slowest), in it the members
// over the listed axes (the first listed slowest). An axis may be listed in part, as sub-axes.
// nullopt where the attribute is none of these. Throws Error{input} at `where` for unknown meshes
// and axes.
std::optional<std::vector<Shape>> mesh_groups(const Module& module, const Attribute& attribute,
                                              const Location& where);

}  // namespace understudy::program::passes
