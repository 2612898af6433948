// SPDX-License-Identifier: Apache-2.0
// UNDERSTUDY_VECTOR_CODE before a function compiles it for AVX-512, AVX2 and the baseline; the
// widest that the CPU has runs. For code whose bits do not depend on the instruction set: integers,
// movement, and floats without contraction (-ffp-contract=off) in a fixed order. Sanitizers start
// later than the choice is made, so their builds have the baseline alone.
//
// with_vectors() is for loops that name their vectors: g++ keeps those that are wider than the
// registers in memory, so such a loop is a template of their size.
#pragma once

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

// Calls body.operator()<bytes of a vector>(), compiled for the widest vectors that the CPU has; at
// least 32 bytes. It must be always_inline, and what it calls, too.
template <class Body>
void with_vectors(const Body& body) {
  static const bool has_avx512 = __builtin_cpu_supports("x86-64-v4") != 0;
  static const bool has_avx2 = __builtin_cpu_supports("x86-64-v3") != 0;
  if (has_avx512) return with_avx512(body);
  if (has_avx2) return with_avx2(body);
  body.template operator()<32>();
}
#else
#define UNDERSTUDY_VECTOR_CODE
template <class Body>
void with_vectors(const Body& body) {
  body.template operator()<32>();
}
#endif

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
