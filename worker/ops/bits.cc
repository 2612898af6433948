// SPDX-License-Identifier: Apache-2.0
// reduce_precision and bitcast_convert (StableHLO spec): both work on the bits of elements, not on
// their values.
#include <algorithm>
#include <cstring>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

// Elements converted at a time: 4 KiB of f32, well inside the first-level cache.
constexpr std::size_t kBitsTile = 1024;

using Bits = std::uint64_t;

// Rounds to nearest even at `mantissa_bits`, then replaces what leaves the exponent's range by
// infinity or by a zero of its sign: values that would be denormal flush to zero. NaNs stay NaNs;
// with no mantissa bits left a NaN has no encoding and becomes infinity.
template <int kMantissa, int kExponent>
Bits reduced(Bits bits, const program::ReducePrecision& work) {
  constexpr Bits kSign = Bits{1} << (kMantissa + kExponent);
  constexpr Bits kInfinity = ((Bits{1} << kExponent) - 1) << kMantissa;
  const Bits sign = bits & kSign;
  Bits magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return work.mantissa_bits > 0 ? bits : (sign | kInfinity);
  if (work.mantissa_bits < kMantissa) {
    // Adds just below half of the last kept bit, plus that bit: a tie rounds up only if the kept
    // part is odd. A carry runs into the exponent, which is what rounding up needs.
    const int dropped = kMantissa - work.mantissa_bits;
    const Bits last = (magnitude >> dropped) & 1;
    magnitude += (Bits{1} << (dropped - 1)) - 1 + last;
    magnitude &= ~((Bits{1} << dropped) - 1);
  }
  if (work.exponent_bits < kExponent) {
    // Compares biased exponents: the narrow type reaches `reach` above and below the bias.
    const Bits bias = (Bits{1} << (kExponent - 1)) - 1;
    const Bits reach = (Bits{1} << (work.exponent_bits - 1)) - 1;
    const Bits exponent = magnitude >> kMantissa;
    if (exponent > bias + reach) magnitude = kInfinity;
    if (exponent <= bias - reach) magnitude = 0;
  }
  return sign | magnitude;
}

template <int kMantissa, int kExponent>
void reduce_all(const std::byte* in, std::byte* out, std::size_t n,
                const program::ReducePrecision& work) {
  constexpr std::size_t kBytes = (1 + kMantissa + kExponent) / 8;
  for (std::size_t i = 0; i < n; ++i) {
    Bits bits = 0;
    std::memcpy(&bits, in + i * kBytes, kBytes);
    bits = reduced<kMantissa, kExponent>(bits, work);
    std::memcpy(out + i * kBytes, &bits, kBytes);
  }
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
  if (out.type.element == ElementType::f32) {
    return reduce_all<23, 8>(in, to, n, work);
  }
  if (out.type.element == ElementType::f64) {
    return reduce_all<52, 11>(in, to, n, work);
  }
  if (out.type.element == ElementType::bf16) {
    return reduce_all<7, 8>(in, to, n, work);
  }
  if (out.type.element == ElementType::f16) {
    return reduce_all<10, 5>(in, to, n, work);
  }
  // 8-bit floats go through f32: rounding to fewer bits gives the same result there, because f32
  // holds all of their values.
  const auto widen = execution.kernels->convert(out.type.element, ElementType::f32);
  const auto narrow = execution.kernels->convert(ElementType::f32, out.type.element);
  std::byte* const tile = execution.vmem->take(std::min(n, kBitsTile) * sizeof(float));
  for (std::size_t i = 0; i < n; i += kBitsTile) {
    const std::size_t count = std::min(kBitsTile, n - i);
    widen(in + i, tile, count);
    reduce_all<23, 8>(tile, tile, count, work);
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
