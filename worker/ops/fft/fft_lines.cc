// SPDX-License-Identifier: Apache-2.0
// Real transforms of even length n are complex ones of n / 2: even elements as real, odd ones as
// imaginary parts. Transforms of the other sign swap real and imaginary parts before and after.
#include "worker/ops/fft/fft_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "worker/chip/numbers.h"
#include "worker/chip/vmem.h"

namespace understudy::worker::ops {
namespace {

using program::FftKind;

// Arrays of a length, in VMEM where they fit.
template <class Real>
class Arrays {
 public:
  Arrays(Vmem& vmem, std::size_t room) {
    const std::size_t bytes = room * sizeof(Real) + 64;
    if (vmem.left() < 4 * bytes + 256) held_.resize(4 * room + 64);
    for (std::size_t i = 0; i < 4; ++i)
      at_[i] = held_.empty() ? reinterpret_cast<Real*>(vmem.take(bytes)) : held_.data() + i * room;
  }
  FftArrays<Real> a() const { return {at_[0], at_[1]}; }
  FftArrays<Real> b() const { return {at_[2], at_[3]}; }
  FftArrays<Real> other(FftArrays<Real> one) const { return one.re == at_[0] ? b() : a(); }

 private:
  std::vector<Real> held_;
  Real* at_[4] = {};
};

template <class Real>
class Transform {
 public:
  Transform(const FftLines<Real>& lines, FftPlans& plans, Execution& execution)
      : lines_(lines),
        plans_(plans),
        execution_(execution),
        kernels_(fft_kernels<Real>(*execution.kernels)),
        inverse_(lines.kind == FftKind::ifft || lines.kind == FftKind::irfft),
        real_(lines.kind == FftKind::rfft || lines.kind == FftKind::irfft),
        halves_(real_ && lines.n % 2 == 0),
        length_(halves_ ? lines.n / 2 : lines.n) {
    if (halves_) roots_ = plans.template roots<Real>(lines.n);
    if (inverse_) scale_ = static_cast<Real>(1.0 / static_cast<double>(length_));
  }

  void run() {
    const Vmem::Scope scope(*execution_.vmem);
    takes_rows() ? run_rows() : run_lines();
  }

 private:
  static constexpr std::size_t kRow = kFftRow<Real>;

  // Rows where lines one by one would leave lanes idle: by any share while the arrays of a row stay
  // in the second-level cache, by more where they do not. Of lines that are not dense always (but
  // instead of chirp transforms): a row takes neighbours together.
  bool takes_rows() {
    if (!FftRows<Real>::takes(length_)) return false;
    if (lines_.inner > 1 && !FftLine<Real>::is_chirp(length_)) return true;
    constexpr std::size_t kKiB = 1024;
    const std::size_t bytes = length_ * 4 * kRow * sizeof(Real);
    if (bytes > 8192 * kKiB) return false;
    const double worth = bytes <= 768 * kKiB ? 1.0 : bytes <= 2048 * kKiB ? 1.5 : 2.5;
    const std::size_t lines = lines_.outer * lines_.inner, rows = (lines + kRow - 1) / kRow;
    const double used = static_cast<double>(lines) / static_cast<double>(rows * kRow);
    return used > worth * plans_.template line<Real>(length_)->efficiency();
  }

  // ---- rows

  void run_rows() {
    const auto plan = plans_.template rows<Real>(length_);
    const std::size_t most = std::max({lines_.n / 2 + 1, length_, lines_.from_size});
    const Arrays<Real> arrays(*execution_.vmem, (most + kRow) * kRow);
    const std::size_t all = lines_.outer * lines_.inner;
    for (first_ = 0; first_ < all; first_ += count_) {
      // Neighbours of one block where blocks have enough of them.
      const std::size_t left =
          lines_.inner >= kRow ? lines_.inner - first_ % lines_.inner : all - first_;
      count_ = std::min(kRow, left);
      FftArrays<Real> x = arrays.a();
      load_rows(x);
      if (halves_ && inverse_) {
        kernels_.pack(readable(x), roots_->at(), length_, kRow, arrays.b());
        x = arrays.b();
      }
      x = transformed(*plan, x, arrays.other(x));
      if (halves_ && !inverse_) {
        const auto spectrum = arrays.other(x);
        kernels_.unpack(readable(x), roots_->at(), length_, kRow, spectrum);
        x = spectrum;
      }
      store_rows(x);
    }
  }

  template <class Plan>
  FftArrays<Real> transformed(const Plan& plan, FftArrays<Real> x, FftArrays<Real> y) const {
    if (!inverse_) return plan.run(*execution_.kernels, x, y);
    return swapped(plan.run(*execution_.kernels, swapped(x), swapped(y)));
  }

