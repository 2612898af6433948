// SPDX-License-Identifier: Apache-2.0
// Which results may reuse the memory of donated arguments. Pure function. Equivalent:
// xla::OptimizeInputOutputBufferAlias.
#pragma once

#include <vector>

#include "program/executable/executable.h"
#include "program/ir/ir.h"
#include "program/passes/draft.h"

namespace understudy::program::passes {

// Of each argument with tf.aliasing_output: that result; of each with jax.buffer_donor: the first
// result of the same type that is left. Left out is a pair where the argument is still read when,
// or after, its result is first written: its result gets memory of its own. *Requires* a draft
// whose order is final.
std::vector<Donation> donations_of(const Function& main, const Draft& draft,
                                   const std::vector<TensorType>& arguments,
                                   const std::vector<TensorType>& results);

}  // namespace understudy::program::passes
