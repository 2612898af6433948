// SPDX-License-Identifier: Apache-2.0
// gather reads whole windows at clamped starts (StableHLO spec). scatter visits the update windows
// in row-major order and skips a window as a whole if any part of it is out of bounds:
// docs/decisions/0005.
#include <algorithm>
#include <cstring>
#include <optional>

#include "configs/base/error.h"
#include "worker/chip/copy.h"
#include "worker/chip/ops.h"
#include "worker/ops/indexing/index_offsets.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// Beyond any index of an array, and small enough that sums with window offsets do not overflow.
constexpr std::int64_t kFar = std::int64_t{1} << 62;

bool holds(const Shape& list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// The dimensions below `ndims` that are in neither list.
Shape remaining(std::int64_t ndims, const Shape& a, const Shape& b = {}) {
  Shape rest;
  for (std::int64_t d = 0; d < ndims; ++d) {
    if (!holds(a, d) && !holds(b, d)) rest.push_back(d);
  }
  return rest;
}

Shape pick(const Shape& from, const Shape& dimensions) {
  Shape picked;
  for (const std::int64_t d : dimensions) picked.push_back(from[static_cast<std::size_t>(d)]);
  return picked;
}

std::int64_t dot(const Shape& index, const Shape& strides) {
  std::int64_t sum = 0;
  for (std::size_t d = 0; d < index.size(); ++d) sum += index[d] * strides[d];
  return sum;
}

// Reads full start indices in the operand from the indices tensor. If index_vector_dim equals its
// number of dimensions, every element is an index vector of length 1 (the spec's implicit
// dimension).
class Starts {
 public:
  Starts(const Operand& indices, std::int64_t vector_dim, const Shape& index_map,
         const Shape& operand_batching, const Shape& indices_batching, std::size_t operand_ndims,
         const Execution& execution)
      : type_(indices.type.element),
        at_(execution.address(indices.at)),
        index_map_(index_map),
        operand_batching_(operand_batching),
        start_(operand_ndims, 0) {
    const Shape strides = strides_of(indices.type.shape);
    const Shape batch = remaining(indices.type.ndims(), {vector_dim});
    batch_sizes_ = pick(indices.type.shape, batch);
    batch_strides_ = pick(strides, batch);
    vector_stride_ =
        vector_dim < indices.type.ndims() ? strides[static_cast<std::size_t>(vector_dim)] : 0;
    for (const std::int64_t d : indices_batching) {
      batching_places_.push_back(
          static_cast<std::size_t>(std::find(batch.begin(), batch.end(), d) - batch.begin()));
    }
  }

  const Shape& batch_sizes() const { return batch_sizes_; }

  // The start index of one batch position, not clamped. Batching dimensions of the operand take
  // their index from the batch position itself.
  const Shape& at(const Shape& batch_index) {
    std::fill(start_.begin(), start_.end(), 0);
    const auto bytes = static_cast<std::int64_t>(program::byte_size(type_));
    std::int64_t place = dot(batch_index, batch_strides_);
    for (const std::int64_t d : index_map_) {
      std::int64_t value = integer_of(type_, at_ + place * bytes);
      // An unsigned index above the signed range is beyond every array.
      if (type_ == program::ElementType::ui64 && value < 0) value = kFar;
      start_[static_cast<std::size_t>(d)] = std::clamp(value, -kFar, kFar);
      place += vector_stride_;
    }
    for (std::size_t i = 0; i < operand_batching_.size(); ++i) {
      start_[static_cast<std::size_t>(operand_batching_[i])] = batch_index[batching_places_[i]];
    }
    return start_;
  }

 private:
  program::ElementType type_;
  const std::byte* at_;
  Shape index_map_, operand_batching_;
  Shape batch_sizes_, batch_strides_;
  std::int64_t vector_stride_ = 0;
  std::vector<std::size_t> batching_places_;  // of the indices' batching dims in the batch index
  Shape start_;
};

}  // namespace

