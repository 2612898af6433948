// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/numbers.h"

#include <algorithm>
#include <cmath>

#include "program/ir/types.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Only smaller numbers are followed: a sum or product of two of them that is one as well is exact.
constexpr double kMost = 0x1p53;

bool is_small(double value) { return std::abs(value) < kMost; }

// Whether the type has all numbers between the bounds: nothing wraps.
bool fits(const Numbers& numbers, ElementType type) {
  const auto all = numbers_of_type(type);
  if (!all) return is_signed_integer(type) || numbers.low >= 0;
  return numbers.low >= all->low && numbers.high <= all->high;
}

std::optional<Numbers> between(double low, double high) {
  if (!is_small(low) || !is_small(high)) return std::nullopt;
  return Numbers{static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
}

// Nullopt where a summand or the sum may be rounded.
std::optional<std::int64_t> exact_sum(double x, double y) {
  if (!is_small(x) || !is_small(y) || !is_small(x + y)) return std::nullopt;
  return static_cast<std::int64_t>(x + y);
}

std::optional<Numbers> one_number(std::int64_t value) {
  return Numbers{value, value, Regular{value}};
}

// a * x + b * y of regular numbers.
std::optional<Numbers> combined(const NumbersIn& x, double a, const NumbersIn& y, double b,
                                const Shape& shape) {
  const auto& left = x.numbers->regular;
  const auto& right = y.numbers->regular;
  if (!left || !right) return std::nullopt;
  const auto from = steps_along(*left, shape), by = steps_along(*right, shape);
  if (!from || !by) return std::nullopt;
  Shape steps(shape.size(), 0);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto step =
        exact_sum(a * static_cast<double>((*from)[d]), b * static_cast<double>((*by)[d]));
    if (!step) return std::nullopt;
    steps[d] = *step;
  }
  const auto base =
      exact_sum(a * static_cast<double>(left->base), b * static_cast<double>(right->base));
  return base ? numbers_from(*base, shape, steps) : std::nullopt;
}

// One kind of work on numbers that are all known.
struct Follow {
  std::span<const NumbersIn> in;
  const TensorType& out;

  const Numbers& x(std::size_t i) const { return *in[i].numbers; }
  static double d(std::int64_t value) { return static_cast<double>(value); }

  std::optional<Numbers> operator()(const Iota& work) const {
    Shape steps(out.shape.size(), 0);
    steps[static_cast<std::size_t>(work.dimension)] = 1;
    return numbers_from(0, out.shape, steps);
  }
  std::optional<Numbers> operator()(const Fill&) const {
    return x(0).is_one() ? one_number(x(0).low) : Numbers{x(0).low, x(0).high};
  }
  std::optional<Numbers> operator()(const Convert&) const { return x(0); }

  std::optional<Numbers> operator()(const Binary& work) const {
    const Numbers &a = x(0), &b = x(1);
    switch (work.op) {
      case BinaryOp::add:
      case BinaryOp::subtract:
        return sum(work.op == BinaryOp::add ? 1 : -1);
      case BinaryOp::multiply:
        return product();
      case BinaryOp::maximum:
        return between(d(std::max(a.low, b.low)), d(std::max(a.high, b.high)));
      case BinaryOp::minimum:
        return between(d(std::min(a.low, b.low)), d(std::min(a.high, b.high)));
      default:
        return std::nullopt;
    }
  }
  std::optional<Numbers> sum(double sign) const {
    if (is_pred(out.element)) return std::nullopt;
    if (auto both = combined(in[0], 1, in[1], sign, out.shape)) return both;
    const Numbers &a = x(0), &b = x(1);
    return sign > 0 ? between(d(a.low) + d(b.low), d(a.high) + d(b.high))
                    : between(d(a.low) - d(b.high), d(a.high) - d(b.low));
  }
  std::optional<Numbers> product() const {
    if (is_pred(out.element)) return std::nullopt;
    const Numbers &a = x(0), &b = x(1);
    const NumbersIn zero{out, one_number(0)};
    std::optional<Numbers> scaled;
    if (b.is_one()) scaled = combined(in[0], d(b.low), zero, 0, out.shape);
    if (!scaled && a.is_one()) scaled = combined(in[1], d(a.low), zero, 0, out.shape);
    if (scaled) return scaled;
    const auto ends = {d(a.low) * d(b.low), d(a.low) * d(b.high), d(a.high) * d(b.low),
                       d(a.high) * d(b.high)};
    return between(std::min(ends), std::max(ends));
  }

