// SPDX-License-Identifier: Apache-2.0
// The hosts and chips of a slice of one shape. Internal to configs. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/launch/topology.h"

namespace understudy::configs {

// A shape as chip specifications have it; lengths that it leaves out are 1.
Coordinates coordinates_of(const std::vector<std::int64_t>& shape);
std::int64_t volume(const Coordinates& shape);
// "v6e-8": the suffix counts chips, in some generations TensorCores.
std::string slice_name(const ChipSpec& chip, std::int64_t chips);
// *Requires*: `shape` is one of the chip's. *Throws* Error{usage} for hosts that do not divide it.
Slice slice_of(const ChipSpec& chip, const Coordinates& shape, const SliceRequest& request);

}  // namespace understudy::configs
