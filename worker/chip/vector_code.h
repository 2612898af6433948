// SPDX-License-Identifier: Apache-2.0
// UNDERSTUDY_VECTOR_CODE before a function compiles it for AVX-512, AVX2 and the baseline; the
// widest that the CPU has runs. For code whose bits do not depend on the instruction set: integers,
// movement, and floats without contraction (-ffp-contract=off) in a fixed order. Sanitizers start
// later than the choice is made, so their builds have the baseline alone.
//
// with_vectors() is for loops that name their vectors: g++ keeps those that are wider than the
// registers in memory, so such a loop is a template of their size. with_fused_vectors() is for
// loops whose products are not rounded before they are added.
#pragma once

#include <cstddef>

namespace understudy::worker {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UNDERSTUDY_VECTOR_CODE \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

template <class Body>
__attribute__((target("arch=x86-64-v4"))) void with_avx512(const Body& body) {
  body.template operator()<64>();
}
template <class Body>
__attribute__((target("arch=x86-64-v3"))) void with_avx2(const Body& body) {
  body.template operator()<32>();
}

// Calls body.operator()<bytes of a vector, kHasFma>(), compiled for the widest vectors that the CPU
// has; at least 32 bytes. kHasFma: add_product() may use the CPU's instruction. It must be
// always_inline, and what it calls, too.
template <class Body>
void with_fused_vectors(const Body& body) {
  static const bool has_avx512 = __builtin_cpu_supports("x86-64-v4") != 0;
  static const bool has_avx2 = __builtin_cpu_supports("x86-64-v3") != 0;
  const auto with_fma = [&]<int kBytes>() __attribute__((always_inline)) {
    body.template operator()<kBytes, true>();
  };
  if (has_avx512) return with_avx512(with_fma);
  if (has_avx2) return with_avx2(with_fma);
  body.template operator()<32, false>();
}
#else
#define UNDERSTUDY_VECTOR_CODE
template <class Body>
void with_fused_vectors(const Body& body) {
  body.template operator()<32, false>();
}
#endif

// The same with body.operator()<bytes of a vector>().
template <class Body>
void with_vectors(const Body& body) {
  with_fused_vectors([&]<int kBytes, bool>()
                         __attribute__((always_inline)) { body.template operator()<kBytes>(); });
}

// sum += a b of each lane, rounded once. The instruction by its name: its function in immintrin.h
// cannot be inlined into a template, which is compiled for every instruction set.
template <bool kHasFma, class V>
[[gnu::always_inline]] inline void add_product(const V& a, const V& b, V& sum) {
#if defined(__x86_64__)
  if constexpr (kHasFma) {
    asm("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(a), "vm"(b));
    return;
  }
#endif
  for (std::size_t l = 0; l < sizeof(V) / sizeof(float); ++l)
    sum[l] = __builtin_fmaf(a[l], b[l], sum[l]);
}

}  // namespace understudy::worker

// A vector in memory that is not aligned to it. Copied by memcpy instead, g++ moves it in halves
// through the stack, which stalls the load.
template <class V>
struct [[gnu::packed, gnu::may_alias]] InMemory {
  V value;
};

// Before a loop: its iterations do not read what others wrote, which compilers cannot see.
#if defined(__clang__)
#define UNDERSTUDY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define UNDERSTUDY_INDEPENDENT _Pragma("GCC ivdep")
#endif
