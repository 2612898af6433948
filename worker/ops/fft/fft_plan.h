// SPDX-License-Identifier: Apache-2.0
// Plans of Fourier transforms in the precision of their elements: which steps a length takes, and
// their factors, made in double and rounded once. Lengths with prime factors up to 127 are computed
// by mixed radix (lines that use few lanes of a row only up to 31), others by the chirp transform
// (Bluestein 1970), so every length takes O(n log n).
// Immutable once made. Sign -1, not scaled; the other sign is the same with the parts swapped.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "program/kernels/kernels.h"

namespace understudy::worker::ops {

template <class Real>
using FftArrays = program::kernels::FftArrays<Real>;

template <class Real>
FftArrays<Real> swapped(FftArrays<Real> x) {
  return {x.im, x.re};
}
template <class Real>
FftArrays<const Real> readable(FftArrays<Real> x) {
  return {x.re, x.im};
}
template <class Real>
inline constexpr std::size_t kFftRow = program::kernels::kFftRow<Real>;

template <class Real>
const program::kernels::FftKernels<Real>& fft_kernels(const program::kernels::KernelTable& table);

// Real and imaginary parts of numbers, apart.
template <class Real>
struct FftTable {
  std::vector<Real> re, im;
  explicit FftTable(std::size_t n) : re(n), im(n) {}
  FftArrays<const Real> at() const { return {re.data(), im.data()}; }
};

// The radices of the steps of n; empty where a larger prime than kMostFftRadix divides it.
std::vector<std::size_t> fft_radices(std::size_t n);
// exp(-2 pi i k / n) for k below n, each within about one unit of the last place of double.
FftTable<double> fft_roots(std::size_t n);

// kFftRow transforms side by side: element k of all of them is row k.
template <class Real>
class FftRows {
 public:
  // *Requires* takes(n).
  explicit FftRows(std::size_t n);
  // Whether n has no prime factor above kMostFftRadix.
  static bool takes(std::size_t n);

  // Transforms x, n rows, with y as scratch. Returns the one that holds the result.
  FftArrays<Real> run(const program::kernels::KernelTable& table, FftArrays<Real> x,
                      FftArrays<Real> y) const;
  // Reads the rows as complex numbers in memory, their parts swapped if asked for. An array is
  // null, with nothing done, where that does not hold.
  FftArrays<Real> run_pairs(const program::kernels::KernelTable& table, const Real* from, bool swap,
                            FftArrays<Real> x, FftArrays<Real> y) const;
  const std::vector<program::kernels::FftStep<Real>>& steps() const { return steps_; }

 private:
  std::vector<program::kernels::FftStep<Real>> steps_;
  std::vector<std::vector<Real>> factors_;  // that the steps point to
};

// One line, its elements in order.
template <class Real>
class FftLine {
 public:
  explicit FftLine(std::size_t n);

  // Elements that x and y must have room for, at least n.
  std::size_t room() const { return room_; }
  // Transforms the first n elements of x. Returns the array that holds the result, x or y; the
  // other one's contents are lost.
  FftArrays<Real> run(const program::kernels::KernelTable& table, FftArrays<Real> x,
                      FftArrays<Real> y) const;
  // The same as complex numbers in memory, times `scale`, the parts swapped if asked for. Must
  // joins() be true.
  void run_to(const program::kernels::KernelTable& table, FftArrays<Real> x, FftArrays<Real> y,
              bool swap, Real scale, Real* to) const;
  // As run_to(), from complex numbers in memory. False, with nothing done, where there is no such
  // way.
  bool run_pairs(const program::kernels::KernelTable& table, const Real* from, FftArrays<Real> x,
                 FftArrays<Real> y, bool swap, Real scale, Real* to) const;
  bool joins() const { return joins_ != nullptr && n_ / lanes_ >= kFftRow<Real>; }
  // The time of a line in rows whose lanes are all used, over that of this line.
  double efficiency() const;
  // Whether a line of n is computed by the chirp transform.
  static bool is_chirp(std::size_t n);

 private:
  struct Chirp;
  void make_cross();
  void to_rows(FftArrays<Real> x, FftArrays<Real> y) const;
  FftArrays<Real> run_parts(const program::kernels::KernelTable& table, FftArrays<Real> x,
                            FftArrays<Real> y) const;
  program::kernels::FftCross<Real> cross() const;
  FftArrays<Real> run_chirp(const program::kernels::KernelTable& table, FftArrays<Real> x,
                            FftArrays<Real> y) const;

  std::size_t n_, lanes_ = 1, room_ = 0;
  std::shared_ptr<const Chirp> chirp_;
  std::unique_ptr<FftRows<Real>> parts_, joins_;
  std::unique_ptr<FftTable<Real>> factors_;
};

// The plans of a chip, kept between launches up to a number of elements. Call from the executor
// thread only.
class FftPlans {
 public:
  template <class Real>
  struct Of {
    std::map<std::size_t, std::shared_ptr<const FftLine<Real>>> lines;
    std::map<std::size_t, std::shared_ptr<const FftRows<Real>>> rows;
    std::map<std::size_t, std::shared_ptr<const FftTable<Real>>> roots;
  };
  template <class Real>
  std::shared_ptr<const FftLine<Real>> line(std::size_t n) {
    return find(of<Real>().lines, n, [n] { return std::make_shared<const FftLine<Real>>(n); });
  }
  template <class Real>
  std::shared_ptr<const FftRows<Real>> rows(std::size_t n) {
    return find(of<Real>().rows, n, [n] { return std::make_shared<const FftRows<Real>>(n); });
  }
  // exp(-2 pi i k / n) for k up to n / 2.
  template <class Real>
  std::shared_ptr<const FftTable<Real>> roots(std::size_t n);

 private:
  static constexpr std::size_t kMostElements = std::size_t{4} << 20;

  template <class Real>
  Of<Real>& of();
  // Forgets all plans where one more would exceed the limit: those in use live on with their users.
  template <class Map, class Make>
  typename Map::mapped_type find(Map& map, std::size_t n, const Make& make) {
    const auto found = map.find(n);
    if (found != map.end()) return found->second;
    if (elements_ + n > kMostElements) forget();
    elements_ += n;
    return map.emplace(n, make()).first->second;
  }
  void forget();

  std::size_t elements_ = 0;
  Of<float> narrow_;
  Of<double> wide_;
};

}  // namespace understudy::worker::ops
