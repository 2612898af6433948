// SPDX-License-Identifier: Apache-2.0
// The butterflies of fft_plan.cc: runs of `count` elements with one set of factors. Pure functions.
#pragma once

#include <array>
#include <cstddef>

namespace understudy::worker::ops {

// out[t * out_step + q] = twiddle[t] * sum over u of in[u * in_step + q] * unit[t * u % radix] for
// q below `count`, t and u below `radix`. In and out do not overlap.
struct FftPass {
  const double* in_re;
  const double* in_im;
  double* out_re;
  double* out_im;
  std::size_t count, in_step, out_step, radix;
  std::array<double, 16> unit_re, unit_im;
  std::array<double, 16> twiddle_re = {}, twiddle_im = {};
};
void run_pass(const FftPass& pass);

struct WaveRow {
  double* re;
  double* im;
};
// to = from * (re + i im); both may be one row.
void scale(WaveRow from, double re, double im, WaveRow to, std::size_t count);

}  // namespace understudy::worker::ops
