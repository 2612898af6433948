// SPDX-License-Identifier: Apache-2.0
// The memory of the machine that runs this process, as opposed to an emulated chip's. Pure
// functions.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "configs/base/error.h"

namespace understudy {

// Memory and swap of the machine, or what the container leaves of them.
std::uint64_t host_memory_bytes();

// Throws Error{capacity} where `bytes` can never be in the machine's memory: before they are asked
// for, as the kernel promises more than it has. `what`: "argument 3".
void require_host_memory(std::uint64_t bytes, std::string_view what);

// What an exception of the standard library means where it reaches a border: no memory left on the
// machine is Error{system}, everything else Error{internal}.
Error error_from(const std::exception& exception);

}  // namespace understudy
