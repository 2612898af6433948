// SPDX-License-Identifier: Apache-2.0
// Decoders of the messages inside instructions, private to the proto reader. Field numbers are
// those of xla_data.proto and hlo.proto of XLA. All throw Error{input} at a byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/hlo/groups.h"
#include "program/hlo/hlo.h"
#include "program/hlo/wire.h"

namespace understudy::program::hlo {

HloShape shape_in(Wire in, int depth = 0);
// The leaves of a literal, row-major whatever its layout.
void literals_in(Wire in, std::vector<DenseAttribute>& out, int depth = 0);
Words words_in(Wire in);  // FrontendAttributes
Rows window_in(Wire in);  // rows as in text_fields.cc
Rows group_list_in(Wire in);
Rows iota_groups_in(Wire in);
Rows mesh_groups_in(Wire in);
// OpSharding as HLO text spells it: "{devices=[2,1]<=[2]}".
std::string sharding_in(Wire in, int depth = 0);
GroupMesh mesh_in(Wire in);
MeshAxis mesh_axis_in(Wire in);

}  // namespace understudy::program::hlo
