// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_blocks.h"

namespace understudy::worker {

namespace {

// Second-level caches of present servers have 1 to 2 MiB. oneDNN walks the sums by itself, so that
// of both operands only a part of the depth is in use.
constexpr std::int64_t kBlockBytes = 2 << 20, kDepthInUse = 1024;
// Smaller blocks spend their time on the edges.
constexpr std::int64_t kLeastSide = 128;
// Rows and columns of the unit's instructions: 16 of AMX, four vectors of f32.
constexpr std::int64_t kUnit = 64;

std::int64_t divided(std::int64_t size, std::int64_t parts) {
  return std::min(size, ((size + parts - 1) / parts + kUnit - 1) / kUnit * kUnit);
}

}  // namespace

// Halves the longest side until it fits. Halving keeps the tiles of one product equal in size but
// for the last, and so the number of oneDNN primitives small. Stops at 16: a VMEM too small for
// that gets the error of Vmem::take(). The 1024 bytes cover the alignment of up to 16 allocations.
MxuTileSize tile_size(const Product& p, const MxuPlan& plan, std::uint64_t room) {
  const std::uint64_t operand_bytes =
      std::max(program::byte_size(p.lhs.element), program::byte_size(p.rhs.element));
  // Split: two f32 copies, two bf16 halves and a wide half on the way; both halves widened.
  const std::uint64_t panel_bytes =
      plan.split ? (plan.widen ? 28 : 20)
                 : operand_bytes + program::byte_size(plan.multiply) + (plan.widen ? 4 : 0);
  const std::uint64_t sum_bytes = p.out == plan.sum ? 0 : program::byte_size(plan.sum);
  MxuTileSize t{p.m, p.n, p.k};
  const auto bytes = [&] {
    const auto m = static_cast<std::uint64_t>(t.m);
    const auto n = static_cast<std::uint64_t>(t.n);
    const auto k = static_cast<std::uint64_t>(t.k);
    return (m * k + k * n) * panel_bytes + m * n * sum_bytes + 1024;
  };
  while (bytes() > room && std::max({t.m, t.n, t.k}) > 16) {
    // Ties halve k first: that shrinks both panels and leaves the result's block whole.
    std::int64_t& longest = t.k >= t.m && t.k >= t.n ? t.k : t.m >= t.n ? t.m : t.n;
    longest = (longest + 1) / 2;
  }
  return t;
}

MxuBlockSize block_size(std::int64_t rows, std::int64_t columns, std::int64_t depth,
                        std::size_t element_bytes) {
  constexpr std::int64_t kSumBytes = 4;
  const std::int64_t line = std::min(depth, kDepthInUse) * static_cast<std::int64_t>(element_bytes);
  MxuBlockSize size{rows, columns};
  std::int64_t row_parts = 1, column_parts = 1;
  while ((size.rows + size.columns) * line + size.rows * size.columns * kSumBytes > kBlockBytes &&
         std::max(size.rows, size.columns) > kLeastSide) {
    if (size.rows >= size.columns)
      size.rows = divided(rows, row_parts *= 2);
    else
      size.columns = divided(columns, column_parts *= 2);
  }
  return size;
}

Sums::Sums(const Product& product, program::ElementType element, const MxuBlock& tile,
           std::byte* out)
    : product_(product),
      element_(element),
      tile_(tile),
      out_(out),
      direct_(product.out == element) {}

void Sums::take_room(const MxuBlockSize& block, bool complete, Vmem& vmem) {
  if (direct_) return;
  per_block_ = complete;
  const std::int64_t count = complete ? block.rows * block.columns : tile_.rows * tile_.columns;
  room_ = vmem.take(static_cast<std::uint64_t>(count) * program::byte_size(element_));
}

std::byte* Sums::result_at(const MxuBlock& block) const {
  return out_ + ((tile_.m + block.m) * product_.n + tile_.n + block.n) *
                    static_cast<std::int64_t>(program::byte_size(product_.out));
}

std::byte* Sums::at(const MxuBlock& block) const {
  if (direct_) return result_at(block);
  if (per_block_) return room_;
  return room_ + (block.m * tile_.columns + block.n) *
                     static_cast<std::int64_t>(program::byte_size(element_));
}

std::int64_t Sums::row(const MxuBlock& block) const {
  return direct_ ? product_.n : per_block_ ? block.columns : tile_.columns;
}

void Sums::round(const MxuBlock& block, const Stage& stage) const {
  if (direct_) return;
  const auto from = static_cast<std::int64_t>(program::byte_size(element_)) * row(block);
  const auto to = static_cast<std::int64_t>(program::byte_size(product_.out)) * product_.n;
  const std::byte* const sums = at(block);
  std::byte* const results = result_at(block);
  for (std::int64_t m = 0; m < block.rows; ++m)
    stage.convert(element_, sums + m * from, product_.out, results + m * to, block.columns);
}

}  // namespace understudy::worker
