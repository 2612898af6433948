// SPDX-License-Identifier: Apache-2.0
// fft over the last dimensions (StableHLO spec; normalisation 1/n on the inverse kinds). Lines are
// transformed in double precision (fft_plan.h) and rounded once at the end. Real transforms of even
// length n are complex ones of n / 2: even elements as real, odd ones as imaginary parts.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/fft_plan.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::FftKind;

// Memory that lines are read from or written to.
struct Side {
  std::byte* at = nullptr;
  bool wide = false;  // f64
  bool is_complex = true;
  std::size_t size = 0;  // elements along the transformed dimension
};

// Lines along one dimension: `inner` lines lie side by side, `outer` blocks of them follow.
struct Lines {
  std::size_t outer = 1, inner = 1;
};

// Lanes of one transform: whole registers, while its data stays in the second-level cache.
std::size_t lanes_for(std::size_t n, std::size_t lines) {
  constexpr std::size_t kElements = 32 * 1024, kMost = 8;
  std::size_t lanes = std::clamp<std::size_t>(kElements / n, 1, kMost);
  // No more lanes than there are lines to fill them.
  while (lanes > 1 && lanes / 2 >= lines) lanes /= 2;
  return lanes;
}

template <class Real>
Real settled(double value) {
  return value != value ? std::numeric_limits<Real>::quiet_NaN() : static_cast<Real>(value);
}

// Transforms all lines of one dimension, `lanes` at a time.
class Pass {
 public:
  Pass(FftKind kind, std::size_t n, const Side& in, const Side& out, const Lines& lines)
      : kind_(kind),
        n_(n),
        in_(in),
        out_(out),
        lines_(lines),
        inverse_(kind == FftKind::ifft || kind == FftKind::irfft),
        halves_((kind == FftKind::rfft || kind == FftKind::irfft) && n % 2 == 0),
        length_(halves_ ? n / 2 : n),
        lanes_(lanes_for(length_, lines.outer * lines.inner)),
        plan_(length_, inverse_ ? 1 : -1, lanes_),
        line_(std::max(length_, n_ / 2 + 1) * lanes_),
        packed_(halves_ ? length_ * lanes_ : 0) {
    if (halves_) roots_.emplace(n);
  }

  void run() {
    const std::size_t all = lines_.outer * lines_.inner;
    for (std::size_t first = 0; first < all; first += lanes_) {
      count_ = std::min(lanes_, all - first);
      first_ = first;
      in_.wide ? load<double>() : load<float>();
      transform();
      out_.wide ? store<double>() : store<float>();
    }
  }

 private:
  // The first element of a line, in elements of a side.
  std::size_t start(const Side& side, std::size_t line) const {
    return line / lines_.inner * side.size * lines_.inner + line % lines_.inner;
  }

  void transform() {
    if (!halves_) return plan_.run(line_);
    if (inverse_) {
      pack_spectrum();
      plan_.run(packed_);
    } else {
      plan_.run(packed_);
      unpack_spectrum();
    }
  }

  // ---- real lines of even length: z[j] = x[2j] + i x[2j + 1], its spectrum Z, and the spectrum
  // X[k] = E[k] + exp(-2 pi i k / n) O[k] of its even and odd elements.

  void unpack_spectrum() {
    for (std::size_t k = 0; k <= length_; ++k) {
      const std::size_t a = k % length_ * lanes_, b = (length_ - k) % length_ * lanes_;
      const double cosine = roots_->re(k), sine = -roots_->im(k);
      for (std::size_t l = 0; l < lanes_; ++l) {
        const double even_re = (packed_.re[a + l] + packed_.re[b + l]) / 2;
        const double even_im = (packed_.im[a + l] - packed_.im[b + l]) / 2;
        const double odd_re = (packed_.im[a + l] + packed_.im[b + l]) / 2;
        const double odd_im = (packed_.re[b + l] - packed_.re[a + l]) / 2;
        line_.re[k * lanes_ + l] = even_re + (odd_re * cosine - odd_im * sine);
        line_.im[k * lanes_ + l] = even_im + (odd_re * sine + odd_im * cosine);
      }
    }
  }