  // The first number of a line.
  std::size_t start(std::size_t size, std::size_t line) const {
    return 2 * (line / lines_.inner * size * lines_.inner + line % lines_.inner);
  }
  bool are_neighbours() const {
    return first_ / lines_.inner == (first_ + count_ - 1) / lines_.inner;
  }

  void load_rows(FftArrays<Real> x) const {
    const std::size_t rows = halves_ && !inverse_ ? length_ : lines_.from_size;
    if (lines_.inner == 1) {
      if (is_whole_real() && !inverse_) return load_real_rows(x);
      const std::size_t step = real_ && !inverse_ ? lines_.n : 2 * lines_.from_size;
      kernels_.split_lines(lines_.from + first_ * step, step, count_, rows, x);
      if (is_whole_real()) mirror(x, kRow);
      return;
    }
    if (count_ < kRow) {
      std::fill_n(x.re, rows * kRow, Real(0));
      std::fill_n(x.im, rows * kRow, Real(0));
    }
    const std::size_t step = 2 * lines_.inner;
    if (are_neighbours()) {
      const Real* at = lines_.from + start(lines_.from_size, first_);
      for (std::size_t k = 0; k < rows; ++k, at += step)
        kernels_.split(at, {x.re + k * kRow, x.im + k * kRow}, count_);
      return;
    }
    for (std::size_t l = 0; l < count_; ++l) {
      const Real* at = lines_.from + start(lines_.from_size, first_ + l);
      for (std::size_t k = 0; k < rows; ++k, at += step) {
        x.re[k * kRow + l] = at[0];
        x.im[k * kRow + l] = at[1];
      }
    }
  }

  // Real lines of odd length, as complex ones. Lanes without a line are 0.
  bool is_whole_real() const { return real_ && !halves_; }
  // Blocks of one vector of each line, as lines may lie a multiple of a page apart.
  template <class Move>
  void move_real_rows(const Move& move) const {
    for (std::size_t first = 0; first < lines_.n; first += kRow)
      for (std::size_t l = 0; l < count_; ++l)
        for (std::size_t k = first; k < std::min(first + kRow, lines_.n); ++k)
          move((first_ + l) * lines_.n + k, k * kRow + l);
  }
  void load_real_rows(FftArrays<Real> x) const {
    if (count_ < kRow) std::fill_n(x.re, lines_.n * kRow, Real(0));
    std::fill_n(x.im, lines_.n * kRow, Real(0));
    move_real_rows([&](std::size_t from, std::size_t to) { x.re[to] = lines_.from[from]; });
  }
  void store_real_rows(FftArrays<Real> x) const {
    move_real_rows(
        [&](std::size_t to, std::size_t from) { lines_.to[to] = settled(x.re[from] * scale_); });
  }

  void store_rows(FftArrays<Real> x) const {
    const std::size_t rows = halves_ && inverse_ ? length_ : lines_.to_size;
    if (lines_.inner == 1) {
      if (is_whole_real() && inverse_) return store_real_rows(x);
      const std::size_t step = real_ && inverse_ ? lines_.n : 2 * lines_.to_size;
      return kernels_.join_lines(readable(x), scale_, count_, rows, lines_.to + first_ * step,
                                 step);
    }
    const std::size_t step = 2 * lines_.inner;
    if (are_neighbours()) {
      Real* at = lines_.to + start(lines_.to_size, first_);
      for (std::size_t k = 0; k < rows; ++k, at += step)
        kernels_.join({x.re + k * kRow, x.im + k * kRow}, scale_, at, count_);
      return;
    }
    for (std::size_t l = 0; l < count_; ++l) {
      Real* at = lines_.to + start(lines_.to_size, first_ + l);
      for (std::size_t k = 0; k < rows; ++k, at += step)
        kernels_.join({x.re + k * kRow + l, x.im + k * kRow + l}, scale_, at, 1);
    }
  }

  // ---- line by line

