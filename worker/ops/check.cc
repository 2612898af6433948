// SPDX-License-Identifier: Apache-2.0
// The checks of self-checking programs, by the rules of StableHLO's reference interpreter: see
// executable.h, Demand. A failure names the index of the first different element, both values, and
// the number of further differences.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::Demand;
using program::ElementType;
using program::TensorType;

// One real number of a tensor: an element, or a part of a complex one.
struct Number {
  std::uint64_t bits = 0;  // as it is stored
  double value = 0;
};

// Elements as numbers: complex ones as their real and imaginary parts.
class Numbers {
 public:
  Numbers(const TensorType& type, const std::byte* data, const Execution& execution)
      : data_(data), is_complex_(program::is_complex(type.element)) {
    part_ = !is_complex_                       ? type.element
            : type.element == ElementType::c64 ? ElementType::f32
                                               : ElementType::f64;
    values_.resize(static_cast<std::size_t>(type.elements()) * (is_complex_ ? 2 : 1));
    const auto convert = execution.kernels->convert(part_, ElementType::f64);
    UNDERSTUDY_ASSERT(convert != nullptr);  // otherwise all values would be zero, and equal
    convert(data, values_.data(), values_.size());
  }

  std::size_t size() const { return values_.size(); }
  ElementType part() const { return part_; }
  std::size_t parts() const { return is_complex_ ? 2 : 1; }
  Number at(std::size_t i) const {
    Number number{0, values_[i]};
    const std::size_t bytes = program::byte_size(part_);
    std::memcpy(&number.bits, data_ + i * bytes, bytes);
    return number;
  }

 private:
  const std::byte* data_;
  bool is_complex_;
  ElementType part_;
  std::vector<double> values_;
};

// Distance in units in the last place. The bits of floats of one sign are ordered like their
// magnitudes, so their difference counts the representable values between them; across zero the two
// distances to zero are added. f8e8m0fnu has no sign bit.
double ulps_between(const Number& got, const Number& want, ElementType type) {
  if (std::isnan(got.value) || std::isnan(want.value))
    return std::isnan(got.value) && std::isnan(want.value) ? 0 : INFINITY;
  if (std::isinf(got.value) || std::isinf(want.value))
    return got.value == want.value ? 0 : INFINITY;
  const std::uint64_t sign =
      type == ElementType::f8e8m0fnu ? 0 : std::uint64_t{1} << (program::bit_width(type) - 1);
  const auto magnitude = [&](const Number& number) {
    return static_cast<double>(number.bits & ~sign);
  };
  if ((got.bits & sign) != (want.bits & sign)) return magnitude(got) + magnitude(want);
  const std::uint64_t low = std::min(got.bits, want.bits);
  return static_cast<double>(std::max(got.bits, want.bits) - low);
}

bool equal(const Number& got, const Number& want, ElementType type) {
  // Integers compare by their bits: a double cannot represent all 64-bit integers.
  if (program::is_integer(type)) return got.bits == want.bits;
  return got.value == want.value;
}

bool near(const Number& got, const Number& want, ElementType type, double tolerance) {
  if (equal(got, want, type)) return true;
  // Two NaNs are close to each other (check.expect_almost_eq), but never equal.
  if (std::isnan(got.value) && std::isnan(want.value)) return true;
  return std::fabs(got.value - want.value) <= tolerance;
}

bool holds(const program::Expect& work, const Number& got, const Number& want, ElementType type) {
  switch (work.demand) {
    case Demand::equal:
    case Demand::equal_probed:
      return equal(got, want, type);
    case Demand::within_ulps: {
      const double ulps = ulps_between(got, want, type);
      return ulps >= static_cast<double>(work.least_ulps) &&
             ulps <= static_cast<double>(work.most_ulps);
    }
    case Demand::within:
      return near(got, want, type, work.tolerance);
  }
  return false;
}

std::string text_of(const Number& number, ElementType type) {
  if (program::is_pred(type)) return number.bits != 0 ? "true" : "false";
  if (program::byte_size(type) == 8 && program::is_integer(type))
    return type == ElementType::ui64 ? fmt::format("{}", number.bits)
                                     : fmt::format("{}", std::bit_cast<std::int64_t>(number.bits));
  return fmt::format("{}", number.value);
}

// "[1, 0]", "[1, 0], imaginary part"
std::string place_of(std::size_t i, const TensorType& type, std::size_t parts) {
  // Row-major index of element i.
  auto left = static_cast<std::int64_t>(i / parts);
  Shape index(type.shape.size());
  for (std::size_t d = index.size(); d-- > 0;) {
    index[d] = left % type.shape[d];
    left /= type.shape[d];
  }
  std::string text = fmt::format("[{}]", fmt::join(index, ", "));
  if (parts == 2) text += i % 2 == 0 ? ", real part" : ", imaginary part";
  return text;
}

std::optional<std::string> difference(const program::Expect& work, const TensorType& type,
                                      const Numbers& got, const Numbers& want) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (holds(work, got.at(i), want.at(i), got.part())) continue;
    if (++count > 1) continue;
    first = fmt::format("{} {}: got {}, expected {}", program::text_of(type),
                        place_of(i, type, got.parts()), text_of(got.at(i), got.part()),
                        text_of(want.at(i), got.part()));
  }
  if (count == 0) return std::nullopt;
  return count == 1 ? first : fmt::format("{} (and {} more)", first, count - 1);
}

std::optional<std::string> check_probe(const program::Expect& work, const Operand& got,
                                       Execution& execution) {
  // Probes are kept per chip: a check sees the values of its own process only.
  const auto found = execution.checks.probes.find(work.probe);
  const auto turn = static_cast<std::size_t>(work.turn);
  if (found == execution.checks.probes.end() || turn >= found->second.size())
    return fmt::format("probe \"{}\" ran fewer than {} times", work.probe, work.turn + 1);
  const std::vector<std::byte>& kept = found->second[turn];
  if (kept.size() != static_cast<std::size_t>(got.type.bytes()))
    return fmt::format("probe \"{}\" recorded a different type than {}", work.probe,
                       program::text_of(got.type));
  return difference(work, got.type, Numbers(got.type, execution.address(got.at), execution),
                    Numbers(got.type, kept.data(), execution));
}

}  // namespace

void run(const program::Expect& work, const Instruction& instruction, Execution& execution) {
  const Operand& got = instruction.inputs[0];
  const auto compare = [&](const Operand& want) {
    return difference(work, got.type, Numbers(got.type, execution.address(got.at), execution),
                      Numbers(want.type, execution.address(want.at), execution));
  };
  const std::optional<std::string> why = work.demand == Demand::equal_probed
                                             ? check_probe(work, got, execution)
                                             : compare(instruction.inputs[1]);
  // A failed check does not end the launch: other chips may wait for this one in a collective. The
  // first violation fails the launch at its end.
  Checks& checks = execution.checks;
  if (!why) ++checks.held;
  if (why && !checks.violation) checks.violation = Violation{instruction.op, *why};
  for (const Operand& answer : instruction.outputs)
    *execution.writable(answer.at) = why ? std::byte{0} : std::byte{1};
}

void run(const program::Probe& work, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const std::byte* const data = execution.address(x.at);
  // Each pass appends: a probe in a loop keeps the value of every iteration.
  execution.checks.probes[work.name].emplace_back(data, data + x.type.bytes());
}

}  // namespace understudy::worker::ops
