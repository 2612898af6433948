// SPDX-License-Identifier: Apache-2.0
// out[o, b, i] = x[o, index[b], i]: the offsets are made once and serve every o.
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "worker/ops/indexing/gather_vectors.h"
#include "worker/ops/indexing/index_offsets.h"
#include "worker/ops/indexing/move_runs.h"

namespace understudy::worker::ops {
namespace {

struct Take {
  std::int64_t outer = 1, size = 1, inner = 1;  // of the operand, around the dimension
};

// Whether the gather has this form, and its sizes.
bool is_take(const program::Gather& work, const Shape& shape, std::size_t out_ndims, Take& take) {
  if (work.start_index_map.size() != 1 || work.collapsed_slice_dims != work.start_index_map ||
      !work.operand_batching_dims.empty())
    return false;
  const auto d = static_cast<std::size_t>(work.start_index_map[0]);
  const std::size_t batch = out_ndims - work.offset_dims.size();
  for (std::size_t i = 0; i < work.offset_dims.size(); ++i)
    if (work.offset_dims[i] != static_cast<std::int64_t>(i < d ? i : i + batch)) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != d && work.slice_sizes[i] != shape[i]) return false;
    (i < d ? take.outer : i == d ? take.size : take.inner) *= shape[i];
  }
  return true;
}

// Elements of lines that are `size` apart, the same of each. False, with nothing done, where their
// numbers need more than 32 bits.
bool take_elements(const Take& take, std::span<const std::int64_t> offsets, std::size_t bytes,
                   const std::byte* from, std::byte* to) {
  if (take.size > std::numeric_limits<std::int32_t>::max()) return false;
  const std::vector<std::int32_t> offsets32(offsets.begin(), offsets.end());
  take_lines(offsets32.data(), static_cast<std::int64_t>(offsets32.size()), take.outer, take.size,
             bytes, from, to);
  return true;
}

}  // namespace

bool gather_along(const program::Gather& work, const Instruction& instruction,
                  Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const std::size_t bytes = element_bytes(out);
  Take take;
  if (bytes > 8 || !is_take(work, x.type.shape, out.type.shape.size(), take)) return false;
  IndexOffsets windows(addressing_of(work, instruction), IndexOffsets::Outside::clamped, execution);
  if (!windows.is_dense()) return false;
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(windows.count()));
  windows.next(offsets);
  const std::byte* from = execution.address(x.at);
  std::byte* to = execution.writable(out.at);
  const std::int64_t step = take.size * take.inner;
  if (take.inner == 1 && take_elements(take, offsets, bytes, from, to)) return true;
  const std::size_t run = static_cast<std::size_t>(take.inner) * bytes;
  for (std::int64_t o = 0; o < take.outer; ++o, from += static_cast<std::size_t>(step) * bytes) {
    gather_runs_of_bytes(offsets, bytes, run, from, to);
    to += offsets.size() * run;
  }
  return true;
}

}  // namespace understudy::worker::ops