  void run_lines() {
    const auto plan = plans_.template line<Real>(length_);
    const Arrays<Real> arrays(*execution_.vmem, std::max(plan->room(), lines_.n + 1) + kRow);
    const bool dense = lines_.inner == 1;
    for (first_ = 0; first_ < lines_.outer * lines_.inner; ++first_) {
      FftArrays<Real> x = arrays.a();
      if (dense && plan->joins() && !real_ && run_from_memory(*plan, x, arrays.b())) continue;
      if (halves_ && inverse_ && dense) {
        kernels_.pack_line(lines_.from + first_ * 2 * lines_.from_size, roots_->at(), length_, x);
      } else {
        load_line(x);
        if (halves_ && inverse_) {
          kernels_.pack(readable(x), roots_->at(), length_, 1, arrays.b());
          x = arrays.b();
        }
      }
      if (dense && plan->joins() && (!real_ || (halves_ && inverse_))) {
        run_to_memory(*plan, x, arrays.other(x));
        continue;
      }
      x = transformed(*plan, x, arrays.other(x));
      if (halves_ && !inverse_ && dense) {
        kernels_.unpack_line(readable(x), roots_->at(), length_,
                             lines_.to + first_ * 2 * lines_.to_size);
        continue;
      }
      if (halves_ && !inverse_) {
        const auto spectrum = arrays.other(x);
        kernels_.unpack(readable(x), roots_->at(), length_, 1, spectrum);
        x = spectrum;
      }
      store_line(x);
    }
  }

  bool run_from_memory(const FftLine<Real>& plan, FftArrays<Real> x, FftArrays<Real> y) const {
    const std::size_t at = first_ * 2 * lines_.n;
    return plan.run_pairs(*execution_.kernels, lines_.from + at, x, y, inverse_, scale_,
                          lines_.to + at);
  }

  void run_to_memory(const FftLine<Real>& plan, FftArrays<Real> x, FftArrays<Real> y) const {
    Real* const to = lines_.to + first_ * (real_ ? lines_.n : 2 * lines_.to_size);
    const auto turned = [&](FftArrays<Real> of) { return inverse_ ? swapped(of) : of; };
    plan.run_to(*execution_.kernels, turned(x), turned(y), inverse_, scale_, to);
  }

  void load_line(FftArrays<Real> x) const {
    if (is_whole_real() && !inverse_) {
      std::copy_n(lines_.from + first_ * lines_.n, lines_.n, x.re);
      std::fill_n(x.im, lines_.n, Real(0));
      return;
    }
    if (lines_.inner == 1) {
      const bool pairs = real_ && !inverse_;  // of real numbers
      kernels_.split(lines_.from + first_ * (pairs ? lines_.n : 2 * lines_.from_size), x,
                     pairs ? length_ : lines_.from_size);
    } else {
      const Real* at = lines_.from + start(lines_.from_size, first_);
      for (std::size_t k = 0; k < lines_.from_size; ++k, at += 2 * lines_.inner) {
        x.re[k] = at[0];
        x.im[k] = at[1];
      }
    }
    if (is_whole_real() && inverse_) mirror(x, 1);
  }

  // Completes a spectrum of odd length by Hermitian symmetry, x[n - k] = conj(x[k]), of `width`
  // lines. The imaginary part of the first element belongs to no real line.
  void mirror(FftArrays<Real> x, std::size_t width) const {
    std::fill_n(x.im, width, Real(0));
    for (std::size_t k = lines_.n / 2 + 1; k < lines_.n; ++k)
      for (std::size_t l = 0; l < width; ++l) {
        x.re[k * width + l] = x.re[(lines_.n - k) * width + l];
        x.im[k * width + l] = -x.im[(lines_.n - k) * width + l];
      }
  }

  void store_line(FftArrays<Real> x) const {
    if (is_whole_real() && inverse_) {
      Real* const to = lines_.to + first_ * lines_.n;
      for (std::size_t k = 0; k < lines_.n; ++k) to[k] = settled(x.re[k] * scale_);
    } else if (lines_.inner == 1) {
      const bool pairs = real_ && inverse_;
      kernels_.join(readable(x), scale_,
                    lines_.to + first_ * (pairs ? lines_.n : 2 * lines_.to_size),
                    pairs ? length_ : lines_.to_size);
    } else {
      Real* at = lines_.to + start(lines_.to_size, first_);
      for (std::size_t k = 0; k < lines_.to_size; ++k, at += 2 * lines_.inner)
        kernels_.join({x.re + k, x.im + k}, scale_, at, 1);
    }
  }

  const FftLines<Real>& lines_;
  FftPlans& plans_;
  Execution& execution_;
  const program::kernels::FftKernels<Real>& kernels_;
  bool inverse_, real_, halves_;
  std::size_t length_;  // of the complex transform
  Real scale_ = 1;
  std::shared_ptr<const FftTable<Real>> roots_;
  std::size_t first_ = 0, count_ = 1;  // lines at work
};

}  // namespace

template <class Real>
void transform(const FftLines<Real>& lines, FftPlans& plans, Execution& execution) {
  Transform<Real>(lines, plans, execution).run();
}
template void transform(const FftLines<float>&, FftPlans&, Execution&);
template void transform(const FftLines<double>&, FftPlans&, Execution&);

}  // namespace understudy::worker::ops
