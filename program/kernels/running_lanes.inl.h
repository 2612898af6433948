// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: the lanes of reductions while they run (fold_rows.inl.h,
// accumulate_rows.inl.h), as arrays or as vectors.
#pragma once

#include <type_traits>

#include "program/kernels/bf16_vectors.inl.h"
#include "program/kernels/extreme_vectors.inl.h"
#include "program/kernels/fold.inl.h"

namespace understudy::program::kernels {
namespace {

template <Reduction kReduction>
constexpr bool kIsExtreme = kReduction == Reduction::minimum || kReduction == Reduction::maximum;

// kCount reductions side by side, one register of the widest instruction set: compilers keep no
// larger array in registers.
template <class Tag, Reduction kReduction, std::size_t kCount>
struct Running {
  using Wide = typename AccumulatorOf<Tag>::type;
  using Value = typename Wide::Value;
  using Stored = typename Tag::Stored;
  Value lanes[kCount];

  void start() {
    for (std::size_t l = 0; l < kCount; ++l) lanes[l] = identity<Wide, kReduction>();
  }
  void resume(const typename Wide::Stored* y) {
    for (std::size_t l = 0; l < kCount; ++l) lanes[l] = Wide::load(y[l]);
  }
  void step(const Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l)
      lanes[l] = Step<Wide, kReduction>::apply(lanes[l], Tag::load(x[l]));
  }
  void tail(const Stored* x, std::size_t n) {
    for (std::size_t l = 0; l < n; ++l)
      lanes[l] = Step<Wide, kReduction>::apply(lanes[l], Tag::load(x[l]));
  }
  void merge(const Running& other) {
    for (std::size_t l = 0; l < kCount; ++l)
      lanes[l] = Step<Wide, kReduction>::apply(lanes[l], other.lanes[l]);
  }
  // The tree of a fold.
  template <std::size_t kHalf = kCount / 2>
  Value join() {
    if constexpr (kHalf > 0) {
      for (std::size_t l = 0; l < kHalf; ++l)
        lanes[l] = Step<Wide, kReduction>::apply(lanes[l], lanes[l + kHalf]);
      return join<kHalf / 2>();
    } else {
      return lanes[0];
    }
  }
  void put(typename Wide::Stored* y) const {
    for (std::size_t l = 0; l < kCount; ++l) y[l] = finish<Wide>(lanes[l]);
  }
};

// kCount sums or products of floats, in vectors: compilers copy arrays in memory.
template <class Tag, Reduction kReduction, std::size_t kCount>
struct RunningFloats {
  using Wide = typename AccumulatorOf<Tag>::type;
  using Value = typename Wide::Value;
  using Stored = typename Tag::Stored;
  static constexpr std::size_t kWidth = kVectorSize<Value>;
  static constexpr std::size_t kParts = kCount / kWidth;
  Vector<Value> parts[kParts];

  static UNDERSTUDY_INLINE Vector<Value> apply(Vector<Value> a, Vector<Value> b) {
    if constexpr (kReduction == Reduction::sum) return a + b;
    return a * b;
  }
  static UNDERSTUDY_INLINE Vector<Value> load(const Stored* x) {
    if constexpr (__is_same(Tag, Bf16Tag)) {
      return widened_bf16(x);
    } else {
      return vector_at(x);
    }
  }

  UNDERSTUDY_INLINE void start() {
    // Not a sum with zero: that would make +0 of -0.
    for (std::size_t p = 0; p < kParts; ++p)
      parts[p] = identity<Wide, kReduction>() - Vector<Value>{};
  }
  UNDERSTUDY_INLINE void resume(const Value* y) {
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = vector_at(y + p * kWidth);
  }
  UNDERSTUDY_INLINE void step(const Stored* x) {
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = apply(parts[p], load(x + p * kWidth));
  }
  // The neutral element changes no bit but those of a NaN.
  void tail(const Stored* x, std::size_t n) {
    Stored filled[kCount];
    for (std::size_t l = 0; l < kCount; ++l) filled[l] = Tag::store(identity<Wide, kReduction>());
    for (std::size_t l = 0; l < n; ++l) filled[l] = x[l];
    step(filled);
  }
  UNDERSTUDY_INLINE void merge(const RunningFloats& other) {
    for (std::size_t p = 0; p < kParts; ++p) parts[p] = apply(parts[p], other.parts[p]);
  }
  Value join() {
    Running<Wide, kReduction, kCount> all;
    __builtin_memcpy(all.lanes, parts, sizeof(parts));
    return all.join();
  }
  UNDERSTUDY_INLINE void put(Value* y) const {
    for (std::size_t p = 0; p < kParts; ++p)
      put_vector(y + p * kWidth, parts[p] == parts[p] ? parts[p] : Vector<Value>{} + Value(kNan64));
  }
};

template <class Tag>
constexpr bool kIsVectorFloat = __is_same(Tag, F32) || __is_same(Tag, F64) ||
                                __is_same(Tag, Bf16Tag);

template <class Tag, Reduction kReduction>
constexpr bool kUsesKeys = kHasKeys<Tag>&& kIsExtreme<kReduction>;

// `kResumes`: only resume(), step() and put() are called. The end of a fold takes single lanes,
// which are read from memory as they were written.
template <class Tag, Reduction kReduction, std::size_t kCount, bool kResumes>
struct ChooseRunning {
  static constexpr std::size_t kBytes = kCount * sizeof(typename AccumulatorOf<Tag>::type::Value);
  static constexpr bool kFloats = !kIsExtreme<kReduction> && kBytes >= kVectorBytes &&
                                  (kResumes ? kIsVectorFloat<Tag> : __is_same(Tag, Bf16Tag));
  static auto chosen() {
    if constexpr (kUsesKeys<Tag, kReduction>) {
      return static_cast<RunningExtreme<Tag, kReduction, kCount>*>(nullptr);
    } else if constexpr (kFloats) {
      return static_cast<RunningFloats<Tag, kReduction, kCount>*>(nullptr);
    } else {
      return static_cast<Running<Tag, kReduction, kCount>*>(nullptr);
    }
  }
  using type = std::remove_pointer_t<decltype(chosen())>;
};
template <class Tag, Reduction kReduction, std::size_t kCount>
using RunningOf = typename ChooseRunning<Tag, kReduction, kCount, false>::type;
template <class Tag, Reduction kReduction, std::size_t kCount>
using ResumedOf = typename ChooseRunning<Tag, kReduction, kCount, true>::type;

// Four registers of lanes, whose chains of steps hide each other's latency.
template <class Tag, Reduction kReduction, std::size_t kCount>
struct FourRegisters {
  RunningOf<Tag, kReduction, kCount> a, b, c, d;

  void start() { a.start(), b.start(), c.start(), d.start(); }
  // All whole groups of n elements. Returns how many elements they have.
  std::size_t steps(const typename Tag::Stored* x, std::size_t n) {
    std::size_t i = 0;
    for (; i + 4 * kCount <= n; i += 4 * kCount) {
      a.step(x + i);
      b.step(x + i + kCount);
      c.step(x + i + 2 * kCount);
      d.step(x + i + 3 * kCount);
    }
    return i;
  }
  // Less than a group.
  void tail(const typename Tag::Stored* x, std::size_t n) {
    for (auto* part : {&a, &b, &c, &d}) {
      if (n < kCount) return n > 0 ? part->tail(x, n) : void();
      part->step(x);
      x += kCount, n -= kCount;
    }
  }
  auto join() {
    a.merge(c), b.merge(d), a.merge(b);
    return a.join();
  }
};

}  // namespace
}  // namespace understudy::program::kernels
