// SPDX-License-Identifier: Apache-2.0
// Tolerances for results that are compared with a reference on another machine, where nobody gave
// any. Pure functions. The derivation: docs/numerics.md, "Tolerances against a CPU".
#pragma once

#include <cstdint>
#include <vector>

#include "launcher/run/compare.h"
#include "program/compile.h"

namespace understudy::launcher {

// By result: products of f32 operands at DEFAULT precision in its history. Their operands are
// rounded to bf16 under `--numerics tpu`. A product in a loop counts 8 times, as the number of
// rounds is not known.
std::vector<std::int64_t> rounded_products(const program::Module& module,
                                           const program::CompileOptions& options,
                                           const program::Interface& interface);

// For a result with so many rounded products behind it; `want` is the expected array. Without such
// products, and of integers, it is the default of Tolerance.
Tolerance default_tolerance(std::int64_t products, const program::Array& want);

}  // namespace understudy::launcher