  void pack_spectrum() {
    // Imaginary parts of the first and the last element belong to no real line; they are ignored.
    for (const std::size_t k : {std::size_t{0}, length_})
      std::fill_n(line_.im.begin() + static_cast<std::ptrdiff_t>(k * lanes_), lanes_, 0.0);
    for (std::size_t k = 0; k < length_; ++k) {
      const std::size_t a = k * lanes_, b = (length_ - k) * lanes_;
      const double cosine = roots_->re(k), sine = roots_->im(k);
      for (std::size_t l = 0; l < lanes_; ++l) {
        const double even_re = (line_.re[a + l] + line_.re[b + l]) / 2;
        const double even_im = (line_.im[a + l] - line_.im[b + l]) / 2;
        const double half_re = (line_.re[a + l] - line_.re[b + l]) / 2;
        const double half_im = (line_.im[a + l] + line_.im[b + l]) / 2;
        const double odd_re = half_re * cosine - half_im * sine;
        const double odd_im = half_re * sine + half_im * cosine;
        packed_.re[a + l] = even_re - odd_im;
        packed_.im[a + l] = even_im + odd_re;
      }
    }
  }

  // ---- memory to lanes and back

  template <class Real>
  void load() {
    const auto* const from = reinterpret_cast<const Real*>(in_.at);
    const std::size_t step = lines_.inner;
    Wave& to = halves_ && !inverse_ ? packed_ : line_;
    // Unused lanes are computed as well: zeros keep them quick.
    if (count_ < lanes_) {
      std::fill(to.re.begin(), to.re.end(), 0.0);
      std::fill(to.im.begin(), to.im.end(), 0.0);
    }
    const std::size_t rows = !in_.is_complex && halves_ ? length_ : in_.size;
    for_each_tile(rows, [&](std::size_t l, std::size_t begin, std::size_t end) {
      const std::size_t at = start(in_, first_ + l);
      if (in_.is_complex) {
        for (std::size_t k = begin; k < end; ++k) {
          to.re[k * lanes_ + l] = static_cast<double>(from[2 * (at + k * step)]);
          to.im[k * lanes_ + l] = static_cast<double>(from[2 * (at + k * step) + 1]);
        }
      } else if (halves_) {
        for (std::size_t k = begin; k < end; ++k) {
          to.re[k * lanes_ + l] = static_cast<double>(from[at + 2 * k * step]);
          to.im[k * lanes_ + l] = static_cast<double>(from[at + (2 * k + 1) * step]);
        }
      } else {
        for (std::size_t k = begin; k < end; ++k) {
          to.re[k * lanes_ + l] = static_cast<double>(from[at + k * step]);
          to.im[k * lanes_ + l] = 0;
        }
      }
    });
    if (kind_ == FftKind::irfft && !halves_)
      for (std::size_t l = 0; l < count_; ++l) mirror(l);
  }

  // Calls use(lane, first element, last element) for short runs of all lanes in turn: the lines of
  // the cache that one lane writes serve the next one, too.
  template <class Use>
  void for_each_tile(std::size_t size, const Use& use) const {
    constexpr std::size_t kTile = 8;
    for (std::size_t begin = 0; begin < size; begin += kTile)
      for (std::size_t l = 0; l < count_; ++l) use(l, begin, std::min(size, begin + kTile));
  }

  // Completes a spectrum of odd length by Hermitian symmetry, x[n - k] = conj(x[k]).
  void mirror(std::size_t l) {
    for (std::size_t k = n_ / 2 + 1; k < n_; ++k) {
      line_.re[k * lanes_ + l] = line_.re[(n_ - k) * lanes_ + l];
      line_.im[k * lanes_ + l] = -line_.im[(n_ - k) * lanes_ + l];
    }
  }

  template <class Real>
  void store() const {
    auto* const to = reinterpret_cast<Real*>(out_.at);
    const std::size_t step = lines_.inner;
    const Wave& done = halves_ && inverse_ ? packed_ : line_;
    const auto divisor = static_cast<double>(length_);
    const auto value = [&](const std::vector<double>& part, std::size_t k, std::size_t l) {
      const double sum = part[k * lanes_ + l];
      return settled<Real>(inverse_ ? sum / divisor : sum);
    };
    const std::size_t rows = !out_.is_complex && halves_ ? length_ : out_.size;
    for_each_tile(rows, [&](std::size_t l, std::size_t begin, std::size_t end) {
      const std::size_t at = start(out_, first_ + l);
      if (out_.is_complex) {
        for (std::size_t k = begin; k < end; ++k) {
          to[2 * (at + k * step)] = value(done.re, k, l);
          to[2 * (at + k * step) + 1] = value(done.im, k, l);
        }
      } else if (halves_) {
        for (std::size_t k = begin; k < end; ++k) {
          to[at + 2 * k * step] = value(done.re, k, l);
          to[at + (2 * k + 1) * step] = value(done.im, k, l);
        }
      } else {
        for (std::size_t k = begin; k < end; ++k) to[at + k * step] = value(done.re, k, l);
      }
    });
  }

