// SPDX-License-Identifier: Apache-2.0
// Makes wrong lifetimes visible: each temporary is overwritten where its life ends by the plan.
// Code that still reads it, because two lives overlap or one is too short, then computes with NaN.
// Equivalents: AddressSanitizer's poisoning, free lists that fill what they get.
#pragma once

#include <cstdint>
#include <map>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// The ends of lives: position of the last access, as plan.cc counts them, and the place.
using Deaths = std::multimap<std::uint32_t, Operand>;

// Adds a Poison behind the instruction in which each death lies. *Requires* operands that are
// placed.
void poison_dead(Code& code, Deaths deaths);

}  // namespace understudy::program::passes
