// SPDX-License-Identifier: Apache-2.0
// The reductions that workers pass to collectives: a row of the kernel table for a known reduction,
// else the program's body, evaluated on many elements at once. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <vector>

#include "collectives/collectives.h"
#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/execution.h"

namespace understudy::worker {

class KernelReducer final : public collectives::Reducer {
 public:
  // *Requires*: the table has `reduction` for `type`.
  KernelReducer(const program::kernels::KernelTable& kernels, program::Reduction reduction,
                program::ElementType type);

  std::size_t element_bytes() const override { return element_bytes_; }
  std::size_t accumulator_bytes() const override { return accumulator_bytes_; }
  void widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const override;
  void narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const override;
  void combine(const std::byte* left, const std::byte* right, std::byte* out,
               std::size_t n) const override;
  void combine_all(std::span<const std::byte* const> operands, std::byte* accumulators,
                   std::size_t n) const override;
  void merge(const std::byte* left, const std::byte* right, std::byte* out,
             std::size_t n) const override;

 private:
  std::size_t element_bytes_, accumulator_bytes_;
  program::kernels::UnaryKernel widen_, narrow_;
  program::kernels::BinaryKernel accumulate_, merge_;
  program::kernels::GatherKernel accumulate_all_;  // null: one operand at a time
};

// Evaluates the program's body. Partial results have the body's own type, as the spec says: there
// is no wider accumulator.
class BodyReducer final : public collectives::Reducer {
 public:
  // *Requires*: `body` has two parameters and one result of one scalar type. Both references
  // outlive the reducer.
  BodyReducer(const program::Body& body, const Execution& execution);

  std::size_t element_bytes() const override { return element_bytes_; }
  std::size_t accumulator_bytes() const override { return element_bytes_; }
  void widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const override;
  void narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const override;
  void combine(const std::byte* left, const std::byte* right, std::byte* out,
               std::size_t n) const override;
  void merge(const std::byte* left, const std::byte* right, std::byte* out,
             std::size_t n) const override;

 private:
  const program::Body& body_;
  std::size_t element_bytes_, most_lanes_;
  mutable std::vector<std::byte> frame_;
  mutable Execution execution_;
};

}  // namespace understudy::worker
