// SPDX-License-Identifier: Apache-2.0
// The text of all kernels. Each isa_*.cc includes it and compiles it with its own flags; everything
// has internal linkage, so that no body compiled for a wide instruction set reaches other files.
// Includes nothing but <cstddef>, <cstdint> and plain data.
#pragma once

#include "program/kernels/fft.inl.h"
#include "program/kernels/kernel_table.h"
#include "program/kernels/power.inl.h"
#include "program/kernels/select.inl.h"
#include "program/kernels/select_reduction.inl.h"

namespace understudy::program::kernels {
namespace {

// Over 40 lines: the tables of all families of element types, of which each Tag has one.
template <class Tag>
BinaryKernel binary_of(BinaryOp op) noexcept {
  if constexpr (Tag::family == Family::complex) {
    static constexpr Row<BinaryOp, BinaryKernel> kRows[] = {
        {BinaryOp::add, two_complex<Tag, &map_parts<Add>, ComplexAdd>()},
        {BinaryOp::atan2, &map_two<Tag, Tag, ComplexAtan2>},
        {BinaryOp::divide, two_complex<Tag, &map_two_complex<LaneComplexDivide>, ComplexDivide>()},
        {BinaryOp::maximum, &map_two<Tag, Tag, ComplexMaximum>},
        {BinaryOp::minimum, &map_two<Tag, Tag, ComplexMinimum>},
        {BinaryOp::multiply, two_complex<Tag, &multiply_complex, ComplexMultiply>()},
        {BinaryOp::power, two_complex<Tag, &power_of_complex, ComplexPower>()},
        {BinaryOp::subtract, two_complex<Tag, &map_parts<Subtract>, ComplexSubtract>()},
    };
    return find(kRows, op);
  } else if constexpr (Tag::family == Family::pred) {
    static constexpr Row<BinaryOp, BinaryKernel> kRows[] = {
        {BinaryOp::add, &map_two<U8, U8, Or>},
        {BinaryOp::maximum, &map_two<U8, U8, Or>},
        {BinaryOp::logical_or, &map_two<U8, U8, Or>},
        {BinaryOp::multiply, &map_two<U8, U8, And>},
        {BinaryOp::minimum, &map_two<U8, U8, And>},
        {BinaryOp::logical_and, &map_two<U8, U8, And>},
        {BinaryOp::logical_xor, &map_two<U8, U8, Xor>},
    };
    return find(kRows, op);
  } else if constexpr (Tag::family == Family::integer) {
    using Bits = BitsTag<Tag>;
    using Bytes = BytesTag<Tag>;
    using Plain = PlainTag<Tag>;
    static constexpr Row<BinaryOp, BinaryKernel> kRows[] = {
        {BinaryOp::add, &map_two<Bits, Bits, Add>},
        {BinaryOp::divide, divisions<Tag, Divide>()},
        {BinaryOp::maximum, &map_two<Bytes, Bytes, Maximum>},
        {BinaryOp::minimum, &map_two<Bytes, Bytes, Minimum>},
        {BinaryOp::multiply, &map_two<Bits, Bits, Multiply>},
        {BinaryOp::power, &power_whole<Tag>},
        {BinaryOp::remainder, divisions<Tag, Remainder>()},
        {BinaryOp::shift_left, &map_two<Bits, Bits, ShiftLeft<Bits>>},
        {BinaryOp::shift_right_arithmetic, &map_two<Bits, Bits, ShiftRightArithmetic<Bits>>},
        {BinaryOp::shift_right_logical, &map_two<Bits, Bits, ShiftRightLogical<Bits>>},
        {BinaryOp::subtract, &map_two<Bits, Bits, Subtract>},
        {BinaryOp::logical_and, &map_two<Plain, Plain, And>},
        {BinaryOp::logical_or, &map_two<Plain, Plain, Or>},
        {BinaryOp::logical_xor, &map_two<Plain, Plain, Xor>},
    };
    return find(kRows, op);
  } else {
    static constexpr Row<BinaryOp, BinaryKernel> kRows[] = {
        {BinaryOp::add, two<Tag, Add>()},
        {BinaryOp::atan2, two<Tag, Atan2>()},
        {BinaryOp::divide, two<Tag, Divide>()},
        {BinaryOp::hypot, length_of_parts<Tag>()},
        {BinaryOp::maximum, two<Tag, Maximum>()},
        {BinaryOp::minimum, two<Tag, Minimum>()},
        {BinaryOp::multiply, two<Tag, Multiply>()},
        {BinaryOp::next_after, next_after<Tag>()},
        {BinaryOp::polygamma, two<Tag, Polygamma>()},
        {BinaryOp::power, through_f32<Tag, &power_f32, Power>()},
        {BinaryOp::remainder, through_f32<Tag, &remainder_f32, Remainder>()},
        {BinaryOp::subtract, two<Tag, Subtract>()},
        {BinaryOp::zeta, two<Tag, Zeta>()},
    };
    return find(kRows, op);
  }
}

template <class Tag>
struct PickUnary {
  static UnaryKernel pick(UnaryOp op) noexcept { return unary_of<Tag>(op); }
};
template <class Tag>
struct PickBinary {
  static BinaryKernel pick(BinaryOp op) noexcept { return binary_of<Tag>(op); }
};
template <class Tag>
struct PickCompare {
  static BinaryKernel pick(Direction direction, bool total) noexcept {
    return compare_of<Tag>(direction, total);
  }
};

// clang-format off
#define UNDERSTUDY_EACH_TAG(X) \
  X(PredTag) X(I2) X(I4) X(I8) X(I16) X(I32) X(I64) X(U2) X(U4) X(U8) X(U16) X(U32) X(U64) \
  X(F4E2M1FN) X(F6E2M3FN) X(F6E3M2FN) X(F8E3M4) X(F8E4M3) X(F8E4M3B11) X(F8E4M3FN) \
  X(F8E4M3FNUZ) X(F8E5M2) X(F8E5M2FNUZ) X(F8E8M0Tag) X(Bf16Tag) X(F16Tag) X(F32) X(F64) X(C64) \
  X(C128)
// clang-format on

// Pick<Tag>::pick(arguments...) for the tag of a run-time `type`: the only switch over element
// types. All else is resolved at compile time, per tag.
template <template <class> class Pick, class... Arguments>
auto by_type(ElementType type, Arguments... arguments) noexcept
    -> decltype(Pick<F32>::pick(arguments...)) {
  switch (type) {
#define UNDERSTUDY_CASE(Tag) \
  case Tag::type:            \
    return Pick<Tag>::pick(arguments...);
    UNDERSTUDY_EACH_TAG(UNDERSTUDY_CASE)
#undef UNDERSTUDY_CASE
  }
  return nullptr;
}

template <class From>
struct PickTarget {
  template <class To>
  struct Of {
    static UnaryKernel pick() noexcept { return conversion<From, To>(); }
  };
};
template <class From>
struct PickConversion {
  static UnaryKernel pick(ElementType to) noexcept {
    return by_type<PickTarget<From>::template Of>(to);
  }
};

UnaryKernel pick_unary(UnaryOp op, ElementType type) noexcept {
  return by_type<PickUnary>(type, op);
}
BinaryKernel complex_of(ElementType type) noexcept {
  if (type == ElementType::f32) return &map_two<F32, C64, ComplexOf>;
  if (type == ElementType::f64) return &map_two<F64, C128, ComplexOf>;
  return nullptr;
}
BinaryKernel pick_binary(BinaryOp op, ElementType type) noexcept {
  return op == BinaryOp::complex ? complex_of(type) : by_type<PickBinary>(type, op);
}
BinaryKernel pick_compare(Direction direction, bool total, ElementType type) noexcept {
  return by_type<PickCompare>(type, direction, total);
}
UnaryKernel pick_convert(ElementType from, ElementType to) noexcept {
  return by_type<PickConversion>(from, to);
}
FoldKernel pick_fold(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<FoldOf>::Of>(type, reduction);
}
FoldRowsKernel pick_fold_rows(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<FoldRowsOf>::Of>(type, reduction);
}
AccumulateRowsKernel pick_accumulate_rows(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<AccumulateRowsOf>::Of>(type, reduction);
}
BinaryKernel pick_accumulate(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<AccumulateOf>::Of>(type, reduction);
}
GatherKernel pick_accumulate_all(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<AccumulateAllOf>::Of>(type, reduction);
}
template <class T>
void choose(const void* pred, const void* on_true, const void* on_false, void* out,
            std::size_t n) noexcept {
  const auto* p = static_cast<const u8*>(pred);
  const auto* x = static_cast<const T*>(on_true);
  const auto* y = static_cast<const T*>(on_false);
  auto* z = static_cast<T*>(out);
  for (std::size_t i = 0; i < n; ++i) {
    const T yes = x[i];
    const T no = y[i];
    z[i] = p[i] != 0 ? yes : no;
  }
}
SelectKernel pick_select(std::size_t element_bytes) noexcept {
  static constexpr Row<std::size_t, SelectKernel> kRows[] = {
      {1, &choose<u8>},  {2, &choose<u16>},           {4, &choose<u32>},
      {8, &choose<u64>}, {16, &choose<Complex<u64>>},
  };
  return find(kRows, element_bytes);
}
IdentityWriter pick_identity(Reduction reduction, ElementType type) noexcept {
  return by_type<PickReduction<IdentityOf>::Of>(type, reduction);
}

constexpr KernelTable table_named(const char* isa, ChainKernels (*chains)() noexcept) {
  return {isa,
          &pick_unary,
          &pick_binary,
          &pick_compare,
          &pick_convert,
          &pick_fold,
          &pick_fold_rows,
          &pick_accumulate_rows,
          &pick_accumulate,
          &pick_accumulate_all,
          &pick_select,
          &pick_identity,
          fft_kernels<float>(),
          fft_kernels<double>(),
          chains};
}

}  // namespace
}  // namespace understudy::program::kernels
