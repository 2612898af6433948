// SPDX-License-Identifier: Apache-2.0
// One product of staged matrices of one type: the interface that both implementations of the MXU
// share.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "program/ir/element_type.h"

namespace understudy::worker {

// c[m,n] (+)= sum over k of a[m,k] * b[k,n]; a and b are bf16 or f32 (then c is f32), i8 (then c
// is i32), i32, i64, f64, c64 or c128 (then c has the same type). Strides in elements; c's columns
// are dense.
struct MxuTile {
  program::ElementType element = program::ElementType::f32;
  std::int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  std::int64_t a_row = 0, a_column = 1;
  const void* b = nullptr;
  std::int64_t b_row = 0, b_column = 1;
  void* c = nullptr;
  std::int64_t c_row = 0;
  bool add = false;  // to what c holds, instead of overwriting it
  // Products of one kind, each that many elements after the last; only for OneDnn,
  // multiply_small() and multiply_wide().
  std::int64_t batches = 1, a_batch = 0, b_batch = 0, c_batch = 0;
  // The numbers of f32 that multiply_small() rounds to bf16 first.
  enum class Rounds : std::uint8_t { none, a, b, both };
  Rounds rounded = Rounds::none;
  // b is bf16 where a is f32; only for multiply_small().
  bool has_halves = false;
};

// f32 or i32 with b's columns dense: for products that take less time than a call of the library.
void multiply_small(const MxuTile& tile);
// What it should round: operands that it reads once, and as vectors without gaps.
MxuTile::Rounds rounded_by_small(const MxuTile& tile);

// A matrix of i32 or i64 and a vector, either way round; false, with nothing done, for any other
// product.
bool multiply_integer_vector(const MxuTile& tile);
// The same of int8, by AVX2.
bool multiply_int8_vector(const MxuTile& tile);

// Of int8, by AVX2; false where the CPU has none.
bool multiply_int8(const MxuTile& tile);

// Plain loops over k in order; any type and stride.
void multiply_portably(const MxuTile& tile);

// oneDNN. Creating a primitive compiles code, so one is kept for each shape and layout.
class OneDnn {
 public:
  OneDnn();
  ~OneDnn();
  std::string isa() const;
  bool has_avx512() const;
  // Whether multiplying bf16 directly is faster on this machine than widening it to f32 first. The
  // products are the same, as they are exact in f32.
  bool has_quick_bf16() const;
  bool has_amx() const;
  // Whether sums of int8 products are exact on this machine, which needs VNNI.
  bool has_int8() const;
  // The longest sums of a batch of int8 products; 0 where it takes none.
  std::int64_t int8_batch_depth() const;
  // The types that it multiplies; it has no others on CPUs.
  static bool takes(program::ElementType element);
  // False where oneDNN does not support this type here or these strides; then nothing was done.
  bool multiply(const MxuTile& tile);

 private:
  struct State;
  bool multiply_whole(const MxuTile& tile);
  // Whether the library multiplies int8 by AMX.
  bool has_tiles_for(MxuTile tile);
  bool multiply_exactly(const MxuTile& tile);
  std::vector<std::int32_t> sums_;
  std::unique_ptr<State> state_;
};

}  // namespace understudy::worker
