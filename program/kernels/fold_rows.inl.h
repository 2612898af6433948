// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: reductions of many rows at once, to one element each (fold_rows) or to one
// row (accumulate_rows). Both give the bits of fold() and accumulate(): the order within a result
// stays, and only where it cannot be seen (integers, minimum, maximum) there are more lanes.
#pragma once

#include "program/kernels/fold.inl.h"

namespace understudy::program::kernels {
namespace {

template <Reduction kReduction>
constexpr bool kIsExtreme = kReduction == Reduction::minimum || kReduction == Reduction::maximum;

// Types with kernels for many rows: the others are rare.
template <class Tag>
constexpr bool has_rows() {
  if constexpr (Tag::family == Family::integer) {
    return Tag::bits >= 8;
  } else {
    return !kByteFloat<Tag>;
  }
}

// Whether the order of the steps has no influence on the result.
template <class Tag, Reduction kReduction>
constexpr bool kHasNoOrder =
    Tag::family == Family::integer || Tag::family == Family::pred || kIsExtreme<kReduction>;

// Values in 64 bytes.
template <class Tag>
constexpr std::size_t kRegister = 64 / sizeof(typename Tag::Value);

// kCount reductions side by side, one register of the widest instruction set: compilers keep no
// larger array in registers.
template <class Wide, Reduction kReduction, std::size_t kCount>
struct Running {
  using Value = typename Wide::Value;
  Value lanes[kCount];

  void start() {
    for (std::size_t l = 0; l < kCount; ++l) lanes[l] = identity<Wide, kReduction>();
  }
  template <class Tag>
  void set(const typename Tag::Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l) lanes[l] = Tag::load(x[l]);
  }
  template <class Tag>
  void step(const typename Tag::Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l) one<Tag>(l, x[l]);
  }
  template <class Tag>
  void one(std::size_t l, typename Tag::Stored x) {
    lanes[l] = Step<Wide, kReduction>::apply(lanes[l], Tag::load(x));
  }
  void merge(const Running& other) {
    for (std::size_t l = 0; l < kCount; ++l)
      lanes[l] = Step<Wide, kReduction>::apply(lanes[l], other.lanes[l]);
  }
  // The tree of a fold.
  Value join() {
    for (std::size_t half = kCount / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l)
        lanes[l] = Step<Wide, kReduction>::apply(lanes[l], lanes[l + half]);
    return lanes[0];
  }
  Value get(std::size_t l) const { return lanes[l]; }
};

// Floats in the order of IEEE 754's totalOrder are integers: a minimum of them is one instruction.
// A NaN would be the largest or, with a sign, the smallest; magnitudes tell afterwards whether
// there was one.
template <class Wide, Reduction kReduction, std::size_t kCount>
struct RunningExtreme {
  using Value = typename Wide::Value;
  using Bits = typename BitsOf<Value>::type;
  using Key = typename Either<sizeof(Bits) == 4, i32, i64>::type;
  static constexpr bool kLarge = kReduction == Reduction::maximum;
  static constexpr Bits kMagnitude = ~Bits{0} >> 1;
  static constexpr Key kInfinity = __builtin_bit_cast(Key, Value(kInf64));
  Key keys[kCount];
  Key magnitudes[kCount];

  static Key key_of(Key x) {
    return x ^ static_cast<Key>(static_cast<Bits>(x >> (8 * sizeof(Bits) - 1)) & kMagnitude);
  }
  static Key bits_of(Value x) { return __builtin_bit_cast(Key, x); }
  static Key larger(Key a, Key b) { return a > b ? a : b; }
  static Key better(Key a, Key b) { return (kLarge ? a > b : a < b) ? a : b; }

