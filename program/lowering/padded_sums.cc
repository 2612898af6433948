// SPDX-License-Identifier: Apache-2.0
// Sums of arrays that are padded with zeros around different elements, as the gradients of slices
// are (jnp.split, x[..., i], the gates of an LSTM): one array of all of them. Each element is its
// sum with one 0, which makes +0 of -0. Equivalents: the pads that XLA fuses into their sum.
#include <algorithm>
#include <optional>
#include <vector>

#include "program/lowering/lowering.h"

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

// Joined arrays some of whose pieces are zeros.
const Origins::Joined* padded(const Lowering& lowering, const Operand& x) {
  const Origins::Joined* const joined = lowering.origins().joined(x);
  return joined != nullptr && !joined->is_zero.empty() ? joined : nullptr;
}

}  // namespace

std::optional<Operand> sum_of_padded(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0), y = lowering.operand(op, 1);
  const TensorType& type = lowering.result_type(op);
  const Origins::Joined *const left = padded(lowering, x), *const right = padded(lowering, y);
  if (left == nullptr || right == nullptr || left->dimension != right->dimension ||
      is_pred(type.element) || type.elements() == 0)
    return std::nullopt;
  const std::size_t d = left->dimension;
  std::vector<Placed> placed;
  add_placed(*left, placed);
  add_placed(*right, placed);
  if (placed.size() > kMostStacked) return std::nullopt;
  std::ranges::stable_sort(placed, {}, &Placed::start);
  for (std::size_t i = 1; i < placed.size(); ++i)
    if (placed[i - 1].start + placed[i - 1].array.type.shape[d] > placed[i].start)
      return std::nullopt;
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
  const Operand out = join_pieces(lowering, sum.pieces, d, type);
  lowering.origins().remember_joined(out, std::move(sum));
  return out;
}

}  // namespace understudy::program::passes
