// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "fmt/format.h"

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_batch.h"
#include "worker/chip/mxu/mxu_stage.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using program::kernels::KernelTable;

// The type that both operands are staged in, and the type of the sums.
struct Plan {
  ElementType multiply = ElementType::f32;
  ElementType sum = ElementType::f32;
  bool split = false;  // each f32 into a high and a low bf16 half
  bool widen = false;  // bf16 to f32: the library has no products of bf16
};

// 8-bit floats have at most 4 significant bits and fit bf16's exponent range, so the conversion is
// exact. f16 does not fit: it has 11 significant bits, bf16 has 8.
bool fits_bf16(ElementType type) {
  return type == ElementType::bf16 || (program::is_float(type) && program::byte_size(type) == 1);
}

Plan plan_of(const Product& product) {
  const ElementType lhs = product.lhs.element;
  const ElementType rhs = product.rhs.element;
  const auto either = [&](ElementType type) { return lhs == type || rhs == type; };
  const auto same = [](ElementType type) { return Plan{type, type, false}; };
  // The wider operand decides, in the order of the types' ranges.
  if (either(ElementType::c128)) return same(ElementType::c128);
  if (either(ElementType::c64)) return same(ElementType::c64);
  if (either(ElementType::f64)) return same(ElementType::f64);
  if (!program::is_float(lhs) && !program::is_float(rhs)) {
    if (lhs == ElementType::i8 && rhs == ElementType::i8 && program::byte_size(product.out) <= 4)
      return {ElementType::i8, ElementType::i32, false};
    return same(program::byte_size(product.out) == 8 ? ElementType::i64 : ElementType::i32);
  }
  if (fits_bf16(lhs) && fits_bf16(rhs)) return {ElementType::bf16, ElementType::f32, false};
  if (!either(ElementType::f32) || product.passes == Passes::full) return same(ElementType::f32);
  return {ElementType::bf16, ElementType::f32, product.passes == Passes::three};
}

// Short f32 sums (k * n <= kMostInOrder) are folded in the order of the program with each product
// rounded, as StableHLO's reference interpreter does. Where terms cancel, a fused multiply-add
// gives different leading digits. At this size a library call costs more than the loop, too.
constexpr std::int64_t kMostInOrder = 256;

bool is_folded_in_order(const MxuTile& tile) {
  return tile.element == ElementType::f32 && tile.k <= kMostInOrder / tile.n;
}

struct TileSize {
  std::int64_t m, n, k;
};

// The largest tile whose staged panels and sums fit into `room` bytes of VMEM: halves the longest
// side until they do. Halving keeps the tiles of one product equal in size but for the last, and so
// the number of oneDNN primitives small. Stops at 16: a VMEM too small for that gets the error of
// Vmem::take(). The 1024 bytes cover the alignment of up to 16 allocations.
TileSize tile_size(const Product& p, const Plan& plan, std::uint64_t room) {
  const std::uint64_t operand_bytes =
      std::max(program::byte_size(p.lhs.element), program::byte_size(p.rhs.element));
  // Split: two f32 copies, two bf16 halves and a wide half on the way.
  const std::uint64_t panel_bytes =
      (plan.split ? 20 : operand_bytes + program::byte_size(plan.multiply)) + (plan.widen ? 4 : 0);
  const std::uint64_t sum_bytes = p.out == plan.sum ? 0 : program::byte_size(plan.sum);
  TileSize t{p.m, p.n, p.k};
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

}  // namespace

Passes passes_of(program::Numerics numerics, program::Precision lhs, program::Precision rhs) {
  if (numerics == program::Numerics::ieee) return Passes::full;
  // The higher of the two operands' precisions counts, as in XLA.
  switch (std::max(lhs, rhs)) {
    case program::Precision::standard:
      return Passes::one;
    case program::Precision::high:
      return Passes::three;
    default:
      return Passes::full;
  }
}

