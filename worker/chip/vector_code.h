// SPDX-License-Identifier: Apache-2.0
// UNDERSTUDY_VECTOR_CODE before a function compiles it for AVX-512, AVX2 and the baseline; the
// widest that the CPU has runs. For code whose bits do not depend on the instruction set: integers,
// movement, and floats without contraction (-ffp-contract=off) in a fixed order. Sanitizers start
// later than the choice is made, so their builds have the baseline alone.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UNDERSTUDY_VECTOR_CODE \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define UNDERSTUDY_VECTOR_CODE
#endif

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
