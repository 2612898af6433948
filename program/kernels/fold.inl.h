// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: steps of reductions, and reductions of operands. Folds are in
// fold_rows.inl.h. bf16 and f16 accumulate in f32. A fold keeps 16 lanes (an
// AVX-512 register of f32) and joins them by a fixed tree (l with l+8, l+4, l+2, l+1). A long fold
// of floats keeps kLongLanes (fold_lanes() in kernel_table.h); its tree starts with half of them.
// Narrower instruction sets use several registers for the same lanes, so the order of additions,
// and with it every bit, is the same everywhere.
#pragma once

#include "program/kernels/convert.inl.h"

namespace understudy::program::kernels {
namespace {

constexpr std::size_t kLanes = 16;

// Values in 64 bytes.
template <class Tag>
constexpr std::size_t kRegister = 64 / sizeof(typename Tag::Value);

template <class Tag>
struct AccumulatorOf {
  using type = Tag;
};
template <>
struct AccumulatorOf<Bf16Tag> {
  using type = F32;
};
template <>
struct AccumulatorOf<F16Tag> {
  using type = F32;
};

template <class Tag>
constexpr std::size_t kLongLanes = fold_lanes(kLongFold,
                                              sizeof(typename AccumulatorOf<Tag>::type::Value));

// One step on values. NaNs are settled once at the end, and small floats rounded there: min and max
// already give the canonical NaN.
template <class Tag, Reduction kReduction>
struct Step {
  using Value = typename Tag::Value;
  // Of pred.
  static constexpr bool kOr = kReduction == Reduction::sum || kReduction == Reduction::maximum ||
                              kReduction == Reduction::logical_or;
  static Value apply(Value a, Value b) {
    if constexpr (Tag::family == Family::complex) {
      return kReduction == Reduction::sum ? ComplexAdd::apply(a, b) : ComplexMultiply::apply(a, b);
    } else if constexpr (Tag::family == Family::pred) {
      if constexpr (kReduction == Reduction::logical_xor) return Xor::apply(a, b);
      return kOr ? Or::apply(a, b) : And::apply(a, b);
    } else if constexpr (kReduction == Reduction::sum) {
      if constexpr (kIsFloat<Value>) {
        return a + b;
      } else {
        return Add::apply(a, b);
      }
    } else if constexpr (kReduction == Reduction::product) {
      if constexpr (kIsFloat<Value>) {
        return a * b;
      } else {
        return Multiply::apply(a, b);
      }
    } else if constexpr (kReduction == Reduction::minimum) {
      return Minimum::apply(a, b);
    } else if constexpr (kReduction == Reduction::maximum) {
      return Maximum::apply(a, b);
    } else if constexpr (kReduction == Reduction::logical_and) {
      return And::apply(a, b);
    } else if constexpr (kReduction == Reduction::logical_xor) {
      return Xor::apply(a, b);
    } else {
      return Or::apply(a, b);
    }
  }
};

template <Reduction kReduction>
constexpr bool kIsBitwise =
    kReduction == Reduction::logical_and || kReduction == Reduction::logical_or ||
    kReduction == Reduction::logical_xor;

template <class Tag>
typename Tag::Stored finish(typename Tag::Value x) {
  if constexpr (kIsFloat<typename Tag::Value>) {
    return Tag::store(settle(x));
  } else {
    return Tag::store(x);
  }
}

template <class Tag, Reduction kReduction>
constexpr bool reduction_has_meaning() {
  constexpr bool kArithmetic = kReduction == Reduction::sum || kReduction == Reduction::product;
  if (kReduction == Reduction::none) return false;
  if (Tag::family == Family::complex) return kArithmetic;
  if (Tag::family == Family::floating || Tag::family == Family::small_float)
    return !kIsBitwise<kReduction>;
  return true;
}

// The type and the reduction whose kernels give the same bits (types.inl.h). Lanes may start with
// their neutral element: it is joined with values in the range of the type.
template <class Tested, Reduction kReduction>
struct SameReduction {
  static constexpr bool kExtreme =
      kReduction == Reduction::minimum || kReduction == Reduction::maximum;
  static constexpr bool kPred = Tested::family == Family::pred;
  using OfInteger = typename Either<
      kExtreme, BytesTag<Tested>,
      typename Either<kIsBitwise<kReduction>, PlainTag<Tested>, BitsTag<Tested>>::type>::type;
  using Tag = typename Either<kPred, U8, OfInteger>::type;
  static constexpr Reduction reduction = !kPred || kReduction == Reduction::logical_xor ? kReduction
                                         : Step<PredTag, kReduction>::kOr ? Reduction::logical_or
                                                                          : Reduction::logical_and;
};

// The neutral element. For float addition it is -0: adding +0 would turn a sum of -0 into +0.
template <class Tag, Reduction kReduction>
constexpr typename Tag::Value identity() {
  using Value = typename Tag::Value;
  constexpr bool kFloat = Tag::family == Family::floating || Tag::family == Family::small_float;
  if constexpr (Tag::family == Family::complex) {
    if constexpr (kReduction == Reduction::sum) return {-0.0F, -0.0F};
    return {1, 0};
  } else if constexpr (Tag::family == Family::pred) {
    return kReduction == Reduction::product || kReduction == Reduction::minimum ||
           kReduction == Reduction::logical_and;
  } else if constexpr (kReduction == Reduction::sum) {
    return kFloat ? Value(-0.0) : Value(0);
  } else if constexpr (kReduction == Reduction::product) {
    return Value(1);
  } else if constexpr (kReduction == Reduction::minimum || kReduction == Reduction::maximum) {
    constexpr bool kLow = kReduction == Reduction::maximum;
    if constexpr (kFloat) {
      return kLow ? -Value(kInf64) : Value(kInf64);
    } else {
      constexpr u64 kTop = (~u64{0} >> (64 - Tag::bits)) >> (Tag::is_signed ? 1 : 0);
      return static_cast<Value>(kLow ? (Tag::is_signed ? ~kTop : 0) : kTop);
    }
  } else {
    return kReduction == Reduction::logical_and ? static_cast<Value>(~u64{0}) : Value(0);
  }
}

template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void accumulate(const void* a, const void* b, void* out, std::size_t n) noexcept {
  using Wide = typename AccumulatorOf<Tag>::type;
  const auto* x = static_cast<const typename Wide::Stored*>(a);
  const auto* y = static_cast<const typename Tag::Stored*>(b);
  auto* z = static_cast<typename Wide::Stored*>(out);
  for (std::size_t i = 0; i < n; ++i) {
    z[i] = finish<Wide>(Step<Wide, kReduction>::apply(Wide::load(x[i]), Tag::load(y[i])));
  }
}

// Reduces several operands into one. The accumulators of a tile (256 bytes, four AVX-512 registers)
// stay in registers while all operands are read side by side. Many parallel read streams use more
// of the memory bandwidth than one operand after the other, and the output is written once. The
// order per element is that of the operands, as in accumulate().
template <class Tag, Reduction kReduction>
UNDERSTUDY_ONCE void accumulate_all(const void* const* operands, std::size_t count, void* out,
                                    std::size_t n) noexcept {
  using Wide = typename AccumulatorOf<Tag>::type;
  using Value = typename Wide::Value;
  constexpr std::size_t kTile = 256 / sizeof(Value);
  auto* z = static_cast<typename Wide::Stored*>(out);
  std::size_t i = 0;
  for (; i + kTile <= n; i += kTile) {
    const auto* x = static_cast<const typename Tag::Stored*>(operands[0]) + i;
    Value tile[kTile];
    for (std::size_t l = 0; l < kTile; ++l) tile[l] = Tag::load(x[l]);
    for (std::size_t k = 1; k < count; ++k) {
      const auto* y = static_cast<const typename Tag::Stored*>(operands[k]) + i;
      for (std::size_t l = 0; l < kTile; ++l) {
        tile[l] = Wide::load(finish<Wide>(Step<Wide, kReduction>::apply(tile[l], Tag::load(y[l]))));
      }
    }
    for (std::size_t l = 0; l < kTile; ++l) z[i + l] = Wide::store(tile[l]);
  }
  for (; i < n; ++i) {
    Value sum = Tag::load(static_cast<const typename Tag::Stored*>(operands[0])[i]);
    for (std::size_t k = 1; k < count; ++k) {
      const auto next = Tag::load(static_cast<const typename Tag::Stored*>(operands[k])[i]);
      sum = Wide::load(finish<Wide>(Step<Wide, kReduction>::apply(sum, next)));
    }
    z[i] = Wide::store(sum);
  }
}

}  // namespace
}  // namespace understudy::program::kernels
