// SPDX-License-Identifier: Apache-2.0
// The body keeps its left value a where a > b or a is NaN (less for argmin), and of equal values
// the smaller index; the value is then the right one, whose zero may have another sign. Its steps
// give the same in any grouping, so that a row may first look for its best value and then for that
// value's index. Rows with NaN are folded in order.
#include "worker/ops/arg_reduce.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <string>
#include <variant>

#include "fmt/format.h"

#include "worker/chip/copy_lines.h"
#include "worker/chip/numbers.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/operands.h"
#include "worker/ops/reduce_shape.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;

// What a body computes, as text over its parameters a, i (so far) and b, j (the next element).
// Empty where it has another kind of work than those of an argmax.
std::string text_of(const program::Instruction& step,
                    const std::map<std::uint64_t, std::string>& at) {
  const auto in = [&](std::size_t k) {
    const auto found = at.find(step.inputs[k].at.offset);
    return found == at.end() ? std::string("?") : found->second;
  };
  if (const auto* compare = std::get_if<program::Compare>(&step.work))
    return compare->total_order
               ? ""
               : fmt::format("c{}({},{})", static_cast<int>(compare->direction), in(0), in(1));
  if (std::holds_alternative<program::Select>(step.work))
    return fmt::format("s({},{},{})", in(0), in(1), in(2));
  if (const auto* binary = std::get_if<program::Binary>(&step.work))
    return fmt::format("b{}({},{})", static_cast<int>(binary->op), in(0), in(1));
  return "";
}

bool in_frame(const program::Instruction& step) {
  const auto is = [](const Operand& operand) { return operand.at.space == program::Space::frame; };
  return std::ranges::all_of(step.inputs, is) && std::ranges::all_of(step.outputs, is);
}

// The results of the body as texts; empty where it has other steps.
std::vector<std::string> texts_of(const program::Body& body) {
  constexpr const char* kNames[] = {"a", "i", "b", "j"};
  std::map<std::uint64_t, std::string> at;
  for (std::size_t k = 0; k < 4; ++k) at[body.parameters[k].at.offset] = kNames[k];
  for (const program::Instruction& step : body.code) {
    std::string text = in_frame(step) ? text_of(step, at) : "";
    if (text.empty()) return {};
    at[step.outputs[0].at.offset] = std::move(text);
  }
  std::vector<std::string> results;
  for (const Operand& result : body.results)
    if (result.at.space == program::Space::frame) results.push_back(at[result.at.offset]);
  return results;
}

enum class Extreme { none, largest, smallest };

Extreme extreme_of(const program::Reduce& work, const Instruction& instruction) {
  if (instruction.outputs.size() != 2 || work.body.parameters.size() != 4) return Extreme::none;
  const std::vector<std::string> found = texts_of(work.body);
  const auto compare = [](program::Direction direction, const char* left, const char* right) {
    return fmt::format("c{}({},{})", static_cast<int>(direction), left, right);
  };
  using program::BinaryOp;
  using program::Direction;
  const auto both = [](BinaryOp op, const std::string& left, const std::string& right) {
    return fmt::format("b{}({},{})", static_cast<int>(op), left, right);
  };
  const std::string tie = both(BinaryOp::logical_and, compare(Direction::eq, "a", "b"),
                               compare(Direction::lt, "i", "j"));
  for (const Extreme extreme : {Extreme::largest, Extreme::smallest}) {
    const Direction better = extreme == Extreme::largest ? Direction::gt : Direction::lt;
    const std::string value =
        both(BinaryOp::logical_or, compare(better, "a", "b"), compare(Direction::ne, "a", "a"));
    const std::string index = both(BinaryOp::logical_or, value, tie);
    if (found ==
        std::vector<std::string>{fmt::format("s({},a,b)", value), fmt::format("s({},i,j)", index)})
      return extreme;
  }
  return Extreme::none;
}

// Eight elements. g++ makes no vectors of a loop that compares floats to choose integers.
using RowVector [[gnu::vector_size(32)]] = float;
using Integers [[gnu::vector_size(32)]] = std::int32_t;
using Halves [[gnu::vector_size(16)]] = std::uint16_t;
constexpr std::int64_t kAtOnce = 8;

