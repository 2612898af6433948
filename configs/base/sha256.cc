// SPDX-License-Identifier: Apache-2.0
#include "configs/base/sha256.h"

#include <array>
#include <bit>
#include <cstdint>
#include <fmt/format.h>

namespace understudy {
namespace {

constexpr std::size_t kBlock = 64, kRounds = 64;
using State = std::array<std::uint32_t, 8>;
__extension__ using Wide = unsigned __int128;

constexpr std::array<std::uint64_t, kRounds> first_primes() {
  std::array<std::uint64_t, kRounds> primes{};
  std::size_t found = 0;
  for (std::uint64_t n = 2; found < kRounds; ++n) {
    bool is_prime = true;
    for (std::size_t i = 0; i < found && is_prime; ++i) is_prime = n % primes[i] != 0;
    if (is_prime) primes[found++] = n;
  }
  return primes;
}

// The first 32 bits of the fractional part of the `degree`-th root of n: the largest r with
// r^degree <= n * 2^(32 * degree), without its whole part. Sections 4.2.2 and 5.3.3.
constexpr std::uint32_t root_bits(std::uint64_t n, int degree) {
  Wide low = 0, high = Wide{1} << 36U;
  while (high - low > 1) {
    const Wide middle = (low + high) / 2;
    // middle < 2^36, so that its cube fits into 108 bits
    const Wide power = degree == 2 ? middle * middle : middle * middle * middle;
    (power <= Wide{n} << (32U * static_cast<unsigned>(degree)) ? low : high) = middle;
  }
  return static_cast<std::uint32_t>(low);
}

constexpr std::array<std::uint32_t, kRounds> round_constants() {
  std::array<std::uint32_t, kRounds> constants{};
  for (std::size_t i = 0; i < kRounds; ++i) constants[i] = root_bits(first_primes()[i], 3);
  return constants;
}
constexpr State initial_state() {
  State state{};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = root_bits(first_primes()[i], 2);
  return state;
}
constexpr std::array<std::uint32_t, kRounds> kConstants = round_constants();
static_assert(kConstants[0] == 0x428a2f98U && kConstants[63] == 0xc67178f2U);
static_assert(initial_state()[0] == 0x6a09e667U);

std::uint32_t byte_at(std::string_view block, std::size_t at) {
  return static_cast<unsigned char>(block[at]);
}

void add_block(State& state, std::string_view block) {
  std::array<std::uint32_t, kRounds> w{};
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = byte_at(block, 4 * t) << 24U | byte_at(block, 4 * t + 1) << 16U |
           byte_at(block, 4 * t + 2) << 8U | byte_at(block, 4 * t + 3);
  for (std::size_t t = 16; t < kRounds; ++t) {
    const std::uint32_t x = w[t - 15], y = w[t - 2];
    w[t] = w[t - 16] + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3U) + w[t - 7] +
           (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10U);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < kRounds; ++t) {
    const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                              ((e & f) ^ (~e & g)) + kConstants[t] + w[t];
    const std::uint32_t two =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const State sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += sum[i];
}

}  // namespace

std::string sha256_of(std::string_view bytes) {
  State state = initial_state();
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  while (bytes.size() >= kBlock) {
    add_block(state, bytes.substr(0, kBlock));
    bytes.remove_prefix(kBlock);
  }
  std::string tail(bytes);
  tail += '\x80';
  while (tail.size() % kBlock != kBlock - 8) tail += '\0';
  for (unsigned shift = 64; shift > 0; shift -= 8) tail += static_cast<char>(bits >> (shift - 8));
  for (std::size_t at = 0; at < tail.size(); at += kBlock)
    add_block(state, std::string_view(tail).substr(at, kBlock));
  std::string digits;
  for (const std::uint32_t word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

}  // namespace understudy
