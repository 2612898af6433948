// SPDX-License-Identifier: Apache-2.0
// An independent judge of coalescing and planning: it runs code with tokens instead of numbers. A
// byte holds the digest of the write that put it there, a copy moves tokens, any other instruction
// digests the tokens that it reads into those that it writes. Code with every temporary apart and
// the same code as planned must read the same tokens everywhere and leave the same results: a
// buffer that is overwritten too early shows.
#pragma once

#include <cstdint>
#include <vector>

#include "program/executable/executable.h"
#include "program/passes/draft.h"

namespace understudy::program {

// What each instruction but copies and fills reads, in order of execution, then the results. Loops
// run three times, all branches of a case run, each from the state before it.
std::vector<std::uint64_t> trace_of(const Code& code, const std::vector<TensorType>& results);

// The draft's temporaries side by side, none sharing a byte.
Code laid_apart(passes::Draft draft);

}  // namespace understudy::program
