// SPDX-License-Identifier: Apache-2.0
// Complex transforms in double precision of several lines at once: element k of line l lies at
// [k * lanes + l], so that every operation is one on vectors. Lengths with prime factors up to 13
// are computed by mixed radix (Stockham's self-sorting form, Van Loan 1992, 1.7), others by the
// chirp transform (Bluestein 1970), so that every length takes O(n log n). A plan computes n sines
// and cosines' worth of roots in O(n), which is little beside one transform: none is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace understudy::worker::ops {

// Real and imaginary parts apart.
struct Wave {
  std::vector<double> re, im;
  explicit Wave(std::size_t n = 0) : re(n), im(n) {}
  void resize(std::size_t n) {
    re.resize(n);
    im.resize(n);
  }
};

// exp(2 pi i k / n) for k below n, each within about one unit of the last place.
class Roots {
 public:
  explicit Roots(std::size_t n);
  double re(std::size_t k) const { return table_.re[k]; }
  double im(std::size_t k) const { return table_.im[k]; }

 private:
  Wave table_;
};

class FftPlan {
 public:
  // sign -1: sums of exp(-2 pi i jk / n), +1: of exp(+2 pi i jk / n). Not scaled.
  FftPlan(std::size_t n, int sign, std::size_t lanes);
  ~FftPlan();
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;

  // Transforms `x`, n * lanes elements, in place.
  void run(Wave& x);

 private:
  struct Chirp;
  void run_radices(Wave& x);
  void run_chirp(Wave& x);

  std::size_t n_, lanes_;
  int sign_;
  std::vector<std::size_t> radices_;
  std::unique_ptr<Roots> roots_;
  std::unique_ptr<Chirp> chirp_;
  Wave other_;
};

}  // namespace understudy::worker::ops
