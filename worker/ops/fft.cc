// SPDX-License-Identifier: Apache-2.0
// fft over the last dimensions (StableHLO spec; normalisation 1/n on the inverse kinds). Lines are
// transformed in double precision and rounded once at the end: power-of-two lengths by radix 2
// (Cooley and Tukey 1965), other lengths by the chirp transform (Bluestein 1970), so that every
// length takes O(n log n).
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <optional>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

// exp(sign * i * pi * numerator / denominator). Reducing the numerator modulo one turn in integers
// keeps the angle small and exact: sine and cosine of large angles would lose digits.
Complex root(std::int64_t numerator, std::int64_t denominator, double sign) {
  const std::int64_t reduced = numerator % (2 * denominator);
  const double angle =
      std::numbers::pi * static_cast<double>(reduced) / static_cast<double>(denominator);
  return {std::cos(angle), sign * std::sin(angle)};
}

// Textbook form: std::complex checks each product for NaN, too slow for a hot loop.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Transforms of one power-of-two length. The roots of every level are computed once per length.
class Radix2 {
 public:
  Radix2(std::size_t n, double sign) : n_(n) {
    for (std::size_t half = 1; half < n; half *= 2) {
      Values& roots = roots_.emplace_back(half);
      for (std::size_t k = 0; k < half; ++k)
        roots[k] = root(static_cast<std::int64_t>(k), static_cast<std::int64_t>(half), sign);
    }
  }

  void operator()(Values& x) const {
    // Bit-reversal permutation: j counts up with its bits reversed. Then butterflies, level by
    // level.
    for (std::size_t i = 1, j = 0; i < n_; ++i) {
      std::size_t bit = n_ >> 1;
      for (; (j & bit) != 0; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) std::swap(x[i], x[j]);
    }
    for (const Values& roots : roots_) {
      const std::size_t half = roots.size();
      for (std::size_t low = 0; low < n_; low += 2 * half) {
        for (std::size_t k = 0; k < half; ++k) {
          const Complex odd = product(x[low + k + half], roots[k]);
          const Complex even = x[low + k];
          x[low + k] = even + odd;
          x[low + k + half] = even - odd;
        }
      }
    }
  }

 private:
  std::size_t n_;
  std::vector<Values> roots_;  // by level, 1, 2, 4, ... of them
};

std::size_t power_of_two_from(std::size_t least) {
  std::size_t power = 1;
  while (power < least) power *= 2;
  return power;
}

// Any length n as a circular convolution: jk = (j^2 + k^2 - (k - j)^2) / 2 turns the transform into
// a product with a chirp, a convolution with its conjugate, and a second product. The convolution
// is computed by radix 2 in a power of two of at least 2n - 1, so that its ends do not wrap into
// each other.
class Bluestein {
 public:
  Bluestein(std::size_t n, double sign)
      : n_(n),
        padded_(power_of_two_from(2 * n - 1)),
        forward_(padded_, -1),
        backward_(padded_, 1),
        chirp_(n),
        filter_(padded_),
        work_(padded_) {
    for (std::size_t k = 0; k < n; ++k) {
      // The chirp exp(i pi k^2 / n) has period 2n in k^2.
      const auto square = static_cast<std::int64_t>((k * k) % (2 * n));
      chirp_[k] = root(square, static_cast<std::int64_t>(n), sign);
      filter_[k] = std::conj(chirp_[k]);
      // The filter is symmetric: negative indices are stored at the end.
      if (k != 0) filter_[padded_ - k] = filter_[k];
    }
    forward_(filter_);
  }

  void operator()(Values& x) {
    std::fill(work_.begin(), work_.end(), Complex());
    for (std::size_t k = 0; k < n_; ++k) work_[k] = product(x[k], chirp_[k]);
    forward_(work_);
    for (std::size_t k = 0; k < padded_; ++k) work_[k] = product(work_[k], filter_[k]);
    backward_(work_);
    for (std::size_t k = 0; k < n_; ++k)
      x[k] = product(work_[k], chirp_[k]) / static_cast<double>(padded_);
  }

 private:
  std::size_t n_, padded_;
  Radix2 forward_, backward_;
  Values chirp_, filter_, work_;
};

// Transforms lines of one length; length 1 is the identity.
class Transform {
 public:
  Transform(std::size_t n, bool inverse) : n_(n), inverse_(inverse) {
    const double sign = inverse ? 1 : -1;
    if (n > 1 && (n & (n - 1)) == 0) radix2_.emplace(n, sign);
    if (n > 1 && (n & (n - 1)) != 0) bluestein_.emplace(n, sign);
  }

