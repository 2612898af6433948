// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "fmt/format.h"

#include "configs/base/error.h"
#include "worker/chip/mxu/mxu_amx.h"
#include "worker/chip/mxu/mxu_batch.h"
#include "worker/chip/mxu/mxu_blocks.h"
#include "worker/chip/mxu/mxu_complex.h"
#include "worker/chip/mxu/mxu_few_results.h"
#include "worker/chip/mxu/mxu_lone.h"
#include "worker/chip/mxu/mxu_narrow.h"
#include "worker/chip/mxu/mxu_packed.h"
#include "worker/chip/mxu/mxu_stage.h"
#include "worker/chip/mxu/mxu_tile.h"
#include "worker/chip/mxu/mxu_wide.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using program::kernels::KernelTable;

// 8-bit floats have at most 4 significant bits and fit bf16's exponent range, so the conversion is
// exact. f16 does not fit: it has 11 significant bits, bf16 has 8.
bool fits_bf16(ElementType type) {
  return type == ElementType::bf16 || (program::is_float(type) && program::byte_size(type) == 1);
}

MxuPlan plan_of(const Product& product) {
  const ElementType lhs = product.lhs.element;
  const ElementType rhs = product.rhs.element;
  const auto either = [&](ElementType type) { return lhs == type || rhs == type; };
  const auto same = [](ElementType type) { return MxuPlan{type, type, false}; };
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

// Few columns of results, of many rows that are dense in either direction: vectors of rows.
bool has_vectors_of_rows(const MxuTile& tile) {
  return !tile.add && tile.n < 8 && tile.m >= 8 && (tile.n == 1 || tile.b_column == 1) &&
         (tile.a_row == 1 || tile.a_column == 1);
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
// Up to this a product is done before the library has packed its operands, and b stays in the
// first-level cache.
constexpr std::int64_t kMostWide = 1 << 18, kMostWideRight = 8192;
// The same of a product of bf16 where the library has quick ones: up to this its call costs more.
constexpr std::int64_t kMostWideHalves = 1 << 16;

// f32 rows that one pass over b multiplies: it is read where it lies, which beats packing it first.
constexpr std::int64_t kFewRows = 8, kMostRight = 1 << 20;

bool has_few_rows(const Product& p, const MxuPlan& plan) {
  const auto is_f32 = [](ElementType type) { return type == ElementType::f32; };
  return plan.multiply == ElementType::f32 && !plan.widen && is_f32(p.lhs.element) &&
         is_f32(p.rhs.element) && is_f32(p.out) && p.m <= kFewRows && p.rhs.column_stride == 1 &&
         p.k * p.n > kMostWideRight && p.k * p.n <= kMostRight;
}

// A product of bf16 of a matrix and a vector that multiply_vector() takes.
bool has_vector(const Product& p, const MxuPlan& plan) {
  const bool is_left = p.n == 1;
  const MatrixView& matrix = is_left ? p.lhs : p.rhs;
  const std::int64_t step = is_left ? matrix.column_stride : matrix.row_stride,
                     across = is_left ? matrix.row_stride : matrix.column_stride;
  return (is_left || p.m == 1) && plan.multiply == ElementType::bf16 && !plan.split &&
         (matrix.element == ElementType::f32 || matrix.element == ElementType::bf16) &&
         (step == 1 || (across == 1 && std::max(p.m, p.n) >= 8));
}

// multiply_vector() has sums side by side and reads the matrix in place. Shorter sums are not worth
// their tree; those of many pairs of vectors have each other.
bool has_long_vector(const Product& p, const MxuPlan& plan, bool alone) {
  constexpr std::int64_t kFewest = 64, kFewestOfPairs = 512;
  return p.k >= (alone || p.m * p.n > 1 ? kFewest : kFewestOfPairs) && has_vector(p, plan);
}

// Batches of products with sums of 32 bits, staged at once; nullopt for all others.
std::optional<BatchPlan> batch_plan_of(const Product& p, const MxuPlan& plan, bool alone,
                                       bool is_wide, const PackedLoops* packs,
                                       std::int64_t int8_depth) {
  if (packs != nullptr && plan.widen &&
      (p.m * p.n * p.k >= kFewestPacked || (alone && !plan.split && takes_packed(*packs, p))))
    return std::nullopt;
  const bool fits = p.k > 0 && std::max({p.m * p.k, p.k * p.n, p.m * p.n}) <= kMostInBatch;
  const bool is_integer = plan.sum == ElementType::i32;
  if (!fits || plan.split || (plan.sum != ElementType::f32 && !is_integer)) return std::nullopt;
  if (has_long_vector(p, plan, alone) || (alone && is_integer && (p.m == 1 || p.n == 1)))
    return std::nullopt;
  const bool in_order = plan.multiply == ElementType::f32 && p.k * p.n <= kMostInOrder;
  const bool has_vectors = p.m >= 4 && p.n >= 8;
  const bool small = p.m * p.n * p.k <= (alone && has_vectors ? kMostAlone : kMostSmall);
  if (is_integer && !small && (plan.multiply != ElementType::i8 || p.k > int8_depth))
    return std::nullopt;
  // The library has pairs of the depth; odd ones of a batch take it longer than their products.
  const bool is_half = plan.multiply == ElementType::bf16 && !plan.widen && (alone || p.k % 2 == 1);
  // Read in place, each of them.
  if (!alone && !small && has_vector(p, plan)) return std::nullopt;
  const bool wide = is_wide && (is_half || plan.widen || plan.multiply == ElementType::f32) &&
                    !in_order && !small && p.k * p.n <= kMostWideRight &&
                    p.m * p.n * p.k <= (is_half ? kMostWideHalves : kMostWide);
  return BatchPlan{plan.multiply, in_order || small, plan.widen || (wide && is_half), wide};
}

}  // namespace

struct Mxu::State {
  const KernelTable& kernels;
  std::optional<OneDnn> onednn;
  std::string name = "portable";
  bool is_wide = false;         // takes the small products that the library would do by AVX-512
  bool has_amx = false;         // takes the bf16 products that the library would do by AMX
  std::int64_t int8_depth = 0;  // of the batches of int8 that the library takes
  // Takes the bf16 products for which the library has no quick instruction.
  const PackedLoops* packs = nullptr;
  bool widens = false;  // bf16 to f32 for the library

  MxuPlan plan_of(const Product& product) const {
    MxuPlan plan = worker::plan_of(product);
    plan.widen = widens && plan.multiply == ElementType::bf16;
    return plan;
  }

  void multiply(const Panel& a, const Panel& b, ElementType element, bool add, std::byte* c,
                std::int64_t c_row) {
    MxuTile tile{
        element, a.rows,       b.columns,       a.columns, a.at,  a.row_stride, a.column_stride,
        b.at,    b.row_stride, b.column_stride, c,         c_row, add};
    // The choice depends on type and shape only, so the same program takes the same path in every
    // run.
    if (is_folded_in_order(tile) && has_vectors_of_rows(tile)) return multiply_small(tile);
    if (onednn && !is_folded_in_order(tile) && onednn->multiply(tile)) return;
    if (multiply_integer_vector(tile) || multiply_int8_vector(tile)) return;
    multiply_portably(tile);
  }

  // Panels of VMEM, in the types that the unit multiplies. The small terms come first, so that they
  // are not lost against the large one: "bf16x3" is hi*lo + lo*hi + hi*hi; lo*lo is below the
  // precision of the sum and left out.
  static Factors staged(const MxuPlan& plan, const Panel& lhs, const Panel& rhs,
                        const Stage& stage) {
    if (plan.split) {
      const Panel a = stage.dense_f32(lhs), b = stage.dense_f32(rhs);
      const Panel a_high = stage.as(a, ElementType::bf16), b_high = stage.as(b, ElementType::bf16);
      const Panel a_rest = stage.rest(a, a_high), b_rest = stage.rest(b, b_high);
      if (!plan.widen)
        return {ElementType::bf16, {{a_high, b_rest}, {a_rest, b_high}, {a_high, b_high}}};
      const Panel a_wide = stage.rounded(a_high), b_wide = stage.rounded(b_high);
      return {ElementType::f32,
              {{a_wide, stage.rounded(b_rest)}, {stage.rounded(a_rest), b_wide}, {a_wide, b_wide}}};
    }
    if (plan.widen) return {ElementType::f32, {{stage.rounded(lhs), stage.rounded(rhs)}}};
    return {plan.multiply, {{stage.as(lhs, plan.multiply), stage.as(rhs, plan.multiply)}}};
  }

  // One tile of the result, k_tile of the sums at a time: the operands are staged for these, and
  // multiplied in blocks.
  void multiply_tile(const Product& p, const MxuPlan& plan, const MxuBlock& tile,
                     std::int64_t k_tile, const std::byte* lhs, const std::byte* rhs,
                     std::byte* out, Vmem& vmem) {
    const Vmem::Scope scope(vmem);
    const Stage stage(kernels, vmem);
    // The library has blocks of its own; ours are for what comes after it: sums that are rounded,
    // and the further products of halves. The portable loops pack an operand at each call. The
    // library is quick with int8 only where it sees whole matrices.
    const bool divides = onednn && OneDnn::takes(plan.multiply) &&
                         plan.multiply != ElementType::i8 && (p.out != plan.sum || plan.split);
    const MxuBlockSize size = divides ? block_size(tile.rows, tile.columns, std::min(k_tile, p.k),
                                                   program::byte_size(plan.multiply))
                                      : MxuBlockSize{tile.rows, tile.columns};
    Sums sums(p, plan.sum, tile, out);
    sums.take_room(size, k_tile >= p.k, vmem);
    for (std::int64_t k = 0; k < p.k; k += k_tile) {
      const Vmem::Scope staging(vmem);
      const std::int64_t depth = std::min(k_tile, p.k - k);
      const Factors factors = staged(plan, panel_of(p.lhs, lhs, tile.m, k, tile.rows, depth),
                                     panel_of(p.rhs, rhs, k, tile.n, depth, tile.columns), stage);
      for_each_block(tile.rows, tile.columns, size, [&](const MxuBlock& block) {
        bool add = k > 0;
        for (const auto& [a, b] : factors.pairs) {
          multiply(part_of(a, block.m, 0, block.rows, depth),
                   part_of(b, 0, block.n, depth, block.columns), factors.element, add,
                   sums.at(block), sums.row(block));
          add = true;
        }
        if (k + depth >= p.k) sums.round(block, stage);
      });
    }
  }
};

Mxu::Mxu(const KernelTable& kernels, Make make) : state_(new State{kernels, {}}) {
  if (make == Make::portable) return;
  state_->onednn.emplace();
  state_->is_wide = state_->onednn->has_avx512() && multiplies_wide();
  state_->has_amx = state_->onednn->has_amx() && multiplies_amx();
  state_->int8_depth = state_->onednn->int8_batch_depth();
  state_->widens = !state_->onednn->has_quick_bf16();
  if (state_->widens) state_->packs = packed_loops();
  const auto own = state_->has_amx            ? std::string_view("amx")
                   : state_->packs != nullptr ? state_->packs->name
                                              : std::string_view();
  state_->name =
      fmt::format("{}{}onednn ({})", own, own.empty() ? "" : ", ", state_->onednn->isa());
}
Mxu::~Mxu() = default;

std::string_view Mxu::name() const { return state_->name; }

bool Mxu::reads_places(bool rounds) const {
  return state_->onednn && multiplies_places() && !(rounds && state_->has_amx);
}

void Mxu::multiply(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                   Vmem& vmem) {
  if (p.m == 0 || p.n == 0) return;
  const std::size_t out_bytes = program::byte_size(p.out);
  if (p.k == 0) {  // zero is all zero bits, in every type that a product has
    std::memset(out, 0, static_cast<std::size_t>(p.m * p.n) * out_bytes);
    return;
  }
  const MxuPlan plan = state_->plan_of(p);
  // Short sums of f32 keep their order, see is_folded_in_order().
  const bool is_long = p.k > kMostInOrder || plan.multiply == ElementType::bf16;
  const bool fits = static_cast<std::uint64_t>(p.k) < vmem.left() / 64 &&
                    (p.m > 1 || p.n > 1 || p.k <= kVectorPart);
  OneDnn* const library = state_->onednn ? &*state_->onednn : nullptr;
  if (is_long && plan.sum == ElementType::f32 && !plan.split &&
      (fits ? multiply_vector : multiply_long_vector)(
          {state_->kernels, library}, {plan.multiply, false, false}, p, lhs, rhs, out, vmem))
    return;
  if (state_->is_wide && has_few_rows(p, plan)) {
    multiply_wide({ElementType::f32, p.m, p.n, p.k, lhs, p.lhs.row_stride, p.lhs.column_stride, rhs,
                   p.rhs.row_stride, 1, out, p.n});
    return;
  }
  if (library != nullptr && plan.multiply == ElementType::bf16 && !plan.split &&
      multiply_few_results(p, state_->kernels, lhs, rhs, out, vmem))
    return;
  if (state_->has_amx && plan.multiply == ElementType::bf16 && !plan.split &&
      multiply_amx(p, lhs, rhs, out, vmem))
    return;
  if (state_->packs != nullptr && plan.multiply == ElementType::bf16 && !plan.split &&
      ((p.m * p.n * p.k >= kFewestPacked && multiply_narrow(p, lhs, rhs, out, vmem)) ||
       multiply_packed(*state_->packs, p, state_->kernels, lhs, rhs, out, vmem)))
    return;
  const MxuTileSize tile = tile_size(p, plan, vmem.left());
  for (std::int64_t n = 0; n < p.n; n += tile.n) {
    for (std::int64_t m = 0; m < p.m; m += tile.m) {
      state_->multiply_tile(p, plan, {m, n, std::min(tile.m, p.m - m), std::min(tile.n, p.n - n)},
                            tile.k, lhs, rhs, out, vmem);
    }
  }
}

void Mxu::multiply(const Product& p, const Batches& batches, const std::byte* lhs,
                   const std::byte* rhs, std::byte* out, Vmem& vmem) {
  if (p.m == 0 || p.n == 0) return;
  if (batches.count == 1 && multiply_lone(p, lhs, rhs, out)) return;
  const auto is_c64 = [](ElementType type) { return type == ElementType::c64; };
  if (is_c64(p.lhs.element) && is_c64(p.rhs.element) && is_c64(p.out) && p.k > 0 &&
      multiply_complex(p, batches, lhs, rhs, out, vmem,
                       [&](const Product& real, const Batches& some, const std::byte* left,
                           const std::byte* right,
                           std::byte* to) { multiply(real, some, left, right, to, vmem); }))
    return;
  const auto plan = batch_plan_of(p, state_->plan_of(p), batches.count == 1, state_->is_wide,
                                  state_->packs, state_->int8_depth);
  const BatchUnits units{state_->kernels, state_->onednn ? &*state_->onednn : nullptr};
  // The library packs its operands at each call.
  const auto is_short = [&] {
    return p.m > 1 && p.n >= PlacesProduct::kPanel && p.m * p.n * p.k < kFewestPacked &&
           reads_in_place(units, *plan, p);
  };
  if (plan && (batches.count > 1 || plan->small || plan->wide || is_short()) &&
      multiply_batch(units, *plan, p, batches, lhs, rhs, out, vmem))
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
