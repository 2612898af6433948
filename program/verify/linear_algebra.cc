// SPDX-License-Identifier: Apache-2.0
// Matrices and normalisations: triangular_solve, cholesky, fft, batch_norm_*.
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

void expect_square(const Check& check) {
  const TensorType& a = check.operand(0);
  const bool fits = a.ndims() >= 2 && fit(a.shape.back(), a.shape[a.shape.size() - 2]);
  if (!fits) check.fail_operand(0, fmt::format("is {}, which is not a square matrix", text_of(a)));
}

ElementType complex_of(ElementType element) {
  return element == ElementType::f64 ? ElementType::c128 : ElementType::c64;
}
ElementType part_of(ElementType element) {
  return element == ElementType::c128 ? ElementType::f64 : ElementType::f32;
}

}  // namespace

// Batches of square matrices a; b has as many rows (left_side) or columns as a.
void triangular_solve(const Check& check) {
  const TensorType& a = check.operand(0);
  const TensorType& b = check.operand(1);
  const bool left = flag_of(check.op(), "left_side", true);
  expect_square(check);
  const std::size_t last = a.shape.size() - 1;
  const bool fits = fit(a.shape[last], b.shape[left ? last - 1 : last]) &&
                    // All batch dimensions must fit, those before the last two.
                    std::equal(a.shape.begin(), a.shape.end() - 2, b.shape.begin(),
                               [](std::int64_t x, std::int64_t y) { return fit(x, y); });
  check.require(fits, fmt::format("{} and {} do not fit", text_of(a), text_of(b)));
}

void cholesky(const Check& check) { expect_square(check); }

void fft(const Check& check) {
  const TensorType& from = check.operand(0);
  const std::string& kind = check.needed("fft_type").get<EnumAttribute>()->word;
  const Shape lengths = check.integers("fft_length");
  check.require(
      // The specification has transforms of one to three dimensions.
      !lengths.empty() && lengths.size() <= 3 && lengths.size() <= from.shape.size(),
      fmt::format("'fft_length' is {}, but operand 0 is {}", list_text(lengths), text_of(from)));
  const bool takes_real = kind == "RFFT";
  const bool is_real = from.element == ElementType::f32 || from.element == ElementType::f64;
  if (takes_real ? !is_real : !is_complex(from.element))
    check.fail_operand(0, fmt::format("is {}, but {} takes {}", text_of(from), kind,
                                      takes_real ? "f32 or f64" : "complex numbers"));
  // A real transform of n elements has n / 2 + 1 independent complex results; the rest is their
  // conjugate.
  Shape complex = lengths;
  // An empty transform stays empty.
  if (complex.back() > 0) complex.back() = complex.back() / 2 + 1;
  const Shape& inner = kind == "IRFFT" ? complex : lengths;
  const auto first = from.shape.end() - static_cast<std::ptrdiff_t>(lengths.size());
  if (!fit(Shape(first, from.shape.end()), inner))
    check.fail_operand(0, fmt::format("is {}, but its last dimensions must be {}", text_of(from),
                                      list_text(inner)));
  TensorType wanted{from.element, Shape(from.shape.begin(), first)};
  if (kind == "RFFT") wanted.element = complex_of(from.element);
  if (kind == "IRFFT") wanted.element = part_of(from.element);
  const Shape& outer = kind == "RFFT" ? complex : lengths;
  wanted.shape.insert(wanted.shape.end(), outer.begin(), outer.end());
  check.expect_result(0, wanted);
}

// All vectors (scale, offset, mean, variance) have one element per feature.
void batch_norm(const Check& check) {
  const TensorType& from = check.operand(0);
  const std::int64_t feature = check.dimension("feature_index", from.ndims());
  const Shape wanted = {from.shape[at(feature)]};
  // The number of dimensions of these vectors is in the signature.
  for (std::size_t i = 1; i < check.operands(); ++i) {
    if (check.operand(i).ndims() != 1 || fit(check.operand(i).shape, wanted)) continue;
    check.fail_operand(
        i, fmt::format("is {}, but dimension {} of {} has {} features", text_of(check.operand(i)),
                       feature, text_of(from), wanted[0]));
  }
  for (std::size_t i = 1; i < check.results(); ++i) check.expect_shape(i, wanted);
}

}  // namespace understudy::program::rules
