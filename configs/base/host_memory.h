// SPDX-License-Identifier: Apache-2.0
// The memory of the machine that runs this process, as opposed to an emulated chip's. Pure
// functions.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "configs/base/error.h"

namespace understudy {

// Memory and swap of the machine, or the limit of the container if that is lower.
std::uint64_t host_memory_bytes();

// Throws Error{capacity} if `bytes` can never fit into the machine's memory. Checked before the
// allocation, because the kernel overcommits and would kill the process later. `what`: "argument
// 3".
void require_host_memory(std::uint64_t bytes, std::string_view what);

// Converts an exception of the standard library at a border: out of memory is Error{system},
// anything else Error{internal}.
Error error_from(const std::exception& exception);

}  // namespace understudy
