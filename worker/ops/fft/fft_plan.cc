// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fft/fft_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace understudy::worker::ops {

// Steps of 8 and 4 have the fewest operations and passes over memory per element.
std::vector<std::size_t> fft_radices(std::size_t n) {
  std::vector<std::size_t> radices;
  // 2 * 8 = 4 * 4: no step of 2 where there is a step of 8 before it.
  std::size_t twos = 0;
  for (; n % 2 == 0; n /= 2) ++twos;
  while (twos >= 3 && twos != 4) {
    radices.push_back(8);
    twos -= 3;
  }
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  for (std::size_t radix = 3; radix <= program::kernels::kMostFftRadix && n != 1; radix += 2)
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  if (n != 1) radices.clear();
  return radices;
}

template <>
const program::kernels::FftKernels<float>& fft_kernels(const program::kernels::KernelTable& table) {
  return table.fft_f32;
}
template <>
const program::kernels::FftKernels<double>& fft_kernels(
    const program::kernels::KernelTable& table) {
  return table.fft_f64;
}

// k = high * step + low: products of two short exact tables.
FftTable<double> fft_roots(std::size_t n) {
  FftTable<double> table(n);
  const auto step = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  const auto angle = [n](std::size_t k) {
    return -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  };
  FftTable<double> low(step);
  for (std::size_t k = 0; k < step; ++k) {
    low.re[k] = std::cos(angle(k));
    low.im[k] = std::sin(angle(k));
  }
  for (std::size_t first = 0; first < n; first += step) {
    const double re = std::cos(angle(first)), im = std::sin(angle(first));
    for (std::size_t k = 0; k < std::min(step, n - first); ++k) {
      table.re[first + k] = re * low.re[k] - im * low.im[k];
      table.im[first + k] = re * low.im[k] + im * low.re[k];
    }
  }
  return table;
}

// ---- rows

namespace {

// The units of a step (kernels/fft_kernels.h) from the roots of a multiple of the radix.
template <class Real>
std::vector<Real> units_of(std::size_t radix, const FftTable<double>& roots) {
  const std::size_t each = roots.re.size() / radix, half = radix / 2;
  std::vector<Real> units;
  const auto add = [&](std::size_t power) {
    units.push_back(static_cast<Real>(roots.re[power % radix * each]));
    units.push_back(static_cast<Real>(-roots.im[power % radix * each]));
  };
  if (radix <= program::kernels::kMostFftCodeRadix) {
    for (std::size_t t = 0; t < radix; ++t) add(t);
    return units;
  }
  for (std::size_t first = 1; first <= half; first += 2)
    for (std::size_t u = 1; u <= half; ++u)
      for (std::size_t t = first; t <= std::min(first + 1, half); ++t) add(t * u);
  return units;
}

}  // namespace

template <class Real>
bool FftRows<Real>::takes(std::size_t n) {
  return n == 1 || !fft_radices(n).empty();
}

template <class Real>
FftRows<Real>::FftRows(std::size_t n) {
  const auto roots = fft_roots(n);
  // Before each step, `length` elements of `groups` independent transforms remain.
  std::size_t length = n, groups = 1;
  for (const std::size_t radix : fft_radices(n)) {
    const std::size_t parts = length / radix;
    std::vector<Real> twiddles;
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t t = 1; t < radix; ++t) {
        twiddles.push_back(static_cast<Real>(roots.re[p * t * groups]));
        twiddles.push_back(static_cast<Real>(roots.im[p * t * groups]));
      }
    factors_.push_back(std::move(twiddles));
    factors_.push_back(units_of<Real>(radix, roots));
    steps_.push_back(
        {radix, parts, groups, factors_[factors_.size() - 2].data(), factors_.back().data()});
    length = parts;
    groups *= radix;
  }
}

template <class Real>
FftArrays<Real> FftRows<Real>::run(const program::kernels::KernelTable& table, FftArrays<Real> x,
                                   FftArrays<Real> y) const {
  return fft_kernels<Real>(table).steps(steps_.data(), steps_.size(), x, y) ? y : x;
}

template <class Real>
FftArrays<Real> FftRows<Real>::run_pairs(const program::kernels::KernelTable& table,
                                         const Real* from, bool swap, FftArrays<Real> x,
                                         FftArrays<Real> y) const {
  const auto& kernels = fft_kernels<Real>(table);
  if (steps_.empty() || !kernels.pairs_step(steps_[0], from, swap, x)) return {nullptr, nullptr};
  return kernels.steps(steps_.data() + 1, steps_.size() - 1, x, y) ? y : x;
}

// ---- kept plans

template <>
FftPlans::Of<float>& FftPlans::of() {
  return narrow_;
}
template <>
FftPlans::Of<double>& FftPlans::of() {
  return wide_;
}

template <class Real>
std::shared_ptr<const FftTable<Real>> FftPlans::roots(std::size_t n) {
  return find(of<Real>().roots, n, [n] {
    const auto wide = fft_roots(n);
    auto table = std::make_shared<FftTable<Real>>(n / 2 + 1);
    for (std::size_t k = 0; k <= n / 2; ++k) {
      table->re[k] = static_cast<Real>(wide.re[k]);
      table->im[k] = static_cast<Real>(wide.im[k]);
    }
    return std::shared_ptr<const FftTable<Real>>(std::move(table));
  });
}

void FftPlans::forget() {
  narrow_ = {};
  wide_ = {};
  elements_ = 0;
}

template class FftRows<float>;
template class FftRows<double>;
template std::shared_ptr<const FftTable<float>> FftPlans::roots(std::size_t n);
template std::shared_ptr<const FftTable<double>> FftPlans::roots(std::size_t n);

}  // namespace understudy::worker::ops