  void start() {
    for (std::size_t l = 0; l < kCount; ++l) {
      keys[l] = key_of(bits_of(identity<Wide, kReduction>()));
      magnitudes[l] = 0;
    }
  }
  template <class Tag>
  void set(const typename Tag::Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l) {
      const Key bits = bits_of(Tag::load(x[l]));
      keys[l] = key_of(bits);
      magnitudes[l] = bits & static_cast<Key>(kMagnitude);
    }
  }
  template <class Tag>
  void step(const typename Tag::Stored* x) {
    for (std::size_t l = 0; l < kCount; ++l) one<Tag>(l, x[l]);
  }
  template <class Tag>
  void one(std::size_t l, typename Tag::Stored x) {
    const Key bits = bits_of(Tag::load(x));
    keys[l] = better(keys[l], key_of(bits));
    magnitudes[l] = larger(magnitudes[l], bits & static_cast<Key>(kMagnitude));
  }
  void merge(const RunningExtreme& other) {
    for (std::size_t l = 0; l < kCount; ++l) {
      keys[l] = better(keys[l], other.keys[l]);
      magnitudes[l] = larger(magnitudes[l], other.magnitudes[l]);
    }
  }
  Value join() {
    for (std::size_t half = kCount / 2; half > 0; half /= 2)
      for (std::size_t l = 0; l < half; ++l) {
        keys[l] = better(keys[l], keys[l + half]);
        magnitudes[l] = larger(magnitudes[l], magnitudes[l + half]);
      }
    return get(0);
  }
  Value get(std::size_t l) const {
    const Value value = __builtin_bit_cast(Value, key_of(keys[l]));
    return magnitudes[l] > kInfinity ? Value(kNan64) : value;
  }
};

template <class Wide, Reduction kReduction, std::size_t kCount>
using RunningOf = typename Either<Wide::family == Family::floating && kIsExtreme<kReduction>,
                                  RunningExtreme<Wide, kReduction, kCount>,
                                  Running<Wide, kReduction, kCount>>::type;

// Lanes start with the identity, so the tail needs no special case: lane l takes elements l, l +
// 16, ... whatever n is. The accumulator joins last.
template <class Tag, Reduction kReduction>
void fold(const void* in, std::size_t n, void* accumulator) noexcept {
  using Wide = typename AccumulatorOf<Tag>::type;
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  RunningOf<Wide, kReduction, kLanes> lanes;
  lanes.start();
  std::size_t i = 0;
  if constexpr (kHasNoOrder<Tag, kReduction>) {
    constexpr std::size_t kMany = kRegister<Wide>;
    if (n >= 8 * kMany) {
      // Four registers: their chains of steps hide each other's latency.
      RunningOf<Wide, kReduction, kMany> a, b, c, d;
      a.start(), b.start(), c.start(), d.start();
      for (; i + 4 * kMany <= n; i += 4 * kMany) {
        a.template step<Tag>(x + i);
        b.template step<Tag>(x + i + kMany);
        c.template step<Tag>(x + i + 2 * kMany);
        d.template step<Tag>(x + i + 3 * kMany);
      }
      a.merge(b), c.merge(d), a.merge(c);
      const typename Wide::Stored some = Wide::store(a.join());
      lanes.template one<Wide>(0, some);
    }
  }
  for (; i + kLanes <= n; i += kLanes) lanes.template step<Tag>(x + i);
  for (std::size_t l = 0; i + l < n; ++l) lanes.template one<Tag>(l, x[i + l]);
  auto* y = static_cast<typename Wide::Stored*>(accumulator);
  *y = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(*y), lanes.join()));
}

// Rows of at most kLanes elements, kLanes rows at once: element l of each row is lane l of its
// fold, and the tree joins whole registers of rows.
template <class Tag, Reduction kReduction>
void fold_short_rows(const typename Tag::Stored* x, std::size_t stride, std::size_t n,
                     typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  using Value = typename Wide::Value;
  Value lanes[kLanes][kLanes];
  for (std::size_t l = 0; l < n; ++l)
    for (std::size_t r = 0; r < kLanes; ++r) lanes[l][r] = Tag::load(x[r * stride + l]);
  std::size_t count = n;
  // A lane without a partner meets the identity, which changes no bit but those of a NaN.
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t l = half; l < count; ++l)
      for (std::size_t r = 0; r < kLanes; ++r)
        lanes[l - half][r] = Step<Wide, kReduction>::apply(lanes[l - half][r], lanes[l][r]);
    count = count < half ? count : half;
  }
  for (std::size_t r = 0; r < kLanes; ++r)
    y[r] = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(y[r]), lanes[0][r]));
}

// Four rows at once: a sum waits for the one before it.
template <class Tag, Reduction kReduction>
void fold_four_rows(const typename Tag::Stored* x, std::size_t stride, std::size_t n,
                    typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  RunningOf<Wide, kReduction, kLanes> a, b, c, d;
  a.start(), b.start(), c.start(), d.start();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    a.template step<Tag>(x + i);
    b.template step<Tag>(x + i + stride);
    c.template step<Tag>(x + i + 2 * stride);
    d.template step<Tag>(x + i + 3 * stride);
  }
  const auto end = [&](auto& lanes, std::size_t row) {
    for (std::size_t l = 0; i + l < n; ++l) lanes.template one<Tag>(l, x[row * stride + i + l]);
    y[row] = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(y[row]), lanes.join()));
  };
  end(a, 0), end(b, 1), end(c, 2), end(d, 3);
}

