// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/compare.h"

#include <algorithm>
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

// Reads elements of an array as numbers.
// Converts one element at a time: comparison is not speed critical, and this needs no copy of the
// array.
class Reader {
 public:
  explicit Reader(const Array& array) : array_(array), width_(byte_size(array.type.element)) {
    if (!is_complex(array.type.element))
      convert_ = program::kernels::select("portable").convert(array.type.element, ElementType::f64);
    UNDERSTUDY_ASSERT(is_complex(array.type.element) || convert_ != nullptr);
  }
  const std::byte* at(std::size_t i) const { return array_.bytes.data() + i * width_; }
  Value value(std::size_t i) const {
    if (convert_ != nullptr) {
      double real = 0;
      convert_(at(i), &real, 1);
      return real;
    }
    if (array_.type.element == ElementType::c64) return parts<float>(i);
    return parts<double>(i);
  }

 private:
  template <class Part>
  Value parts(std::size_t i) const {
    Part both[2];
    std::memcpy(both, at(i), sizeof both);
    return {static_cast<double>(both[0]), static_cast<double>(both[1])};
  }
  const Array& array_;
  std::size_t width_;
  program::kernels::UnaryKernel convert_ = nullptr;
};

bool has_nan(Value value) { return std::isnan(value.real()) || std::isnan(value.imag()); }

// Infinity if exactly one side is NaN, or for infinities of opposite sign: never within a
// tolerance.
double difference(Value got, Value want) {
  if (has_nan(got) && has_nan(want)) return 0;
  if (got == want) return 0;  // infinities too
  const double apart = std::abs(got - want);
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
  const Reader ours(got);
  const Reader theirs(want);
  const std::size_t width = byte_size(got.type.element);
  // If `want` is the array of one replica, its elements repeat for every replica.
  const std::size_t period = want.bytes.size() / width;
  const bool complex = is_complex(got.type.element);
  double worst = -1;
  for (std::size_t i = 0; i < got.bytes.size() / width; ++i) {
    const Value mine = ours.value(i);
    const Value other = theirs.value(i % period);
    // Compare bits first: different 64-bit integers may convert to the same double.
    const bool same = std::memcmp(ours.at(i), theirs.at(i % period), width) == 0;
    const double apart =
        // Different integers differ by at least 1, even if their doubles are equal.
        same ? 0 : std::max(difference(mine, other), is_integer(got.type.element) ? 1.0 : 0.0);
    const double size = std::abs(other);
    // The formula of numpy.allclose(). An infinite expected value allows only itself.
    const double allowed = tolerance.atol + tolerance.rtol * (std::isfinite(size) ? size : 0);
    seen.max_abs_error = std::max(seen.max_abs_error, apart);
    if (size > 0 && std::isfinite(size))
      seen.max_rel_error = std::max(seen.max_rel_error, apart / size);
    if (apart > allowed) ++seen.mismatches;
    // Ranks elements by how far they exceed their tolerance; with zero tolerance, by the difference
    // itself.
    const double beyond = apart == 0 ? 0 : allowed > 0 ? apart / allowed : apart;
    if (beyond <= worst) continue;
    worst = beyond;
    seen.place = place_text(got.type.shape, i);
    seen.got = text_of(mine, complex);
    seen.want = text_of(other, complex);
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
