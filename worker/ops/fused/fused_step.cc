// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_step.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <variant>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "program/kernels/kernels.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/element_units.h"
#include "worker/ops/fused/fused_apart.h"
#include "worker/ops/fused/fused_folds.h"
#include "worker/ops/fused/fused_joins.h"
#include "worker/ops/fused/fused_views.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using program::Instruction;

template <class T>
void fill(const std::byte* one, std::byte* out, std::size_t n) {
  T value;
  std::memcpy(&value, one, sizeof(T));
  std::fill_n(reinterpret_cast<T*>(out), n, value);
}

// Each element along its row, by vectors: a call for each row would take longer than a short row.
using Units1 [[gnu::vector_size(32)]] = std::uint8_t;
using Units2 [[gnu::vector_size(32)]] = std::uint16_t;
using Units4 [[gnu::vector_size(32)]] = std::uint32_t;
using Units8 [[gnu::vector_size(32)]] = std::uint64_t;
// A few columns are vectors of several rows.
template <class T, std::size_t kColumns>
[[gnu::always_inline]] inline void spread_few(const std::byte* in, std::byte* out,
                                              std::size_t rows) {
  const T* const from = reinterpret_cast<const T*>(in);
  T* const to = reinterpret_cast<T*>(out);
  UNDERSTUDY_INDEPENDENT
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < kColumns; ++c) to[r * kColumns + c] = from[r];
}
// A row is one number of 2, 4 or 8 bytes.
template <class T, class Row>
[[gnu::always_inline]] inline void spread_in_numbers(const std::byte* in, std::byte* out,
                                                     std::size_t rows) {
  if constexpr (sizeof(T) < sizeof(Row)) {
    const T* const from = reinterpret_cast<const T*>(in);
    auto* const to = reinterpret_cast<InMemory<Row>*>(out);
    UNDERSTUDY_INDEPENDENT
    for (std::size_t r = 0; r < rows; ++r) {
      Row row = from[r];
      for (std::size_t bits = 8 * sizeof(T); bits < 8 * sizeof(Row); bits *= 2)
        row = static_cast<Row>(row | row << bits);
      to[r].value = row;
    }
  }
}
template <class T, class V>
[[gnu::always_inline]] inline void spread(const std::byte* in, std::byte* out, std::size_t rows,
                                          std::size_t columns) {
  if (columns > 1 && columns * sizeof(T) == 2)
    return spread_in_numbers<T, std::uint16_t>(in, out, rows);
  if (columns > 1 && columns * sizeof(T) == 4)
    return spread_in_numbers<T, std::uint32_t>(in, out, rows);
  if (columns > 1 && columns * sizeof(T) == 8)
    return spread_in_numbers<T, std::uint64_t>(in, out, rows);
  if (columns == 2) return spread_few<T, 2>(in, out, rows);
  if (columns == 3) return spread_few<T, 3>(in, out, rows);
  if (columns == 4) return spread_few<T, 4>(in, out, rows);
  constexpr std::size_t kLanes = sizeof(V) / sizeof(T);
  const T* const from = reinterpret_cast<const T*>(in);
  T* to = reinterpret_cast<T*>(out);
  std::size_t r = 0;
  // Whole vectors: what a row writes beyond its end, the next ones overwrite.
  if (columns <= kLanes) {
    const std::size_t last = (kLanes + columns - 1) / columns;  // rows that one vector may cover
    for (; r + last <= rows; ++r, to += columns)
      reinterpret_cast<InMemory<V>*>(to)->value = V{} + from[r];
  }
  const std::size_t written = (columns + kLanes - 1) / kLanes * kLanes;
  for (; (rows - r) * columns >= written; ++r, to += columns) {
    const V value = V{} + from[r];
    for (std::size_t c = 0; c < written; c += kLanes)
      reinterpret_cast<InMemory<V>*>(to + c)->value = value;
  }
  for (; r < rows; ++r, to += columns) {
    const V value = V{} + from[r];
    std::size_t c = 0;
    for (; c + kLanes <= columns; c += kLanes)
      reinterpret_cast<InMemory<V>*>(to + c)->value = value;
    for (; c < columns; ++c) to[c] = from[r];
  }
}
UNDERSTUDY_VECTOR_CODE void spread_1(const std::byte* in, std::byte* out, std::size_t rows,
                                     std::size_t columns) {
  spread<std::uint8_t, Units1>(in, out, rows, columns);
}
UNDERSTUDY_VECTOR_CODE void spread_2(const std::byte* in, std::byte* out, std::size_t rows,
                                     std::size_t columns) {
  spread<std::uint16_t, Units2>(in, out, rows, columns);
}
UNDERSTUDY_VECTOR_CODE void spread_4(const std::byte* in, std::byte* out, std::size_t rows,
                                     std::size_t columns) {
  spread<std::uint32_t, Units4>(in, out, rows, columns);
}
UNDERSTUDY_VECTOR_CODE void spread_8(const std::byte* in, std::byte* out, std::size_t rows,
                                     std::size_t columns) {
  spread<std::uint64_t, Units8>(in, out, rows, columns);
}

}  // namespace

