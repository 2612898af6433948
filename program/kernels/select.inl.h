// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: which kernel belongs to an operation and a tag.
#pragma once

#include "program/kernels/block_math.inl.h"
#include "program/kernels/fold_rows.inl.h"
#include "program/kernels/leading_zeros.inl.h"

namespace understudy::program::kernels {
namespace {

template <class Op, class Kernel>
struct Row {
  Op op;
  Kernel kernel;
};

// A linear search: kernels are looked up once per instruction, not per element.
template <class Op, class Kernel, std::size_t kRows>
constexpr Kernel find(const Row<Op, Kernel> (&rows)[kRows], Op op) {
  for (const auto& row : rows) {
    if (row.op == op) return row.kernel;
  }
  return nullptr;
}

// The kernel of a real float type: a small one borrows f32's.
template <class Tag, class F>
constexpr UnaryKernel one() {
  if constexpr (Tag::family == Family::small_float) {
    return &map_one_small<Tag, &map_one<F32, F32, F>>;
  } else {
    return &map_one<Tag, Tag, F>;
  }
}
// The kernel of f32 over lanes for it and smaller types, libm or a core for f64.
template <class Tag, class Lane, class F>
constexpr UnaryKernel lanes() {
  if constexpr (Tag::family == Family::small_float) {
    return &map_one_small<Tag, &map_lanes<Lane>>;
  } else if constexpr (sizeof(typename Tag::Value) == 4) {
    return &map_lanes<Lane>;
  } else {
    return &map_one<Tag, Tag, F>;
  }
}
// The kernel that computes blocks of f32, libm or a core for f64.
template <class Tag, class Fast, class F>
constexpr UnaryKernel blocks() {
  if constexpr (Tag::family == Family::small_float) {
    return &map_one_small<Tag, &map_blocks<F32, F32, Fast>>;
  } else if constexpr (sizeof(typename Tag::Value) == 4) {
    return &map_blocks<F32, F32, Fast>;
  } else {
    return &map_one<Tag, Tag, F>;
  }
}
// The same for complex numbers.
template <class Tag, class Fast, class F>
constexpr UnaryKernel complex_blocks() {
  if constexpr (sizeof(typename Tag::Real) == 4) return &map_blocks<Tag, Tag, Fast>;
  return &map_one<Tag, Tag, F>;
}
template <class Tag, class F>
constexpr UnaryKernel test() {
  if constexpr (Tag::family == Family::small_float) {
    return &test_one_small<Tag, &map_one<F32, PredTag, F>>;
  } else {
    return &map_one<Tag, PredTag, F>;
  }
}
template <class Tag, class F>
constexpr BinaryKernel two() {
  if constexpr (__is_same(Tag, Bf16Tag) && (__is_same(F, Maximum) || __is_same(F, Minimum))) {
    return &map_two<U16, U16, Bf16Extreme<__is_same(F, Maximum)>>;
  } else if constexpr (Tag::family == Family::small_float) {
    return &map_two_small<Tag, &map_two<F32, F32, F>>;
  } else {
    return &map_two<Tag, Tag, F>;
  }
}
// The kernel of f32 for it and smaller types, an element at a time for f64.
template <class Tag, BinaryKernel kFast, class F>
constexpr BinaryKernel through_f32() {
  if constexpr (Tag::family == Family::small_float) {
    return &map_two_small<Tag, kFast>;
  } else if constexpr (sizeof(typename Tag::Value) == 4) {
    return kFast;
  } else {
    return &map_two<Tag, Tag, F>;
  }
}
template <class Tag, class F>
constexpr BinaryKernel divisions() {
  if constexpr (sizeof(typename Tag::Value) == 4) return &map_divisions<Tag, F>;
  return &map_two<Tag, Tag, F>;
}
template <class Tag>
constexpr BinaryKernel next_after() {
  if constexpr (Tag::family != Family::small_float) {
    return &map_two<Tag, Tag, NextAfter>;
  } else if constexpr (sizeof(typename Tag::Stored) == 2) {
    return &next_after_small<Tag>;
  } else {
    return nullptr;
  }
}

// Of f32 alone, which parts of complex numbers are.
template <class Tag>
constexpr BinaryKernel length_of_parts() {
  if constexpr (Tag::type == ElementType::f32) return &modulus_of_parts;
  return nullptr;
}

// Over 40 lines: a table with a row per function.
template <class Tag>
UnaryKernel unary_float(UnaryOp op) {
  static constexpr Row<UnaryOp, UnaryKernel> kRows[] = {
      {UnaryOp::abs, one<Tag, Absolute>()},
      {UnaryOp::cbrt, one<Tag, Cbrt>()},
      {UnaryOp::ceil, one<Tag, Ceil>()},
      {UnaryOp::cosine, lanes<Tag, LaneCosine, Cosine>()},
      {UnaryOp::exponential, lanes<Tag, LaneExponential, Exponential>()},
      {UnaryOp::exponential_minus_one, lanes<Tag, LaneExponentialMinusOne, ExponentialMinusOne>()},
      {UnaryOp::floor, one<Tag, Floor>()},
      {UnaryOp::imag, one<Tag, ZeroOf>()},
      {UnaryOp::is_finite, test<Tag, IsFinite>()},
      {UnaryOp::log, lanes<Tag, LaneLog, Log>()},
      {UnaryOp::log_plus_one, lanes<Tag, LaneLogPlusOne, LogPlusOne>()},
      {UnaryOp::logistic, lanes<Tag, LaneLogistic, Logistic>()},
      {UnaryOp::negate, one<Tag, Negate>()},
      {UnaryOp::real, &copy<Tag>},
      {UnaryOp::round_nearest_afz, one<Tag, RoundAway>()},
      {UnaryOp::round_nearest_even, one<Tag, RoundEven>()},
      {UnaryOp::rsqrt, one<Tag, Rsqrt>()},
      {UnaryOp::sign, one<Tag, Sign>()},
      {UnaryOp::sine, lanes<Tag, LaneSine, Sine>()},
      {UnaryOp::sqrt, one<Tag, Sqrt>()},
      {UnaryOp::tan, lanes<Tag, LaneTangent, Tangent>()},
      {UnaryOp::tanh, lanes<Tag, LaneTanh, Tanh>()},
      {UnaryOp::acos, one<Tag, Acos>()},
      {UnaryOp::acosh, lanes<Tag, LaneAcosh, Acosh>()},
      {UnaryOp::asin, one<Tag, Asin>()},
      {UnaryOp::asinh, lanes<Tag, LaneAsinh, Asinh>()},
      {UnaryOp::atan, one<Tag, Atan>()},
      {UnaryOp::atanh, lanes<Tag, LaneAtanh, Atanh>()},
      {UnaryOp::bessel_i1e, one<Tag, BesselI1e>()},
      {UnaryOp::conj, &copy<Tag>},
      {UnaryOp::cosh, one<Tag, Cosh>()},
      {UnaryOp::digamma, blocks<Tag, FastDigamma, Digamma>()},
      {UnaryOp::erf, lanes<Tag, LaneErf, Erf>()},
      {UnaryOp::erf_inv, lanes<Tag, LaneErfInv, ErfInv>()},
      {UnaryOp::erfc, lanes<Tag, LaneErfc, Erfc>()},
      {UnaryOp::is_inf, test<Tag, IsInf>()},
      {UnaryOp::is_neg_inf, test<Tag, IsNegInf>()},
      {UnaryOp::is_pos_inf, test<Tag, IsPosInf>()},
      {UnaryOp::lgamma, blocks<Tag, FastLgamma, Lgamma>()},
      {UnaryOp::sinh, one<Tag, Sinh>()},
      {UnaryOp::square, one<Tag, Square>()},
  };
  return find(kRows, op);
}

template <class Tag, class Real>
constexpr UnaryKernel modulus_kernel() {
  if constexpr (sizeof(typename Tag::Real) == 4) return &map_complex<LaneModulus, float>;
  return &map_one<Tag, Real, ModulusOf>;
}
// The kernel of complex<f32>, an element at a time for complex<f64>.
template <class Tag, UnaryKernel kFast, class F>
constexpr UnaryKernel one_complex() {
  if constexpr (sizeof(typename Tag::Real) == 4) return kFast;
  return &map_one<Tag, Tag, F>;
}
template <class Tag, BinaryKernel kFast, class F>
constexpr BinaryKernel two_complex() {
  if constexpr (sizeof(typename Tag::Real) == 4) return kFast;
  return &map_two<Tag, Tag, F>;
}
template <class Tag>
UnaryKernel unary_complex(UnaryOp op) {
  using Real = FloatTag<ElementType::f64, typename Tag::Real>;
  static constexpr Row<UnaryOp, UnaryKernel> kRows[] = {
      {UnaryOp::abs, modulus_kernel<Tag, Real>()},
      {UnaryOp::acos, &map_one<Tag, Tag, ComplexAcos>},
      {UnaryOp::acosh, &map_one<Tag, Tag, ComplexAcosh>},
      {UnaryOp::asin, &map_one<Tag, Tag, ComplexAsin>},
      {UnaryOp::asinh, &map_one<Tag, Tag, ComplexAsinh>},
      {UnaryOp::atan, &map_one<Tag, Tag, ComplexAtan>},
      {UnaryOp::atanh, &map_one<Tag, Tag, ComplexAtanh>},
      {UnaryOp::cbrt, &map_one<Tag, Tag, ComplexCbrt>},
      {UnaryOp::conj, &map_one<Tag, Tag, Conjugate>},
      {UnaryOp::cosh, complex_blocks<Tag, FastComplexCosh, ComplexCosh>()},
      {UnaryOp::cosine, complex_blocks<Tag, FastComplexCos, ComplexCos>()},
      {UnaryOp::exponential, complex_blocks<Tag, FastComplexExp, ComplexExp>()},
      {UnaryOp::exponential_minus_one, &map_one<Tag, Tag, ComplexExpm1>},
      {UnaryOp::imag, &map_one<Tag, Real, ImagOf>},
      {UnaryOp::log, complex_blocks<Tag, FastComplexLog, ComplexLog>()},
      {UnaryOp::log_plus_one, &map_one<Tag, Tag, ComplexLog1p>},
      {UnaryOp::logistic, &map_one<Tag, Tag, ComplexLogistic>},
      {UnaryOp::negate, &map_one<Tag, Tag, ComplexNegate>},
      {UnaryOp::real, &map_one<Tag, Real, RealOf>},
      {UnaryOp::rsqrt, one_complex<Tag, &map_complex<LaneComplexRsqrt, Narrow>, ComplexRsqrt>()},
      {UnaryOp::sign, one_complex<Tag, &direction_of_complex, ComplexSign>()},
      {UnaryOp::sine, complex_blocks<Tag, FastComplexSin, ComplexSin>()},
      {UnaryOp::sinh, complex_blocks<Tag, FastComplexSinh, ComplexSinh>()},
      {UnaryOp::sqrt, one_complex<Tag, &map_complex<LaneComplexSqrt, Narrow>, ComplexSqrt>()},
      {UnaryOp::square, one_complex<Tag, &square_complex, ComplexSquare>()},
      {UnaryOp::tan, complex_blocks<Tag, FastComplexTan, ComplexTan>()},
      {UnaryOp::tanh, complex_blocks<Tag, FastComplexTanh, ComplexTanh>()},
  };
  return find(kRows, op);
}

// nullptr where an operation has no meaning for a type: the compiler refuses such programs.
template <class Tag>
UnaryKernel unary_of(UnaryOp op) noexcept {
  if constexpr (Tag::family == Family::complex) {
    return unary_complex<Tag>(op);
  } else if constexpr (Tag::family == Family::pred) {
    return op == UnaryOp::logical_not ? &map_one<Tag, Tag, LogicalNot<Tag>> : nullptr;
  } else if constexpr (Tag::family == Family::integer) {
    using Bits = BitsTag<Tag>;
    static constexpr Row<UnaryOp, UnaryKernel> kRows[] = {
        {UnaryOp::abs, &map_one<Tag, Tag, Absolute>},
        {UnaryOp::count_leading_zeros, &leading_zeros_of<Bits>},
        {UnaryOp::logical_not, &map_one<Bits, Bits, LogicalNot<Bits>>},
        {UnaryOp::negate, &map_one<Bits, Bits, Negate>},
        {UnaryOp::popcnt, &map_one<Bits, Bits, Popcnt<Bits>>},
        {UnaryOp::sign, &map_one<Tag, Tag, Sign>},
        {UnaryOp::square, &map_one<Bits, Bits, Square>},
    };
    return find(kRows, op);
  } else {
    return unary_float<Tag>(op);
  }
}

}  // namespace
}  // namespace understudy::program::kernels