template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void fold_rows(const void* in, std::size_t rows, std::size_t stride, std::size_t n,
                               void* accumulators) noexcept {
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename AccumulatorOf<Tag>::type::Stored*>(accumulators);
  std::size_t r = 0;
  // 1 + 0i is not neutral: a product with it may change the sign of a zero.
  if constexpr (Tag::family != Family::complex) {
    if (n > 0 && n <= kLanes)
      for (; r + kLanes <= rows; r += kLanes)
        fold_short_rows<Tag, kReduction>(x + r * stride, stride, n, y + r);
  }
  if constexpr (!kHasNoOrder<Tag, kReduction>) {
    if (n > kLanes)
      for (; r + 4 <= rows; r += 4)
        fold_four_rows<Tag, kReduction>(x + r * stride, stride, n, y + r);
  }
  for (; r < rows; ++r) fold<Tag, kReduction>(x + r * stride, n, y + r);
}

// One tile of columns: its accumulators stay in registers over all rows.
template <class Tag, Reduction kReduction, std::size_t kCount>
void accumulate_tile(const typename Tag::Stored* x, std::size_t rows, std::size_t stride,
                     typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  RunningOf<Wide, kReduction, kCount> lanes;
  lanes.template set<Wide>(y);
  for (std::size_t r = 0; r < rows; ++r, x += stride) lanes.template step<Tag>(x);
  for (std::size_t l = 0; l < kCount; ++l) y[l] = finish<Wide>(lanes.get(l));
}
template <class Tag, Reduction kReduction, std::size_t kCount>
void accumulate_four_tiles(const typename Tag::Stored* x, std::size_t rows, std::size_t stride,
                           typename AccumulatorOf<Tag>::type::Stored* y) {
  using Wide = typename AccumulatorOf<Tag>::type;
  RunningOf<Wide, kReduction, kCount> a, b, c, d;
  a.template set<Wide>(y), b.template set<Wide>(y + kCount);
  c.template set<Wide>(y + 2 * kCount), d.template set<Wide>(y + 3 * kCount);
  for (std::size_t r = 0; r < rows; ++r, x += stride) {
    a.template step<Tag>(x);
    b.template step<Tag>(x + kCount);
    c.template step<Tag>(x + 2 * kCount);
    d.template step<Tag>(x + 3 * kCount);
  }
  for (std::size_t l = 0; l < kCount; ++l) y[l] = finish<Wide>(a.get(l));
  for (std::size_t l = 0; l < kCount; ++l) y[kCount + l] = finish<Wide>(b.get(l));
  for (std::size_t l = 0; l < kCount; ++l) y[2 * kCount + l] = finish<Wide>(c.get(l));
  for (std::size_t l = 0; l < kCount; ++l) y[3 * kCount + l] = finish<Wide>(d.get(l));
}

// Some rows at a time: as many streams as the prefetchers follow, or rows that are short.
template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void accumulate_rows(const void* in, std::size_t rows, std::size_t stride,
                                     void* accumulators, std::size_t n) noexcept {
  using Wide = typename AccumulatorOf<Tag>::type;
  constexpr std::size_t kMany = kRegister<Wide>;
  constexpr std::size_t kStreams = 8, kElements = 4096;
  const auto* x = static_cast<const typename Tag::Stored*>(in);
  auto* y = static_cast<typename Wide::Stored*>(accumulators);
  const std::size_t most = n * kStreams < kElements ? kElements / (n + 1) : kStreams;
  for (std::size_t r = 0; r < rows; r += most, x += most * stride) {
    const std::size_t count = rows - r < most ? rows - r : most;
    std::size_t i = 0;
    for (; i + 4 * kMany <= n; i += 4 * kMany)
      accumulate_four_tiles<Tag, kReduction, kMany>(x + i, count, stride, y + i);
    for (; i + kMany <= n; i += kMany)
      accumulate_tile<Tag, kReduction, kMany>(x + i, count, stride, y + i);
    for (; i + 4 <= n; i += 4) accumulate_tile<Tag, kReduction, 4>(x + i, count, stride, y + i);
    for (; i < n; ++i) accumulate_tile<Tag, kReduction, 1>(x + i, count, stride, y + i);
  }
}

}  // namespace
}  // namespace understudy::program::kernels
