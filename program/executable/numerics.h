// SPDX-License-Identifier: Apache-2.0
// The names of the numerics, as command lines, plans, messages and cache keys have them.
// Thread-safe.
#pragma once

#include <string_view>

#include "program/executable/executable.h"

namespace understudy::program {

std::string_view name_of(Numerics numerics);
// *Throws* Error{config} for a word that is none.
Numerics numerics_named(std::string_view name);

}  // namespace understudy::program
