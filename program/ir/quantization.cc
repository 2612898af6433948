// SPDX-License-Identifier: Apache-2.0
#include "program/ir/quantization.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "program/ir/literal.h"

namespace understudy::program {
namespace {

// The StableHLO specification allows storage of 2 to 32 bits.
constexpr int kMaxStorageBits = 32;

// A scale, and its zero point behind a colon.
std::string parameter_text(const Quantization& quantization, std::size_t i) {
  const std::uint64_t bits = bits_of_float(ElementType::f64, quantization.scales[i]);
  const std::string scale = text_of_bits(ElementType::f64, bits);
  const std::int64_t zero = quantization.zero_points[i];
  // A zero point of 0 is left out, as MLIR prints it.
  return zero == 0 ? scale : fmt::format("{}:{}", scale, zero);
}

std::string fault_of_parameter(const Quantization& quantization, std::size_t i) {
  const double scale = quantization.scales[i];
  if (!std::isfinite(scale) || scale <= 0)
    return fmt::format("scale {} is {}, but must be positive and finite", i, scale);
  // A scale that vanishes in the expressed type could not be divided by at run time.
  const double expressed = rounded(quantization.expressed, scale);
  if (!std::isfinite(expressed) || expressed <= 0)
    return fmt::format("scale {} is {}, which {} cannot represent", i, scale,
                       mlir_name(quantization.expressed));
  const std::int64_t zero = quantization.zero_points[i];
  if (zero < quantization.storage_min || zero > quantization.storage_max)
    return fmt::format("zero point {} is {}, but must be within the storage range {} to {}", i,
                       zero, quantization.storage_min, quantization.storage_max);
  return "";
}

}  // namespace

bool Quantization::has_zero_points() const {
  return std::ranges::any_of(zero_points, [](std::int64_t zero) { return zero != 0; });
}

std::pair<std::int64_t, std::int64_t> integer_range(ElementType storage) {
  // Storage has at most 32 bits, so the count fits.
  const std::int64_t count = std::int64_t{1} << bit_width(storage);
  if (is_unsigned_integer(storage)) return {0, count - 1};
  return {-count / 2, count / 2 - 1};
}

std::string text_of(const Quantization& quantization) {
  const bool is_unsigned = is_unsigned_integer(quantization.storage);
  std::string out =
      fmt::format("!quant.uniform<{}{}", is_unsigned ? 'u' : 'i', bit_width(quantization.storage));
  const auto [least, greatest] = integer_range(quantization.storage);
  // The default range of the type is left out, too.
  if (quantization.storage_min != least || quantization.storage_max != greatest)
    out += fmt::format("<{}:{}>", quantization.storage_min, quantization.storage_max);
  out += fmt::format(":{}", mlir_name(quantization.expressed));
  if (!quantization.is_per_axis()) return out + ", " + parameter_text(quantization, 0) + ">";
  out += fmt::format(":{}, {{", *quantization.axis);
  for (std::size_t i = 0; i < quantization.scales.size(); ++i)
    out += (i == 0 ? "" : ", ") + parameter_text(quantization, i);
  return out + "}>";
}

// The constraints of quantized types in the StableHLO specification that do not depend on a shape.
std::string fault_of(const Quantization& quantization) {
  const bool integers =
      is_integer(quantization.storage) && bit_width(quantization.storage) <= kMaxStorageBits;
  if (!integers)
    return fmt::format("the storage is {}, but must be an integer of at most {} bits",
                       mlir_name(quantization.storage), kMaxStorageBits);
  if (!is_float(quantization.expressed))
    return fmt::format("the expressed type is {}, but must be a float",
                       mlir_name(quantization.expressed));
  const auto [least, greatest] = integer_range(quantization.storage);
  if (quantization.storage_min < least || quantization.storage_max > greatest ||
      quantization.storage_min >= quantization.storage_max)
    return fmt::format("{}:{} is not a valid storage range of {}", quantization.storage_min,
                       quantization.storage_max, mlir_name(quantization.storage));
  if (quantization.scales.empty() ||
      quantization.scales.size() != quantization.zero_points.size() ||
      // One scale per tensor, or one per element of the axis.
      (!quantization.is_per_axis() && quantization.scales.size() != 1))
    return fmt::format("the type has {} scales, but {} zero points", quantization.scales.size(),
                       quantization.zero_points.size());
  for (std::size_t i = 0; i < quantization.scales.size(); ++i) {
    const std::string fault = fault_of_parameter(quantization, i);
    if (!fault.empty()) return fault;
  }
  return "";
}

std::string fault_of(const Quantization& quantization, const std::vector<std::int64_t>& shape) {
  // Per-tensor types fit every shape.
  if (!quantization.is_per_axis()) return "";
  const std::int64_t axis = *quantization.axis;
  if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()))
    return fmt::format("it is quantized along dimension {}, but has {} dimensions", axis,
                       shape.size());
  const std::int64_t size = shape[static_cast<std::size_t>(axis)];
  const bool known = size >= 0;  // `?` dimensions fit any count
  if (known && size != static_cast<std::int64_t>(quantization.scales.size()))
    return fmt::format("the type has {} scales, but {} elements along dimension {}",
                       quantization.scales.size(), size, axis);
  return "";
}

}  // namespace understudy::program
