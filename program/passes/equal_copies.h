// SPDX-License-Identifier: Apache-2.0
// Arrays of equal copies: concatenations, rolls and padding that a program makes several times.
#pragma once

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Keeps the first of several arrays that copies of the same sources make, several for each, in one
// list; what reads the others reads that one.
void merge_equal_copies(Draft& draft);

}  // namespace understudy::program::passes
