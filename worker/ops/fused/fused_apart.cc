// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/fused/fused_apart.h"

#include <utility>

#include "configs/base/error.h"
#include "program/executable/tile.h"
#include "worker/chip/interleave.h"
#include "worker/chip/register_of.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/element_units.h"

namespace understudy::worker::ops {

namespace {

// `n` elements to every `step`-th place from `base` on.
template <class Unit>
void put(const Unit* in, Unit* out, std::size_t step, std::size_t base, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[step * i + base] = in[i];
}

// The same by vectors of the output, as far as they hold no places beyond the last element's own
// `step`. A store for each element would take longer.
template <int kBytes, class Unit>
[[gnu::always_inline]] inline std::size_t put_vectors(const Unit* in, Unit* out, std::size_t step,
                                                      std::size_t base, std::size_t n) {
  using Vector = typename RegisterOf<Unit, kBytes>::Value;
  using Place = typename RegisterOf<Unit, kBytes>::Place;
  constexpr std::size_t kLanes = kBytes / sizeof(Unit);
  Vector lanes[program::kMostApart], is_mine[program::kMostApart];
  Unit element = 0;
  std::size_t rest = 0;  // the place within the element's own
  for (std::size_t v = 0; v < step; ++v)
    for (std::size_t l = 0; l < kLanes; ++l) {
      lanes[v][l] = element;
      is_mine[v][l] = rest == base ? static_cast<Unit>(~Unit{0}) : Unit{0};
      if (++rest < step) continue;
      rest = 0;
      ++element;
    }
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vector x = reinterpret_cast<const Place*>(in + i)->value;
    for (std::size_t v = 0; v < step; ++v) {
      auto* const to = reinterpret_cast<Place*>(out + i * step + v * kLanes);
      to->value = is_mine[v] != 0 ? __builtin_shuffle(x, lanes[v]) : to->value;
    }
  }
  return i;
}

template <class Unit>
void put_part(const Unit* in, Unit* out, std::size_t step, std::size_t base, std::size_t n) {
  std::size_t done = 0;
  if constexpr (sizeof(Unit) == 4 || sizeof(Unit) == 8)
    with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
      // With AVX2 a permutation, a selection and a store for every eight places take longer than
      // the stores of the elements.
      if constexpr (kBytes > 32) done = put_vectors<kBytes>(in, out, step, base, n);
    });
  put(in + done, out + done * step, step, base, n - done);
}

// Interleaves kCount lines, but for their last elements: returns how many of each it did.
template <int kBytes, int kCount, class Unit>
[[gnu::always_inline]] inline std::size_t interleave_vectors(const Unit* const (&in)[kCount],
                                                             Unit* out, std::size_t n) {
  // AVX2 permutes within halves of its registers.
  constexpr int kSize = kBytes > 32 && sizeof(Unit) >= 4 ? kBytes : 16;
  using Vector = typename RegisterOf<Unit, kSize>::Value;
  using Place = typename RegisterOf<Unit, kSize>::Place;
  constexpr std::size_t kLanes = kSize / sizeof(Unit);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    Vector x[kCount], all[kCount];
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k) x[k] = reinterpret_cast<const Place*>(in[k] + i)->value;
    interleave(x, all);
#pragma GCC unroll 8
    for (int k = 0; k < kCount; ++k)
      reinterpret_cast<Place*>(out + i * kCount + static_cast<std::size_t>(k) * kLanes)->value =
          all[k];
  }
  return i;
}

template <int kCount, class Unit>
void interleave_lines(const std::byte* const (&from)[kMostInputs], Unit* out, std::size_t n) {
  const Unit* in[kCount];
  for (int k = 0; k < kCount; ++k) in[k] = reinterpret_cast<const Unit*>(from[k]);
  std::size_t i = 0;
  if constexpr (sizeof(Unit) <= 8)
    with_vectors([&]<int kBytes>() __attribute__((always_inline)) {
      // Small registers take more permutations than there are elements.
      if constexpr (kCount <= 4 || (kBytes > 32 && sizeof(Unit) >= 4))
        i = interleave_vectors<kBytes, kCount>(in, out, n);
    });
  for (; i < n; ++i)
    for (std::size_t k = 0; k < kCount; ++k) out[i * kCount + k] = in[k][i];
}
// As many lines as there are inputs.
template <class Unit>
void interleave_all(std::size_t inputs, const std::byte* const (&from)[kMostInputs], Unit* out,
                    std::size_t n) {
  [&]<int... kLess>(std::integer_sequence<int, kLess...>) {
    ((inputs == kLess + 2 ? interleave_lines<kLess + 2>(from, out, n) : void()), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(kMostInputs) - 1>());
}

}  // namespace

void apart_of(const program::StridedCopy& copy, FusedStep& step) {
  step.kind = FusedStep::Kind::apart;
  step.out.element_step = static_cast<std::size_t>(copy.out_strides[0]);
  step.out.base = static_cast<std::size_t>(copy.out_base);
}

bool takes_next_turn(FusedStep& step, const FusedStep& next) {
  const auto is_apart = [](const FusedStep& one) { return one.kind == FusedStep::Kind::apart; };
  if (!is_apart(step) || !is_apart(next) || step.out.index != next.out.index ||
      step.out.element_step != next.out.element_step || step.inputs == std::size(step.in) ||
      next.out.base != step.out.base + step.inputs)
    return false;
  step.in[step.inputs++] = next.in[0];
  return true;
}

void write_apart(const FusedStep& step, const std::byte* const (&in)[kMostInputs], std::byte* out,
                 std::size_t n) {
  with_unit(step.out.bytes, [&](auto unit) {
    using Unit = decltype(unit);
    if (writes_all(step)) {
      UNDERSTUDY_ASSERT(step.out.base == 0);
      return interleave_all(step.inputs, in, reinterpret_cast<Unit*>(out), n);
    }
    auto* const lanes = reinterpret_cast<Unit*>(out) - step.out.turn();
    for (std::size_t k = 0; k < step.inputs; ++k)
      put_part(reinterpret_cast<const Unit*>(in[k]), lanes, step.out.element_step,
               step.out.turn() + k, n);
  });
}

}  // namespace understudy::worker::ops
