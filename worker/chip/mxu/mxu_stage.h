// SPDX-License-Identifier: Apache-2.0
// Operands of one product on their way into VMEM, part of mxu.cc. Call from the executor thread
// only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/kernels/kernels.h"
#include "worker/chip/copy.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_places.h"

namespace understudy::worker {

// A part of an operand: first as it is in HBM, then as it is staged in VMEM.
struct Panel {
  const std::byte* at = nullptr;
  program::ElementType element = program::ElementType::f32;
  std::int64_t rows = 0, columns = 0, row_stride = 0, column_stride = 1;
};

inline Panel panel_of(const MatrixView& view, const std::byte* at, std::int64_t row,
                      std::int64_t column, std::int64_t rows, std::int64_t columns) {
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
  Stage(const program::kernels::KernelTable& kernels, Vmem& vmem)
      : kernels_(kernels), vmem_(vmem) {}

  // The panel in type `element`. Returns the panel itself, without a copy, where it already has the
  // type and unit stride in one direction.
  Panel as(const Panel& in, program::ElementType element) const {
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

  // The panel rounded to bf16 and widened to f32 again, in one pass where it is f32 already.
  Panel rounded(const Panel& in) const {
    const bool is_dense = (in.column_stride == 1 && in.row_stride == in.columns) ||
                          (in.row_stride == 1 && in.column_stride == in.rows);
    if (in.element != program::ElementType::f32 || !is_dense)
      return as(as(in, program::ElementType::bf16), program::ElementType::f32);
    const std::int64_t n = in.rows * in.columns;
    std::byte* const out = vmem_.take(static_cast<std::uint64_t>(n) * 4);
    round_to_bf16(reinterpret_cast<const float*>(in.at), reinterpret_cast<float*>(out), n);
    Panel done = in;
    done.at = out;
    return done;
  }

  // The low half: bf16(whole - high). The subtraction is exact in f32, because `high` holds the
  // leading 8 of the 24 significant bits.
  Panel rest(const Panel& whole, const Panel& high) const {
    const auto n = whole.rows * whole.columns;
    std::byte* const out = vmem_.take(static_cast<std::uint64_t>(n) * 2);
    const Vmem::Scope scope(vmem_);
    std::byte* const wide = vmem_.take(static_cast<std::uint64_t>(n) * 4);
    convert(program::ElementType::bf16, high.at, program::ElementType::f32, wide, n);
    kernels_.binary(program::BinaryOp::subtract, program::ElementType::f32)(
        whole.at, wide, wide, static_cast<std::size_t>(n));
    convert(program::ElementType::f32, wide, program::ElementType::bf16, out, n);
    return {out,
            program::ElementType::bf16,
            high.rows,
            high.columns,
            high.row_stride,
            high.column_stride};
  }

  // A dense f32 copy.
  // Three-pass products need elementwise operations on whole panels: both halves must have the same
  // dense layout.
  Panel dense_f32(const Panel& in) const {
    const Panel wide = as(in, program::ElementType::f32);
    const bool row_major = wide.column_stride == 1;
    std::byte* const out = vmem_.take(static_cast<std::uint64_t>(in.rows * in.columns) * 4);
    ops::CopyPlan({in.rows, in.columns}, {wide.row_stride, wide.column_stride},
                  {row_major ? in.columns : 1, row_major ? 1 : in.rows}, 4)
        .run(wide.at, out);
    return {out,        program::ElementType::f32,  in.rows,
            in.columns, row_major ? in.columns : 1, row_major ? 1 : in.rows};
  }

  void convert(program::ElementType from, const std::byte* in, program::ElementType to,
               std::byte* out, std::int64_t n) const {
    kernels_.convert(from, to)(in, out, static_cast<std::size_t>(n));
  }

 private:
  void convert_lines(const Panel& in, std::int64_t jump, std::int64_t lines, std::int64_t length,
                     program::ElementType element, std::byte* out) const {
    if (jump == length) return convert(in.element, in.at, element, out, lines * length);
    const auto from = static_cast<std::int64_t>(program::byte_size(in.element));
    const auto to = static_cast<std::int64_t>(program::byte_size(element));
    for (std::int64_t line = 0; line < lines; ++line) {
      convert(in.element, in.at + line * jump * from, element, out + line * length * to, length);
    }
  }

  const program::kernels::KernelTable& kernels_;
  Vmem& vmem_;
};

}  // namespace understudy::worker