namespace {

// Above this a matrix fills the unit by itself, and the chunk of a batch would leave the cache.
constexpr std::int64_t kMostInBatch = 128 * 128;
// Of each product of a batch, and of one alone that has vectors of results: up to this the loop
// costs less than the library's call.
constexpr std::int64_t kMostSmall = 4096, kMostAlone = 16384;

// Batches of products with f32 sums, staged at once; nullopt for all others.
std::optional<BatchPlan> batch_plan_of(const Product& p, const Plan& plan, bool alone) {
  const bool fits = p.k > 0 && std::max({p.m * p.k, p.k * p.n, p.m * p.n}) <= kMostInBatch;
  if (!fits || plan.split || plan.sum != ElementType::f32) return std::nullopt;
  const bool in_order = plan.multiply == ElementType::f32 && p.k * p.n <= kMostInOrder;
  const bool has_vectors = p.m >= 4 && p.n >= 8;
  const bool small = p.m * p.n * p.k <= (alone && has_vectors ? kMostAlone : kMostSmall);
  return BatchPlan{plan.multiply, in_order || small, plan.widen};
}

}  // namespace

struct Block {  // of the result
  std::int64_t m, n, rows, columns;
};

struct Mxu::State {
  const KernelTable& kernels;
  std::optional<OneDnn> onednn;
  std::string name = "portable";

  Plan plan_of(const Product& product) const {
    Plan plan = worker::plan_of(product);
    plan.widen = onednn && plan.multiply == ElementType::bf16 && !onednn->has_bf16();
    return plan;
  }

  void multiply(const Panel& a, const Panel& b, ElementType element, bool add, std::byte* c,
                std::int64_t c_row) {
    MxuTile tile{
        element, a.rows,       b.columns,       a.columns, a.at,  a.row_stride, a.column_stride,
        b.at,    b.row_stride, b.column_stride, c,         c_row, add};
    // The choice depends on type and shape only, so the same program takes the same path in every
    // run.
    if (onednn && !is_folded_in_order(tile) && onednn->multiply(tile)) return;
    multiply_portably(tile);
  }

  void multiply_staged(const Plan& plan, const Panel& lhs, const Panel& rhs, bool add, std::byte* c,
                       std::int64_t c_row, Vmem& vmem) {
    const Stage stage(kernels, vmem);
    const auto multiply = [&](const Panel& a, const Panel& b, ElementType element, bool adds) {
      if (!plan.widen) return this->multiply(a, b, element, adds, c, c_row);
      const Vmem::Scope scope(vmem);
      this->multiply(stage.rounded(a), stage.rounded(b), ElementType::f32, adds, c, c_row);
    };
    if (!plan.split && plan.widen) return multiply(lhs, rhs, plan.multiply, add);
    if (!plan.split)
      return multiply(stage.as(lhs, plan.multiply), stage.as(rhs, plan.multiply), plan.multiply,
                      add);
    const Panel a = stage.dense_f32(lhs);
    const Panel b = stage.dense_f32(rhs);
    const Panel a_high = stage.as(a, ElementType::bf16);
    const Panel b_high = stage.as(b, ElementType::bf16);
    // hi*lo + lo*hi + hi*hi, the small terms first, so that they are not lost against the large
    // one. lo*lo is below the precision of the sum and left out ("bf16x3").
    multiply(a_high, stage.rest(b, b_high), ElementType::bf16, add);
    multiply(stage.rest(a, a_high), b_high, ElementType::bf16, true);
    multiply(a_high, b_high, ElementType::bf16, true);
  }