template <class Value, class Vector>
struct Plain {
  using Stored = Value;
  using Lanes = Vector;
  [[gnu::always_inline]] static inline void load_lanes(const Value* x, Lanes& lanes) {
    lanes = reinterpret_cast<const InMemory<Lanes>*>(x)->value;
  }
  [[gnu::always_inline]] static inline Value load(Value x) { return x; }
  [[gnu::always_inline]] static inline Stored stored(Value x) { return x; }
};
using F32 = Plain<float, RowVector>;
using I32 = Plain<std::int32_t, Integers>;
// Bytes, compared as numbers of 32 bits; preds are 0 and 1.
using SignedBytes [[gnu::vector_size(8)]] = std::int8_t;
using UnsignedBytes [[gnu::vector_size(8)]] = std::uint8_t;
template <class Byte, class Bytes>
struct Small {
  using Stored = Byte;
  using Lanes = Integers;
  [[gnu::always_inline]] static inline void load_lanes(const Byte* x, Lanes& lanes) {
    lanes = __builtin_convertvector(reinterpret_cast<const InMemory<Bytes>*>(x)->value, Lanes);
  }
  [[gnu::always_inline]] static inline std::int32_t load(Byte x) { return x; }
  [[gnu::always_inline]] static inline Stored stored(std::int32_t x) {
    return static_cast<Stored>(x);
  }
};
using I8 = Small<std::int8_t, SignedBytes>;
using UI8 = Small<std::uint8_t, UnsignedBytes>;
struct Bf16 {
  using Stored = std::uint16_t;
  using Lanes = RowVector;
  [[gnu::always_inline]] static inline void load_lanes(const std::uint16_t* x, Lanes& lanes) {
    const Halves halves = reinterpret_cast<const InMemory<Halves>*>(x)->value;
    lanes = reinterpret_cast<Lanes>(__builtin_convertvector(halves, Integers) << 16);
  }
  [[gnu::always_inline]] static inline float load(std::uint16_t x) { return float_of_bf16(x); }
  // Of what load() gave.
  [[gnu::always_inline]] static inline Stored stored(float x) {
    return static_cast<Stored>(std::bit_cast<std::uint32_t>(x) >> 16);
  }
};

// values[k], indices[k] = body(values[k], indices[k], x[k], j[k]).
template <class T, bool kLargest>
[[gnu::always_inline]] inline void step(const typename T::Stored* x, const std::int32_t* j,
                                        typename T::Stored* values, std::int32_t* indices,
                                        std::int64_t n) {
  UNDERSTUDY_INDEPENDENT
  for (std::int64_t k = 0; k < n; ++k) {
    const auto a = T::load(values[k]), b = T::load(x[k]);
    const bool keeps = (kLargest ? a > b : a < b) | (a != a);
    const bool keeps_index = keeps | ((a == b) & (indices[k] < j[k]));
    values[k] = keeps ? values[k] : x[k];
    indices[k] = keeps_index ? indices[k] : j[k];
  }
}

// The smallest index of the elements that equal `best`.
template <class T, class Value>
[[gnu::always_inline]] inline std::int32_t first_of(const typename T::Stored* x,
                                                    const std::int32_t* j, std::int64_t n,
                                                    Value best) {
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();
  const Integers none = Integers{} + kNone;
  Integers some = none;
  std::int64_t k = 0;
  for (; k + kAtOnce <= n; k += kAtOnce) {
    typename T::Lanes values;
    T::load_lanes(x + k, values);
    const Integers here = reinterpret_cast<const InMemory<Integers>*>(j + k)->value;
    const Integers indices = values == best ? here : none;
    some = indices < some ? indices : some;
  }
  std::int32_t least = kNone;
  for (std::int64_t l = 0; l < kAtOnce; ++l) least = some[l] < least ? some[l] : least;
  for (; k < n; ++k)
    if (T::load(x[k]) == best && j[k] < least) least = j[k];
  return least;
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
                                       const std::int32_t* j, typename T::Stored* value,
                                       std::int32_t* index, std::int64_t n) {
  const auto one_by_one = [&] {
    for (std::int64_t k = 0; k < n; ++k) step<T, kLargest>(x + k, j + k, value, index, 1);
  };
  if (n == 0) return;
  bool has_nan = false;
  const auto best = n <= kShortestRow ? best_of_few<T, kLargest>(x, n, has_nan)
                                      : best_of<T, kLargest>(kernels, x, n);
  if (has_nan || best != best) return one_by_one();
  const std::int32_t first = first_of<T>(x, j, n, best);
  typename T::Stored last = T::stored(best);
  if (best == 0) {  // the only equal values with several patterns: that of the last one
    std::int64_t k = n - 1;
    while (!(T::load(x[k]) == best)) --k;
    last = x[k];
  }
  step<T, kLargest>(&last, &first, value, index, 1);
}

