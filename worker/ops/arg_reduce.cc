// SPDX-License-Identifier: Apache-2.0
// The steps of arg_lanes.h give the same in any grouping, so that a row may first look for its best
// value and then for that value's position. Rows with NaN take their steps in order.
#include <algorithm>
#include <cstdint>

#include "worker/chip/ops.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/arg_bytes.h"
#include "worker/ops/arg_lanes.h"
#include "worker/ops/arg_rows.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;

// The first of the elements that equal `best`; one does.
template <class T, class Value>
[[gnu::always_inline]] inline std::int64_t first_of(const typename T::Stored* x, std::int64_t n,
                                                    Value best) {
  std::int64_t k = 0;
  for (; k + kAtOnce <= n; k += kAtOnce) {
    typename T::Lanes values;
    T::load_lanes(x + k, values);
    const Integers equal = values == best;
    bool found = false;
    for (std::int64_t l = 0; l < kAtOnce; ++l) found |= equal[l] != 0;
    if (found) break;
  }
  while (!(T::load(x[k]) == best)) ++k;
  return k;
}

struct Fold {
  program::kernels::FoldKernel fold;
  program::kernels::IdentityWriter identity;
};

// The largest or smallest of at least one element.
template <class T, bool kLargest>
[[gnu::always_inline]] inline auto best_of(const Fold& kernels, const typename T::Stored* x,
                                           std::int64_t n) {
  if constexpr (sizeof(typename T::Stored) == 1) {
    typename T::Stored best = x[0];
    for (std::int64_t k = 1; k < n; ++k)
      best = (kLargest ? x[k] > best : x[k] < best) ? x[k] : best;
    return T::load(best);
  } else {
    decltype(T::load(*x)) best{};
    kernels.identity(&best);
    kernels.fold(x, static_cast<std::size_t>(n), &best);
    return best;
  }
}

// The same, without a call, which would take longer than the row.
constexpr std::int64_t kShortestRow = 16;
template <class T, bool kLargest>
[[gnu::always_inline]] inline auto best_of_few(const typename T::Stored* x, std::int64_t n,
                                               bool& has_nan) {
  auto best = T::load(x[0]);
  for (std::int64_t k = 1; k < n; ++k) {
    const auto b = T::load(x[k]);
    has_nan |= b != b;
    best = (kLargest ? b > best : b < best) ? b : best;
  }
  return best;
}

// One row of dense elements into one result.
template <class T, bool kLargest>
[[gnu::always_inline]] inline void row(const Fold& kernels, const typename T::Stored* x,
                                       typename T::Stored* value, std::int32_t* position,
                                       std::int64_t n) {
  if (n == 0) return;
  bool has_nan = false;
  const auto best = n <= kShortestRow ? best_of_few<T, kLargest>(x, n, has_nan)
                                      : best_of<T, kLargest>(kernels, x, n);
  if (has_nan || best != best) {
    for (std::int64_t k = 0; k < n; ++k)
      step<T, kLargest>(x + k, static_cast<std::int32_t>(k), value, position, 1);
    return;
  }
  const auto first = static_cast<std::int32_t>(first_of<T>(x, n, best));
  typename T::Stored last = T::stored(best);
  if (best == 0) {  // the only equal values with several patterns: that of the last one
    std::int64_t k = n - 1;
    while (!(T::load(x[k]) == best)) --k;
    last = x[k];
  }
  step<T, kLargest>(&last, first, value, position, 1);
}

#define UNDERSTUDY_ARG(T, name, largest)                                                          \
  UNDERSTUDY_VECTOR_CODE void step_##name(const void* x, std::int32_t position, void* values,     \
                                          std::int32_t* positions, std::int64_t n) {              \
    step<T, largest>(static_cast<const T::Stored*>(x), position, static_cast<T::Stored*>(values), \
                     positions, n);                                                               \
  }                                                                                               \
  UNDERSTUDY_VECTOR_CODE void rows_##name(const void* x, std::int64_t rows, std::int64_t n,       \
                                          void* values, std::int32_t* positions) {                \
    search_rows<T, largest>(static_cast<const T::Stored*>(x), rows, n,                            \
                            static_cast<T::Stored*>(values), positions);                          \
  }                                                                                               \
  UNDERSTUDY_VECTOR_CODE void row_##name(const Fold& kernels, const void* x, void* value,         \
                                         std::int32_t* position, std::int64_t n) {                \
    row<T, largest>(kernels, static_cast<const T::Stored*>(x), static_cast<T::Stored*>(value),    \
                    position, n);                                                                 \
  }
UNDERSTUDY_ARG(F32, max_f32, true)
UNDERSTUDY_ARG(F32, min_f32, false)
UNDERSTUDY_ARG(Bf16, max_bf16, true)
UNDERSTUDY_ARG(Bf16, min_bf16, false)
UNDERSTUDY_ARG(I32, max_i32, true)
UNDERSTUDY_ARG(I32, min_i32, false)
UNDERSTUDY_ARG(I8, max_i8, true)
UNDERSTUDY_ARG(I8, min_i8, false)
UNDERSTUDY_ARG(UI8, max_ui8, true)
UNDERSTUDY_ARG(UI8, min_ui8, false)
#undef UNDERSTUDY_ARG

