// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/single_elements.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "program/ir/types.h"
#include "worker/chip/lanes.h"
#include "worker/chip/numbers.h"
#include "worker/ops/element_units.h"
#include "worker/ops/indexing/combinations.h"
#include "worker/ops/indexing/combine_runs.h"
#include "worker/ops/indexing/element_offsets.h"
#include "worker/ops/indexing/gather_vectors.h"

namespace understudy::worker::ops {
namespace {

using program::ElementType;
using program::Reduction;

// ---- indices

// Calls `use` with the Addresses of the indices.
template <class Index, class Use>
void with_length(const ElementIndices& indices, const Use& use) {
  if (indices.length == 1) return use(Addresses<Index, 1>(indices));
  use(Addresses<Index, 2>(indices));
}
template <class Use>
void with_addresses(const ElementIndices& indices, const Use& use) {
  switch (indices.type) {
    case ElementType::i32:
      return with_length<std::int32_t>(indices, use);
    case ElementType::ui32:
      return with_length<std::uint32_t>(indices, use);
    default:
      UNDERSTUDY_ASSERT(indices.type == ElementType::i64);
      return with_length<std::int64_t>(indices, use);
  }
}
bool has_loops(ElementType index) {
  return index == ElementType::i32 || index == ElementType::ui32 || index == ElementType::i64;
}

template <class From, class To>
void widen(const std::byte* in, std::size_t count, To* out) {
  const From* const numbers = reinterpret_cast<const From*>(in);
  for (std::size_t i = 0; i < count; ++i)
    // No array reaches the end of the wider type.
    out[i] = static_cast<To>(
        std::min<std::common_type_t<From, To>>(numbers[i], std::numeric_limits<To>::max()));
}

// Calls use(indices, first) with indices of other types as i32 or i64, block after block. False
// where `use` is.
template <class Use>
bool in_wider_blocks(const ElementIndices& all, const Use& use) {
  constexpr std::int64_t kBlock = 256;
  std::int64_t room[2 * kBlock];
  auto* const words = reinterpret_cast<std::int32_t*>(room);
  const std::size_t bytes = program::byte_size(all.type);
  const bool is_signed = program::is_signed_integer(all.type);
  for (std::int64_t first = 0; first < all.count; first += kBlock) {
    ElementIndices some = all;
    some.count = std::min(kBlock, all.count - first);
    const std::size_t numbers = static_cast<std::size_t>(some.count) * all.length;
    const std::byte* const at = all.at + static_cast<std::size_t>(first) * all.length * bytes;
    some.at = reinterpret_cast<const std::byte*>(room);
    some.type = bytes == 8 ? ElementType::i64 : ElementType::i32;
    if (bytes == 8) {
      widen<std::uint64_t>(at, numbers, room);
    } else if (bytes == 2) {
      is_signed ? widen<std::int16_t>(at, numbers, words)
                : widen<std::uint16_t>(at, numbers, words);
    } else {
      UNDERSTUDY_ASSERT(bytes == 1);
      is_signed ? widen<std::int8_t>(at, numbers, words) : widen<std::uint8_t>(at, numbers, words);
    }
    if (!use(some, first)) return false;
  }
  return true;
}

// ---- loops

template <class T, class A>
void gather(A addresses, std::size_t count, std::size_t along, const std::byte* from,
            std::byte* to) {
  const T* const x = reinterpret_cast<const T*>(from);
  T* const y = reinterpret_cast<T*>(to);
  if (!has_small_offsets(addresses)) {
    for (std::size_t i = 0; i < count; ++i) y[i] = x[addresses.clamped(i) + i * along];
    return;
  }
  in_blocks(addresses, count, true,
            [=](std::size_t first, std::size_t n, const std::uint32_t* offsets) {
              // Bytes may be any object: a store of them would have captured values read again.
              const T* const block = x + first * along;
              T* const to = y + first;
              const std::size_t step = along;
              for (std::size_t i = 0; i < n; ++i) to[i] = block[offsets[i] + i * step];
            });
}

template <class Op, class T>
[[gnu::always_inline]] inline void combine_each(T* y, const T* x, const std::uint32_t* offsets,
                                                std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (offsets[i] != kOutside) Op::apply(y[offsets[i]], x[i]);
}

// Whether one of the first numbers equals that which it meets.
template <class T>
bool meet_equal(const T* y, const T* x, const std::uint32_t* offsets, std::size_t n) {
  constexpr std::size_t kFirst = 32;
  bool any = false;
  for (std::size_t i = 0; i < std::min(n, kFirst); ++i)
    if (offsets[i] != kOutside) any |= y[offsets[i]] == x[i];
  return any;
}

// Whether combine_runs() has the reduction.
constexpr bool has_runs(Reduction reduction) {
  return reduction == Reduction::sum || reduction == Reduction::product ||
         reduction == Reduction::minimum || reduction == Reduction::maximum;
}

// Runs of x into those of y at the offsets. kIsOne: of one element each.
template <class Op, bool kIsOne, class T>
[[gnu::always_inline]] inline void combine(T* y, const T* x, const std::uint32_t* offsets,
                                           std::size_t n, std::size_t run) {
  if constexpr (kIsOne) {
    if constexpr (requires { typename Op::OfEqual; } && std::is_floating_point_v<T>) {
      if (meet_equal(y, x, offsets, n)) return combine_each<typename Op::OfEqual>(y, x, offsets, n);
    }
    combine_each<Op>(y, x, offsets, n);
  } else if constexpr (has_runs(Op::reduction) && kCombinesRuns<T>) {
    combine_runs(Op::reduction, offsets, n, run, x, y);
  } else {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t r = 0; r < run && offsets[i] != kOutside; ++r)
        Op::apply(y[offsets[i] + r], x[i * run + r]);
  }
}

template <class Op, bool kIsOne, class T, class A>
void scatter(A addresses, const ElementIndices& indices, const std::byte* updates, std::byte* out) {
  const T* const x = reinterpret_cast<const T*>(updates);
  T* const y = reinterpret_cast<T*>(out);
  const auto count = static_cast<std::size_t>(indices.count),
             run = kIsOne ? 1 : static_cast<std::size_t>(indices.run);
  if (!has_small_offsets(addresses)) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t offset;
      if (!addresses.inside(i, offset)) continue;
      for (std::size_t r = 0; r < run; ++r) Op::apply(y[offset + r], x[i * run + r]);
    }
    return;
  }
  in_blocks(addresses, count, false,
            [=](std::size_t first, std::size_t n, const std::uint32_t* offsets) {
              combine<Op, kIsOne>(y, x + first * run, offsets, n, run);
            });
}