#define UNDERSTUDY_ARG(T, name, largest)                                                          \
  UNDERSTUDY_VECTOR_CODE void step_##name(const void* x, const std::int32_t* j, void* values,     \
                                          std::int32_t* indices, std::int64_t n) {                \
    step<T, largest>(static_cast<const T::Stored*>(x), j, static_cast<T::Stored*>(values),        \
                     indices, n);                                                                 \
  }                                                                                               \
  UNDERSTUDY_VECTOR_CODE void row_##name(const Fold& kernels, const void* x,                      \
                                         const std::int32_t* j, void* value, std::int32_t* index, \
                                         std::int64_t n) {                                        \
    row<T, largest>(kernels, static_cast<const T::Stored*>(x), j, static_cast<T::Stored*>(value), \
                    index, n);                                                                    \
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

}  // namespace

struct ArgKernels {
  ElementType element;
  Extreme extreme;
  void (*step)(const void*, const std::int32_t*, void*, std::int32_t*, std::int64_t);
  void (*row)(const Fold&, const void*, const std::int32_t*, void*, std::int32_t*, std::int64_t);
};
namespace {

constexpr ArgKernels kKernels[] = {
    {ElementType::f32, Extreme::largest, &step_max_f32, &row_max_f32},
    {ElementType::f32, Extreme::smallest, &step_min_f32, &row_min_f32},
    {ElementType::bf16, Extreme::largest, &step_max_bf16, &row_max_bf16},
    {ElementType::bf16, Extreme::smallest, &step_min_bf16, &row_min_bf16},
    {ElementType::i32, Extreme::largest, &step_max_i32, &row_max_i32},
    {ElementType::i32, Extreme::smallest, &step_min_i32, &row_min_i32},
    {ElementType::i8, Extreme::largest, &step_max_i8, &row_max_i8},
    {ElementType::i8, Extreme::smallest, &step_min_i8, &row_min_i8},
    {ElementType::ui8, Extreme::largest, &step_max_ui8, &row_max_ui8},
    {ElementType::ui8, Extreme::smallest, &step_min_ui8, &row_min_ui8},
    {ElementType::pred, Extreme::largest, &step_max_ui8, &row_max_ui8},
    {ElementType::pred, Extreme::smallest, &step_min_ui8, &row_min_ui8}};

// The addresses of values and indices, in elements.
struct Pair {
  const std::byte* values;
  const std::byte* indices;
  std::size_t bytes;
  const void* value(std::int64_t at) const { return values + static_cast<std::size_t>(at) * bytes; }
  const std::int32_t* index(std::int64_t at) const {
    return reinterpret_cast<const std::int32_t*>(indices) + at;
  }
};

// Rows of few elements take the steps of many rows side by side: column after column of a block.
constexpr std::int64_t kMostColumns = 32;

void reduce_short_rows(const ArgKernels& kernels, const Pair& in, const Inner& rows,
                       std::int64_t columns, std::byte* values, std::int32_t* indices) {
  constexpr std::int64_t kBlock = 256;
  alignas(64) std::byte x[kBlock * sizeof(std::int32_t)];
  alignas(64) std::int32_t j[kBlock];
  const auto bytes = static_cast<std::int64_t>(in.bytes);
  for (std::int64_t first = 0; first < rows.size; first += kBlock) {
    const std::int64_t count = std::min(kBlock, rows.size - first);
    const auto column = [&](const void* from, std::int64_t size, void* to) {
      const Plane plane{{}, {count, rows.stride * size, size}, static_cast<std::size_t>(size)};
      copy_plane(plane, static_cast<const std::byte*>(from), static_cast<std::byte*>(to));
    };
    for (std::int64_t k = 0; k < columns; ++k) {
      column(in.value(first * rows.stride + k), bytes, x);
      column(in.index(first * rows.stride + k), sizeof(std::int32_t), j);
      kernels.step(x, j, values + first * bytes, indices + first, count);
    }
  }
}

}  // namespace

