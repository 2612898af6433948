// SPDX-License-Identifier: Apache-2.0
// What a comparator compares, where it is a lexicographic order of its inputs: then elements map to
// unsigned integers of the same order, and a sort need not call it. Pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program/executable/executable.h"
#include "worker/chip/execution.h"

namespace understudy::worker::ops {

// One key of a lexicographic order: the elements of one input.
struct SortKey {
  std::size_t input = 0;
  program::ElementType element = program::ElementType::f32;  // integer, pred, f16, bf16, f32, f64
  bool descending = false;
  // Floats, which are in total order otherwise: -0 equals +0; all NaNs are equal and the largest.
  bool zeros_equal = false;
  bool nans_equal = false;
  // A comparison with NaN is false: no order at all where an element is NaN.
  bool no_nans = false;
};

// The keys of `comparator`, most significant first; nullopt where its form is not known. Known are
// comparisons by LT or GT, joined as "less, or equal and ...", of parameters or of jax.lax.sort's
// canonical floats.
std::optional<std::vector<SortKey>> keys_of(const program::Body& comparator,
                                            const Execution& execution);

}  // namespace understudy::worker::ops
