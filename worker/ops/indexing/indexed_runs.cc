// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters whose windows are a dense run (elements, rows), the usual form, or a few:
// offsets are made for many windows at once, and runs are moved or combined in plain loops. Windows
// go one after the other, so an element that several updates meet sees them in row-major order.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "program/ir/reductions.h"
#include "worker/ops/dense_runs.h"
#include "worker/ops/element_units.h"
#include "worker/ops/indexing/index_offsets.h"
#include "worker/ops/indexing/move_runs.h"
#include "worker/ops/indexing/single_elements.h"
#include "worker/ops/indexing/window_runs.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::Reduction;

// Offsets made at once: 8 KiB.
constexpr std::size_t kAtOnce = 1024;
// Longer runs are combined by kernels, one call for each.
std::int64_t short_run(ElementType type) {
  const bool has_vectors = type == ElementType::f32 || type == ElementType::f64 ||
                           type == ElementType::i32 || type == ElementType::ui32;
  return has_vectors ? 64 : 16;
}

// Calls `use` with (first window, offsets) for all windows.
template <class Use>
void for_each_part(IndexOffsets& windows, const Use& use) {
  std::vector<std::int64_t> offsets(kAtOnce);
  for (std::int64_t first = 0; first < windows.count();) {
    const auto count =
        std::min<std::size_t>(kAtOnce, static_cast<std::size_t>(windows.count() - first));
    const std::span part(offsets.data(), count);
    windows.next(part);
    use(first, std::span<const std::int64_t>(part));
    first += static_cast<std::int64_t>(count);
  }
}

// Whether `dims` are the last dimensions of an array, in order: its windows are then dense.
bool are_last(const Shape& dims, std::size_t ndims) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != static_cast<std::int64_t>(ndims - dims.size() + i)) return false;
  return true;
}

// The kernel that rounds to the element type at each update, as the body does.
program::kernels::BinaryKernel update_kernel(Reduction reduction, ElementType type,
                                             const Execution& execution) {
  if (program::kernels::accumulator_type(type) == type)
    return execution.kernels->accumulate(reduction, type);
  const std::optional<BinaryOp> op = program::function_of(reduction);
  return op ? execution.kernels->binary(*op, type) : nullptr;
}

void overwrite(std::span<const std::int64_t> offsets, const std::byte* updates, std::byte* out,
               std::size_t bytes, std::int64_t run) {
  if (run > 1) {
    scatter_runs_of_bytes(offsets, bytes, static_cast<std::size_t>(run) * bytes, updates, out);
    return;
  }
  with_unit(bytes, [&](auto unit) {
    using T = decltype(unit);
    const T* x = reinterpret_cast<const T*>(updates);
    T* const y = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] >= 0) y[offsets[i]] = x[i];
  });
}

// Calls use(indices, offset of the operand, first window) for lines of windows that differ in their
// index vectors alone: all windows, or with batching dimensions those of one position in them.
// Windows are `run` elements in a row. False, with nothing done, where lines are short or index
// vectors have more than two numbers.
template <class Use>
bool for_each_line(const Addressing& a, std::int64_t run, const Execution& execution,
                   const Use& use) {
  constexpr std::int64_t kLeast = 16;
  if (a.map->empty() || a.map->size() > 2 || !std::ranges::all_of(*a.map, [&](std::int64_t d) {
        return a.extents[static_cast<std::size_t>(d)] == 1;
      }))
    return false;
  const Shape& shape = a.indices->type.shape;
  const Shape strides = strides_of(*a.shape);
  const auto ndims =
      static_cast<std::size_t>(std::min(a.vector_dim, static_cast<std::int64_t>(shape.size())));
  Shape sizes(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(ndims));
  Shape steps(ndims, 0);
  for (std::size_t i = 0; i < a.operand_batching->size(); ++i)
    steps[static_cast<std::size_t>((*a.indices_batching)[i])] +=
        strides[static_cast<std::size_t>((*a.operand_batching)[i])];
  ElementIndices line;
  line.type = a.indices->type.element;
  line.length = a.map->size();
  line.run = run;
  for (std::size_t i = 0; i < a.map->size(); ++i) {
    const auto d = static_cast<std::size_t>((*a.map)[i]);
    line.sizes[i] = (*a.shape)[d];
    line.strides[i] = strides[d];
  }
  line.count = 1;
  for (; !sizes.empty() && steps.back() == 0; sizes.pop_back(), steps.pop_back())
    line.count *= sizes.back();
  if (!sizes.empty() && line.count < kLeast) return false;
  const std::byte* const at = execution.address(a.indices->at);
  const std::size_t bytes =
      line.length * program::byte_size(line.type) * static_cast<std::size_t>(line.count);
  Counter counter(sizes);
  std::int64_t number = 0;
  do {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) offset += counter.at()[d] * steps[d];
    line.at = at + static_cast<std::size_t>(number) * bytes;
    // Whether the types have a loop shows at the first line.
    if (!use(line, static_cast<std::size_t>(offset), static_cast<std::size_t>(number * line.count)))
      return false;
    ++number;
  } while (counter.next());
  return true;
}