void run(const program::Gather& work, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  if (out.type.elements() == 0) return;
  if (gather_runs(work, instruction, execution) || gather_along(work, instruction, execution))
    return;
  const Shape& shape = x.type.shape;
  Starts starts(instruction.inputs[1], work.index_vector_dim, work.start_index_map,
                work.operand_batching_dims, work.start_indices_batching_dims, shape.size(),
                execution);
  const Shape strides = strides_of(shape);
  const Shape out_strides = strides_of(out.type.shape);
  const Shape window =
      remaining(x.type.ndims(), work.collapsed_slice_dims, work.operand_batching_dims);
  // All windows have the same shape and strides: one copy plan serves every start.
  const CopyPlan plan(pick(work.slice_sizes, window), pick(strides, window),
                      pick(out_strides, work.offset_dims), element_bytes(out));
  const Shape batch_strides = pick(out_strides, remaining(out.type.ndims(), work.offset_dims));
  const auto bytes = static_cast<std::int64_t>(element_bytes(out));
  const std::byte* const from = execution.address(x.at);
  std::byte* const to = execution.writable(out.at);
  Counter batch(starts.batch_sizes());
  do {
    const Shape& start = starts.at(batch.at());
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < start.size(); ++d) {
      offset += std::clamp<std::int64_t>(start[d], 0, shape[d] - work.slice_sizes[d]) * strides[d];
    }
    plan.run(from + offset * bytes, to + dot(batch.at(), batch_strides) * bytes);
  } while (batch.next());
}

namespace {

// Applies one run of updates to one run of results, the faster way that the body allows: a kernel
// for a known reduction whose accumulator is the element type (a wider one would have to be kept
// between updates), else the body itself.
class Update {
 public:
  Update(const program::Scatter& work, const Instruction& instruction, Execution& execution)
      : work_(work),
        instruction_(instruction),
        execution_(execution),
        n_(instruction.outputs.size()) {
    const program::ElementType element = instruction.outputs[0].type.element;
    if (n_ == 1 && work.reduction != program::Reduction::none &&
        program::kernels::accumulator_type(element) == element) {
      accumulate_ = execution.kernels->accumulate(work.reduction, element);
    }
    if (accumulate_ == nullptr) body_.emplace(work.body, execution, 1024);
  }

  // Applies `count` updates from element `update` on to distinct results from `result` on. Within a
  // run no result occurs twice, so its lanes are independent.
  void operator()(std::int64_t result, std::int64_t update, std::int64_t count) {
    if (body_) return by_body(result, update, count);
    const auto bytes = static_cast<std::int64_t>(element_bytes(instruction_.outputs[0]));
    std::byte* const to = execution_.writable(instruction_.outputs[0].at) + result * bytes;
    const std::byte* const from =
        execution_.address(instruction_.inputs[n_ + 1].at) + update * bytes;
    accumulate_(to, from, to, static_cast<std::size_t>(count));
  }

 private:
  void by_body(std::int64_t result, std::int64_t update, std::int64_t total) {
    for (std::int64_t done = 0; done < total;) {
      const auto count = std::min(body_->lanes(), static_cast<std::size_t>(total - done));
      for (std::size_t i = 0; i < n_; ++i) {
        const std::size_t bytes = element_bytes(instruction_.outputs[i]);
        std::memcpy(body_->parameter(i, count), place(instruction_.outputs[i], result + done),
                    count * bytes);
        std::memcpy(body_->parameter(n_ + i, count),
                    place(instruction_.inputs[n_ + 1 + i], update + done), count * bytes);
      }
      body_->call(count);
      for (std::size_t i = 0; i < n_; ++i) {
        const Operand& out = instruction_.outputs[i];
        body_->result(i,
                      execution_.writable(out.at) +
                          static_cast<std::size_t>(result + done) * element_bytes(out),
                      count);
      }
      done += static_cast<std::int64_t>(count);
    }
  }
  const std::byte* place(const Operand& operand, std::int64_t element) const {
    return execution_.address(operand.at) +
           static_cast<std::size_t>(element) * element_bytes(operand);
  }

