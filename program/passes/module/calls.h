// SPDX-License-Identifier: Apache-2.0
// Which functions operations call, and whether a program stays finite once all calls are inlined.
// Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "program/ir/ir.h"

namespace understudy::program::passes {

// Operations and instructions that a program may have once its calls are inlined.
inline constexpr std::uint64_t kMostInlined = 8'000'000;

// The function that a call or a composite calls; nullopt of other operations.
std::optional<std::string> callee_of(const Operation& op);

// Throws at the call, before anything is inlined: Error{unsupported} where a function calls itself,
// Error{capacity} where the calls of the program stand for more than kMostInlined operations.
void check_calls(const Module& module, const Function& main);

}  // namespace understudy::program::passes
