// SPDX-License-Identifier: Apache-2.0
// The loops of mxu_vector.cc: rows of a matrix times a vector, rounded in registers. The same bits
// on every instruction set. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::worker {

struct VectorRows {
  const std::byte* at;
  std::int64_t count, stride_bytes, k;  // k: elements of a row
};

// The elements of the rows; both_rounded: f32, of which x is rounded to bf16 as well.
enum class VectorKind : std::uint8_t { f32, rounded_f32, both_rounded, bf16 };

// out[r] = the sum over i of row[r][i] x[i]: 32 lanes, lane l takes elements l, l + 32, ..., joined
// by a fixed tree. `room`: room_floats(k) floats for rows of bf16.
void multiply_rows_along(const VectorRows& rows, VectorKind kind, const float* x, float* out,
                         float* room);
// For x in the order of these rows, with zeros up to a whole number of lanes.
constexpr std::int64_t room_floats(std::int64_t k) { return k + 32; }

// out[i] = the sum over rows r of x[r] row[r][i]: eight products at a time, joined by a tree.
// *Requires*: rows of at least eight elements, x rounded.
void multiply_rows_across(const VectorRows& rows, VectorKind kind, const float* x, float* out);

}  // namespace understudy::worker
