// SPDX-License-Identifier: Apache-2.0
// The input of a convolution with its padding and holes written out, part by part. Values; the
// work and the shapes outlive them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/executable/executable.h"
#include "worker/chip/vmem.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

inline std::size_t index(std::int64_t d) { return static_cast<std::size_t>(d); }
inline std::uint64_t elements_of(const Shape& sizes) {
  return static_cast<std::uint64_t>(
      program::TensorType{program::ElementType::f32, sizes}.elements());
}

// Dimensions with a stride in two arrays.
struct Axes {
  Shape sizes, from, to;
  void add(std::int64_t size, std::int64_t in, std::int64_t out) {
    sizes.push_back(size);
    from.push_back(in);
    to.push_back(out);
  }
  std::int64_t count() const { return static_cast<std::int64_t>(elements_of(sizes)); }
  // Dense row-major strides in `to`, beginning with `step`.
  void make_dense(std::int64_t step) {
    for (std::size_t d = sizes.size(); d-- > 0; step *= sizes[d]) to[d] = step;
  }
};

// Batches [first, first + count) of a batch group, and rows [row, row + rows) of the output's first
// spatial dimension.
struct Part {
  std::int64_t group = 0, first = 0, count = 0, row = 0, rows = 1;
};
// All of a convolution: one part for each batch group where their padded inputs fit into a share of
// `room` bytes, else some batches at a time, or some rows of one.
std::vector<Part> parts_of(const program::Convolution& work, const program::TensorType& x,
                           const Shape& out, std::uint64_t room);

// An array in which the patches of neighbouring positions have even strides.
struct PaddedInput {
  const std::byte* at = nullptr;
  Shape shape, strides;
  bool is_input = true;  // nothing is added to it
};
// The padded input of a part of the input `in` of shape `x`: the input itself, or a copy in VMEM.
PaddedInput padded_input_of(const program::Convolution& work, const Shape& x, const Part& part,
                            const Shape& out, const std::byte* in, std::size_t bytes, Vmem& vmem);

}  // namespace understudy::worker::ops
