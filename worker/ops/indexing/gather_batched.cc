// SPDX-License-Identifier: Apache-2.0
// Gather of single elements along one dimension where all others are batching dimensions
// (jnp.take_along_axis): out[.., i] = x at index[.., i] along the dimension, and at the place of
// the result in the others.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "worker/ops/indexing/index_offsets.h"
#include "worker/ops/indexing/single_elements.h"

namespace understudy::worker::ops {
namespace {

// Shorter lines cost more calls than the way of all gathers.
constexpr std::int64_t kShortestGather = 16;

// Whether index vectors of one number are at all places of the result, and nothing else is
// gathered.
bool is_taken(const program::Gather& work, const Instruction& instruction) {
  const program::TensorType& x = instruction.inputs[0].type;
  const program::TensorType& indices = instruction.inputs[1].type;
  const Shape& out = instruction.outputs[0].type.shape;
  if (work.operand_batching_dims.empty() || work.start_index_map.size() != 1 ||
      work.collapsed_slice_dims != work.start_index_map || !work.offset_dims.empty() ||
      work.operand_batching_dims.size() + 1 != x.shape.size() || out.empty())
    return false;
  const bool has_vectors =
      work.index_vector_dim + 1 == indices.ndims() && indices.shape.back() == 1;
  return (has_vectors || work.index_vector_dim == indices.ndims()) &&
         indices.elements() == instruction.outputs[0].type.elements();
}

}  // namespace

bool gather_batched(const program::Gather& work, const Instruction& instruction,
                    Execution& execution) {
  if (!is_taken(work, instruction)) return false;
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const Shape& sizes = out.type.shape;
  const Shape strides = strides_of(x.type.shape);
  // Of the operand, along each dimension of the result.
  Shape steps(sizes.size(), 0);
  for (std::size_t i = 0; i < work.operand_batching_dims.size(); ++i)
    steps[static_cast<std::size_t>(work.start_indices_batching_dims[i])] =
        strides[static_cast<std::size_t>(work.operand_batching_dims[i])];
  const auto d = static_cast<std::size_t>(work.start_index_map[0]);
  // One line of results: the last dimensions of more than one element, as far as the operand moves
  // evenly along them.
  std::size_t outer_ndims = sizes.size() - 1;
  while (outer_ndims > 0 && sizes[outer_ndims] == 1) --outer_ndims;
  const std::int64_t along = steps[outer_ndims];
  std::int64_t count = sizes[outer_ndims];
  for (;
       outer_ndims > 0 && (sizes[outer_ndims - 1] == 1 || steps[outer_ndims - 1] == along * count);
       --outer_ndims)
    count *= sizes[outer_ndims - 1];
  if (count < kShortestGather) return false;
  ElementIndices line;
  line.at = execution.address(instruction.inputs[1].at);
  line.type = instruction.inputs[1].type.element;
  line.sizes[0] = x.type.shape[d];
  line.strides[0] = strides[d];
  line.count = count;
  line.along = along;
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(x.at);
  std::byte* to = execution.writable(out.at);
  Counter outer(Shape(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(outer_ndims)));
  do {
    const Shape& at = outer.at();
    const std::int64_t offset =
        std::inner_product(at.begin(), at.end(), steps.begin(), std::int64_t{0});
    if (!gather_elements(line, from + static_cast<std::size_t>(offset) * bytes, bytes, to))
      return false;  // only for the first line: the types decide
    line.at += static_cast<std::size_t>(line.count) * program::byte_size(line.type);
    to += static_cast<std::size_t>(line.count) * bytes;
  } while (outer.next());
  return true;
}

}  // namespace understudy::worker::ops
