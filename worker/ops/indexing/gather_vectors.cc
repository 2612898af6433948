// SPDX-License-Identifier: Apache-2.0
// Offsets are made for some elements at once, by loops that compilers turn into vectors; g++ makes
// no gathers of its own for a CPU that it does not know.
#include "worker/ops/indexing/gather_avx512.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "program/ir/types.h"
#include "worker/chip/vector_code.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understudy::worker::ops {
#if defined(__x86_64__)
namespace {

#define UNDERSTUDY_AVX512 __attribute__((target("avx512f")))

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

// Masked forms with all lanes: the others leave a register undefined, of which g++ warns.
UNDERSTUDY_AVX512 void gather_4_bytes(const std::int32_t* offsets, std::int64_t count,
                                      const std::byte* x, std::byte* out) {
  const auto* const from = reinterpret_cast<const std::int32_t*>(x);
  auto* const to = reinterpret_cast<std::int32_t*>(out);
  std::int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    _mm512_storeu_si512(to + i, _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xffff,
                                                            _mm512_loadu_si512(offsets + i), x, 4));
  for (; i < count; ++i) to[i] = from[offsets[i]];
}
UNDERSTUDY_AVX512 void gather_8_bytes(const std::int32_t* offsets, std::int64_t count,
                                      const std::byte* x, std::byte* out) {
  const auto* const from = reinterpret_cast<const std::int64_t*>(x);
  auto* const to = reinterpret_cast<std::int64_t*>(out);
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets + i));
    _mm512_storeu_si512(to + i,
                        _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), 0xff, some, x, 8));
  }
  for (; i < count; ++i) to[i] = from[offsets[i]];
}

// Of a table beyond the second-level cache: a processor starts more loads ahead than gathers.
template <class Unit>
void gather_far(const std::int32_t* offsets, std::int64_t count, const std::byte* x,
                std::byte* out) {
  const auto* const from = reinterpret_cast<const Unit*>(x);
  auto* const to = reinterpret_cast<Unit*>(out);
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[offsets[i]];
}

using ElementGather = void (*)(const std::int32_t*, std::int64_t, const std::byte*, std::byte*);
ElementGather gather_of(const ElementIndices& indices, std::size_t element_bytes) {
  constexpr std::size_t kNearBytes = 2 << 20;
  std::int64_t reach = 1 + indices.count * indices.along;
  for (std::size_t d = 0; d < indices.length; ++d)
    reach += (indices.sizes[d] - 1) * indices.strides[d];
  const bool is_near = static_cast<std::size_t>(reach) * element_bytes <= kNearBytes;
  if (element_bytes == 4) return is_near ? &gather_4_bytes : &gather_far<std::int32_t>;
  return is_near ? &gather_8_bytes : &gather_far<std::int64_t>;
}

}  // namespace

bool gather_by_avx512(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                      std::byte* out) {
  if (__builtin_cpu_supports("avx512f") == 0) return false;
  if (element_bytes != 4 && element_bytes != 8) return false;
  const MakeOffsets offsets_of = offsets_maker(indices);
  if (offsets_of == nullptr) return false;
  const ElementGather gather = gather_of(indices, element_bytes);
  std::int32_t offsets[kOffsetsAtOnce];
  for (std::int64_t first = 0; first < indices.count; first += kOffsetsAtOnce) {
    const std::int64_t count = std::min(kOffsetsAtOnce, indices.count - first);
    offsets_of(indices, first, count, offsets);
    gather(offsets, count, x, out + static_cast<std::size_t>(first) * element_bytes);
  }
  return true;
}
#else
bool gather_by_avx512(const ElementIndices&, const std::byte*, std::size_t, std::byte*) {
  return false;
}
#endif

}  // namespace understudy::worker::ops
