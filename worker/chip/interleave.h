// SPDX-License-Identifier: Apache-2.0
// Interleaving of two or more registers, as of colours and coordinates: x0 x1 ..., y0 y1 ..., z0
// z1 ... to x0 y0 z0 x1 ..., and back; or to z0 y0 x0 z1 .... They are permuted two
// at a time. Pure functions.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace understudy::worker::ops {

// Puts the lanes that are elements of register kRegister or, for the second one, of the first.
template <class From, std::size_t kRegister, std::size_t kCount, class V, std::size_t... kLane>
[[gnu::always_inline]] inline void permute_register(const V (&in)[kCount], V& out,
                                                    std::index_sequence<kLane...> /*lanes*/) {
  using T = std::remove_cvref_t<decltype(out[0])>;
  constexpr auto kFrom = [](std::size_t lane) {
    constexpr std::size_t kLength = sizeof...(kLane);
    const std::size_t element = From::of(lane, kLength, kCount);
    if (element / kLength > kRegister) return lane;
    if (kRegister == 1) return element;
    return element / kLength == kRegister ? element % kLength + kLength : lane;
  };
  constexpr V kLanes = {static_cast<T>(kFrom(kLane))...};
  out = __builtin_shuffle(out, in[kRegister], kLanes);
}
// Lane l becomes element From::of(l, lanes, kCount) of the registers in a row.
template <class From, std::size_t kCount, class V, std::size_t... kLane>
[[gnu::always_inline]] inline void permute_registers(const V (&in)[kCount], V& out,
                                                     std::index_sequence<kLane...> lanes) {
  static_assert(kCount >= 2);
  out = in[0];
  [&]<std::size_t... kRegister>(std::index_sequence<kRegister...>) __attribute__((always_inline)) {
    (permute_register<From, kRegister + 1>(in, out, lanes), ...);
  }
  (std::make_index_sequence<kCount - 1>());
}

// Elements kFirst, kFirst + count, ....
template <std::size_t kFirst>
struct Every {
  static constexpr std::size_t of(std::size_t lane, std::size_t /*lanes*/, std::size_t count) {
    return count * lane + kFirst;
  }
};
// Register kRegister of the interleaved ones.
template <std::size_t kRegister>
struct Interleaved {
  static constexpr std::size_t of(std::size_t lane, std::size_t lanes, std::size_t count) {
    const std::size_t element = kRegister * lanes + lane;
    return element % count * lanes + element / count;
  }
};

// Register kRegister of groups of one element for each register, each group reversed.
template <std::size_t kRegister>
struct ReversedGroups {
  static constexpr std::size_t of(std::size_t lane, std::size_t lanes, std::size_t count) {
    const std::size_t element = kRegister * lanes + lane, rest = element % count;
    return element - rest + count - 1 - rest;
  }
};

template <class V>
using AllLanes = std::make_index_sequence<sizeof(V) / sizeof(std::declval<V>()[0])>;

// Register kRegister becomes what From<kRegister> says.
template <template <std::size_t> class From, std::size_t kCount, class V>
[[gnu::always_inline]] inline void permute_all(const V (&in)[kCount], V (&out)[kCount]) {
  [&]<std::size_t... kRegister>(std::index_sequence<kRegister...>) __attribute__((always_inline)) {
    (permute_registers<From<kRegister>>(in, out[kRegister], AllLanes<V>()), ...);
  }
  (std::make_index_sequence<kCount>());
}

template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void interleave(const V (&in)[kCount], V (&out)[kCount]) {
  permute_all<Interleaved>(in, out);
}
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void deinterleave(const V (&in)[kCount], V (&out)[kCount]) {
  permute_all<Every>(in, out);
}
// Elements in a row, kCount at a time in reversed order.
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void reverse_groups(const V (&in)[kCount], V (&out)[kCount]) {
  permute_all<ReversedGroups>(in, out);
}
// The first register of deinterleave().
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void take_every(const V (&in)[kCount], V& out) {
  permute_registers<Every<0>>(in, out, AllLanes<V>());
}

}  // namespace understudy::worker::ops
