// SPDX-License-Identifier: Apache-2.0
// The cache content of contention experiments: not a real program, but different for each key. Pure
// functions.
#pragma once

#include <cstdint>

#include "cache/key.h"
#include "program/executable/executable.h"

namespace understudy::cache {

KeyParts stand_in_parts(std::int64_t key);
// Constants of so many bytes.
program::Executable stand_in(std::int64_t key, std::uint64_t bytes);
// Whether it is the one for that key, to the last byte.
bool is_stand_in(const program::Executable& executable, std::int64_t key, std::uint64_t bytes);

}  // namespace understudy::cache
