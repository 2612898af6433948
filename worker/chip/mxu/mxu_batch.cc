// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/mxu/mxu_batch.h"

#include <algorithm>
#include <vector>

#include "worker/chip/copy.h"
#include "worker/chip/copy_lines.h"
#include "worker/chip/mxu/mxu_halves.h"
#include "worker/chip/mxu/mxu_places.h"
#include "worker/chip/mxu/mxu_wide.h"

namespace understudy::worker {
namespace {

using program::ElementType;
using Rounds = MxuTile::Rounds;

// Staged operands, their sources and the sums of one chunk stay in the second-level cache.
constexpr std::int64_t kChunkBytes = 96 * 1024;

// Of b of one product: it stays in the first-level cache then, and needs no packing by a library.
constexpr std::int64_t kMostInPlace = 8192;

// Products that wrap are the same with and without a sign.
ElementType without_sign(ElementType type) {
  return type == ElementType::ui32 ? ElementType::i32 : type;
}

// Matrices of one operand, strides in elements.
struct Stack {
  const std::byte* at = nullptr;
  ElementType element = ElementType::f32;
  std::int64_t count = 0, rows = 0, columns = 0;
  std::int64_t batch_stride = 0, row_stride = 0, column_stride = 1;

  std::int64_t elements() const { return count * rows * columns; }
  // The stride along a dimension of size 1 is never used.
  bool follow_each_other() const { return count == 1 || batch_stride == rows * columns; }
  bool is_dense() const {
    return (columns == 1 || column_stride == 1) && (rows == 1 || row_stride == columns) &&
           follow_each_other();
  }
  // For matrices among each other oneDNN has its general path, which compiles code for 40 ms.
  bool is_matrix_after_matrix() const {
    return count == 1 || batch_stride >= (rows - 1) * row_stride + (columns - 1) * column_stride;
  }
  // Dense column after column.
  bool is_turned() const {
    return (rows == 1 || row_stride == 1) && (columns == 1 || column_stride == rows) &&
           follow_each_other();
  }
  Stack part(std::int64_t first, std::int64_t size) const {
    Stack some = *this;
    some.at += first * batch_stride * static_cast<std::int64_t>(program::byte_size(element));
    some.count = size;
    return some;
  }
};

class Batch {
 public:
  Batch(const BatchUnits& units, const BatchPlan& plan, const Product& product, Vmem& vmem)
      : units_(units),
        plan_(plan),
        p_(product),
        vmem_(vmem),
        in_place_(plan.wide || reads_in_place(units, plan, product)) {}

  bool multiply(const Stack& a, const Stack& b, std::byte* out) {
    const Vmem::Scope scope(vmem_);
    const auto rounded = rounded_in_loops(a, b);
    const bool keeps_a = rounded == Rounds::a || rounded == Rounds::both,
               keeps_b = rounded == Rounds::b || rounded == Rounds::both;
    const Stack left = keeps_a ? a : staged(a, in_place_),
                right = keeps_b || reads_halves(b) || widens_in_loops(b) ? b : staged(b, false);
    const ElementType sum = plan_.sum();
    const bool direct = without_sign(p_.out) == sum;
    const std::int64_t sums = a.count * p_.m * p_.n;
    MxuTile tile;
    tile.element = left.element;
    tile.m = p_.m;
    tile.n = p_.n;
    tile.k = p_.k;
    tile.a = left.at;
    tile.a_row = left.row_stride;
    tile.a_column = left.column_stride;
    tile.b = right.at;
    tile.b_row = right.row_stride;
    tile.b_column = right.column_stride;
    tile.c = direct ? out : vmem_.take(static_cast<std::uint64_t>(sums) * 4);
    tile.c_row = p_.n;
    tile.batches = a.count;
    tile.a_batch = left.batch_stride;
    tile.b_batch = right.batch_stride;
    tile.c_batch = p_.m * p_.n;
    tile.rounded = rounded;
    tile.has_halves = widens_in_loops(b);
    if (plan_.small) {
      multiply_small(tile);
    } else if (plan_.wide) {
      multiply_wide(tile);
    } else if (reads_halves(right)) {
      multiply_halves_of(tile);
    } else if (in_place_) {
      multiply_in_place(tile);
    } else if (!units_.onednn->multiply(tile)) {
      return false;
    }
    if (!direct) convert(sum, static_cast<std::byte*>(tile.c), p_.out, out, sums);
    return true;
  }