// Calls `use` with a number of the type in which elements are combined. Sums and products of
// integers wrap, whatever the sign; preds have functions of bits alone.
template <class Use>
bool with_type(Reduction reduction, ElementType type, const Use& use) {
  const bool wraps = reduction == Reduction::sum || reduction == Reduction::product;
  switch (type) {
    case ElementType::f32:
      return use(float{});
    case ElementType::f64:
      return use(double{});
    case ElementType::i32:
      return wraps ? use(std::uint32_t{}) : use(std::int32_t{});
    case ElementType::i64:
      return wraps ? use(std::uint64_t{}) : use(std::int64_t{});
    case ElementType::ui32:
      return use(std::uint32_t{});
    case ElementType::ui64:
      return use(std::uint64_t{});
    case ElementType::i8:
      return wraps ? use(std::uint8_t{}) : use(std::int8_t{});
    case ElementType::i16:
      return wraps ? use(std::uint16_t{}) : use(std::int16_t{});
    case ElementType::ui8:
      return use(std::uint8_t{});
    case ElementType::ui16:
      return use(std::uint16_t{});
    default:
      return false;
  }
}
// The same of functions of bits, with an unsigned number of the same size.
template <class Use>
bool with_bits(ElementType type, const Use& use) {
  const bool has_bits = !program::is_float(type) && !program::is_complex(type);
  return has_bits && with_unsigned(program::byte_size(type), use);
}

template <class Op>
auto scatterer(const ElementIndices& indices, const std::byte* updates, std::byte* out) {
  return [&indices, updates, out](auto element) {
    using T = decltype(element);
    with_addresses(indices, [&](auto addresses) {
      indices.run == 1 ? scatter<Op, true, T>(addresses, indices, updates, out)
                       : scatter<Op, false, T>(addresses, indices, updates, out);
    });
    return true;
  };
}

