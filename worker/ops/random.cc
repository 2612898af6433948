// SPDX-License-Identifier: Apache-2.0
// rng_bit_generator, bit for bit as XLA expands it, and rng. Generators: Threefry 2x32 with 20
// rounds and Philox 4x32 with 10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011). The constants below are those of the paper.
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "configs/base/error.h"
#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {
namespace {

using Word = std::uint32_t;
using Long = std::uint64_t;

Word low(Long value) { return static_cast<Word>(value); }
Word high(Long value) { return static_cast<Word>(value >> 32); }
Long join(Word low_word, Word high_word) { return Long{high_word} << 32 | low_word; }
Word rotate(Word value, int by) { return value << by | value >> (32 - by); }

std::array<Word, 2> threefry(Long key, Long counter) {
  constexpr std::array<std::array<int, 4>, 2> kRotations = {{{13, 15, 26, 6}, {17, 29, 16, 24}}};
  const std::array<Word, 3> keys = {low(key), high(key), low(key) ^ high(key) ^ 0x1BD11BDAu};
  Word x0 = low(counter) + keys[0];
  Word x1 = high(counter) + keys[1];
  // 5 groups of 4 rounds; a key is injected after each group, with the group's number added so that
  // no two injections are equal.
  for (std::size_t group = 0; group < 5; ++group) {
    for (const int rotation : kRotations[group % 2]) {
      x0 += x1;
      x1 = rotate(x1, rotation) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + static_cast<Word>(group + 1);
  }
  return {x0, x1};
}

std::array<Word, 4> philox(Long key, Long counter_low, Long counter_high) {
  std::array<Word, 4> x = {low(counter_low), high(counter_low), low(counter_high),
                           high(counter_high)};
  std::array<Word, 2> k = {low(key), high(key)};
  for (int round = 0; round < 10; ++round) {
    const Long first = Long{0xD2511F53u} * x[0];
    const Long second = Long{0xCD9E8D57u} * x[2];
    x = {high(second) ^ x[1] ^ k[0], low(second), high(first) ^ x[3] ^ k[1], low(first)};
    k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
  }
  return x;
}

// Stores the low bytes of a word as one element (little endian).
void put(std::byte* out, std::size_t index, std::size_t bytes, Long value) {
  std::memcpy(out + index * bytes, &value, bytes);
}

// XLA places the two words of a block next to each other along one dimension: the first even one,
// else the longest.
std::size_t paired_dimension(const Shape& shape) {
  std::size_t longest = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] % 2 == 0) return d;
    if (shape[d] > shape[longest]) longest = d;
  }
  return longest;
}

// Fills `out` with words of up to 32 bits in XLA's order. Returns by how much the counter advances.
Long threefry_words(Long key, Long counter, const Operand& bits, std::byte* out) {
  const std::size_t bytes = element_bytes(bits);
  if (bits.type.shape.empty()) {
    put(out, 0, bytes, threefry(key, counter)[0]);
    return 1;
  }
  Shape halves = bits.type.shape;
  const std::size_t paired = paired_dimension(halves);
  // One block per pair of elements; for an odd size the last second word is dropped.
  halves[paired] = (halves[paired] + 1) / 2;
  const Shape strides = strides_of(halves);
  Counter index(bits.type.shape);
  std::size_t at = 0;
  for (bool more = !index.empty(); more; more = index.next(), ++at) {
    Long block = 0;
    for (std::size_t d = 0; d < halves.size(); ++d) {
      const std::int64_t place = d == paired ? index.at()[d] / 2 : index.at()[d];
      block += static_cast<Long>(place * strides[d]);
    }
    const auto half = static_cast<std::size_t>(index.at()[paired] % 2);
    put(out, at, bytes, threefry(key, counter + block)[half]);
  }
  return static_cast<Long>(program::TensorType{bits.type.element, halves}.elements());
}

Long threefry_longs(Long key, Long counter, std::size_t n, std::byte* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const auto words = threefry(key, counter + i);
    put(out, i, 8, join(words[0], words[1]));
  }
  return n;
}

