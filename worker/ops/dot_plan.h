// SPDX-License-Identifier: Apache-2.0
// A dot made ready to run: dimensions split, strides and batches found. Immutable; one per
// instruction. Holds no addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/executable/executable.h"
#include "worker/chip/copy.h"
#include "worker/chip/execution.h"
#include "worker/chip/mxu/mxu.h"

namespace understudy::worker::ops {

class DotPlan {
 public:
  DotPlan(const program::Dot& work, const program::Instruction& instruction);
  // *Throws* Error{capacity} where VMEM is too small for one tile, or for a packed operand.
  void run(const program::Dot& work, const program::Instruction& instruction,
           Execution& execution) const;

 private:
  // Some dimensions of an operand, outermost first.
  struct Axes {
    program::Shape sizes, strides;
    std::int64_t count() const;
  };
  // One operand as a matrix per batch index: used in place where rows and columns have one stride
  // each, else packed into a dense row-major copy. Transposed operands need no copy: the MXU takes
  // either direction.
  struct Side {
    Side(const program::Operand& operand, const Axes& rows, const Axes& columns);
    // The matrix whose first element is at `at`; `room` has packed_bytes.
    const std::byte* matrix(const std::byte* at, std::byte* room) const;

    MatrixView view;
    std::optional<CopyPlan> pack;
    std::size_t packed_bytes = 0;
  };

  static Axes axes_of(const program::Shape& dimensions, const program::Shape& shape);
  static Axes from(const Axes& axes, std::size_t first);
  static std::int64_t common_stride(const Axes& axes);
  static std::size_t first_even(const Axes& lhs, const Axes& rhs);
  void find_batches(const program::Dot& work, const program::Instruction& instruction);

  std::optional<Side> left_, right_;
  Product product_;
  Batches batches_;       // the innermost batch dimensions, in one call
  program::Shape outer_;  // sizes of the other ones
  Axes lhs_batch_, rhs_batch_;
  std::size_t out_bytes_ = 0;  // of one call
  bool empty_ = false;
};

}  // namespace understudy::worker::ops
