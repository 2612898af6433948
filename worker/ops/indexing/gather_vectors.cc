// SPDX-License-Identifier: Apache-2.0
// Offsets are made for some elements at once, by loops that compilers turn into vectors.
#include "worker/ops/indexing/gather_vectors.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "program/ir/types.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/indexing/register_tables.h"

namespace understudy::worker::ops {
namespace {

constexpr std::int64_t kOffsetsAtOnce = 512;  // offsets: 2 KiB

// The offsets of `count` windows from number `first` on, each number clamped.
template <class Index, std::int64_t kLength>
[[gnu::always_inline]] inline void make_offsets(const ElementIndices& indices, std::int64_t first,
                                                std::int64_t count, std::int32_t* offsets) {
  const Index* const at = reinterpret_cast<const Index*>(indices.at) + first * kLength;
  Index last[kLength];
  std::int32_t step[kLength];
  for (std::int64_t d = 0; d < kLength; ++d) {
    last[d] = static_cast<Index>(indices.sizes[d] - 1);
    step[d] = static_cast<std::int32_t>(indices.strides[d]);
  }
  const auto along = static_cast<std::int32_t>(indices.along);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int32_t offset = static_cast<std::int32_t>(first + i) * along;
    for (std::int64_t d = 0; d < kLength; ++d)
      offset +=
          static_cast<std::int32_t>(std::clamp<Index>(at[i * kLength + d], 0, last[d])) * step[d];
    offsets[i] = offset;
  }
}
using MakeOffsets = void (*)(const ElementIndices&, std::int64_t, std::int64_t, std::int32_t*);
#define UNDERSTUDY_MAKE(name, Index, length)                                          \
  UNDERSTUDY_VECTOR_CODE void name(const ElementIndices& indices, std::int64_t first, \
                                   std::int64_t count, std::int32_t* offsets) {       \
    make_offsets<Index, length>(indices, first, count, offsets);                      \
  }
UNDERSTUDY_MAKE(offsets_of_one, std::int32_t, 1)
UNDERSTUDY_MAKE(offsets_of_two, std::int32_t, 2)
UNDERSTUDY_MAKE(offsets_of_one_unsigned, std::uint32_t, 1)
UNDERSTUDY_MAKE(offsets_of_two_unsigned, std::uint32_t, 2)
#undef UNDERSTUDY_MAKE

// nullptr where the indices are not of 32 bits, or offsets need more.
MakeOffsets offsets_maker(const ElementIndices& indices) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (indices.along < 0 || indices.count > kMost / std::max<std::int64_t>(indices.along, 1))
    return nullptr;
  std::int64_t reach = 1 + indices.count * indices.along;
  for (std::size_t d = 0; d < indices.length; ++d) {
    if (indices.sizes[d] == 0 || indices.strides[d] <= 0 ||
        indices.sizes[d] > kMost / indices.strides[d])
      return nullptr;
    reach += (indices.sizes[d] - 1) * indices.strides[d];
    if (reach > kMost) return nullptr;
  }
  const bool one = indices.length == 1;
  if (indices.type == program::ElementType::i32) return one ? &offsets_of_one : &offsets_of_two;
  if (indices.type == program::ElementType::ui32)
    return one ? &offsets_of_one_unsigned : &offsets_of_two_unsigned;
  return nullptr;
}

// Elements that are written at once: small ones as a number.
template <class Unit>
struct GroupOf {
  using type = std::uint64_t;
};
template <>
struct GroupOf<std::int32_t> {
  typedef std::int32_t type __attribute__((vector_size(32)));
};
template <>
struct GroupOf<std::int64_t> {
  typedef std::int64_t type __attribute__((vector_size(32)));
};

// out[i] = x[offsets[i]].
template <class Unit, class Offset>
[[gnu::always_inline]] inline void take(const Offset* offsets, std::int64_t count,
                                        const std::byte* x, std::byte* out) {
  using Group = typename GroupOf<Unit>::type;
  constexpr std::int64_t kGroup = sizeof(Group) / sizeof(Unit);
  const auto* const from = reinterpret_cast<const Unit*>(x);
  auto* const to = reinterpret_cast<Unit*>(out);
  std::int64_t i = 0;
  const auto group_at = [&]<std::size_t... kLane>(
      const Offset* some, std::index_sequence<kLane...> /*all*/) __attribute__((always_inline)) {
    Group group;
    if constexpr (std::is_integral_v<Group>) {
      group = ((Group{std::make_unsigned_t<Unit>(from[some[kLane]])} << 8 * sizeof(Unit) * kLane) |
               ...);
    } else {
      group = Group{from[some[kLane]]...};
    }
    reinterpret_cast<InMemory<Group>*>(to + i)->value = group;
  };
  for (; i + kGroup <= count; i += kGroup)
    group_at(offsets + i, std::make_index_sequence<kGroup>{});
  for (; i < count; ++i) to[i] = from[offsets[i]];
}