bool add_halves(const ElementIndices& indices, const std::byte* updates, std::byte* out) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("f16c")) {
    // Upper parts of vectors that other code has left would make each step wait for them.
    asm volatile("vzeroupper");
    return scatterer<combinations::SumOfParts>(indices, updates, out)(combinations::HardwareF16{});
  }
#endif
  return scatterer<combinations::SumOfParts>(indices, updates, out)(combinations::F16Number{});
}

}  // namespace

void gather_elements(const ElementIndices& indices, const std::byte* x, std::size_t element_bytes,
                     std::byte* out) {
  if (gather_by_vectors(indices, x, element_bytes, out)) return;
  if (!has_loops(indices.type)) {
    in_wider_blocks(indices, [&](const ElementIndices& some, std::int64_t first) {
      gather_elements(some, x + static_cast<std::size_t>(first * indices.along) * element_bytes,
                      element_bytes, out + static_cast<std::size_t>(first) * element_bytes);
      return true;
    });
    return;
  }
  with_unit(element_bytes, [&](auto element) {
    with_addresses(indices, [&](auto addresses) {
      gather<decltype(element)>(addresses, static_cast<std::size_t>(indices.count),
                                static_cast<std::size_t>(indices.along), x, out);
    });
  });
}

void clamped_offsets(const ElementIndices& indices, std::int64_t* offsets) {
  if (!has_loops(indices.type)) {
    in_wider_blocks(indices, [&](const ElementIndices& some, std::int64_t first) {
      clamped_offsets(some, offsets + first);
      return true;
    });
    return;
  }
  with_addresses(indices, [&](auto addresses) {
    for (std::int64_t i = 0; i < indices.count; ++i)
      offsets[i] = static_cast<std::int64_t>(addresses.clamped(static_cast<std::size_t>(i)));
  });
}

bool scatter_elements(const ElementIndices& indices, Reduction reduction, ElementType element,
                      const std::byte* updates, std::byte* out) {
  if (!has_loops(indices.type))
    return in_wider_blocks(indices, [&](const ElementIndices& some, std::int64_t first) {
      return scatter_elements(
          some, reduction, element,
          updates + static_cast<std::size_t>(first * indices.run) * program::byte_size(element),
          out);
    });
  // Nothing lies inside an empty operand.
  for (std::size_t d = 0; d < indices.length; ++d)
    if (indices.sizes[d] == 0) return true;
  switch (reduction) {
    case Reduction::none:
      return with_unit(program::byte_size(element),
                       scatterer<combinations::Overwrite>(indices, updates, out));
    case Reduction::sum:
      if (element == ElementType::c64)
        return scatterer<combinations::SumOfParts>(indices, updates,
                                                   out)(combinations::ComplexParts{});
      if (element == ElementType::bf16)
        return scatterer<combinations::SumOfParts>(indices, updates,
                                                   out)(combinations::Bf16Number{});
      if (element == ElementType::f16) return add_halves(indices, updates, out);
      return with_type(reduction, element, scatterer<combinations::Sum>(indices, updates, out));
    case Reduction::product:
      return with_type(reduction, element, scatterer<combinations::Product>(indices, updates, out));
    case Reduction::maximum:
      return with_type(reduction, element,
                       scatterer<combinations::Extreme<true>>(indices, updates, out));
    case Reduction::minimum:
      return with_type(reduction, element,
                       scatterer<combinations::Extreme<false>>(indices, updates, out));
    case Reduction::logical_and:
      return with_bits(
          element, scatterer<combinations::Bitwise<Reduction::logical_and>>(indices, updates, out));
    case Reduction::logical_or:
      return with_bits(
          element, scatterer<combinations::Bitwise<Reduction::logical_or>>(indices, updates, out));
    case Reduction::logical_xor:
      return with_bits(
          element, scatterer<combinations::Bitwise<Reduction::logical_xor>>(indices, updates, out));
    default:
      return false;
  }
}

}  // namespace understudy::worker::ops
