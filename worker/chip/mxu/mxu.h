// SPDX-License-Identifier: Apache-2.0
// The chip's matrix unit: products of strided matrices, by oneDNN where it supports the types and
// the machine has the instructions, else by portable loops of the same meaning. Deterministic: the
// same shapes and bytes give the same bits on one CPU model. Call from the executor thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "program/executable/executable.h"
#include "program/kernels/kernels.h"
#include "worker/chip/vmem.h"

namespace understudy::worker {

// How f32 operands are multiplied (docs/numerics.md). Other types have one way: bf16, f16 and
// smaller floats exactly with f32 accumulation, integers with wraparound, f64 and complex in their
// own precision.
enum class Passes : std::uint8_t {
  one,    // operands rounded to bf16
  three,  // hi*hi + hi*lo + lo*hi of bf16 halves
  full,   // f32 as it is
};
Passes passes_of(program::Numerics numerics, program::Precision lhs, program::Precision rhs);

// A matrix [rows][columns] in memory; strides in elements.
struct MatrixView {
  program::ElementType element = program::ElementType::f32;
  std::int64_t row_stride = 0, column_stride = 1;
};

// out[m,n] = sum over k of lhs[m,k] * rhs[k,n]; out is dense. Accumulates in f32 for floats
// up to 32 bits and rounds once to the result's type.
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  MatrixView lhs, rhs;
  program::ElementType out = program::ElementType::f32;
  Passes passes = Passes::one;
};

// Products of one kind whose operands are `..._stride` elements apart; results follow each other.
struct Batches {
  std::int64_t count = 1, lhs_stride = 0, rhs_stride = 0;
};

class Mxu {
 public:
  enum class Make : std::uint8_t { automatic, portable };
  // The kernels do the staging; they outlive the unit.
  explicit Mxu(const program::kernels::KernelTable& kernels, Make make = Make::automatic);
  ~Mxu();
  Mxu(const Mxu&) = delete;
  Mxu& operator=(const Mxu&) = delete;

  std::string_view name() const;  // "amx, onednn (avx512_core_amx)", "portable"
  // Whether products of rows at any places (mxu_places.h) are quick, and are those of the unit.
  // `rounds`: their operands may be bf16.
  bool reads_places(bool rounds) const;
  // Tiles are staged through `vmem`. *Throws* Error{capacity} when VMEM is too small for one tile.
  void multiply(const Product& product, const std::byte* lhs, const std::byte* rhs, std::byte* out,
                Vmem& vmem);
  // The same for each product of a batch; small ones are staged and multiplied many at once.
  void multiply(const Product& product, const Batches& batches, const std::byte* lhs,
                const std::byte* rhs, std::byte* out, Vmem& vmem);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace understudy::worker
