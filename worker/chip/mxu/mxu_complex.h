// SPDX-License-Identifier: Apache-2.0
// Products of c64 as products of f32. A row of complex numbers is a row of twice as many floats, so
// a * b is a * b' of floats where b' has the rows (re, im) and (-im, re) for each row of b, and the
// result has its numbers in place. Call from the executor thread only.
#pragma once

#include <functional>

#include "worker/chip/mxu/mxu.h"

namespace understudy::worker {

// The product of f32 at full precision, Mxu::multiply().
using RealProducts =
    std::function<void(const Product& product, const Batches& batches, const std::byte* lhs,
                       const std::byte* rhs, std::byte* out)>;

// False, with nothing done, where a column of b' does not fit into `vmem`. *Requires*: operands and
// result of c64.
bool multiply_complex(const Product& product, const Batches& batches, const std::byte* lhs,
                      const std::byte* rhs, std::byte* out, Vmem& vmem, const RealProducts& reals);

}  // namespace understudy::worker
