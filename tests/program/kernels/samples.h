// SPDX-License-Identifier: Apache-2.0
// Inputs for kernel tests: runs of every element type, rich in special values.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "program/executable/executable.h"
#include "program/ir/element_type.h"
#include "program/kernels/kernels.h"

namespace understudy::program::kernels {

inline std::vector<ElementType> all_types() {
  std::vector<ElementType> types;
  for (std::size_t i = 0; i < kElementTypes; ++i) types.push_back(static_cast<ElementType>(i));
  return types;
}

inline std::vector<double> special_doubles() {
  const double inf = std::numeric_limits<double>::infinity();
  return {0.0,     -0.0,    inf,       -inf,   std::nan(""), -std::nan(""), 1.0,     -1.0,  0.5,
          -0.5,    1e-40,   -1e-40,    1e-310, 1e-45,        3.4e38,        -3.4e38, 1e300, 2.0,
          3.0,     -7.0,    127.5,     128.0,  255.0,        2147483648.0,  1e19,    -1e19, 0.75,
          88.7,    -103.9,  1.5707964, 1e7,    3e9,          65504.0,       65520.0, 448.0, 464.0,
          57344.0, 61440.0, 1.0625,    0.4375, 5.5,          6.0,           2.5,     -2.5,  1e-8};
}

inline bool valid_code(ElementType type, unsigned code) {
  const unsigned bits = static_cast<unsigned>(bit_width(type));
  return bits >= 8 || code < (1U << bits);
}

// `n` elements of `type` as bytes; the same for the same `seed`.
inline std::vector<std::byte> sample(ElementType type, std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed * 977U + static_cast<unsigned>(type));
  const std::size_t bytes = byte_size(type);
  std::vector<std::byte> out(n * bytes);
  const auto specials = special_doubles();
  const bool complex = is_complex(type);
  const ElementType part = type == ElementType::c64    ? ElementType::f32
                           : type == ElementType::c128 ? ElementType::f64
                                                       : type;
  const std::size_t part_bytes = byte_size(part);
  for (std::size_t i = 0; i < n * (complex ? 2 : 1); ++i) {
    std::uint64_t bits = random();
    if (part == ElementType::pred) bits &= 1;
    if (part == ElementType::f32 || part == ElementType::f64) {
      const double normal = std::normal_distribution<double>(0.0, 4.0)(random);
      const double value = random() % 3 == 0 ? specials[random() % specials.size()] : normal;
      if (random() % 8 != 0) {
        if (part == ElementType::f32) {
          const auto narrow = static_cast<float>(value);
          std::memcpy(&bits, &narrow, sizeof(narrow));
        } else {
          std::memcpy(&bits, &value, sizeof(value));
        }
      }
    }
    if (part == ElementType::i4) bits = static_cast<std::uint64_t>(int(bits % 16) - 8);
    if (part == ElementType::i2) bits = static_cast<std::uint64_t>(int(bits % 4) - 2);
    if (bit_width(part) < 8 && !is_signed_integer(part)) bits &= (1U << bit_width(part)) - 1U;
    std::memcpy(out.data() + i * part_bytes, &bits, part_bytes);
  }
  return out;
}

// `n` random numbers of a float or complex type whose sums, or products, are finite and not 0:
// normal ones, or of an absolute value around 1.
inline std::vector<std::byte> finite_sample(ElementType type, std::size_t n, unsigned seed,
                                            Reduction reduction) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  const ElementType part = type == ElementType::c64    ? ElementType::f32
                           : type == ElementType::c128 ? ElementType::f64
                                                       : type;
  std::vector<double> numbers(n * (is_complex(type) ? 2 : 1));
  for (double& number : numbers) {
    const double x = normal(random);
    number =
        reduction == Reduction::product ? std::copysign(std::exp(std::abs(x) / 16 - 0.05), x) : x;
  }
  // Of a complex number, whose parts would grow to the square root of 2.
  if (is_complex(type) && reduction == Reduction::product)
    for (double& number : numbers) number *= std::sqrt(0.5);
  std::vector<std::byte> out(n * byte_size(type));
  available().front()->convert(ElementType::f64, part)(numbers.data(), out.data(), numbers.size());
  return out;
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}
template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

// The widest table, for tests of values; every other is proved to give the same bits.
inline const KernelTable& table() { return *available().back(); }

template <class T>
T unary(UnaryOp op, ElementType type, T x) {
  T y{};
  table().unary(op, type)(&x, &y, 1);
  return y;
}
template <class T>
T binary(BinaryOp op, ElementType type, T a, T b) {
  T y{};
  table().binary(op, type)(&a, &b, &y, 1);
  return y;
}
template <class To, class From>
To converted(ElementType from, ElementType to, From x) {
  To y{};
  table().convert(from, to)(&x, &y, 1);
  return y;
}

}  // namespace understudy::program::kernels
