// SPDX-License-Identifier: Apache-2.0
// Shardings as frameworks read them: xla.OpSharding protos. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "program/compile.h"

namespace understudy::pjrt {

// The sharding of one array over the partitions of one replica.
std::string op_sharding(const program::Sharding& sharding, std::int64_t partitions);

// That proto in the words of HLO text: "{replicated}", "{devices=[2,1,2]0,1,2,3
// last_tile_dim_replicate}".
std::string op_sharding_text(std::string_view proto);

}  // namespace understudy::pjrt