// Each block gives four words of 32 bits or fewer, or two of 64. Returns the number of blocks.
Long philox_bits(Long key, Long counter_low, Long counter_high, std::size_t n, std::size_t bytes,
                 std::byte* out) {
  const std::size_t per_block = bytes == 8 ? 2 : 4;
  const Long blocks = (n + per_block - 1) / per_block;
  for (Long block = 0; block < blocks; ++block) {
    const Long at = counter_low + block;
    // 128-bit counter: a wrap of the lower half carries into the upper one.
    const auto words = philox(key, at, counter_high + (at < counter_low ? 1 : 0));
    for (std::size_t i = 0; i < per_block && block * per_block + i < n; ++i) {
      const Long value = bytes == 8 ? join(words[2 * i], words[2 * i + 1]) : Long{words[i]};
      put(out, block * per_block + i, bytes, value);
    }
  }
  return blocks;
}

// A uniform double in [0, 1): the upper 53 bits, all that a double holds.
double unit_uniform(Long bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

double standard_normal(const std::array<Word, 4>& words) {  // Box and Muller; 1 - u avoids log(0)
  const double radius = std::sqrt(-2 * std::log(1 - unit_uniform(join(words[0], words[1]))));
  return radius * std::cos(2 * std::numbers::pi * unit_uniform(join(words[2], words[3])));
}

double number_at(const Operand& operand, Execution& execution) {
  const auto kernel = execution.kernels->convert(operand.type.element, program::ElementType::f64);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  double value = 0;
  kernel(execution.address(operand.at), &value, 1);
  return value;
}

}  // namespace

// The state is key, counter[, upper counter] in 64-bit words. With two words, Philox takes the key
// as its upper counter, as XLA does.
void run(const program::RngBitGenerator& work, const Instruction& instruction,
         Execution& execution) {
  const Operand& state = instruction.inputs[0];
  const Operand& bits = instruction.outputs[1];
  const auto words = static_cast<std::size_t>(state.type.bytes()) / sizeof(Long);
  std::vector<Long> values(std::max<std::size_t>(words, 2));
  std::memcpy(values.data(), execution.address(state.at), words * sizeof(Long));
  const Long before = values[1];
  const auto n = static_cast<std::size_t>(bits.type.elements());
  const std::size_t bytes = element_bytes(bits);
  std::byte* const out = execution.writable(bits.at);
  if (work.algorithm == program::RngAlgorithm::three_fry) {
    values[1] += bytes == 8 ? threefry_longs(values[0], before, n, out)
                            : threefry_words(values[0], before, bits, out);
  } else {
    const Long upper = words > 2 ? values[2] : values[0];
    values[1] += philox_bits(values[0], before, upper, n, bytes, out);
    if (words > 2 && values[1] < before) ++values[2];
  }
  std::memcpy(execution.writable(instruction.outputs[0].at), values.data(), words * sizeof(Long));
}

// The spec leaves rng to the implementation. Here: Philox keyed by the operation's ordinal and
// counted within the launch, so that a run is reproducible and all chips draw the same numbers.
void run(const program::Rng& work, const Instruction& instruction, Execution& execution) {
  const Operand& out = instruction.outputs[0];
  const double a = number_at(instruction.inputs[0], execution);
  const double b = number_at(instruction.inputs[1], execution);
  const auto n = static_cast<std::size_t>(out.type.elements());
  const bool whole = !program::is_float(out.type.element);
  std::vector<double> values(n);
  for (double& value : values) {
    const auto words = philox(instruction.op, execution.rng_draws++, 0);
    value = work.normal ? a + b * standard_normal(words)
                        : a + (b - a) * unit_uniform(join(words[0], words[1]));
    if (whole) value = std::floor(value);
  }
  const auto kernel = execution.kernels->convert(program::ElementType::f64, out.type.element);
  UNDERSTUDY_ASSERT(kernel != nullptr);
  kernel(values.data(), execution.writable(out.at), n);
}

}  // namespace understudy::worker::ops
