// SPDX-License-Identifier: Apache-2.0
// Windows of reductions and convolutions, one entry per dimension. Pure functions.
#pragma once

#include "program/verify/check.h"

namespace understudy::program::rules {

struct Window {
  Shape sizes, strides, base_dilations, dilations, low, high;
};

Window window_of(const Check& check, std::size_t ndims);
Window convolution_window(const Check& check, const Shape& kernel);

// How many places the window has along dimension `d` of an operand with `size` elements there.
std::int64_t places(const Check& check, const Window& window, std::size_t d, std::int64_t size);

}  // namespace understudy::program::rules