// By offsets of 1, 2 and 4 bytes.
using TakeFunction = void (*)(const std::byte* offsets, std::int64_t count, const std::byte* x,
                              std::byte* out);
#define UNDERSTUDY_TAKE(name, Unit, Offset)                                      \
  UNDERSTUDY_VECTOR_CODE void name(const std::byte* offsets, std::int64_t count, \
                                   const std::byte* x, std::byte* out) {         \
    take<Unit>(reinterpret_cast<const Offset*>(offsets), count, x, out);         \
  }
#define UNDERSTUDY_TAKES(name, Unit)                \
  UNDERSTUDY_TAKE(name##_by_1, Unit, std::uint8_t)  \
  UNDERSTUDY_TAKE(name##_by_2, Unit, std::uint16_t) \
  UNDERSTUDY_TAKE(name##_by_4, Unit, std::int32_t)  \
  constexpr TakeFunction name[] = {&name##_by_1, &name##_by_2, &name##_by_4};
UNDERSTUDY_TAKES(take_1_byte, std::int8_t)
UNDERSTUDY_TAKES(take_2_bytes, std::int16_t)
UNDERSTUDY_TAKES(take_4_bytes, std::int32_t)
UNDERSTUDY_TAKES(take_8_bytes, std::int64_t)
#undef UNDERSTUDY_TAKES
#undef UNDERSTUDY_TAKE

// nullptr for elements of 16 bytes.
TakeFunction take_of(std::size_t element_bytes, std::size_t offset_bytes) {
  const std::size_t which = offset_bytes / 2;
  switch (element_bytes) {
    case 1:
      return take_1_byte[which];
    case 2:
      return take_2_bytes[which];
    case 4:
      return take_4_bytes[which];
    case 8:
      return take_8_bytes[which];
    default:
      return nullptr;
  }
}

#define UNDERSTUDY_LINES(name, Unit)                                                            \
  UNDERSTUDY_VECTOR_CODE void name(const std::int32_t* offsets, std::int64_t count,             \
                                   std::int64_t lines, std::int64_t length, const std::byte* x, \
                                   std::byte* out) {                                            \
    constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Unit));                            \
    for (std::int64_t l = 0; l < lines; ++l)                                                    \
      take<Unit>(offsets, count, x + l * length * kBytes, out + l * count * kBytes);            \
  }
UNDERSTUDY_LINES(lines_of_1_byte, std::int8_t)
UNDERSTUDY_LINES(lines_of_2_bytes, std::int16_t)
UNDERSTUDY_LINES(lines_of_4_bytes, std::int32_t)
UNDERSTUDY_LINES(lines_of_8_bytes, std::int64_t)
#undef UNDERSTUDY_LINES

// Small numbers of a type that does not reach the end of the operand are offsets as they are.
bool take_by_small_numbers(const ElementIndices& indices, const std::byte* x,
                           std::size_t element_bytes, std::byte* out) {
  const std::size_t bytes = program::byte_size(indices.type);
  if (indices.length != 1 || indices.strides[0] != 1 || indices.along != 0 || bytes > 2 ||
      !program::is_integer(indices.type) || program::is_signed_integer(indices.type) ||
      indices.sizes[0] < std::int64_t{1} << 8 * bytes)
    return false;
  take_of(element_bytes, bytes)(indices.at, indices.count, x, out);
  return true;
}

}  // namespace

bool gather_by_vectors(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                       std::byte* out) {
  if (gather_from_registers(indices, x, element_bytes, out)) return true;
  const TakeFunction take = take_of(element_bytes, sizeof(std::int32_t));
  if (take == nullptr) return false;
  if (take_by_small_numbers(indices, x, element_bytes, out)) return true;
  const MakeOffsets offsets_of = offsets_maker(indices);
  if (offsets_of == nullptr) return false;
  std::int32_t offsets[kOffsetsAtOnce];
  for (std::int64_t first = 0; first < indices.count; first += kOffsetsAtOnce) {
    const std::int64_t count = std::min(kOffsetsAtOnce, indices.count - first);
    offsets_of(indices, first, count, offsets);
    take(reinterpret_cast<const std::byte*>(offsets), count, x,
         out + static_cast<std::size_t>(first) * element_bytes);
  }
  return true;
}

void take_lines(const std::int32_t* offsets, std::int64_t count, std::int64_t lines,
                std::int64_t length, std::size_t element_bytes, const std::byte* x,
                std::byte* out) {
  const auto take = element_bytes == 1   ? &lines_of_1_byte
                    : element_bytes == 2 ? &lines_of_2_bytes
                    : element_bytes == 4 ? &lines_of_4_bytes
                                         : &lines_of_8_bytes;
  take(offsets, count, lines, length, x, out);
}

}  // namespace understudy::worker::ops
