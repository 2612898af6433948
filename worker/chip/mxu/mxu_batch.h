// SPDX-License-Identifier: Apache-2.0
// Batches of matrix products that are too small to be staged one by one: many matrices are staged
// and multiplied at once. Call from the executor thread only.
#pragma once

#include "worker/chip/mxu/mxu.h"
#include "worker/chip/mxu/mxu_tile.h"

namespace understudy::worker {

// What one batch of products is made of.
struct BatchPlan {
  program::ElementType multiply = program::ElementType::f32;  // both operands are rounded to it
  bool small = false;  // the loops of mxu_small.cc take them instead of the library
  bool widen = false;  // bf16 operands to f32: the library has no bf16 products
  bool wide = false;   // mxu_wide.cc takes them instead of the library

  // The type of the sums: f32, or i32 of integers.
  program::ElementType sum() const {
    return program::is_float(multiply) ? program::ElementType::f32 : program::ElementType::i32;
  }
};

// The units that it uses; they outlive it.
struct BatchUnits {
  const program::kernels::KernelTable& kernels;
  OneDnn* onednn;  // may be null
};

// Whether multiply_places() takes the products instead of the library: short ones of f32.
bool reads_in_place(const BatchUnits& units, const BatchPlan& plan, const Product& product);

// *Requires*: sums in f32 or i32. False, with nothing done, where the library does not take the
// product.
bool multiply_batch(const BatchUnits& units, const BatchPlan& plan, const Product& product,
                    const Batches& batches, const std::byte* lhs, const std::byte* rhs,
                    std::byte* out, Vmem& vmem);

// A product of a matrix and a vector, either way round, where the matrix is dense along the sums or
// across them; false, with nothing done, for any other. *Requires*: sums in f32.
bool multiply_vector(const BatchUnits& units, const BatchPlan& plan, const Product& product,
                     const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem);
// Two vectors of more elements are multiplied part by part, so that what is staged stays in the
// caches: up to 32 bytes for each element.
inline constexpr std::int64_t kVectorPart = 1 << 17;
// The same in parts of the sums: for two long vectors, and for one that VMEM does not hold in f32.
bool multiply_long_vector(const BatchUnits& units, const BatchPlan& plan, const Product& product,
                          const std::byte* lhs, const std::byte* rhs, std::byte* out, Vmem& vmem);

}  // namespace understudy::worker