Spreader spreader_of(std::size_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return &spread_1;
    case 2:
      return &spread_2;
    case 4:
      return &spread_4;
    case 8:
      return &spread_8;
    default:
      return nullptr;
  }
}

namespace {

FusedPlace place_of(const program::Operand& operand) {
  FusedPlace place;
  place.space = operand.at.space;
  place.index = operand.at.index;
  place.bytes = element_bytes(operand);
  place.offset = operand.at.offset;
  place.by_row = operand.type.shape[0] > 1;
  place.by_column = operand.type.shape[1] > 1;
  place.width = static_cast<std::size_t>(operand.type.shape[1]);
  return place;
}

}  // namespace

Filler filler_of(std::size_t element_bytes) {
  if (element_bytes == 16)
    return [](const std::byte* one, std::byte* out, std::size_t n) { replicate(one, 16, out, n); };
  return with_unsigned(element_bytes, [](auto unit) -> Filler { return &fill<decltype(unit)>; });
}

FusedStep fused_step_of(const Instruction& instruction,
                        const program::kernels::KernelTable& kernels) {
  FusedStep step;
  step.out = place_of(instruction.outputs[0]);
  const program::Work& work = instruction.work;
  if (const auto* join = std::get_if<program::Join>(&work)) {
    join_of(*join, instruction, step);
    return step;
  }
  UNDERSTUDY_ASSERT(instruction.inputs.size() <= 3);
  for (const program::Operand& input : instruction.inputs) step.in[step.inputs++] = place_of(input);
  const auto element = instruction.inputs.empty() ? instruction.outputs[0].type.element
                                                  : instruction.inputs[0].type.element;
  if (const auto* unary = std::get_if<program::Unary>(&work)) {
    step.kind = FusedStep::Kind::one;
    step.one = kernels.unary(unary->op, element);
  } else if (std::holds_alternative<program::Convert>(work)) {
    step.kind = FusedStep::Kind::one;
    step.one = kernels.convert(element, instruction.outputs[0].type.element);
  } else if (const auto* binary = std::get_if<program::Binary>(&work)) {
    step.kind = FusedStep::Kind::two;
    step.two = kernels.binary(binary->op, element);
  } else if (const auto* compare = std::get_if<program::Compare>(&work)) {
    step.kind = FusedStep::Kind::two;
    step.two = kernels.compare(compare->direction, compare->total_order, element);
  } else if (std::holds_alternative<program::Select>(work)) {
    step.kind = FusedStep::Kind::choose;
    step.choose = kernels.select(step.out.bytes);
  } else if (std::holds_alternative<program::Fill>(work)) {
    step.kind = FusedStep::Kind::fill;
    step.fill = filler_of(step.out.bytes);
    step.spread = spreader_of(step.out.bytes);
  } else if (const auto* copy = std::get_if<program::StridedCopy>(&work)) {
    if (program::writes_apart(*copy))
      apart_of(*copy, step);
    else
      view_of(*copy, static_cast<std::size_t>(instruction.inputs[0].type.elements()), step);
  } else if (const auto* take = std::get_if<program::TakeElements>(&work)) {
    take_of(*take, instruction.inputs[1].type.element, step);
  } else if (std::holds_alternative<program::Iota>(work)) {
    step.kind = FusedStep::Kind::iota;
    step.one = kernels.convert(program::ElementType::i64, element);
    step.counts_words =
        element == program::ElementType::i32 || element == program::ElementType::ui32;
  } else {
    fold_of(std::get<program::Reduce>(work), instruction, kernels, step);
  }
  return step;
}

namespace {

UNDERSTUDY_VECTOR_CODE void count_words(std::uint32_t first, std::byte* out, std::size_t n) {
  auto* const to = reinterpret_cast<InMemory<std::uint32_t>*>(out);
  for (std::size_t i = 0; i < n; ++i) to[i].value = first + static_cast<std::uint32_t>(i);
}

}  // namespace

// Other numbers than integers of 32 bits in pieces that stay in registers and cache.
void count_from(const FusedStep& step, std::size_t first, std::byte* out, std::size_t n) {
  if (step.counts_words) return count_words(static_cast<std::uint32_t>(first), out, n);
  constexpr std::size_t kPiece = 256;
  std::int64_t numbers[kPiece];
  for (std::size_t i = 0; i < n; i += kPiece) {
    const std::size_t count = std::min(kPiece, n - i);
    std::iota(numbers, numbers + count, static_cast<std::int64_t>(first + i));
    step.one(numbers, out + i * step.out.bytes, count);
  }
}

void spread_rows(const FusedStep& step, const std::byte* in, std::byte* out, std::size_t rows,
                 std::size_t columns) {
  const std::size_t bytes = step.out.bytes, row = columns * bytes;
  if (!step.in[0].by_row) return replicate(in, row, out, rows);
  if (step.spread != nullptr) return step.spread(in, out, rows, columns);
  for (std::size_t r = 0; r < rows; ++r) step.fill(in + r * bytes, out + r * row, columns);
}

}  // namespace understudy::worker::ops
