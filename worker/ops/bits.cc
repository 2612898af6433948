// SPDX-License-Identifier: Apache-2.0
// reduce_precision and bitcast_convert (StableHLO spec): both work on the bits of elements, not on
// their values.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/chip/vector_code.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// Elements converted at a time: 4 KiB of f32, well inside the first-level cache.
constexpr std::size_t kBitsTile = 1024;

// A reduce_precision of elements with kMantissa and kExponent bits in the integer T. Rounds to
// nearest even, then replaces what leaves the exponent's range by infinity or by a zero of its
// sign: values that would be denormal flush to zero. NaNs stay NaNs; with no mantissa bits left a
// NaN has no encoding and becomes infinity.
template <class T, int kMantissa, int kExponent>
struct Reducer {
  static constexpr T kSign = static_cast<T>(T{1} << (kMantissa + kExponent));
  static constexpr T kInfinity = static_cast<T>(((T{1} << kExponent) - 1) << kMantissa);

  explicit Reducer(const program::ReducePrecision& work)
      : dropped(std::max(0, kMantissa - static_cast<int>(work.mantissa_bits))),
        half(static_cast<T>(dropped > 0 ? (T{1} << (dropped - 1)) - 1 : 0)),
        odd(dropped > 0 ? 1 : 0),
        kept(static_cast<T>(~((T{1} << dropped) - 1))) {
    const bool has_nan = work.mantissa_bits > 0;
    nan = has_nan ? static_cast<T>(~T{0}) : static_cast<T>(kSign | kInfinity);
    if (work.exponent_bits >= kExponent) return;
    // Compares biased exponents: the narrow type reaches `reach` above and below the bias.
    const T bias = static_cast<T>((T{1} << (kExponent - 1)) - 1);
    const T reach = static_cast<T>((T{1} << (work.exponent_bits - 1)) - 1);
    greatest = static_cast<T>(((bias + reach + 1) << kMantissa) - 1);
    least = static_cast<T>((bias - reach + 1) << kMantissa);
  }

  T operator()(T bits) const {
    const T sign = bits & kSign;
    const T magnitude = bits & static_cast<T>(~kSign);
    // Adds just below half of the last kept bit, plus that bit: a tie rounds up only if the kept
    // part is odd. A carry runs into the exponent, which is what rounding up needs.
    const T last = static_cast<T>(magnitude >> dropped) & odd;
    T rounded = static_cast<T>(magnitude + half + last) & kept;
    rounded = rounded > greatest ? kInfinity : rounded;
    rounded = rounded < least ? T{0} : rounded;
    return magnitude > kInfinity ? static_cast<T>(bits & nan) : static_cast<T>(sign | rounded);
  }

  int dropped;                         // bits of the mantissa
  T half, odd, kept;                   // of the rounding
  T nan;                               // the bits of a NaN that stay
  T greatest = static_cast<T>(~T{0});  // finite numbers of the narrow type
  T least = 0;                         // normal numbers of it
};

template <class T, int kMantissa, int kExponent>
[[gnu::always_inline]] inline void reduce_elements(const std::byte* in, std::byte* out,
                                                   std::size_t n,
                                                   const program::ReducePrecision& work) {
  const Reducer<T, kMantissa, kExponent> reduced(work);
  const auto* const from = reinterpret_cast<const InMemory<T>*>(in);
  auto* const to = reinterpret_cast<InMemory<T>*>(out);
  UNDERSTUDY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) to[i].value = reduced(from[i].value);
}
UNDERSTUDY_VECTOR_CODE void reduce_f32(const std::byte* in, std::byte* out, std::size_t n,
                                       const program::ReducePrecision& work) {
  reduce_elements<std::uint32_t, 23, 8>(in, out, n, work);
}
UNDERSTUDY_VECTOR_CODE void reduce_f64(const std::byte* in, std::byte* out, std::size_t n,
                                       const program::ReducePrecision& work) {
  reduce_elements<std::uint64_t, 52, 11>(in, out, n, work);
}
UNDERSTUDY_VECTOR_CODE void reduce_bf16(const std::byte* in, std::byte* out, std::size_t n,
                                        const program::ReducePrecision& work) {
  reduce_elements<std::uint16_t, 7, 8>(in, out, n, work);
}
UNDERSTUDY_VECTOR_CODE void reduce_f16(const std::byte* in, std::byte* out, std::size_t n,
                                       const program::ReducePrecision& work) {
  reduce_elements<std::uint16_t, 10, 5>(in, out, n, work);
}