  // One block of the result, tile after tile along k.
  void multiply_block(const Product& p, const Plan& plan, const Block& block, std::int64_t k_tile,
                      const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem) {
    const Vmem::Scope scope(vmem);
    const auto out_bytes = static_cast<std::int64_t>(program::byte_size(p.out));
    const auto sum_bytes = static_cast<std::int64_t>(program::byte_size(plan.sum));
    std::byte* const at = out + (block.m * p.n + block.n) * out_bytes;
    // Sums go straight to HBM where the result has their type, else into VMEM until all of k is
    // added: the result is rounded once, not once per tile.
    const bool direct = p.out == plan.sum;
    std::byte* const sums =
        direct ? at : vmem.take(static_cast<std::uint64_t>(block.rows * block.columns * sum_bytes));
    const std::int64_t sum_row = direct ? p.n : block.columns;
    for (std::int64_t k = 0; k < p.k; k += k_tile) {
      const Vmem::Scope staged(vmem);
      const std::int64_t depth = std::min(k_tile, p.k - k);
      multiply_staged(plan, panel_of(p.lhs, lhs, block.m, k, block.rows, depth),
                      panel_of(p.rhs, rhs, k, block.n, depth, block.columns), k > 0, sums, sum_row,
                      vmem);
    }
    if (direct) return;
    const Stage stage(kernels, vmem);
    for (std::int64_t row = 0; row < block.rows; ++row) {
      stage.convert(plan.sum, sums + row * block.columns * sum_bytes, p.out,
                    at + row * p.n * out_bytes, block.columns);
    }
  }
};

Mxu::Mxu(const KernelTable& kernels, Make make) : state_(new State{kernels, {}}) {
  if (make == Make::portable) return;
  state_->onednn.emplace();
  state_->name = fmt::format("onednn ({})", state_->onednn->isa());
}
Mxu::~Mxu() = default;

std::string_view Mxu::name() const { return state_->name; }

bool reads_places(const Mxu& mxu) { return mxu.name() != "portable" && multiplies_places(); }

void Mxu::multiply(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                   Vmem& vmem) {
  if (p.m == 0 || p.n == 0) return;
  const std::size_t out_bytes = program::byte_size(p.out);
  if (p.k == 0) {  // zero is all zero bits, in every type that a product has
    std::memset(out, 0, static_cast<std::size_t>(p.m * p.n) * out_bytes);
    return;
  }
  const Plan plan = state_->plan_of(p);
  // Short sums keep their order, see is_folded_in_order(). A vector that is too long for VMEM would
  // have to be cut.
  const bool is_long = p.k > kMostInOrder && static_cast<std::uint64_t>(p.k) < vmem.left() / 64;
  OneDnn* const library = state_->onednn ? &*state_->onednn : nullptr;
  if (is_long && plan.sum == ElementType::f32 && !plan.split &&
      multiply_vector({state_->kernels, library}, {plan.multiply, false, false}, p, lhs, rhs, out,
                      vmem))
    return;
  const TileSize tile = tile_size(p, plan, vmem.left());
  for (std::int64_t n = 0; n < p.n; n += tile.n) {
    for (std::int64_t m = 0; m < p.m; m += tile.m) {
      state_->multiply_block(p, plan, {m, n, std::min(tile.m, p.m - m), std::min(tile.n, p.n - n)},
                             tile.k, lhs, rhs, out, vmem);
    }
  }
}

void Mxu::multiply(const Product& p, const Batches& batches, const std::byte* lhs,
                   const std::byte* rhs, std::byte* out, Vmem& vmem) {
  if (p.m == 0 || p.n == 0) return;
  const auto plan = batch_plan_of(p, state_->plan_of(p), batches.count == 1);
  OneDnn* const library = state_->onednn ? &*state_->onednn : nullptr;
  if (plan && (batches.count > 1 || plan->small) &&
      multiply_batch({state_->kernels, library}, *plan, p, batches, lhs, rhs, out, vmem))
    return;
  const auto bytes = [](ElementType type) {
    return static_cast<std::int64_t>(program::byte_size(type));
  };
  for (std::int64_t i = 0; i < batches.count; ++i) {
    multiply(p, lhs + i * batches.lhs_stride * bytes(p.lhs.element),
             rhs + i * batches.rhs_stride * bytes(p.rhs.element),
             out + i * p.m * p.n * bytes(p.out), vmem);
  }
}

}  // namespace understudy::worker
