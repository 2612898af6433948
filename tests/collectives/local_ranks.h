// SPDX-License-Identifier: Apache-2.0
// Runs one function per rank on the threads of a LocalPod, and test data. Each rank's error text is
// kept; the test decides what it expects.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "collectives/collectives.h"
#include "collectives/local_transport.h"
#include "configs/base/error.h"

namespace understudy::collectives {

inline Group group_of_first(std::size_t n, std::size_t self) {
  Group group;
  for (std::size_t i = 0; i < n; ++i) group.members.push_back(Rank(static_cast<int>(i)));
  group.self = self;
  return group;
}

// One thread per rank; the errors they ended with, nullopt where there was none.
inline std::vector<std::optional<Error>> run_ranks(
    LocalPod& pod, std::size_t n, const std::function<void(const Fabric&, std::size_t)>& body) {
  std::vector<std::optional<Error>> errors(n);
  std::vector<std::jthread> threads;
  for (std::size_t rank = 0; rank < n; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        body(pod.fabric(Rank(static_cast<int>(rank))), rank);
      } catch (const Error& error) {
        errors[rank] = error;
      }
    });
  }
  threads.clear();
  return errors;
}

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}
template <class T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

// A sum of T that accumulates in A.
template <class T, class A = T>
class SumReducer final : public Reducer {
 public:
  using Element = T;
  using Accumulator = A;
  static A fold(A left, A right) { return static_cast<A>(left + right); }
  std::size_t element_bytes() const override { return sizeof(T); }
  std::size_t accumulator_bytes() const override { return sizeof(A); }
  void widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) store(accumulators, i, to_wide(load<T>(elements, i)));
  }
  void narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) store(elements, i, to_narrow(load<A>(accumulators, i)));
  }
  void combine(const std::byte* left, const std::byte* right, std::byte* out,
               std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) {
      store(out, i, static_cast<A>(load<A>(left, i) + to_wide(load<T>(right, i))));
    }
  }

  void merge(const std::byte* left, const std::byte* right, std::byte* out,
             std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) {
      store(out, i, static_cast<A>(load<A>(left, i) + load<A>(right, i)));
    }
  }

  // bf16 is kept as its bits in a uint16.
  static A to_wide(T value) {
    if constexpr (sizeof(T) == sizeof(A)) {
      return value;
    } else {
      const std::uint32_t bits = std::uint32_t{value} << 16;
      return load<A>(reinterpret_cast<const std::byte*>(&bits), 0);
    }
  }
  static T to_narrow(A value) {
    if constexpr (sizeof(T) == sizeof(A)) {
      return value;
    } else {
      const auto bits = load<std::uint32_t>(reinterpret_cast<const std::byte*>(&value), 0);
      return static_cast<T>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
    }
  }

 private:
  template <class V>
  static V load(const std::byte* from, std::size_t i) {
    V value;
    std::memcpy(&value, from + i * sizeof(V), sizeof(V));
    return value;
  }
  template <class V>
  static void store(std::byte* to, std::size_t i, V value) {
    std::memcpy(to + i * sizeof(V), &value, sizeof(V));
  }
};

using Bf16Sum = SumReducer<std::uint16_t, float>;

// x -> a x + b, modulo 2^32.
struct Affine {
  std::uint32_t a = 1, b = 0;
  bool operator==(const Affine&) const = default;
};

// First the left function, then the right one: associative, but the order of members matters.
class AffineReducer final : public Reducer {
 public:
  using Element = Affine;
  using Accumulator = Affine;
  static Affine fold(Affine left, Affine right) {
    return {left.a * right.a, left.b * right.a + right.b};
  }
  static Affine to_wide(Affine value) { return value; }
  static Affine to_narrow(Affine value) { return value; }

  std::size_t element_bytes() const override { return sizeof(Affine); }
  std::size_t accumulator_bytes() const override { return sizeof(Affine); }
  void widen(const std::byte* elements, std::byte* accumulators, std::size_t n) const override {
    std::memcpy(accumulators, elements, n * sizeof(Affine));
  }
  void narrow(const std::byte* accumulators, std::byte* elements, std::size_t n) const override {
    std::memcpy(elements, accumulators, n * sizeof(Affine));
  }
  void combine(const std::byte* left, const std::byte* right, std::byte* out,
               std::size_t n) const override {
    merge(left, right, out, n);
  }
  void merge(const std::byte* left, const std::byte* right, std::byte* out,
             std::size_t n) const override {
    for (std::size_t i = 0; i < n; ++i) {
      Affine first, second;
      std::memcpy(&first, left + i * sizeof(Affine), sizeof(Affine));
      std::memcpy(&second, right + i * sizeof(Affine), sizeof(Affine));
      const Affine both = fold(first, second);
      std::memcpy(out + i * sizeof(Affine), &both, sizeof(Affine));
    }
  }
};

}  // namespace understudy::collectives
