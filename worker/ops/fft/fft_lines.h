// SPDX-License-Identifier: Apache-2.0
// The lines of an array along one dimension, transformed one by one or a row of lanes at a time.
#pragma once

#include <cstddef>

#include "program/executable/work.h"
#include "worker/chip/execution.h"
#include "worker/ops/fft/fft_plan.h"

namespace understudy::worker::ops {

// `inner` lines lie side by side, `outer` blocks of them follow. Sizes are those along the
// dimension; elements are Real, or pairs of Real where complex. `to` may be `from`.
template <class Real>
struct FftLines {
  program::FftKind kind = program::FftKind::fft;
  std::size_t n = 1;  // of the transform
  const Real* from = nullptr;
  Real* to = nullptr;
  std::size_t from_size = 1, to_size = 1;
  std::size_t outer = 1, inner = 1;
};

// *Throws* Error{capacity} never: scratch that VMEM has no room for is on the heap.
template <class Real>
void transform(const FftLines<Real>& lines, FftPlans& plans, Execution& execution);

}  // namespace understudy::worker::ops
