// SPDX-License-Identifier: Apache-2.0
// Transforms of one line (fft_plan.h): by rows of its interleaved parts, or by the chirp transform.
#include <algorithm>

#include "worker/ops/fft/fft_plan.h"

namespace understudy::worker::ops {

namespace {

// Measured times of an element, about a nanosecond each: of the steps in rows whose lanes are all
// used, and of the chirp transform.
double row_work(std::size_t n) {
  double work = 0;
  for (const std::size_t radix : fft_radices(n)) work += 0.2 + 0.045 * static_cast<double>(radix);
  return work;
}
constexpr double kChirpWork = 9;

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

// The interleaved parts of a line.
template <class Real>
std::size_t lanes_of(std::size_t n) {
  std::size_t most = 1;
  for (std::size_t lanes = 2; lanes <= kFftRow<Real>; ++lanes)
    if (n % lanes == 0) most = lanes;
  return most;
}
// The share of the lanes that is used.
template <class Real>
double used_lanes(std::size_t n) {
  constexpr auto kRow = static_cast<double>(kFftRow<Real>);
  const auto lanes = static_cast<double>(lanes_of<Real>(n));
  return lanes / kRow * std::min(1.0, static_cast<double>(n) / lanes / kRow);
}

}  // namespace

// Chirp transforms have larger errors: lengths with prime factors up to 31 never take them.
template <class Real>
bool FftLine<Real>::is_chirp(std::size_t n) {
  if (!FftRows<Real>::takes(n)) return true;
  constexpr std::size_t kLargePrime = 31;
  for (const std::size_t radix : fft_radices(n))
    if (radix > kLargePrime) return row_work(n) > kChirpWork * used_lanes<Real>(n);
  return false;
}

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
  if (is_chirp(n)) {
    chirp_ = std::make_shared<const Chirp>(n);
    room_ = chirp_->line.room();
    return;
  }
  lanes_ = lanes_of<Real>(n);
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
  return chirp_ ? std::min(1.0, row_work(n_) / kChirpWork) : used_lanes<Real>(n_);
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

template class FftLine<float>;
template class FftLine<double>;

}  // namespace understudy::worker::ops
