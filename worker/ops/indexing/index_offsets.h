// SPDX-License-Identifier: Apache-2.0
// The windows that gather and scatter address, as element offsets into the operand, many at a time.
// For index vectors that are dense, as all frontends write them. Call from the executor thread
// only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

// How index vectors address an operand: gather and scatter have the same fields by other names.
struct Addressing {
  const Operand* indices = nullptr;
  std::int64_t vector_dim = 0;
  const Shape* map = nullptr;  // from index to dimension
  const Shape* operand_batching = nullptr;
  const Shape* indices_batching = nullptr;
  const Shape* shape = nullptr;  // of the operand
  Shape extents;                 // of a window, in every dimension of the operand
};

// Of the windows that a gather reads; the instruction outlives it.
inline Addressing addressing_of(const program::Gather& work, const Instruction& instruction) {
  return {&instruction.inputs[1],
          work.index_vector_dim,
          &work.start_index_map,
          &work.operand_batching_dims,
          &work.start_indices_batching_dims,
          &instruction.inputs[0].type.shape,
          work.slice_sizes};
}

class IndexOffsets {
 public:
  enum class Outside : std::uint8_t { clamped, refused };

  IndexOffsets(const Addressing& addressing, Outside outside, const Execution& execution);
  // Whether the index vectors are dense; else nothing below may be called.
  bool is_dense() const { return is_dense_; }
  std::int64_t count() const { return count_; }
  // The offsets of the next windows in row-major order, as many as `offsets` has; -1 where a window
  // is refused because a part of it lies outside.
  void next(std::span<std::int64_t> offsets);

 private:
  struct Index {
    std::int64_t last = 0;  // largest start that is inside
    std::int64_t stride = 0;
  };
  template <class T, bool kClamped, std::size_t kLength>
  void read(std::span<std::int64_t> offsets);
  template <class T>
  void read(std::span<std::int64_t> offsets);
  void add_batching(std::span<std::int64_t> offsets);

  Outside outside_;
  bool is_dense_ = false;
  program::ElementType type_;
  const std::byte* at_;
  std::vector<Index> indices_;
  std::int64_t count_ = 1, done_ = 0;
  Shape batch_sizes_, batch_steps_;  // batch_steps_ empty: no batching dimension
  Shape batch_at_;
  std::int64_t batch_offset_ = 0;
};

// Gather and scatter of dense runs at such offsets; false, with nothing done, where the operation
// has another form.
bool gather_runs(const program::Gather& work, const Instruction& instruction, Execution& execution);
// Gather of single indices along one dimension, all of the others being taken as a whole
// (jnp.take, x[:, i]).
bool gather_along(const program::Gather& work, const Instruction& instruction,
                  Execution& execution);

// The results hold the operands already.
bool scatter_runs(const program::Scatter& work, const Instruction& instruction,
                  Execution& execution);

}  // namespace understudy::worker::ops