 private:
  void convert(ElementType from, const std::byte* in, ElementType to, std::byte* out,
               std::int64_t n) const {
    units_.kernels.convert(from, to)(in, out, static_cast<std::size_t>(n));
  }
  std::byte* take(std::int64_t elements, ElementType element) {
    return vmem_.take(static_cast<std::uint64_t>(elements) * program::byte_size(element));
  }

  // A right operand that multiply_halves() widens where it lies.
  bool reads_halves(const Stack& b) const {
    return in_place_ && !plan_.wide && b.element == ElementType::bf16 && b.column_stride == 1 &&
           p_.n >= HalvesProduct::kFewestColumns;
  }

  static void multiply_halves_of(const MxuTile& t) {
    HalvesProduct product{t.m, t.n,     t.k,     nullptr, t.a_row, t.a_column, t.m,
                          0,   nullptr, t.b_row, nullptr, t.c_row, false};
    for (std::int64_t i = 0; i < t.batches; ++i) {
      product.a = static_cast<const float*>(t.a) + i * t.a_batch;
      product.b = static_cast<const std::uint16_t*>(t.b) + i * t.b_batch;
      product.c = static_cast<float*>(t.c) + i * t.c_batch;
      multiply_halves(product);
    }
  }

  void multiply_in_place(const MxuTile& t) {
    constexpr std::int64_t kPanel = PlacesProduct::kPanel;
    std::vector<std::int64_t> rows, columns, c_rows;
    for (std::int64_t m = 0; m < t.m; ++m) {
      rows.push_back(m * t.a_row);
      c_rows.push_back(m * t.c_row);
    }
    for (std::int64_t k = 0; k < t.k; ++k) columns.push_back(k * t.a_column);
    PlacesProduct product{t.m,     t.n,     t.k,    nullptr, rows.data(),  columns.data(),
                          nullptr, t.b_row, kPanel, nullptr, c_rows.data()};
    const bool is_whole = t.n % kPanel == 0;
    std::vector<float> panels;
    if (!is_whole) {
      panels.resize(static_cast<std::size_t>((t.n + kPanel - 1) / kPanel * kPanel * t.k));
      product.b_step = kPanel;
      product.b_panel = kPanel * t.k;
    }
    for (std::int64_t i = 0; i < t.batches; ++i) {
      const float* const b = static_cast<const float*>(t.b) + i * t.b_batch;
      if (!is_whole) pack_panels(b, t.b_row, t.k, t.n, panels.data());
      product.a = static_cast<const float*>(t.a) + i * t.a_batch;
      product.b = is_whole ? b : panels.data();
      product.c = static_cast<float*>(t.c) + i * t.c_batch;
      multiply_places(product);
    }
  }

  // A right operand of bf16 that multiply_small() widens where it lies, for each four rows.
  bool widens_in_loops(const Stack& b) const {
    constexpr std::int64_t kMostRows = 16, kFewestColumns = 8;
    return plan_.small && plan_.multiply == ElementType::bf16 && b.element == ElementType::bf16 &&
           b.column_stride == 1 && p_.m <= kMostRows && p_.n >= kFewestColumns;
  }

  // What multiply_small() rounds where it lies, so that it is read once.
  Rounds rounded_in_loops(const Stack& a, const Stack& b) const {
    if (!plan_.small || plan_.multiply != ElementType::bf16) return Rounds::none;
    MxuTile tile;
    tile.m = p_.m;
    tile.n = p_.n;
    tile.a_row = a.row_stride;
    tile.a_column = a.column_stride;
    tile.b_row = b.row_stride;
    tile.batches = a.count;
    tile.a_batch = a.batch_stride;
    const Rounds rounded = rounded_by_small(tile);
    const bool fits_a = rounded == Rounds::b || a.element == ElementType::f32,
               fits_b = rounded == Rounds::a ||
                        (b.element == ElementType::f32 && (b.columns == 1 || b.column_stride == 1));
    return fits_a && fits_b ? rounded : Rounds::none;
  }

