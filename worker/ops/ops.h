// SPDX-License-Identifier: Apache-2.0
// One function per kind of work; the executor visits them. Each reads the instruction's inputs and
// writes its outputs in the launch's spaces. *Requires*: check_bounds() passed.
#pragma once

#include "program/executable.h"
#include "worker/execution.h"

namespace understudy::worker::ops {

using program::Instruction;

}  // namespace understudy::worker::ops