  std::optional<Numbers> operator()(const Unary& work) const {
    const Numbers& a = x(0);
    if (work.op != UnaryOp::abs || is_pred(out.element)) return std::nullopt;
    if (a.low >= 0) return a;
    return between(std::max(0.0, -d(a.high)), std::max(d(a.high), -d(a.low)));
  }

  // Where the bounds decide.
  std::optional<Numbers> operator()(const Compare& work) const {
    const Numbers &a = x(0), &b = x(1);
    const bool below = a.high<b.low, above = a.low> b.high;
    const bool not_above = a.high <= b.low, not_below = a.low >= b.high;
    const bool equal = a.is_one() && b.is_one() && a.low == b.low;
    const auto decided = [](bool yes, bool no) {
      return yes || no ? one_number(yes ? 1 : 0) : std::nullopt;
    };
    switch (work.direction) {
      case Direction::eq:
        return decided(equal, below || above);
      case Direction::ne:
        return decided(below || above, equal);
      case Direction::ge:
        return decided(not_below, below);
      case Direction::gt:
        return decided(above, not_above);
      case Direction::le:
        return decided(not_above, above);
      case Direction::lt:
        return decided(below, not_below);
    }
    return std::nullopt;
  }
  std::optional<Numbers> operator()(const Select&) const {
    return Numbers{std::min(x(1).low, x(2).low), std::max(x(1).high, x(2).high)};
  }
  std::optional<Numbers> operator()(const Clamp&) const {
    const auto into = [&](std::int64_t value, std::int64_t low, std::int64_t high) {
      return d(std::min(std::max(value, low), high));
    };
    return between(into(x(1).low, x(0).low, x(2).low), into(x(1).high, x(0).high, x(2).high));
  }

  // Element after element of a line of numbers. `out` is all that is written.
  std::optional<Numbers> operator()(const StridedCopy& work) const {
    const auto& regular = x(0).regular;
    const Numbers bounds{x(0).low, x(0).high};
    if (work.out_base != 0 || work.out_strides != row_major_strides(work.sizes)) return bounds;
    if (!regular || regular->sizes.size() > 1) return bounds;
    const double step = regular->steps.empty() ? 0 : d(regular->steps[0]);
    Shape steps;
    for (const std::int64_t stride : work.in_strides) {
      if (!is_small(step * d(stride))) return bounds;
      steps.push_back(static_cast<std::int64_t>(step * d(stride)));
    }
    const auto base = exact_sum(d(regular->base), step * d(work.in_base));
    return base ? numbers_from(*base, work.sizes, steps) : bounds;
  }

  template <class Other>
  std::optional<Numbers> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<Numbers> numbers_of_type(ElementType type) {
  if (is_pred(type)) return Numbers{0, 1};
  if (!is_integer(type) || bit_width(type) > 32) return std::nullopt;
  const bool is_signed = is_signed_integer(type);
  const std::int64_t most = (std::int64_t{1} << (bit_width(type) - (is_signed ? 1 : 0))) - 1;
  return Numbers{is_signed ? -most - 1 : 0, most};
}

std::optional<Numbers> numbers_from(std::span<const std::int64_t> values) {
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  auto numbers = between(static_cast<double>(low), static_cast<double>(high));
  if (!numbers) return std::nullopt;
  const std::int64_t step = values.size() > 1 ? values[1] - values[0] : 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] - values[i - 1] != step) return numbers;
  return numbers_from(values[0], {static_cast<std::int64_t>(values.size())}, {step});
}

