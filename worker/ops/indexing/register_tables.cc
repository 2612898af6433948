// SPDX-License-Identifier: Apache-2.0
// Eight numbers at a time select lanes of two vectors, instead of eight loads.
#include "worker/ops/indexing/register_tables.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "program/ir/types.h"
#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kAtATime = 8, kMostElements = 16;
// Tables are loaded once for all numbers.
constexpr std::int64_t kLeastNumbers = 16;
using Words [[gnu::vector_size(32)]] = std::uint32_t;
using SignedWords [[gnu::vector_size(32)]] = std::int32_t;

template <class T>
struct EightOf {
  typedef T type __attribute__((vector_size(8 * sizeof(T))));
};

// Between words and narrower types. Bytes in two steps: g++ 12 converts them one by one otherwise.
template <class From, class To>
[[gnu::always_inline]] inline void convert(const From& from, To& to) {
  if constexpr (sizeof(From) == kAtATime || sizeof(To) == kAtATime) {
    using Signed = std::conditional_t<std::is_signed_v<std::decay_t<decltype(from[0])>>,
                                      std::int16_t, std::uint16_t>;
    to = __builtin_convertvector(__builtin_convertvector(from, typename EightOf<Signed>::type), To);
  } else {
    to = __builtin_convertvector(from, To);
  }
}

// Eight numbers, each clamped to those from 0 to `last`. By reference: a vector as the result of a
// function has another calling convention in each instruction set.
template <class Index>
[[gnu::always_inline]] inline void clamp_numbers(const Index* at, std::uint32_t last,
                                                 Words& clamped) {
  using Eight = typename EightOf<Index>::type;
  const Eight numbers = reinterpret_cast<const InMemory<Eight>*>(at)->value;
  const Words most = Words{} + last;
  if constexpr (std::is_signed_v<Index>) {
    SignedWords wide;
    convert(numbers, wide);
    clamped = reinterpret_cast<Words>(wide > 0 ? wide : SignedWords{});
  } else {
    convert(numbers, clamped);
  }
  clamped = clamped < most ? clamped : most;
}

template <class Unit, class Index>
[[gnu::always_inline]] inline void select_lanes(const ElementIndices& indices, const std::byte* x,
                                                std::byte* out) {
  using Group = typename EightOf<Unit>::type;
  std::uint32_t table[kMostElements] = {};
  const auto* const from = reinterpret_cast<const Unit*>(x);
  for (std::int64_t i = 0; i < indices.sizes[0]; ++i) table[i] = from[i];
  Words low, high;
  std::memcpy(&low, table, sizeof(low));
  std::memcpy(&high, table + kAtATime, sizeof(high));
  const auto last = static_cast<std::uint32_t>(indices.sizes[0] - 1);
  const auto* const numbers = reinterpret_cast<const Index*>(indices.at);
  auto* const to = reinterpret_cast<Unit*>(out);
  std::int64_t i = 0;
  for (; i + kAtATime <= indices.count; i += kAtATime) {
    Words number;
    clamp_numbers(numbers + i, last, number);
    const Words lanes = __builtin_shuffle(low, high, number);
    Group group;
    convert(lanes, group);
    reinterpret_cast<InMemory<Group>*>(to + i)->value = group;
  }
  // One by one: numbers that have been read may be overwritten by elements.
  for (; i < indices.count; ++i)
    to[i] = static_cast<Unit>(table[std::clamp<std::int64_t>(numbers[i], 0, last)]);
}

using SelectFunction = void (*)(const ElementIndices&, const std::byte*, std::byte*);
#define UNDERSTUDY_SELECT(name, Unit, Index)                                          \
  UNDERSTUDY_VECTOR_CODE void name(const ElementIndices& indices, const std::byte* x, \
                                   std::byte* out) {                                  \
    select_lanes<Unit, Index>(indices, x, out);                                       \
  }
#define UNDERSTUDY_SELECTS(name, Unit)                   \
  UNDERSTUDY_SELECT(name##_by_i8, Unit, std::int8_t)     \
  UNDERSTUDY_SELECT(name##_by_ui8, Unit, std::uint8_t)   \
  UNDERSTUDY_SELECT(name##_by_i16, Unit, std::int16_t)   \
  UNDERSTUDY_SELECT(name##_by_ui16, Unit, std::uint16_t) \
  UNDERSTUDY_SELECT(name##_by_i32, Unit, std::int32_t)   \
  UNDERSTUDY_SELECT(name##_by_ui32, Unit, std::uint32_t)
UNDERSTUDY_SELECTS(select_1_byte, std::uint8_t)
UNDERSTUDY_SELECTS(select_2_bytes, std::uint16_t)
UNDERSTUDY_SELECTS(select_4_bytes, std::uint32_t)
#undef UNDERSTUDY_SELECTS
#undef UNDERSTUDY_SELECT

struct SelectRow {
  program::ElementType index;
  SelectFunction of[3];  // elements of 1, 2 and 4 bytes
};
#define UNDERSTUDY_ROW(type)                                                         \
  {                                                                                  \
    program::ElementType::type, {                                                    \
      &select_1_byte_by_##type, &select_2_bytes_by_##type, &select_4_bytes_by_##type \
    }                                                                                \
  }
constexpr SelectRow kSelects[] = {UNDERSTUDY_ROW(i8),   UNDERSTUDY_ROW(ui8), UNDERSTUDY_ROW(i16),
                                  UNDERSTUDY_ROW(ui16), UNDERSTUDY_ROW(i32), UNDERSTUDY_ROW(ui32)};
#undef UNDERSTUDY_ROW

}  // namespace

bool gather_from_registers(const ElementIndices& indices, const std::byte* x,
                           std::size_t element_bytes, std::byte* out) {
  if (indices.length != 1 || indices.along != 0 || indices.strides[0] != 1 ||
      indices.sizes[0] < 1 || indices.sizes[0] > kMostElements || indices.count < kLeastNumbers)
    return false;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) return false;
  for (const SelectRow& row : kSelects)
    if (row.index == indices.type) {
      row.of[element_bytes / 2](indices, x, out);
      return true;
    }
  return false;
}

}  // namespace understudy::worker::ops
