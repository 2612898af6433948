// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <fmt/format.h>
#include <limits>

#include "configs/base/error.h"
#include "launcher/run/argument_files.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

using program::Array;
using program::ElementType;
using Value = std::complex<double>;

// Elements that are converted, or found equal, at one time.
constexpr std::size_t kElementsAtOnce = 256;

// Reads elements of an array as numbers, without a copy of the array.
class Reader {
 public:
  explicit Reader(const Array& array) : array_(array), width_(byte_size(array.type.element)) {
    if (!is_complex(array.type.element))
      convert_ = program::kernels::select("").convert(array.type.element, ElementType::f64);
    UNDERSTUDY_ASSERT(is_complex(array.type.element) || convert_ != nullptr);
  }
  const std::byte* at(std::size_t i) const { return array_.bytes.data() + i * width_; }
  // `count` elements from i on; at most kElementsAtOnce.
  void read(std::size_t i, std::size_t count) {
    if (convert_ != nullptr)
      convert_(at(i), real_.data(), count);
    else if (array_.type.element == ElementType::c64)
      read_parts<float>(i, count);
    else
      read_parts<double>(i, count);
  }
  // Element `i` of those that were read.
  Value value(std::size_t i) const { return {real_[i], convert_ != nullptr ? 0.0 : imaginary_[i]}; }

 private:
  template <class Part>
  void read_parts(std::size_t i, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
      Part both[2];
      std::memcpy(both, at(i + k), sizeof both);
      real_[k] = static_cast<double>(both[0]);
      imaginary_[k] = static_cast<double>(both[1]);
    }
  }
  const Array& array_;
  std::size_t width_;
  program::kernels::UnaryKernel convert_ = nullptr;
  std::array<double, kElementsAtOnce> real_, imaginary_;
};

// std::abs() of a complex number, which takes longer, only where there is an imaginary part.
double size_of(Value value) { return value.imag() == 0 ? std::abs(value.real()) : std::abs(value); }

bool has_nan(Value value) { return std::isnan(value.real()) || std::isnan(value.imag()); }

// Infinity if exactly one side is NaN, or for infinities of opposite sign: never within a
// tolerance.
double difference(Value got, Value want) {
  if (has_nan(got) && has_nan(want)) return 0;
  if (got == want) return 0;  // infinities too
  const double apart = size_of(got - want);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

std::string text_of(Value value, bool complex) {
  return complex ? fmt::format("{:.9g}{:+.9g}i", value.real(), value.imag())
                 : fmt::format("{:.9g}", value.real());
}

std::string place_text(const program::Shape& shape, std::size_t element) {
  std::string text;
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t d = shape.size(); d-- > 0;) {
    text = fmt::format("{}{}{}", rest % shape[d], text.empty() ? "" : ", ", text);
    rest /= shape[d];
  }
  return fmt::format("[{}]", text);
}

// `want` may be the array of one replica; then the leading axis of `got` is the replica.
void check_types(std::int64_t index, const Array& got, const Array& want, const std::string& file) {
  const program::Shape& shape = got.type.shape;
  const bool one_replica =
      !shape.empty() && program::Shape(shape.begin() + 1, shape.end()) == want.type.shape;
  if (got.type.element == want.type.element && (shape == want.type.shape || one_replica)) return;
  throw Error(ErrorKind::input,
              fmt::format("{}: expected values for result {} must be {}, but the file has {}", file,
                          index, type_text(got.type), type_text(want.type)));
}

}  // namespace

Comparison compare(std::int64_t index, const Array& got, const Array& want,
                   const Tolerance& tolerance, const std::string& file) {
  check_types(index, got, want, file);
  Comparison seen;
  seen.index = index;
  seen.type = got.type;
  seen.tolerance = tolerance;
  Reader ours(got), theirs(want);
  const std::size_t width = byte_size(got.type.element);
  // If `want` is the array of one replica, its elements repeat for every replica.
  const std::size_t period = want.bytes.size() / width, count = got.bytes.size() / width;
  const auto equal = [&](std::size_t i, std::size_t run) {
    return std::memcmp(ours.at(i), theirs.at(i % period), run * width) == 0;
  };
  double worst = -1;
  for (std::size_t first = 0, run = 0; first < count; first += run) {
    run = std::min({kElementsAtOnce, count - first, period - first % period});
    if (worst >= 0 && equal(first, run)) continue;  // of equal elements only the first is shown
    ours.read(first, run);
    theirs.read(first % period, run);
    for (std::size_t k = 0; k < run; ++k) {
      const Value mine = ours.value(k), other = theirs.value(k);
      // Different integers differ by at least 1, even if their doubles are equal.
      double apart = difference(mine, other);
      if (is_integer(got.type.element) && !equal(first + k, 1)) apart = std::max(apart, 1.0);
      const double size = size_of(other);
      // The formula of numpy.allclose(). An infinite expected value allows only itself.
      const double allowed = tolerance.atol + tolerance.rtol * (std::isfinite(size) ? size : 0);
      seen.max_abs_error = std::max(seen.max_abs_error, apart);
      if (size > 0 && std::isfinite(size))
        seen.max_rel_error = std::max(seen.max_rel_error, apart / size);
      if (apart > allowed) ++seen.mismatches;
      // Ranks elements by how far they exceed their tolerance; with zero tolerance, by the
      // difference itself.
      const double beyond = apart == 0 ? 0 : allowed > 0 ? apart / allowed : apart;
      if (beyond <= worst) continue;
      worst = beyond;
      seen.place = place_text(got.type.shape, first + k);
      seen.got = text_of(mine, is_complex(got.type.element));
      seen.want = text_of(other, is_complex(got.type.element));
    }
  }
  return seen;
}

std::string comparison_table(const std::vector<Comparison>& all) {
  // Names widen their column up to a bound; a longer one moves its own line.
  constexpr std::size_t kWidest = 28;
  std::size_t width = std::string_view("result").size();
  const auto label = [](const Comparison& one) {
    return one.name.empty() ? fmt::format("{}", one.index)
                            : fmt::format("{} {}", one.index, one.name);
  };
  for (const Comparison& one : all) width = std::max(width, std::min(label(one).size(), kWidest));
  std::string text = fmt::format("{:<{}}  {:<18} {:>10} {:>10} {:>8} {:>8}  {}\n", "result", width,
                                 "type", "max abs", "max rel", "rtol", "atol", "verdict");
  for (const Comparison& one : all) {
    const std::string verdict = one.ok() ? "ok" : fmt::format("{} differ", one.mismatches);
    text += fmt::format("{:<{}}  {:<18} {:>10.3g} {:>10.3g} {:>8.2g} {:>8.2g}  {}\n", label(one),
                        width, type_text(one.type), one.max_abs_error, one.max_rel_error,
                        one.tolerance.rtol, one.tolerance.atol, verdict);
    // On a line of its own: the values do not fit into 100 columns beside the rest.
    if (!one.ok() && !one.place.empty())
      text += fmt::format("  largest difference at {}: got {}, expected {}\n", one.place, one.got,
                          one.want);
  }
  text.pop_back();
  return text;
}

}  // namespace understudy::launcher
