// SPDX-License-Identifier: Apache-2.0
// Products of bf16 as fused multiply-adds of f32, for CPUs with AVX2 or AVX-512 and without AMX:
// operands are widened while they are packed into the cache. A product of two bf16 is exact in f32,
// so each step is one rounded addition, in the order of k. Intel's vdpbf16ps does half as many
// products per second as vfmadd231ps (measured on Emerald Rapids: 83 against 170 GFLOP/s). Call
// from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program/kernels/kernels.h"
#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_packed_loops.h"

namespace understudy::worker {

// Fewer multiplications are sooner done by others; the second where the right operand is read in
// place.
constexpr std::int64_t kFewestPacked = 1 << 18, kFewestInPlace = 1 << 15;

// Of the widest instructions of this machine; nullptr without AVX2.
const PackedLoops* packed_loops();

// False for operands that are neither bf16 nor f32 or are not dense in either direction, results of
// other types, few multiplications or rows.
bool takes_packed(const PackedLoops& loops, const Product& product);

// False, with nothing done, for products that it does not take, and with too little room in VMEM.
// Operands of f32 are rounded to bf16.
bool multiply_packed(const PackedLoops& loops, const Product& product,
                     const program::kernels::KernelTable& kernels, const std::byte* lhs,
                     const std::byte* rhs, std::byte* out, Vmem& vmem);

}  // namespace understudy::worker
