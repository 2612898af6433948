// SPDX-License-Identifier: Apache-2.0
// Sums of arrays that are padded with zeros around different elements, as the gradients of slices
// are (jnp.split, x[..., i], x[:, 1, 0], x[::2], the gates of an LSTM): one array of all of them.
// Each element is its sum with one 0, which makes +0 of -0. Equivalents: the pads that XLA fuses
// into their sum.
#include <algorithm>
#include <optional>
#include <vector>

#include "program/lowering/lowering.h"
#include "program/lowering/pad.h"

namespace understudy::program::passes {

namespace {

struct Placed {
  std::int64_t start = 0;
  Operand array;
  bool has_sum = false;  // 0 was added already
};

void add_placed(const Origins::Joined& joined, std::vector<Placed>& all) {
  std::int64_t start = 0;
  for (std::size_t i = 0; i < joined.pieces.size(); ++i) {
    if (!joined.is_zero[i]) all.push_back({start, joined.pieces[i], joined.has_sums});
    start += joined.pieces[i].type.shape[joined.dimension];
  }
}

// The arrays of both in order; empty where they are too many, or overlap.
std::vector<Placed> side_by_side(const Origins::Joined& left, const Origins::Joined& right) {
  std::vector<Placed> placed;
  add_placed(left, placed);
  add_placed(right, placed);
  if (placed.size() > kMostStacked) return {};
  std::ranges::stable_sort(placed, {}, &Placed::start);
  for (std::size_t i = 1; i < placed.size(); ++i)
    if (placed[i - 1].start + placed[i - 1].array.type.shape[left.dimension] > placed[i].start)
      return {};
  return placed;
}

// Joined arrays some of whose pieces are zeros, and the shape in which they are.
struct Padded {
  Shape shape;
  const Origins::Joined* joined = nullptr;
};

Padded padded(const Lowering& lowering, const Operand& x) {
  if (const Origins::Joined* const joined = lowering.origins().joined(x))
    return {x.type.shape, joined->is_zero.empty() ? nullptr : joined};
  const Origins::Reshaped* const reshaped = lowering.origins().reshaped(x);
  if (reshaped == nullptr || reshaped->joined.is_zero.empty()) return {};
  return {reshaped->shape, &reshaped->joined};
}

// An array in a padded one, in shapes in which it is padded along one dimension.
struct AlongOne {
  Shape inner, outer;
  std::size_t dimension = 0;
  std::int64_t low = 0;
};

// Elements at regular places (x[::2]): each is padded along a new dimension.
std::optional<AlongOne> apart(const Shape& x, const Padding& padding, const Shape& out,
                              std::size_t d) {
  const std::int64_t step = padding.interior[d] + 1, low = padding.low[d];
  if (low >= step || out[d] != x[d] * step) return std::nullopt;
  AlongOne one{x, out, d + 1, low};
  const auto after = static_cast<std::ptrdiff_t>(d) + 1;
  one.outer[d] = x[d];
  one.inner.insert(one.inner.begin() + after, 1);
  one.outer.insert(one.outer.begin() + after, step);
  return one;
}

// Neighbouring dimensions, `first` to `last`, of which the array has one element but along the last
// (x[:, 1, 0]), count as one.
std::optional<AlongOne> merged(const Shape& x, const Padding& padding, const Shape& out,
                               std::size_t first, std::size_t last) {
  AlongOne one{x, out, first, 0};
  one.outer[first] = 1;
  one.inner[first] = x[last];
  for (std::size_t d = first; d <= last; ++d) {
    if (padding.interior[d] != 0 || (d < last && x[d] != 1)) return std::nullopt;
    one.outer[first] *= out[d];
    one.low = one.low * out[d] + padding.low[d];
  }
  for (Shape* const shape : {&one.inner, &one.outer})
    shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(first) + 1,
                 shape->begin() + static_cast<std::ptrdiff_t>(last) + 1);
  return one;
}

std::optional<AlongOne> along_one(const Shape& x, const Padding& padding, const Shape& out) {
  std::optional<std::size_t> first;
  std::size_t last = 0;
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (padding.low[d] == 0 && padding.high[d] == 0 && padding.interior[d] == 0) continue;
    if (padding.low[d] < 0 || padding.high[d] < 0) return std::nullopt;
    if (!first) first = d;
    last = d;
  }
  if (!first) return std::nullopt;
  return *first == last && padding.interior[last] != 0 ? apart(x, padding, out, last)
                                                       : merged(x, padding, out, *first, last);
}

}  // namespace

void remember_padded(Lowering& lowering, const Operand& x, const Operand& value,
                     const Padding& padding, const Operand& out) {
  if (lowering.in_body() || !lowering.origins().is_asked()) return;
  const auto one = along_one(x.type.shape, padding, out.type.shape);
  const bool is_reshaped = one && one->outer != out.type.shape;
  // Only sums ask for what is joined in another shape.
  if (!one || (is_reshaped && !lowering.is_zero(value))) return;
  const std::size_t d = one->dimension;
  Origins::Joined joined{d, {}};
  const auto add = [&](const Operand& piece, bool surrounds) {
    joined.pieces.push_back(piece);
    joined.is_zero.push_back(surrounds);
  };
  const auto surround = [&](std::int64_t size) {
    TensorType type{out.type.element, one->outer};
    type.shape[d] = size;
    if (size > 0) add(lowering.fill(value, type), true);
  };
  surround(one->low);
  add({x.at, {x.type.element, one->inner}}, false);
  surround(one->outer[d] - one->low - one->inner[d]);
  if (!lowering.is_zero(value)) joined.is_zero.clear();
  if (is_reshaped)
    lowering.origins().remember_reshaped(out, {one->outer, std::move(joined)});
  else
    lowering.origins().remember_joined(out, std::move(joined));
}

std::optional<Operand> sum_of_padded(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0), y = lowering.operand(op, 1);
  const TensorType& result = lowering.result_type(op);
  const Padded first = padded(lowering, x), second = padded(lowering, y);
  const Origins::Joined *const left = first.joined, *const right = second.joined;
  const TensorType type{result.element, first.shape};
  if (left == nullptr || right == nullptr || first.shape != second.shape ||
      left->dimension != right->dimension || is_pred(type.element) || type.elements() == 0)
    return std::nullopt;
  const std::size_t d = left->dimension;
  const std::vector<Placed> placed = side_by_side(*left, *right);
  if (placed.empty()) return std::nullopt;
  Origins::Joined sum{d, {}, {}, true};
  std::int64_t end = 0;
  const auto add = [&](const Operand& piece, bool is_zero) {
    sum.pieces.push_back(piece);
    sum.is_zero.push_back(is_zero);
    end += piece.type.shape[d];
  };
  const auto zeros_until = [&](std::int64_t start) {
    TensorType gap = type;
    gap.shape[d] = start - end;
    if (start > end) add(lowering.splat(gap, 0), true);
  };
  for (const Placed& one : placed) {
    zeros_until(one.start);
    const bool is_sum = one.has_sum || is_integer(type.element);
    add(is_sum ? one.array
               : lowering.binary(BinaryOp::add, one.array, lowering.splat(one.array.type, 0)),
        false);
  }
  zeros_until(type.shape[d]);
  const Operand out{join_pieces(lowering, sum.pieces, d, type).at, result};
  if (type == result)
    lowering.origins().remember_joined(out, std::move(sum));
  else
    lowering.origins().remember_reshaped(out, {type.shape, std::move(sum)});
  return out;
}

}  // namespace understudy::program::passes
