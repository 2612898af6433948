// SPDX-License-Identifier: Apache-2.0
// The selections of select_and_scatter where they compare two floats, as gradients of poolings do:
// loops over registers instead of calls of the body. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "program/executable/executable.h"
#include "worker/ops/window/window.h"

namespace understudy::worker::ops {

// What is kept of the windows of a row so far: its value and its place in the operand, -1 before
// the first.
struct SelectedRow {
  float* values = nullptr;
  std::int32_t* places = nullptr;
};

// Compares one position of all windows of a row, whose blocks have `block` elements: a kept element
// stays where it compares to the other as the body says.
using SelectWindowsKernel = void (*)(const std::byte* operand, const Run& run, std::int64_t block,
                                     const SelectedRow& kept);

// The kernel for a body, nullptr where it has another form or the operand is too large for it.
SelectWindowsKernel select_windows_kernel(const program::Body& select,
                                          const program::TensorType& operand);

}  // namespace understudy::worker::ops