  const program::Scatter& work_;
  const Instruction& instruction_;
  Execution& execution_;
  std::size_t n_;
  program::kernels::BinaryKernel accumulate_ = nullptr;
  std::optional<BodyCall> body_;
};

// The window of one update: its dimensions in the updates and in the results. The innermost
// dimension is handled as a run where it is dense in both.
struct ScatterWindow {
  Shape extents;  // in every dimension of the result
  Shape sizes, update_strides, result_strides;
  std::int64_t run = 1;  // elements
};

ScatterWindow window_of(const program::Scatter& work, const Shape& result_shape,
                        const Shape& update_shape) {
  ScatterWindow window;
  const Shape dims = remaining(static_cast<std::int64_t>(result_shape.size()),
                               work.inserted_window_dims, work.input_batching_dims);
  window.sizes = pick(update_shape, work.update_window_dims);
  window.update_strides = pick(strides_of(update_shape), work.update_window_dims);
  window.result_strides = pick(strides_of(result_shape), dims);
  window.extents.assign(result_shape.size(), 1);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    window.extents[static_cast<std::size_t>(dims[d])] = window.sizes[d];
  }
  if (!window.sizes.empty() && window.result_strides.back() == 1 &&
      window.update_strides.back() == 1) {
    window.run = window.sizes.back();
    window.sizes.pop_back();
    window.update_strides.pop_back();
    window.result_strides.pop_back();
  }
  return window;
}

// What an overwriting scatter makes of one update of an output: a copy.
CopyPlan copy_of(const ScatterWindow& window, const Operand& out) {
  Shape sizes = window.sizes, update_strides = window.update_strides,
        result_strides = window.result_strides;
  sizes.push_back(window.run);
  update_strides.push_back(1);
  result_strides.push_back(1);
  return CopyPlan(sizes, update_strides, result_strides, element_bytes(out));
}

// Written without start + extent, which could overflow for starts near kFar.
bool inside(const Shape& start, const Shape& extents, const Shape& shape) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (start[d] < 0 || start[d] > shape[d] - extents[d]) return false;
  }
  return true;
}

void scatter_window(const ScatterWindow& window, std::int64_t result, std::int64_t update,
                    Update& apply) {
  Counter counter(window.sizes);
  if (counter.empty() || window.run == 0) return;
  do {
    apply(result + dot(counter.at(), window.result_strides),
          update + dot(counter.at(), window.update_strides), window.run);
  } while (counter.next());
}

}  // namespace

void run(const program::Scatter& work, const Instruction& instruction, Execution& execution) {
  const std::size_t n = instruction.outputs.size();
  for (std::size_t i = 0; i < n; ++i) {
    // The results start as copies of the operands, unless the compiler put both in one place.
    const std::byte* const from = execution.address(instruction.inputs[i].at);
    std::byte* const to = execution.writable(instruction.outputs[i].at);
    const auto bytes = static_cast<std::size_t>(instruction.outputs[i].type.bytes());
    if (from != to && bytes > 0) std::memcpy(to, from, bytes);
  }
  const Shape& shape = instruction.outputs[0].type.shape;
  const Operand& updates = instruction.inputs[n + 1];
  if (updates.type.elements() == 0) return;
  if (scatter_runs(work, instruction, execution)) return;
  Starts starts(instruction.inputs[n], work.index_vector_dim, work.scatter_dims_to_operand_dims,
                work.input_batching_dims, work.scatter_indices_batching_dims, shape.size(),
                execution);
  const ScatterWindow window = window_of(work, shape, updates.type.shape);
  const Shape strides = strides_of(shape);
  const Shape batch_strides = pick(strides_of(updates.type.shape),
                                   remaining(updates.type.ndims(), work.update_window_dims));
  std::optional<Update> apply;
  std::vector<CopyPlan> copies;
  if (!work.overwrite) {
    apply.emplace(work, instruction, execution);
  } else {
    for (const Operand& out : instruction.outputs) copies.push_back(copy_of(window, out));
  }
  Counter batch(starts.batch_sizes());
  do {
    const Shape& start = starts.at(batch.at());
    // Windows go one after the other: later updates of the same element see the earlier ones, in
    // row-major order on every chip.
    if (!inside(start, window.extents, shape)) continue;
    const std::int64_t result = dot(start, strides), update = dot(batch.at(), batch_strides);
    if (apply) scatter_window(window, result, update, *apply);
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const auto bytes = static_cast<std::int64_t>(element_bytes(instruction.outputs[i]));
      copies[i].run(execution.address(instruction.inputs[n + 1 + i].at) + update * bytes,
                    execution.writable(instruction.outputs[i].at) + result * bytes);
    }
  } while (batch.next());
}

}  // namespace understudy::worker::ops