// Blocks of `rows` rows of `columns` bytes, which are at least kShortestColumns.
constexpr std::int64_t kShortestColumns = 16;
template <class T, bool kLargest>
void search_bytes(const void* x, std::int64_t blocks, std::int64_t rows, std::int64_t columns,
                  void* values, std::int32_t* positions) {
  using Byte = typename T::Stored;
  with_vectors([=]<int kBytes>() __attribute__((always_inline)) {
    for (std::int64_t b = 0; b < blocks; ++b) {
      const Byte* const from = static_cast<const Byte*>(x) + b * rows * columns;
      Byte* const to = static_cast<Byte*>(values) + b * columns;
      if (columns < kBytes) {
        ByteColumns<T, kLargest, kShortestColumns>::run(from, rows, columns, to,
                                                        positions + b * columns);
      } else {
        ByteColumns<T, kLargest, kBytes>::run(from, rows, columns, to, positions + b * columns);
      }
    }
  });
}

struct ArgKernels {
  ElementType element;
  bool largest;
  void (*step)(const void*, std::int32_t, void*, std::int32_t*, std::int64_t);
  void (*row)(const Fold&, const void*, void*, std::int32_t*, std::int64_t);
  void (*rows)(const void*, std::int64_t, std::int64_t, void*, std::int32_t*);
  // Of bytes.
  void (*columns)(const void*, std::int64_t, std::int64_t, std::int64_t, void*,
                  std::int32_t*) = nullptr;
};

// For every type of which kernels::finds_extremes() is true.
constexpr ArgKernels kKernels[] = {
    {ElementType::f32, true, &step_max_f32, &row_max_f32, &rows_max_f32},
    {ElementType::f32, false, &step_min_f32, &row_min_f32, &rows_min_f32},
    {ElementType::bf16, true, &step_max_bf16, &row_max_bf16, &rows_max_bf16},
    {ElementType::bf16, false, &step_min_bf16, &row_min_bf16, &rows_min_bf16},
    {ElementType::i32, true, &step_max_i32, &row_max_i32, &rows_max_i32},
    {ElementType::i32, false, &step_min_i32, &row_min_i32, &rows_min_i32},
    {ElementType::i8, true, &step_max_i8, &row_max_i8, &rows_max_i8, &search_bytes<I8, true>},
    {ElementType::i8, false, &step_min_i8, &row_min_i8, &rows_min_i8, &search_bytes<I8, false>},
    {ElementType::ui8, true, &step_max_ui8, &row_max_ui8, &rows_max_ui8, &search_bytes<UI8, true>},
    {ElementType::ui8, false, &step_min_ui8, &row_min_ui8, &rows_min_ui8,
     &search_bytes<UI8, false>},
    {ElementType::pred, true, &step_max_ui8, &row_max_ui8, &rows_max_ui8, &search_bytes<UI8, true>},
    {ElementType::pred, false, &step_min_ui8, &row_min_ui8, &rows_min_ui8,
     &search_bytes<UI8, false>}};

// The array as [outer, size, inner], of which `size` is searched.
struct Searched {
  const std::byte* x;
  std::byte* values;
  std::int32_t* positions;
  std::int64_t outer = 1, size = 1, inner = 1;
  std::int64_t bytes = 4;  // of an element

  const void* at(std::int64_t element) const { return x + element * bytes; }
  void* value(std::int64_t result) const { return values + result * bytes; }
};

void search_columns(const ArgKernels& kernels, const Searched& a) {
  if (kernels.columns != nullptr && a.inner >= kShortestColumns && a.size > 0)
    return kernels.columns(a.x, a.outer, a.size, a.inner, a.values, a.positions);
  constexpr std::int64_t kTile = 1024;  // results of a tile stay in the first-level cache
  for (std::int64_t o = 0; o < a.outer; ++o)
    for (std::int64_t i = 0; i < a.inner; i += kTile) {
      const std::int64_t to = o * a.inner + i;
      for (std::int64_t k = 0; k < a.size; ++k)
        kernels.step(a.at((o * a.size + k) * a.inner + i), static_cast<std::int32_t>(k),
                     a.value(to), a.positions + to, std::min(kTile, a.inner - i));
    }
}

}  // namespace

void run(const program::ArgReduce& work, const Instruction& instruction, Execution& execution) {
  const program::TensorType& type = instruction.inputs[0].type;
  const auto n = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  if (n == 0) return;
  const std::size_t bytes = element_bytes(instruction.inputs[0]);
  Searched a{execution.address(instruction.inputs[0].at),
             execution.writable(instruction.outputs[0].at),
             reinterpret_cast<std::int32_t*>(execution.writable(instruction.outputs[1].at))};
  a.bytes = static_cast<std::int64_t>(bytes);
  for (std::int64_t d = 0; d < type.ndims(); ++d) {
    const std::int64_t size = type.shape[static_cast<std::size_t>(d)];
    (d < work.dimension ? a.outer : d == work.dimension ? a.size : a.inner) *= size;
  }
  replicate(execution.address(instruction.inputs[1].at), bytes, a.values, n);
  replicate(execution.address(instruction.inputs[2].at), sizeof(std::int32_t),
            reinterpret_cast<std::byte*>(a.positions), n);
  const ArgKernels& kernels = *std::ranges::find_if(kKernels, [&](const ArgKernels& row) {
    return row.element == type.element && row.largest == work.largest;
  });
  if (a.inner > 1) return search_columns(kernels, a);
  // Rows of few elements are searched side by side.
  constexpr std::int64_t kMostColumns = 32;
  if (a.size <= kMostColumns && a.outer > 1)
    return kernels.rows(a.x, a.outer, a.size, a.values, a.positions);
  const auto reduction = work.largest ? program::Reduction::maximum : program::Reduction::minimum;
  const auto wide = program::kernels::accumulator_type(type.element);
  const Fold fold{execution.kernels->fold(reduction, type.element),
                  execution.kernels->identity(reduction, wide)};
  for (std::int64_t o = 0; o < a.outer; ++o)
    kernels.row(fold, a.at(o * a.size), a.value(o), a.positions + o, a.size);
}

}  // namespace understudy::worker::ops
