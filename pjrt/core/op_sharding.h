// SPDX-License-Identifier: Apache-2.0
// Shardings as frameworks read them: xla.OpSharding protos. Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "program/compile.h"

namespace understudy::pjrt {

// The sharding of one array over the partitions of one replica.
std::string op_sharding(const program::Sharding& sharding, std::int64_t partitions);

}  // namespace understudy::pjrt