bool are_first(const Shape& dims) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

// Calls use(indices, offset of the operand, first element of the windows) for each row of an
// operand whose windows have all of its dimensions but the last one or two, of which they have one
// element: x[:, i], x[:, i, j] and their gradients. `dims`: those of the windows in the updates or
// in the result. False, with nothing done, for all others.
template <class Use>
bool for_each_row(const Addressing& a, const Shape& dims, const Execution& execution,
                  const Use& use) {
  const Shape& shape = *a.shape;
  const std::size_t length = a.map->size();
  if (length == 0 || length > 2 || shape.size() <= length) return false;
  const std::size_t leading = shape.size() - length;
  const auto is_single = [&](std::int64_t d) {
    return d >= static_cast<std::int64_t>(leading) && a.extents[static_cast<std::size_t>(d)] == 1;
  };
  const auto end = shape.begin() + static_cast<std::ptrdiff_t>(leading);
  if (!std::ranges::all_of(*a.map, is_single) || !a.operand_batching->empty() ||
      dims.size() != leading || !are_first(dims) ||
      !std::equal(shape.begin(), end, a.extents.begin()) ||
      a.vector_dim + 1 < a.indices->type.ndims())
    return false;
  const Shape strides = strides_of(shape);
  ElementIndices line;
  line.at = execution.address(a.indices->at);
  line.type = a.indices->type.element;
  line.length = length;
  for (std::size_t i = 0; i < length; ++i) {
    const auto d = static_cast<std::size_t>((*a.map)[i]);
    line.sizes[i] = shape[d];
    line.strides[i] = strides[d];
  }
  line.count = a.indices->type.elements() / static_cast<std::int64_t>(length);
  const std::int64_t rows = std::accumulate(shape.begin(), end, std::int64_t{1}, std::multiplies());
  for (std::int64_t r = 0; r < rows; ++r)
    // Whether the types have a loop shows at the first row.
    if (!use(line, static_cast<std::size_t>(r * strides[leading - 1]),
             static_cast<std::size_t>(r * line.count)))
      return false;
  return true;
}

// Where a gather reads and writes elements of some bytes.
struct Moved {
  const std::byte* from;
  std::byte* to;
  std::size_t bytes;
};
void gather_at(std::span<const std::int64_t> offsets, std::int64_t run, const Moved& moved) {
  if (run > 1)
    return gather_runs_of_bytes(offsets, moved.bytes, static_cast<std::size_t>(run) * moved.bytes,
                                moved.from, moved.to);
  with_unit(moved.bytes, [&](auto unit) {
    using T = decltype(unit);
    const T* const elements = reinterpret_cast<const T*>(moved.from);
    T* const results = reinterpret_cast<T*>(moved.to);
    for (std::size_t i = 0; i < offsets.size(); ++i) results[i] = elements[offsets[i]];
  });
}
bool gather_each(IndexOffsets& windows, const WindowRuns& runs, const Moved& moved) {
  const std::size_t length = static_cast<std::size_t>(runs.run) * moved.bytes;
  return for_each_run(windows, runs, [&](std::size_t first, auto offsets) {
    gather_at(offsets, runs.run, {moved.from, moved.to + first * length, moved.bytes});
    return true;
  });
}

// x[:, i, j].
bool gather_rows(const program::Gather& work, const Addressing& addressing,
                 const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(instruction.inputs[0].at);
  std::byte* const to = execution.writable(out.at);
  return for_each_row(addressing, work.offset_dims, execution,
                      [&](const ElementIndices& line, std::size_t offset, std::size_t first) {
                        gather_elements(line, from + offset * bytes, bytes, to + first * bytes);
                        return true;
                      });
}

}  // namespace

