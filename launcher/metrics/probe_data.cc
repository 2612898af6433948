// SPDX-License-Identifier: Apache-2.0
#include "launcher/metrics/probe_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "configs/base/index.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

using program::ElementType;

struct Line {
  double factor, offset;  // value * factor + offset * (1 + element % 5)
};

// Large enough changes for narrow floats. Large values stay finite in a type of 16 bits or less.
Line line_of(Change change, bool is_narrow) {
  const double factor = is_narrow ? 16 : 1e4, offset = is_narrow ? 16 : 1e3;
  switch (change) {
    case Change::shifted:
      // Few significant bits, so that the change survives in bf16; the offset also changes zeros.
      return {1.375, 0.0625};
    case Change::negated:
      return {-2.75, 0.0625};
    case Change::larger:
      return {factor, offset};
    case Change::smaller:
      return {-factor, -offset};
    case Change::low:
      return {0, -offset};
    case Change::high:
      return {0, offset};
    case Change::zero:
      return {0, 0};
    case Change::three:
      return {0, 3};
    case Change::poisoned:
      break;
  }
  return {0, std::numeric_limits<double>::quiet_NaN()};
}

// Whether all floats become the same number.
bool is_number(Change change) { return change >= Change::low; }

}  // namespace

std::vector<double> numbers(const program::TensorType& type, const Bytes& bytes) {
  const bool is_complex = program::is_complex(type.element);
  const auto convert = program::kernels::select("").convert(
      type.element, is_complex ? ElementType::c128 : ElementType::f64);
  const auto n = at(type.elements());
  if (convert == nullptr) return {};
  std::vector<double> values(is_complex ? 2 * n : n);
  convert(bytes.data(), values.data(), n);
  return values;
}

double difference(const program::TensorType& type, const Bytes& a, const Bytes& b) {
  if (a == b) return 0;
  const std::vector<double> x = numbers(type, a), y = numbers(type, b);
  if (x.empty()) return INFINITY;  // the bits differ, by how much is unknown
  double largest = 0, scale = 0;
  // NaN equals NaN and infinities of equal sign are equal: only differences between copies count.
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    if (x[i] == y[i]) continue;
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
    largest = std::max(largest, std::fabs(x[i] - y[i]));
    scale = std::max({scale, std::fabs(x[i]), std::fabs(y[i])});
  }
  return scale == 0 ? 0 : largest / scale;
}

Bytes changed(const program::TensorType& type, const Bytes& bytes, Change change) {
  Bytes fresh = bytes;
  const std::size_t width = program::byte_size(type.element);
  const auto convert_out = program::kernels::select("").convert(ElementType::f64, type.element);
  if (program::is_float(type.element) && convert_out != nullptr) {
    std::vector<double> values = numbers(type, bytes);
    // Integers and predicates are labels, masks or indices: they are permuted or filled, not
    // scaled, because a scaled index would be out of range.
    const Line line = line_of(change, width < 4);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = is_number(change)
                      ? line.offset
                      : values[i] * line.factor + line.offset * static_cast<double>(1 + i % 5);
    convert_out(values.data(), fresh.data(), values.size());
  } else if (type.element == ElementType::pred &&
             (change == Change::larger || change == Change::smaller)) {
    std::ranges::fill(fresh, std::byte{change == Change::larger});
  } else if (fresh.size() > width && !is_number(change)) {
    const std::size_t places = change == Change::negated ? 2 : 1;
    std::rotate(fresh.begin(),
                fresh.begin() + static_cast<std::ptrdiff_t>(width * places % fresh.size()),
                fresh.end());
  }
  return fresh;
}

bool shares(const program::Parameter& result, std::int64_t a, std::int64_t b) {
  return result.sharding.per_replica ||
         result.sharding.tile_of[at(a)] == result.sharding.tile_of[at(b)];
}

double spread(const program::Parameter& result, const std::vector<Bytes>& by_rank) {
  const auto ranks = static_cast<std::int64_t>(by_rank.size());
  double largest = 0;
  for (std::int64_t a = 0; a < ranks; ++a)
    for (std::int64_t b = a + 1; b < ranks; ++b)
      if (shares(result, a, b))
        largest = std::max(largest, difference(result.local, by_rank[at(a)], by_rank[at(b)]));
  return largest;
}

}  // namespace understudy::launcher
