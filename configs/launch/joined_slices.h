// SPDX-License-Identifier: Apache-2.0
// Equal slices joined by DCN: "2xv5e-16" is two slices v5e-16. Ranks and hosts go slice by slice;
// coordinates are those in the chip's own slice. Pure data.
#pragma once

#include <cstdint>
#include <string>

#include "configs/launch/topology.h"

namespace understudy::configs {

// The count of "2xv5e-16", which is left as "v5e-16"; 1 for the name of one slice, which is kept.
std::int64_t take_joined(std::string& slice);
// "2xv5e-16"; the name itself for one slice.
std::string joined_name(std::int64_t slices, const std::string& slice);

// As make_slice(), also for joined slices: as many as the name of the request and `slices` say
// together. Their hosts are those of the request each. *Throws* Error{usage}.
Slice make_joined(SliceRequest request, std::int64_t slices = 1);

}  // namespace understudy::configs