std::optional<Numbers> numbers_from(std::int64_t base, const Shape& sizes, const Shape& steps) {
  Regular regular{base};
  double low = static_cast<double>(base), high = low;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < 1) return std::nullopt;
    if (sizes[d] == 1) continue;
    const double last = static_cast<double>(sizes[d] - 1) * static_cast<double>(steps[d]);
    if (!is_small(last)) return std::nullopt;
    (last < 0 ? low : high) += last;
    if (!regular.sizes.empty() && regular.steps.back() == steps[d] * sizes[d]) {
      regular.sizes.back() *= sizes[d];
      regular.steps.back() = steps[d];
    } else {
      regular.sizes.push_back(sizes[d]);
      regular.steps.push_back(steps[d]);
    }
  }
  auto numbers = between(low, high);
  if (numbers) numbers->regular = std::move(regular);
  return numbers;
}

std::optional<Shape> steps_along(const Regular& regular, const Shape& shape) {
  Shape steps(shape.size(), 0);
  if (std::ranges::all_of(regular.steps, [](std::int64_t step) { return step == 0; })) return steps;
  std::size_t line = regular.sizes.size();
  std::int64_t left = 1, step = 0;  // of the line
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 1) continue;
    if (left == 1) {
      if (line-- == 0) return std::nullopt;
      left = regular.sizes[line];
      step = regular.steps[line];
    }
    if (shape[d] == 0 || left % shape[d] != 0) return std::nullopt;
    steps[d] = step;
    left /= shape[d];
    step *= shape[d];
  }
  return left == 1 && line == 0 ? std::optional(steps) : std::nullopt;
}

std::optional<Numbers> numbers_of(const Work& work, std::span<const NumbersIn> in,
                                  const TensorType& out) {
  const bool is_counted = is_integer(out.element) || is_pred(out.element);
  if (!is_counted || out.elements() == 0) return std::nullopt;
  // Of a selection the predicate may be unknown.
  const std::size_t first = std::holds_alternative<Select>(work) ? 1 : 0;
  for (std::size_t i = first; i < in.size(); ++i)
    if (!in[i].numbers) return std::nullopt;
  auto numbers = std::visit(Follow{in, out}, work);
  if (!numbers || !fits(*numbers, out.element)) return std::nullopt;
  const auto all = numbers_of_type(out.element);
  const bool says_more =
      numbers->regular || !all || numbers->low > all->low || numbers->high < all->high;
  return says_more ? numbers : std::nullopt;
}

std::optional<std::size_t> equal_input(const Work& work, std::span<const NumbersIn> in) {
  if (in.empty()) return std::nullopt;
  const auto at_most = [&](std::size_t a, std::size_t b) {
    return in[a].numbers && in[b].numbers && in[a].numbers->high <= in[b].numbers->low;
  };
  if (std::holds_alternative<Select>(work)) {
    if (!in[0].numbers || !in[0].numbers->is_one()) return std::nullopt;
    return in[0].numbers->low != 0 ? 1 : 2;
  }
  if (std::holds_alternative<Clamp>(work))
    return at_most(0, 1) && at_most(1, 2) ? std::optional<std::size_t>(1) : std::nullopt;
  const auto* const binary = std::get_if<Binary>(&work);
  if (binary == nullptr) return std::nullopt;
  const bool is_maximum = binary->op == BinaryOp::maximum;
  if (!is_maximum && binary->op != BinaryOp::minimum) return std::nullopt;
  if (at_most(0, 1)) return is_maximum ? 1 : 0;
  if (at_most(1, 0)) return is_maximum ? 0 : 1;
  return std::nullopt;
}

}  // namespace understudy::program::passes