  // The matrices in the type they are multiplied in; dense unless they already had that type. The
  // columns may be dense instead of the rows where `any_order`.
  Stack staged(const Stack& in, bool any_order) {
    const ElementType target = plan_.small || plan_.widen ? plan_.sum() : plan_.multiply;
    const bool has_rows = any_order || in.column_stride == 1;
    const bool is_apart = plan_.small || in_place_ || in.is_matrix_after_matrix();
    if (in.element == target && plan_.multiply == target && has_rows && is_apart) return in;
    Stack dense = in;
    if (!in.is_dense() && !(any_order && in.is_turned())) {
      dense = {take(in.elements(), in.element),
               in.element,
               in.count,
               in.rows,
               in.columns,
               in.rows * in.columns,
               in.columns,
               1};
      copy(in, const_cast<std::byte*>(dense.at));
    }
    if (dense.element == ElementType::f32 && target == ElementType::f32 &&
        plan_.multiply == ElementType::bf16)
      return rounded(dense);
    if (dense.element != plan_.multiply) dense = converted(dense, plan_.multiply);
    if (dense.element != target) dense = converted(dense, target);
    return dense;
  }
  // To matrices one after the other, dense row after row.
  static void copy(const Stack& in, std::byte* out) {
    const std::size_t bytes = program::byte_size(in.element);
    const auto step = [&](std::int64_t elements) {
      return elements * static_cast<std::int64_t>(bytes);
    };
    if (in.row_stride != 1 || in.rows <= 2) {
      ops::CopyPlan({in.count, in.rows, in.columns},
                    {in.batch_stride, in.row_stride, in.column_stride},
                    {in.rows * in.columns, in.columns, 1}, bytes)
          .run(in.at, out);
      return;
    }
    // Without the plan, which takes as long as a small matrix.
    const ops::Plane plane{
        {in.rows, step(1), step(in.columns)}, {in.columns, step(in.column_stride), step(1)}, bytes};
    for (std::int64_t i = 0; i < in.count; ++i)
      ops::transpose_plane(plane, in.at + step(i * in.batch_stride),
                           out + step(i * in.rows * in.columns));
  }
  Stack rounded(Stack in) {
    std::byte* const out = take(in.elements(), ElementType::f32);
    round_to_bf16(reinterpret_cast<const float*>(in.at), reinterpret_cast<float*>(out),
                  in.elements());
    in.at = out;
    return in;
  }
  Stack converted(Stack in, ElementType to) {
    std::byte* const out = take(in.elements(), to);
    convert(in.element, in.at, to, out, in.elements());
    in.at = out;
    in.element = to;
    return in;
  }

  const BatchUnits& units_;
  const BatchPlan& plan_;
  const Product& p_;
  Vmem& vmem_;
  bool in_place_;
};

}  // namespace

bool reads_in_place(const BatchUnits& units, const BatchPlan& plan, const Product& p) {
  return units.onednn != nullptr && !plan.small && !plan.wide && multiplies_places() &&
         (plan.widen || plan.multiply == ElementType::f32) && p.k * p.n <= kMostInPlace;
}

bool multiply_batch(const BatchUnits& units, const BatchPlan& plan, const Product& p,
                    const Batches& batches, const std::byte* lhs, const std::byte* rhs,
                    std::byte* out, Vmem& vmem) {
  if (!plan.small && units.onednn == nullptr) return false;
  const Stack a{lhs, without_sign(p.lhs.element), batches.count,    p.m,
                p.k, batches.lhs_stride,          p.lhs.row_stride, p.lhs.column_stride};
  const Stack b{rhs, without_sign(p.rhs.element), batches.count,    p.k,
                p.n, batches.rhs_stride,          p.rhs.row_stride, p.rhs.column_stride};
  const std::int64_t one = (p.m * p.k + p.k * p.n + p.m * p.n) * 4;
  const std::int64_t chunk = std::clamp<std::int64_t>(kChunkBytes / one, 1, batches.count);
  const auto step = p.m * p.n * static_cast<std::int64_t>(program::byte_size(p.out));
  for (std::int64_t first = 0; first < batches.count; first += chunk) {
    const std::int64_t size = std::min(chunk, batches.count - first);
    if (!Batch(units, plan, p, vmem)
             .multiply(a.part(first, size), b.part(first, size), out + first * step))
      return false;  // only for the first chunk: the library takes all or none of a kind
  }
  return true;
}

}  // namespace understudy::worker
