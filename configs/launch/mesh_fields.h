// SPDX-License-Identifier: Apache-2.0
// The fields of a mesh axis in the receipt, the run document and `describe --json`. Internal to
// configs.
#pragma once

#include "configs/json/fields.h"
#include "configs/launch/mesh_layout.h"

namespace understudy::configs {

template <class F, FieldsOf<MeshAxisPlace> T>
void fields(F& field, T& place) {
  field("name", place.name);
  field("size", place.size);
  field("ici_axes", place.ici_axes);
  field("hops", place.hops);
  field("hops_back", place.hops_back);
}
template <>
inline constexpr bool kIsOneLine<MeshAxisPlace> = true;

}  // namespace understudy::configs