// Elements narrower than a byte occupy one byte each in memory, so bitcast_convert between them and
// wider types repacks the bits: element 0 holds the lowest. `held` is a queue of up to 64 bits:
// input elements are appended at the top, outputs are taken from the bottom.
void repack(const std::byte* in, int in_bits, std::byte* out, int out_bits, std::size_t out_count,
            bool sign_extends) {
  std::uint64_t held = 0;
  int bits = 0;
  const auto in_bytes = static_cast<std::size_t>((in_bits + 7) / 8);
  const auto out_bytes = static_cast<std::size_t>((out_bits + 7) / 8);
  for (std::size_t i = 0; i < out_count; ++i) {
    while (bits < out_bits) {
      std::uint64_t next = 0;
      std::memcpy(&next, in, in_bytes);
      in += in_bytes;
      if (in_bits < 64) next &= (std::uint64_t{1} << in_bits) - 1;
      held |= next << bits;
      bits += in_bits;
    }
    const std::uint64_t mask =
        out_bits < 64 ? (std::uint64_t{1} << out_bits) - 1 : ~std::uint64_t{0};
    std::uint64_t value = held & mask;
    const bool negative = sign_extends && ((value >> (out_bits - 1)) & 1) != 0;
    if (negative) value |= ~mask;
    std::memcpy(out, &value, out_bytes);
    out += out_bytes;
    held = out_bits < 64 ? held >> out_bits : 0;
    bits -= out_bits;
  }
}

}  // namespace

void run(const program::ReducePrecision& work, const Instruction& instruction,
         Execution& execution) {
  using program::ElementType;
  const Operand& out = instruction.outputs[0];
  const std::size_t n = count_of(out, execution);
  const std::byte* const in = read(instruction.inputs[0], n, execution);
  std::byte* const to = execution.writable(out.at);
  if (out.type.element == ElementType::f32) return reduce_f32(in, to, n, work);
  if (out.type.element == ElementType::f64) return reduce_f64(in, to, n, work);
  if (out.type.element == ElementType::bf16) return reduce_bf16(in, to, n, work);
  if (out.type.element == ElementType::f16) return reduce_f16(in, to, n, work);
  // 8-bit floats go through f32: rounding to fewer bits gives the same result there, because f32
  // holds all of their values.
  const auto widen = execution.kernels->convert(out.type.element, ElementType::f32);
  const auto narrow = execution.kernels->convert(ElementType::f32, out.type.element);
  std::byte* const tile = execution.vmem->take(std::min(n, kBitsTile) * sizeof(float));
  for (std::size_t i = 0; i < n; i += kBitsTile) {
    const std::size_t count = std::min(kBitsTile, n - i);
    widen(in + i, tile, count);
    reduce_f32(tile, tile, count, work);
    narrow(tile, to + i, count);
  }
}

void run(const program::BitcastConvert&, const Instruction& instruction, Execution& execution) {
  const Operand& x = instruction.inputs[0];
  const Operand& out = instruction.outputs[0];
  const std::size_t n = count_of(out, execution);
  std::byte* const to = execution.writable(out.at);
  const int in_bits = program::bit_width(x.type.element);
  const int out_bits = program::bit_width(out.type.element);
  const std::size_t bytes = n * element_bytes(out);
  if (in_bits == out_bits || (in_bits % 8 == 0 && out_bits % 8 == 0)) {
    const std::byte* const from =
        in_bits == out_bits ? read(x, n, execution) : execution.address(x.at);
    // Same bytes, other element type. memmove: the output may overlap its input.
    if (from == to || n == 0) return;
    std::memmove(to, from, bytes);
    return;
  }
  repack(execution.address(x.at), in_bits, to, out_bits, n,
         program::is_signed_integer(out.type.element));
}

}  // namespace understudy::worker::ops