const ArgKernels* arg_kernels_of(const program::Reduce& work, const Instruction& instruction) {
  if (instruction.inputs.size() != 4 || instruction.inputs[1].type.element != ElementType::i32)
    return nullptr;
  const ElementType element = instruction.inputs[0].type.element;
  if (std::ranges::find(kKernels, element, &ArgKernels::element) == std::end(kKernels))
    return nullptr;
  const Extreme extreme = extreme_of(work, instruction);
  const auto found = std::ranges::find_if(kKernels, [&](const ArgKernels& row) {
    return row.element == element && row.extreme == extreme;
  });
  return found == std::end(kKernels) ? nullptr : found;
}

// Over 40 lines: the addresses of two inputs and two outputs, then one loop nest over results.
void run_arg_reduce(const ArgKernels& kernels, const program::Reduce& work,
                    const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const std::size_t bytes = element_bytes(x);
  const Pair in{execution.address(x.at), execution.address(instruction.inputs[1].at), bytes};
  std::byte* const values = execution.writable(instruction.outputs[0].at);
  auto* const indices =
      reinterpret_cast<std::int32_t*>(execution.writable(instruction.outputs[1].at));
  const auto n = static_cast<std::size_t>(instruction.outputs[0].type.elements());
  replicate(execution.address(instruction.inputs[2].at), bytes, values, n);
  replicate(execution.address(instruction.inputs[3].at), 4, reinterpret_cast<std::byte*>(indices),
            n);
  const auto reduction = kernels.extreme == Extreme::largest ? program::Reduction::maximum
                                                             : program::Reduction::minimum;
  const auto wide = program::kernels::accumulator_type(x.type.element);
  const Fold fold{execution.kernels->fold(reduction, x.type.element),
                  execution.kernels->identity(reduction, wide)};
  const Split split = split_of(x.type.shape, work.dimensions);
  const std::vector<std::int64_t> steps = offsets_of(split.reduced_sizes, split.reduced_strides);
  constexpr std::int64_t kTile = 1024;  // results of a tile stay in the first-level cache
  const std::int64_t results = split.run_is_reduced ? 1 : split.run;
  std::int64_t to = 0;
  const Inner inner(split.kept_sizes, split.kept_strides);
  if (split.run_is_reduced && steps.size() == 1 && split.run <= kMostColumns && inner.size > 1) {
    for_each_outer(split.kept_sizes, split.kept_strides, [&](std::int64_t outer) {
      const std::int64_t at = outer + steps[0];
      const Pair part{static_cast<const std::byte*>(in.value(at)),
                      reinterpret_cast<const std::byte*>(in.index(at)), bytes};
      reduce_short_rows(kernels, part, inner, split.run,
                        values + static_cast<std::size_t>(to) * bytes, indices + to);
      to += inner.size;
    });
    return;
  }
  Counter kept(split.kept_sizes);
  do {
    const std::int64_t base = offset_at(kept.at(), split.kept_strides);
    for (std::int64_t i = 0; i < results; i += kTile) {
      const std::int64_t count = std::min(kTile, results - i);
      void* const value = values + static_cast<std::size_t>(to) * bytes;
      for (const std::int64_t step : steps) {
        const std::int64_t from = base + step + i;
        if (split.run_is_reduced) {
          kernels.row(fold, in.value(from), in.index(from), value, indices + to, split.run);
        } else {
          kernels.step(in.value(from), in.index(from), value, indices + to, count);
        }
      }
      to += count;
    }
  } while (kept.next());
}

}  // namespace understudy::worker::ops
