// SPDX-License-Identifier: Apache-2.0
// Gathers and scatters whose windows are dense runs (elements, rows), the usual form: offsets are
// made for many windows at once, and runs are moved or combined in plain loops. Windows go one
// after the other, so an element that several updates meet sees them in row-major order.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "worker/ops/dense_runs.h"
#include "worker/ops/index_offsets.h"
#include "worker/ops/key_codes.h"

namespace understudy::worker::ops {
namespace {

using program::BinaryOp;
using program::ElementType;
using program::Reduction;

// Offsets made at once: 8 KiB.
constexpr std::size_t kAtOnce = 1024;

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

struct Bytes16 {
  std::uint64_t low, high;
};

// Calls `use` with a type of `bytes` bytes.
template <class Use>
void with_size(std::size_t bytes, const Use& use) {
  if (bytes == sizeof(Bytes16)) return use(Bytes16{});
  with_unsigned(bytes, use);
}

// ---- scatter of single elements
// ------------------------------------------------------------------

// As program/kernels computes them: one NaN pattern, -0 below +0.
template <class T>
T settled(T x) {
  return x != x ? std::numeric_limits<T>::quiet_NaN() : x;
}
struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return settled(a + b);
    } else {
      return static_cast<T>(a + b);
    }
  }
};
template <bool kLargest>
struct Extreme {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return std::signbit(a) == kLargest ? b : a;
    }
    return (a < b) == kLargest ? b : a;
  }
};

template <class T, class Op>
void combine(std::span<const std::int64_t> offsets, const std::byte* updates, std::byte* out,
             const Op& op) {
  const T* x = reinterpret_cast<const T*>(updates);
  T* const y = reinterpret_cast<T*>(out);
  for (const std::int64_t offset : offsets) {
    if (offset >= 0) y[offset] = op(y[offset], *x);
    ++x;
  }
}

using Combine = void (*)(std::span<const std::int64_t>, const std::byte*, std::byte*);

template <class Op, bool kIsSum>
Combine combine_of(ElementType type) {
  switch (type) {
    case ElementType::f32:
      return [](auto offsets, auto x, auto y) { combine<float>(offsets, x, y, Op()); };
    case ElementType::f64:
      return [](auto offsets, auto x, auto y) { combine<double>(offsets, x, y, Op()); };
    case ElementType::i32:
      if (kIsSum) break;
      return [](auto offsets, auto x, auto y) { combine<std::int32_t>(offsets, x, y, Op()); };
    case ElementType::i64:
      if (kIsSum) break;
      return [](auto offsets, auto x, auto y) { combine<std::int64_t>(offsets, x, y, Op()); };
    case ElementType::ui32:
    case ElementType::ui64:
      break;
    default:
      return nullptr;
  }
  // Sums wrap, whatever the sign.
  if (program::byte_size(type) == 4)
    return [](auto offsets, auto x, auto y) { combine<std::uint32_t>(offsets, x, y, Op()); };
  return [](auto offsets, auto x, auto y) { combine<std::uint64_t>(offsets, x, y, Op()); };
}

Combine combine_of(Reduction reduction, ElementType type) {
  switch (reduction) {
    case Reduction::sum:
      return combine_of<Sum, true>(type);
    case Reduction::maximum:
      return combine_of<Extreme<true>, false>(type);
    case Reduction::minimum:
      return combine_of<Extreme<false>, false>(type);
    default:
      return nullptr;
  }
}

// The kernel that rounds to the element type at each update, as the body does.
program::kernels::BinaryKernel update_kernel(Reduction reduction, ElementType type,
                                             const Execution& execution) {
  if (program::kernels::accumulator_type(type) == type)
    return execution.kernels->accumulate(reduction, type);
  switch (reduction) {
    case Reduction::sum:
      return execution.kernels->binary(BinaryOp::add, type);
    case Reduction::product:
      return execution.kernels->binary(BinaryOp::multiply, type);
    case Reduction::minimum:
      return execution.kernels->binary(BinaryOp::minimum, type);
    case Reduction::maximum:
      return execution.kernels->binary(BinaryOp::maximum, type);
    default:
      return nullptr;
  }
}

void overwrite(std::span<const std::int64_t> offsets, const std::byte* updates, std::byte* out,
               std::size_t bytes, std::int64_t run) {
  if (run > 1) {
    const std::size_t length = static_cast<std::size_t>(run) * bytes;
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] >= 0)
        std::memcpy(out + static_cast<std::size_t>(offsets[i]) * bytes, updates + i * length,
                    length);
    return;
  }
  with_size(bytes, [&](auto unit) {
    using T = decltype(unit);
    const T* x = reinterpret_cast<const T*>(updates);
    T* const y = reinterpret_cast<T*>(out);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      if (offsets[i] >= 0) y[offsets[i]] = x[i];
  });
}

}  // namespace

bool gather_runs(const program::Gather& work, const Instruction& instruction,
                 Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const auto run = run_of(x.type.shape, work.slice_sizes);
  if (!run || !are_last(work.offset_dims, out.type.shape.size())) return false;
  IndexOffsets windows(addressing_of(work, instruction), IndexOffsets::Outside::clamped, execution);
  if (!windows.is_dense()) return false;
  const std::size_t bytes = element_bytes(out);
  const std::byte* const from = execution.address(x.at);
  std::byte* to = execution.writable(out.at);
  for_each_part(windows, [&](std::int64_t, std::span<const std::int64_t> offsets) {
    const std::size_t length = static_cast<std::size_t>(*run) * bytes;
    if (*run > 1) {
      for (std::size_t i = 0; i < offsets.size(); ++i)
        std::memcpy(to + i * length, from + static_cast<std::size_t>(offsets[i]) * bytes, length);
    } else {
      with_size(bytes, [&](auto unit) {
        using T = decltype(unit);
        const T* const elements = reinterpret_cast<const T*>(from);
        T* const results = reinterpret_cast<T*>(to);
        for (std::size_t i = 0; i < offsets.size(); ++i) results[i] = elements[offsets[i]];
      });
    }
    to += offsets.size() * length;
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
  const auto combines = combine_of(work.reduction, element);
  const auto kernel = work.overwrite ? nullptr : update_kernel(work.reduction, element, execution);
  if (!work.overwrite && kernel == nullptr) return false;
  if (!are_last(work.update_window_dims, updates.type.shape.size())) return false;
  const Addressing addressing = addressing_of(work, instruction);
  const auto run = run_of(out.type.shape, addressing.extents);
  IndexOffsets windows(addressing, IndexOffsets::Outside::refused, execution);
  if (!run || !windows.is_dense()) return false;
  const std::size_t bytes = element_bytes(out);
  const std::size_t length = static_cast<std::size_t>(*run) * bytes;
  const std::byte* const from = execution.address(updates.at);
  std::byte* const to = execution.writable(out.at);
  for_each_part(windows, [&](std::int64_t first, std::span<const std::int64_t> offsets) {
    const std::byte* const part = from + static_cast<std::size_t>(first) * length;
    if (work.overwrite) return overwrite(offsets, part, to, bytes, *run);
    if (*run == 1 && combines != nullptr) return combines(offsets, part, to);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] < 0) continue;
      std::byte* const at = to + static_cast<std::size_t>(offsets[i]) * bytes;
      kernel(at, part + i * length, at, static_cast<std::size_t>(*run));
    }
  });
  return true;
}

}  // namespace understudy::worker::ops
