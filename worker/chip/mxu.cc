// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "fmt/format.h"

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/mxu_tile.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using program::kernels::KernelTable;

// The type that both operands are staged in, and the type of the sums.
struct Plan {
  ElementType multiply = ElementType::f32;
  ElementType sum = ElementType::f32;
  bool split = false;  // each f32 into a high and a low bf16 half
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

// A part of an operand: first as it is in HBM, then as it is staged in VMEM.
struct Panel {
  const std::byte* at = nullptr;
  ElementType element = ElementType::f32;
  std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 1;
};

Panel panel_of(const MatrixView& view, const std::byte* at, std::int64_t row, std::int64_t column,
               std::int64_t rows, std::int64_t columns) {
  const auto bytes = static_cast<std::int64_t>(program::byte_size(view.element));
  return {at + (row * view.row_stride + column * view.column_stride) * bytes,
          view.element,
          rows,
          columns,
          view.row_stride,
          view.column_stride};
}

// Stages panels into VMEM: the HBM -> VMEM copy of a TPU, where f32 becomes bf16. A staged panel is
// dense and keeps the operand's direction (row-major or column-major), so staging never transposes.
class Stage {
 public:
  Stage(const KernelTable& kernels, Vmem& vmem) : kernels_(kernels), vmem_(vmem) {}

  // The panel in type `element`. Returns the panel itself, without a copy, where it already has the
  // type and unit stride in one direction.
  Panel as(const Panel& in, ElementType element) const {
    if (in.element == element && (in.row_stride == 1 || in.column_stride == 1)) return in;
    // "Lines" run in the direction of unit stride: the conversion kernels take dense runs.
    const bool columns_first = in.column_stride != 1 && in.row_stride == 1;
    const std::int64_t lines = columns_first ? in.columns : in.rows;
    const std::int64_t length = columns_first ? in.rows : in.columns;
    const std::int64_t jump = columns_first ? in.column_stride : in.row_stride;
    std::byte* const out =
        vmem_.take(static_cast<std::uint64_t>(lines * length) * program::byte_size(element));
    if (in.row_stride == 1 || in.column_stride == 1) {
      convert_lines(in, jump, lines, length, element, out);
    } else {
      const Vmem::Scope scope(vmem_);
      const std::size_t bytes = program::byte_size(in.element);
      std::byte* const dense = vmem_.take(static_cast<std::uint64_t>(lines * length) * bytes);
      // No unit stride in either direction: gather the elements first, then convert them in one
      // run.
      ops::CopyPlan({in.rows, in.columns}, {in.row_stride, in.column_stride}, {in.columns, 1},
                    bytes)
          .run(in.at, dense);
      convert(in.element, dense, element, out, lines * length);
    }
    return {
        out, element, in.rows, in.columns, columns_first ? 1 : length, columns_first ? length : 1};
  }

  // The low half: bf16(whole - high). The subtraction is exact in f32, because `high` holds the
  // leading 8 of the 24 significant bits.
  Panel rest(const Panel& whole, const Panel& high) const {
    const auto n = whole.rows * whole.columns;
    std::byte* const out = vmem_.take(static_cast<std::uint64_t>(n) * 2);
    const Vmem::Scope scope(vmem_);
    std::byte* const wide = vmem_.take(static_cast<std::uint64_t>(n) * 4);
    convert(ElementType::bf16, high.at, ElementType::f32, wide, n);
    kernels_.binary(program::BinaryOp::subtract, ElementType::f32)(whole.at, wide, wide,
                                                                   static_cast<std::size_t>(n));
    convert(ElementType::f32, wide, ElementType::bf16, out, n);
    return {out, ElementType::bf16, high.rows, high.columns, high.row_stride, high.column_stride};
  }

  // A dense f32 copy.
  // Three-pass products need elementwise operations on whole panels: both halves must have the same
  // dense layout.
  Panel dense_f32(const Panel& in) const {
    const Panel wide = as(in, ElementType::f32);
    const bool row_major = wide.column_stride == 1;
    std::byte* const out = vmem_.take(static_cast<std::uint64_t>(in.rows * in.columns) * 4);
    ops::CopyPlan({in.rows, in.columns}, {wide.row_stride, wide.column_stride},
                  {row_major ? in.columns : 1, row_major ? 1 : in.rows}, 4)
        .run(wide.at, out);
    return {out,        ElementType::f32,           in.rows,
            in.columns, row_major ? in.columns : 1, row_major ? 1 : in.rows};
  }

  void convert(ElementType from, const std::byte* in, ElementType to, std::byte* out,
               std::int64_t n) const {
    kernels_.convert(from, to)(in, out, static_cast<std::size_t>(n));
  }

 private:
  void convert_lines(const Panel& in, std::int64_t jump, std::int64_t lines, std::int64_t length,
                     ElementType element, std::byte* out) const {
    if (jump == length) return convert(in.element, in.at, element, out, lines * length);
    const auto from = static_cast<std::int64_t>(program::byte_size(in.element));
    const auto to = static_cast<std::int64_t>(program::byte_size(element));
    for (std::int64_t line = 0; line < lines; ++line) {
      convert(in.element, in.at + line * jump * from, element, out + line * length * to, length);
    }
  }

  const KernelTable& kernels_;
  Vmem& vmem_;
};

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
      plan.split ? 20 : operand_bytes + program::byte_size(plan.multiply);
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

struct Block {  // of the result
  std::int64_t m, n, rows, columns;
};

struct Mxu::State {
  const KernelTable& kernels;
  std::optional<OneDnn> onednn;
  std::string name = "portable";

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
    if (!plan.split) {
      return multiply(stage.as(lhs, plan.multiply), stage.as(rhs, plan.multiply), plan.multiply,
                      add, c, c_row);
    }
    const Panel a = stage.dense_f32(lhs);
    const Panel b = stage.dense_f32(rhs);
    const Panel a_high = stage.as(a, ElementType::bf16);
    const Panel b_high = stage.as(b, ElementType::bf16);
    // hi*lo + lo*hi + hi*hi, the small terms first, so that they are not lost against the large
    // one. lo*lo is below the precision of the sum and left out ("bf16x3").
    multiply(a_high, stage.rest(b, b_high), ElementType::bf16, add, c, c_row);
    multiply(stage.rest(a, a_high), b_high, ElementType::bf16, true, c, c_row);
    multiply(a_high, b_high, ElementType::bf16, true, c, c_row);
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

void Mxu::multiply(const Product& p, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                   Vmem& vmem) {
  if (p.m == 0 || p.n == 0) return;
  const std::size_t out_bytes = program::byte_size(p.out);
  if (p.k == 0) {  // zero is all zero bits, in every type that a product has
    std::memset(out, 0, static_cast<std::size_t>(p.m * p.n) * out_bytes);
    return;
  }
  const Plan plan = plan_of(p);
  const TileSize tile = tile_size(p, plan, vmem.left());
  for (std::int64_t n = 0; n < p.n; n += tile.n) {
    for (std::int64_t m = 0; m < p.m; m += tile.m) {
      state_->multiply_block(p, plan, {m, n, std::min(tile.m, p.m - m), std::min(tile.n, p.n - n)},
                             tile.k, lhs, rhs, out, vmem);
    }
  }
}

}  // namespace understudy::worker
