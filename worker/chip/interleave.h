// SPDX-License-Identifier: Apache-2.0
// Interleaving of two or three registers, as of colours and coordinates: x0 x1 ..., y0 y1 ..., z0
// z1 ... to x0 y0 z0 x1 ..., and back; or to z0 y0 x0 z1 .... Three are permuted two at a time.
// Pure functions.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace understudy::worker::ops {

// Lane l becomes element From::of(l, lanes, kCount) of the registers in a row.
template <class From, std::size_t kCount, class V, std::size_t... kLane>
[[gnu::always_inline]] inline void permute_registers(const V (&in)[kCount], V& out,
                                                     std::index_sequence<kLane...> /*lanes*/) {
  static_assert(kCount == 2 || kCount == 3);
  using T = std::remove_cvref_t<decltype(out[0])>;
  constexpr std::size_t kLength = sizeof...(kLane);
  constexpr auto kFrom = [](std::size_t lane) { return From::of(lane, kLength, kCount); };
  constexpr auto kIsThird = [](std::size_t lane) {
    return From::of(lane, kLength, kCount) >= 2 * kLength;
  };
  constexpr V kOfTwo = {static_cast<T>(kIsThird(kLane) ? kLane : kFrom(kLane))...};
  out = __builtin_shuffle(in[0], in[1], kOfTwo);
  if constexpr (kCount == 3) {
    constexpr V kOfThird = {static_cast<T>(kIsThird(kLane) ? kFrom(kLane) - kLength : kLane)...};
    out = __builtin_shuffle(out, in[2], kOfThird);
  }
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

template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void interleave(const V (&in)[kCount], V (&out)[kCount]) {
  permute_registers<Interleaved<0>>(in, out[0], AllLanes<V>());
  permute_registers<Interleaved<1>>(in, out[1], AllLanes<V>());
  if constexpr (kCount == 3) permute_registers<Interleaved<2>>(in, out[2], AllLanes<V>());
}
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void deinterleave(const V (&in)[kCount], V (&out)[kCount]) {
  permute_registers<Every<0>>(in, out[0], AllLanes<V>());
  permute_registers<Every<1>>(in, out[1], AllLanes<V>());
  if constexpr (kCount == 3) permute_registers<Every<2>>(in, out[2], AllLanes<V>());
}
// Elements in a row, kCount at a time in reversed order.
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void reverse_groups(const V (&in)[kCount], V (&out)[kCount]) {
  permute_registers<ReversedGroups<0>>(in, out[0], AllLanes<V>());
  permute_registers<ReversedGroups<1>>(in, out[1], AllLanes<V>());
  if constexpr (kCount == 3) permute_registers<ReversedGroups<2>>(in, out[2], AllLanes<V>());
}
// The first register of deinterleave().
template <std::size_t kCount, class V>
[[gnu::always_inline]] inline void take_every(const V (&in)[kCount], V& out) {
  permute_registers<Every<0>>(in, out, AllLanes<V>());
}

}  // namespace understudy::worker::ops
