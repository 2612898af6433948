// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fft_plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "worker/ops/fft_passes.h"

namespace understudy::worker::ops {
namespace {

constexpr std::size_t kLargestRadix = 13;

// 4 first: it has the fewest operations per element. Empty where a larger prime divides n.
std::vector<std::size_t> radices_of(std::size_t n) {
  std::vector<std::size_t> radices;
  for (const std::size_t radix : {4U, 2U, 3U, 5U, 7U, 11U, 13U})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  if (n != 1) radices.clear();
  return radices;
}

// The least length from `least` on that has factors 2, 3 and 5 only.
std::size_t smooth_from(std::size_t least) {
  std::size_t best = 1;
  while (best < least) best *= 2;
  for (std::size_t fives = 1; fives < best; fives *= 5)
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t n = threes;
      while (n < least) n *= 2;
      best = std::min(best, n);
    }
  return best;
}

}  // namespace

// k = high * step + low: products of two short exact tables.
Roots::Roots(std::size_t n) : table_(n) {
  const auto step = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  const auto angle = [n](std::size_t k) {
    return 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  };
  Wave low(step);
  for (std::size_t k = 0; k < step; ++k) {
    low.re[k] = std::cos(angle(k));
    low.im[k] = std::sin(angle(k));
  }
  for (std::size_t first = 0; first < n; first += step) {
    const double re = std::cos(angle(first)), im = std::sin(angle(first));
    for (std::size_t k = 0; k < std::min(step, n - first); ++k) {
      table_.re[first + k] = re * low.re[k] - im * low.im[k];
      table_.im[first + k] = re * low.im[k] + im * low.re[k];
    }
  }
}

// jk = (j^2 + k^2 - (k - j)^2) / 2 turns the transform into a product with a chirp, a convolution
// with its conjugate, and a second product. The convolution has a length of at least 2n - 1, so
// that its ends do not wrap into each other.
struct FftPlan::Chirp {
  Chirp(std::size_t n, int sign, std::size_t lanes)
      : padded(smooth_from(2 * n - 1)),
        forward(padded, -1, lanes),
        backward(padded, 1, lanes),
        chirp(n),
        filter(padded),
        work(padded * lanes) {
    const Roots roots(2 * n);
    for (std::size_t k = 0; k < n; ++k) {
      // The chirp exp(i pi k^2 / n) has period 2n in k^2.
      const std::size_t square = k * k % (2 * n);
      chirp.re[k] = roots.re(square);
      chirp.im[k] = sign * roots.im(square);
      filter.re[k] = chirp.re[k];
      filter.im[k] = -chirp.im[k];
      // The filter is symmetric: negative indices are stored at the end.
      if (k == 0) continue;
      filter.re[padded - k] = filter.re[k];
      filter.im[padded - k] = filter.im[k];
    }
    FftPlan(padded, -1, 1).run(filter);
    for (double& value : filter.re) value /= static_cast<double>(padded);
    for (double& value : filter.im) value /= static_cast<double>(padded);
  }

  std::size_t padded;
  FftPlan forward, backward;
  Wave chirp, filter, work;
};

FftPlan::FftPlan(std::size_t n, int sign, std::size_t lanes)
    : n_(n), lanes_(lanes), sign_(sign), radices_(radices_of(n)) {
  if (n == 1) return;
  if (radices_.empty()) {
    chirp_ = std::make_unique<Chirp>(n, sign, lanes);
    return;
  }
  roots_ = std::make_unique<Roots>(n);
  other_.resize(n * lanes);
}
FftPlan::~FftPlan() = default;

void FftPlan::run(Wave& x) {
  if (chirp_) {
    run_chirp(x);
  } else if (n_ > 1) {
    run_radices(x);
  }
}

void FftPlan::run_radices(Wave& x) {
  // Before each pass, `length` elements of `groups` independent transforms remain.
  std::size_t length = n_, groups = 1;
  Wave* from = &x;
  Wave* to = &other_;
  for (const std::size_t radix : radices_) {
    const std::size_t parts = length / radix, run = groups * lanes_;
    FftPass pass{from->re.data(),
                 from->im.data(),
                 to->re.data(),
                 to->im.data(),
                 run,
                 parts * run,
                 run,
                 radix,
                 {},
                 {}};
    for (std::size_t t = 0; t < radix; ++t) {
      pass.unit_re[t] = roots_->re(t * (n_ / radix));
      pass.unit_im[t] = sign_ * roots_->im(t * (n_ / radix));
    }
    for (std::size_t p = 0; p < parts; ++p) {
      for (std::size_t t = 0; t < radix; ++t) {
        pass.twiddle_re[t] = roots_->re(p * t * groups);
        pass.twiddle_im[t] = sign_ * roots_->im(p * t * groups);
      }
      run_pass(pass);
      pass.in_re += run;
      pass.in_im += run;
      pass.out_re += radix * run;
      pass.out_im += radix * run;
    }
    std::swap(from, to);
    length = parts;
    groups *= radix;
  }
  if (from != &x) std::swap(x, other_);
}

void FftPlan::run_chirp(Wave& x) {
  Chirp& c = *chirp_;
  std::fill(c.work.re.begin(), c.work.re.end(), 0.0);
  std::fill(c.work.im.begin(), c.work.im.end(), 0.0);
  const auto row = [&](Wave& wave, std::size_t k) {
    return WaveRow{wave.re.data() + k * lanes_, wave.im.data() + k * lanes_};
  };
  for (std::size_t k = 0; k < n_; ++k)
    scale(row(x, k), c.chirp.re[k], c.chirp.im[k], row(c.work, k), lanes_);
  c.forward.run(c.work);
  for (std::size_t k = 0; k < c.padded; ++k)
    scale(row(c.work, k), c.filter.re[k], c.filter.im[k], row(c.work, k), lanes_);
  c.backward.run(c.work);
  for (std::size_t k = 0; k < n_; ++k)
    scale(row(c.work, k), c.chirp.re[k], c.chirp.im[k], row(x, k), lanes_);
}

}  // namespace understudy::worker::ops
