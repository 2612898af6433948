// SPDX-License-Identifier: Apache-2.0
// One shape for each attribute, whatever form it was read from: two sources of one program give the
// same module, and the same digest.
#pragma once

#include "program/ir/ir.h"

namespace understudy::program {

// Gives attributes the canonical shapes that ops.def documents, sorts them by name and drops those
// that say what their absence says.
void canonicalise(Operation& op);

// The last step (defaults.cc): attributes at their default, and what a portable artifact cannot
// tell (the type of a collective's channel).
void drop_defaults(Operation& op);

}  // namespace understudy::program