  void operator()(Values& line) {
    if (radix2_) (*radix2_)(line);
    if (bluestein_) (*bluestein_)(line);
    if (!inverse_) return;
    for (Complex& value : line) value /= static_cast<double>(n_);
  }

 private:
  std::size_t n_;
  bool inverse_;
  std::optional<Radix2> radix2_;
  std::optional<Bluestein> bluestein_;
};

template <class Real>
Complex load(const std::byte* at, bool is_complex) {
  Real parts[2] = {0, 0};
  std::memcpy(parts, at, is_complex ? sizeof(parts) : sizeof(Real));
  return {static_cast<double>(parts[0]), static_cast<double>(parts[1])};
}

template <class Real>
void store(Complex value, std::byte* at, bool is_complex) {
  const Real parts[2] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  std::memcpy(at, parts, is_complex ? sizeof(parts) : sizeof(Real));
}

// A dense array of complex doubles with its shape. The whole array is held at 16 bytes per element.
struct Field {
  Shape shape;
  Values values;
};

// Transforms every line along `dimension` of `field`, gathered into a dense line and back.
void transform_lines(Field& field, std::size_t dimension, bool inverse) {
  const Shape strides = strides_of(field.shape);
  const auto n = static_cast<std::size_t>(field.shape[dimension]);
  const auto step = static_cast<std::size_t>(strides[dimension]);
  Shape others = field.shape;
  others[dimension] = 1;
  Values line(n);
  Transform transform(n, inverse);
  Counter counter(others);
  for (bool more = !counter.empty() && n > 0; more; more = counter.next()) {
    std::size_t first = 0;
    for (std::size_t d = 0; d < others.size(); ++d) {
      first += static_cast<std::size_t>(counter.at()[d] * strides[d]);
    }
    for (std::size_t k = 0; k < n; ++k) line[k] = field.values[first + k * step];
    transform(line);
    for (std::size_t k = 0; k < n; ++k) field.values[first + k * step] = line[k];
  }
}

// The field with its last dimension cut to `size` (rfft keeps n/2 + 1 values) or completed to
// `size` by Hermitian symmetry, x[n - k] = conj(x[k]) (irfft).
Field with_last(const Field& field, std::int64_t size, bool hermitian) {
  Field out{field.shape, {}};
  const auto old = static_cast<std::size_t>(field.shape.back());
  const auto now = static_cast<std::size_t>(size);
  out.shape.back() = size;
  const std::size_t lines = old == 0 ? 0 : field.values.size() / old;
  out.values.resize(lines * now);
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t k = 0; k < now; ++k) {
      const bool mirrored = hermitian && k > now / 2;
      const Complex value = field.values[line * old + (mirrored ? now - k : k)];
      out.values[line * now + k] = mirrored ? std::conj(value) : value;
    }
  }
  return out;
}

template <class Real>
void run_as(const program::Fft& work, const Operand& input, const Operand& output,
            Execution& execution) {
  const bool complex_in = program::is_complex(input.type.element);
  const bool complex_out = program::is_complex(output.type.element);
  Field field{input.type.shape, Values(static_cast<std::size_t>(input.type.elements()))};
  const std::byte* from = execution.address(input.at);
  for (Complex& value : field.values) {
    value = load<Real>(from, complex_in);
    from += element_bytes(input);
  }
  const std::size_t rank = field.shape.size();
  const std::size_t count = work.length.size();
  const bool inverse = work.kind == program::FftKind::ifft || work.kind == program::FftKind::irfft;
  const bool to_real = work.kind == program::FftKind::irfft;
  // rfft transforms the last dimension first and cuts it, so that the others have half of the work.
  // irfft is its inverse and goes the other way round.
  if (!to_real) transform_lines(field, rank - 1, inverse);
  if (work.kind == program::FftKind::rfft) {
    field = with_last(field, output.type.shape.back(), false);
  }
  for (std::size_t d = rank - count; d + 1 < rank; ++d) transform_lines(field, d, inverse);
  if (to_real) {
    field = with_last(field, output.type.shape.back(), true);
    transform_lines(field, rank - 1, inverse);
  }
  std::byte* to = execution.writable(output.at);
  for (const Complex& value : field.values) {
    store<Real>(value, to, complex_out);
    to += element_bytes(output);
  }
}

}  // namespace

void run(const program::Fft& work, const Instruction& instruction, Execution& execution) {
  const Operand& input = instruction.inputs[0];
  const Operand& output = instruction.outputs[0];
  if (output.type.elements() == 0) return;
  const bool wide = input.type.element == program::ElementType::f64 ||
                    input.type.element == program::ElementType::c128;
  wide ? run_as<double>(work, input, output, execution)
       : run_as<float>(work, input, output, execution);
}

}  // namespace understudy::worker::ops
