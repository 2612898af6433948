// SPDX-License-Identifier: Apache-2.0
// An executable as text, one line per instruction, nested codes indented: for tests and for people.
// The form is not read back and may change. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "program/executable/executable.h"

namespace understudy::program {

std::string list(const Executable& executable);
std::string list(const Instruction& instruction);  // without its op's name

// "temporary+128 f32[2,3]", "argument0 bf16[]", "constant+64 i32[4]", "frame+16 pred[]".
std::string text_of(const Operand& operand);

// The kind of work in snake_case: "binary", "strided_copy", ...
std::string_view name_of(const Work& work);

// "all_reduce", ...: also the names of the flight recorder, of --fault and of reports.
std::string_view name_of(CollectiveKind kind);
// "sum", ...; "body" for Reduction::none, a region that is no known reduction.
std::string_view name_of(Reduction reduction);

}  // namespace understudy::program
