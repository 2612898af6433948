// SPDX-License-Identifier: Apache-2.0
// Out-of-memory errors before a launch, in the words of XLA:TPU (E1000 at compile time, E0101 as a
// program is loaded). Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "configs/base/error.h"
#include "program/executable/executable.h"
#include "worker/hbm/hbm.h"
#include "worker/hbm/host_memory.h"

namespace understudy::worker {

// The operation with the largest temporary array; nullopt where there is none.
std::optional<std::uint32_t> largest_op(const program::Code& code);

// The place of an operation in the user's source, "step.py:12:4"; "": unknown.
using PlaceOfOp = std::function<std::string(std::uint32_t)>;

// The error E1000, diagnosed: a program needs `used` bytes of the chip's `there`. Requires: more.
Error out_of_hbm(std::uint64_t used, std::uint64_t there);

// *Throws* Error{capacity}, diagnosed, where no launch of the program can ever fit: with what the
// memory is used for, the largest buffers that live at the same time, and what to try.
void check_plan_fits(const program::Executable& executable, const Hbm& hbm,
                     const PlaceOfOp& place_of = {});

// *Throws* Error{capacity}, diagnosed, where the values that the program places in host memory
// exceed the chip's share of it.
void check_host_fits(const program::Executable& executable, const HostMemory& host);

// Allocates memory that the program needs besides its arguments and results: `bytes` for `label`.
// *Throws* Error{capacity}, diagnosed, where existing buffers leave too little.
std::byte* reserve_for_program(Hbm& hbm, std::uint64_t bytes, const std::string& label);

// "49.34G": K, M and G are powers of 1024.
std::string xla_size(std::uint64_t bytes);

}  // namespace understudy::worker