bool gather_runs(const program::Gather& work, const Instruction& instruction,
                 Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const Addressing addressing = addressing_of(work, instruction);
  if (!are_last(work.offset_dims, out.type.shape.size()))
    return addressing.map->size() == 2 && gather_rows(work, addressing, instruction, execution);
  const auto run = run_of(x.type.shape, work.slice_sizes);
  IndexOffsets windows(addressing, IndexOffsets::Outside::clamped, execution);
  if (!windows.is_dense()) return false;
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(x.at);
  std::byte* to = execution.writable(out.at);
  if (!run) {
    const auto runs = window_runs(x.type.shape, work.slice_sizes);
    return runs && gather_each(windows, *runs, {from, to, bytes});
  }
  const auto gather = [&](const ElementIndices& line, std::size_t offset, std::size_t first) {
    gather_elements(line, from + offset * bytes, bytes, to + first * bytes);
    return true;
  };
  if (*run == 1 && for_each_line(addressing, 1, execution, gather)) return true;
  for_each_part(windows, [&](std::int64_t, std::span<const std::int64_t> offsets) {
    gather_at(offsets, *run, {from, to, bytes});
    to += offsets.size() * static_cast<std::size_t>(*run) * bytes;
  });
  return true;
}

// Of the windows that a scatter writes. The extents of a window are those of the updates; it has
// size 1 in the dimensions that the updates lack.
static Addressing addressing_of(const program::Scatter& work, const Instruction& instruction) {
  const Shape& shape = instruction.outputs[0].type.shape;
  const Shape& updates = instruction.inputs[2].type.shape;
  Addressing addressing{&instruction.inputs[1],
                        work.index_vector_dim,
                        &work.scatter_dims_to_operand_dims,
                        &work.input_batching_dims,
                        &work.scatter_indices_batching_dims,
                        &shape,
                        Shape(shape.size(), 1)};
  std::size_t window = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto is_in = [d](const Shape& dims) {
      return std::ranges::find(dims, static_cast<std::int64_t>(d)) != dims.end();
    };
    if (is_in(work.inserted_window_dims) || is_in(work.input_batching_dims)) continue;
    addressing.extents[d] = updates[static_cast<std::size_t>(work.update_window_dims[window++])];
  }
  return addressing;
}

bool scatter_runs(const program::Scatter& work, const Instruction& instruction,
                  Execution& execution) {
  if (instruction.outputs.size() != 1) return false;
  const Operand& out = instruction.outputs[0];
  const Operand& updates = instruction.inputs[2];
  const ElementType element = out.type.element;
  const auto kernel = work.overwrite ? nullptr : update_kernel(work.reduction, element, execution);
  if (!work.overwrite && kernel == nullptr) return false;
  const Addressing addressing = addressing_of(work, instruction);
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(updates.at);
  std::byte* const to = execution.writable(out.at);
  const Reduction reduction = work.overwrite ? Reduction::none : work.reduction;
  const auto scatter = [&](const ElementIndices& line, std::size_t offset, std::size_t window) {
    return scatter_elements(line, reduction, element,
                            from + window * static_cast<std::size_t>(line.run) * bytes,
                            to + offset * bytes);
  };
  if (for_each_row(addressing, work.update_window_dims, execution, scatter)) return true;
  if (!are_last(work.update_window_dims, updates.type.shape.size())) return false;
  const auto run = run_of(out.type.shape, addressing.extents);
  IndexOffsets windows(addressing, IndexOffsets::Outside::refused, execution);
  if (!windows.is_dense()) return false;
  if (!run) {
    const auto runs = window_runs(out.type.shape, addressing.extents);
    return runs && for_each_run(windows, *runs, [&](std::size_t first, auto offsets) {
             return scatter_elements(
                 indices_of(offsets, out.type.shape, runs->run), reduction, element,
                 from + first * static_cast<std::size_t>(runs->run) * bytes, to);
           });
  }
  const std::size_t length = static_cast<std::size_t>(*run) * bytes;
  if ((*run == 1 || (!work.overwrite && *run <= short_run(element))) &&
      for_each_line(addressing, *run, execution, scatter))
    return true;
  for_each_part(windows, [&](std::int64_t first, std::span<const std::int64_t> offsets) {
    const std::byte* const part = from + static_cast<std::size_t>(first) * length;
    if (work.overwrite) return overwrite(offsets, part, to, bytes, *run);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] < 0) continue;
      std::byte* const at = to + static_cast<std::size_t>(offsets[i]) * bytes;
      kernel(at, part + i * length, at, static_cast<std::size_t>(*run));
    }
  });
  return true;
}

}  // namespace understudy::worker::ops
