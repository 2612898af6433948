// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fft/fft_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace understudy::worker::ops {
namespace {

// Steps of 8 and 4 have the fewest operations and passes over memory per element. Empty where a
// larger prime than 31 divides n.
std::vector<std::size_t> radices_of(std::size_t n) {
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
  for (const std::size_t radix : {3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U, 29U, 31U})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  if (n != 1) radices.clear();
  return radices;
}

// The least multiple of `unit` from `least` on that has, besides, factors 2, 3 and 5 only.
std::size_t smooth_from(std::size_t least, std::size_t unit) {
  std::size_t best = unit;
  while (best < least) best *= 2;
  for (std::size_t fives = unit; fives < best; fives *= 5)
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t n = threes;
      while (n < least) n *= 2;
      best = std::min(best, n);
    }
  return best;
}

}  // namespace

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

template <class Real>
bool FftRows<Real>::takes(std::size_t n) {
  return n == 1 || !radices_of(n).empty();
}

template <class Real>
FftRows<Real>::FftRows(std::size_t n) {
  const auto roots = fft_roots(n);
  // Before each step, `length` elements of `groups` independent transforms remain.
  std::size_t length = n, groups = 1;
  for (const std::size_t radix : radices_of(n)) {
    const std::size_t parts = length / radix;
    std::vector<Real> twiddles;
    for (std::size_t p = 0; p < parts; ++p)
      for (std::size_t t = 1; t < radix; ++t) {
        twiddles.push_back(static_cast<Real>(roots.re[p * t * groups]));
        twiddles.push_back(static_cast<Real>(roots.im[p * t * groups]));
      }
    std::vector<Real> units;
    for (std::size_t t = 0; t < radix; ++t) {
      units.push_back(static_cast<Real>(roots.re[t * (n / radix)]));
      units.push_back(static_cast<Real>(-roots.im[t * (n / radix)]));
    }
    factors_.push_back(std::move(twiddles));
    factors_.push_back(std::move(units));
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

// ---- one line

// jk = (j^2 + k^2 - (k - j)^2) / 2 turns the transform into a product with a chirp, a convolution
// with its conjugate, and a second product. The convolution has a length of at least 2n - 1, so
// that its ends do not wrap into each other.
template <class Real>
struct FftLine<Real>::Chirp {
  explicit Chirp(std::size_t n)
      : line(smooth_from(2 * n - 1, kFftRow<Real>)), chirp(n), filter(line.n_) {
    const std::size_t padded = line.n_;
    const auto roots = fft_roots(2 * n);
    FftTable<double> wide(padded);
    for (std::size_t k = 0; k < n; ++k) {
      // The chirp exp(-i pi k^2 / n) has period 2n in k^2.
      const std::size_t square = k * k % (2 * n);
      chirp.re[k] = static_cast<Real>(roots.re[square]);
      chirp.im[k] = static_cast<Real>(roots.im[square]);
      // The filter is symmetric: negative indices are stored at the end.
      for (const std::size_t at : {k, (padded - k) % padded}) {
        wide.re[at] = roots.re[square] / static_cast<double>(padded);
        wide.im[at] = -roots.im[square] / static_cast<double>(padded);
      }
    }
    // In double, whatever the precision of the transform.
    const FftLine<double> exact(padded);
    FftTable<double> x(exact.room()), y(exact.room());
    std::copy(wide.re.begin(), wide.re.end(), x.re.begin());
    std::copy(wide.im.begin(), wide.im.end(), x.im.begin());
    const auto done = exact.run(program::kernels::select("portable"), {x.re.data(), x.im.data()},
                                {y.re.data(), y.im.data()});
    for (std::size_t k = 0; k < padded; ++k) {
      filter.re[k] = static_cast<Real>(done.re[k]);
      filter.im[k] = static_cast<Real>(done.im[k]);
    }
  }

  FftLine line;
  FftTable<Real> chirp, filter;
};

template <class Real>
FftLine<Real>::FftLine(std::size_t n) : n_(n) {
  if (!FftRows<Real>::takes(n)) {
    chirp_ = std::make_shared<const Chirp>(n);
    room_ = chirp_->line.room();
    return;
  }
  for (std::size_t lanes = 2; lanes <= kFftRow<Real>; ++lanes)
    if (n % lanes == 0) lanes_ = lanes;
  const std::size_t m = n / lanes_;
  room_ = std::max(m, kFftRow<Real>) * kFftRow<Real>;
  parts_ = std::make_unique<FftRows<Real>>(m);
  joins_ = std::make_unique<FftRows<Real>>(lanes_);
  make_cross();
}

// The factors exp(-2 pi i lane k / n) in the order in which cross() reads them.
template <class Real>
void FftLine<Real>::make_cross() {
  constexpr std::size_t kRow = kFftRow<Real>;
  const auto roots = fft_roots(n_);
  const std::size_t m = n_ / lanes_, blocks = (m + kRow - 1) / kRow;
  factors_ = std::make_unique<FftTable<Real>>(blocks * lanes_ * kRow);
  std::size_t at = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = m < kRow ? 0 : std::min(block * kRow, m - kRow);
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      for (std::size_t k = first; k < first + kRow; ++k, ++at) {
        const std::size_t power = k < m ? lane * k : 0;
        factors_->re[at] = static_cast<Real>(roots.re[power]);
        factors_->im[at] = static_cast<Real>(roots.im[power]);
      }
  }
}

template <class Real>
double FftLine<Real>::efficiency() const {
  constexpr auto kRow = static_cast<double>(kFftRow<Real>);
  const auto m = static_cast<double>(n_ / lanes_);
  return static_cast<double>(lanes_) / kRow * std::min(1.0, m / kRow);
}

// Rows of lanes_ elements to rows of kFftRow.
template <class Real>
void FftLine<Real>::to_rows(FftArrays<Real> x, FftArrays<Real> y) const {
  constexpr std::size_t kRow = kFftRow<Real>;
  std::fill_n(y.re, room_, Real(0));
  std::fill_n(y.im, room_, Real(0));
  for (std::size_t k = 0; k < n_ / lanes_; ++k) {
    std::copy_n(x.re + k * lanes_, lanes_, y.re + k * kRow);
    std::copy_n(x.im + k * lanes_, lanes_, y.im + k * kRow);
  }
}

// The transforms of the interleaved parts: all that comes before cross().
template <class Real>
FftArrays<Real> FftLine<Real>::run_parts(const program::kernels::KernelTable& table,
                                         FftArrays<Real> x, FftArrays<Real> y) const {
  if (lanes_ < kFftRow<Real> || n_ < room_) {
    to_rows(x, y);
    std::swap(x, y);
  }
  return parts_->run(table, x, y);
}

template <class Real>
program::kernels::FftCross<Real> FftLine<Real>::cross() const {
  return {n_ / lanes_,
          lanes_,
          factors_->re.data(),
          factors_->im.data(),
          joins_->steps().data(),
          joins_->steps().size()};
}

template <class Real>
FftArrays<Real> FftLine<Real>::run(const program::kernels::KernelTable& table, FftArrays<Real> x,
                                   FftArrays<Real> y) const {
  if (chirp_) return run_chirp(table, x, y);
  if (n_ == 1) return x;
  const FftArrays<Real> rows = run_parts(table, x, y);
  const FftArrays<Real> out = rows.re == x.re ? y : x;
  fft_kernels<Real>(table).cross(cross(), rows, out);
  return out;
}

template <class Real>
void FftLine<Real>::run_to(const program::kernels::KernelTable& table, FftArrays<Real> x,
                           FftArrays<Real> y, bool swap, Real scale, Real* to) const {
  fft_kernels<Real>(table).cross_join(cross(), run_parts(table, x, y), swap, scale, to);
}

template <class Real>
bool FftLine<Real>::run_pairs(const program::kernels::KernelTable& table, const Real* from,
                              FftArrays<Real> x, FftArrays<Real> y, bool swap, Real scale,
                              Real* to) const {
  if (lanes_ < kFftRow<Real> || n_ < room_) return false;
  const auto rows = parts_->run_pairs(table, from, swap, x, y);
  if (rows.re == nullptr) return false;
  fft_kernels<Real>(table).cross_join(cross(), rows, swap, scale, to);
  return true;
}

template <class Real>
FftArrays<Real> FftLine<Real>::run_chirp(const program::kernels::KernelTable& table,
                                         FftArrays<Real> x, FftArrays<Real> y) const {
  const auto& kernels = fft_kernels<Real>(table);
  const std::size_t padded = chirp_->line.n_;
  kernels.multiply(readable(x), chirp_->chirp.at(), x, n_);
  std::fill_n(x.re + n_, padded - n_, Real(0));
  std::fill_n(x.im + n_, padded - n_, Real(0));
  const auto spectrum = chirp_->line.run(table, x, y);
  const auto other = spectrum.re == x.re ? y : x;
  kernels.multiply(readable(spectrum), chirp_->filter.at(), spectrum, padded);
  const auto sums = swapped(chirp_->line.run(table, swapped(spectrum), swapped(other)));
  kernels.multiply(readable(sums), chirp_->chirp.at(), sums, n_);
  return sums;
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
template class FftLine<float>;
template class FftLine<double>;
template std::shared_ptr<const FftTable<float>> FftPlans::roots(std::size_t n);
template std::shared_ptr<const FftTable<double>> FftPlans::roots(std::size_t n);

}  // namespace understudy::worker::ops