  FftKind kind_;
  std::size_t n_;
  Side in_, out_;
  Lines lines_;
  bool inverse_, halves_;
  std::size_t length_, lanes_;  // length of the complex transform
  FftPlan plan_;
  Wave line_, packed_;
  std::optional<Roots> roots_;
  std::size_t first_ = 0, count_ = 0;
};

std::size_t product_of(const Shape& shape, std::size_t first, std::size_t end) {
  std::size_t product = 1;
  for (std::size_t d = first; d < end; ++d) product *= static_cast<std::size_t>(shape[d]);
  return product;
}

// Runs the passes of one instruction. Between passes the array is complex doubles: each result is
// rounded to its own type once.
class Passes {
 public:
  Passes(const program::Fft& work, const Side& in, const Side& out, const Shape& in_shape,
         const Shape& out_shape)
      : work_(work), in_(in), out_(out), last_in_(in_shape.back()), last_out_(out_shape.back()) {
    const bool to_real = work.kind == FftKind::irfft;
    // rfft transforms the last dimension first and cuts it, so that the others have half of the
    // work. irfft is its inverse and goes the other way round.
    shape_ = to_real ? in_shape : out_shape;
    const std::size_t rank = in_shape.size(), count = work.length.size();
    if (!to_real) dimensions_.push_back(rank - 1);
    for (std::size_t d = rank - count; d + 1 < rank; ++d) dimensions_.push_back(d);
    if (to_real) dimensions_.push_back(rank - 1);
  }

  void run() {
    if (dimensions_.size() > 1) field_.resize(2 * product_of(shape_, 0, shape_.size()));
    for (std::size_t i = 0; i < dimensions_.size(); ++i)
      run(dimensions_[i], i == 0, i + 1 == dimensions_.size());
  }

 private:
  void run(std::size_t d, bool is_first, bool is_last) {
    const bool is_inner = d + 1 == shape_.size();
    const auto size = static_cast<std::size_t>(shape_[d]);
    const Side field{reinterpret_cast<std::byte*>(field_.data()), true, true, size};
    Side from = is_first ? in_ : field, to = is_last ? out_ : field;
    from.size = is_inner ? static_cast<std::size_t>(last_in_) : size;
    to.size = is_inner ? static_cast<std::size_t>(last_out_) : size;
    FftKind kind = work_.kind;
    if (!is_inner && kind == FftKind::rfft) kind = FftKind::fft;
    if (!is_inner && kind == FftKind::irfft) kind = FftKind::ifft;
    const auto n = kind == FftKind::irfft ? to.size : from.size;
    if (n == 0) return;
    Pass(kind, n, from, to, {product_of(shape_, 0, d), product_of(shape_, d + 1, shape_.size())})
        .run();
  }

  const program::Fft& work_;
  Side in_, out_;
  std::int64_t last_in_, last_out_;
  Shape shape_;
  std::vector<std::size_t> dimensions_;
  std::vector<double> field_;
};

}  // namespace

void run(const program::Fft& work, const Instruction& instruction, Execution& execution) {
  const Operand& input = instruction.inputs[0];
  const Operand& output = instruction.outputs[0];
  if (output.type.elements() == 0) return;
  const auto side = [&](const Operand& operand, const std::byte* at) {
    const program::ElementType type = operand.type.element;
    const bool wide = type == program::ElementType::f64 || type == program::ElementType::c128;
    // Sides that are read are never written.
    return Side{const_cast<std::byte*>(at), wide, program::is_complex(type), 0};
  };
  Passes(work, side(input, execution.address(input.at)),
         side(output, execution.writable(output.at)), input.type.shape, output.type.shape)
      .run();
}

}  // namespace understudy::worker::ops
