// SPDX-License-Identifier: Apache-2.0
// What shape refinement asks of one operation, and the shapes of the results of gathers,
// windows and algebra. Pure functions; each throws Error{input} or Error{unsupported} at the
// operation.
#pragma once

#include <string>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// One operation whose result shapes are being inferred.
struct Open {
  const Lowering& lowering;
  const Operation& op;

  // The real shape of operand i.
  const Shape& shape(std::size_t i) const { return lowering.operand_type(op, i).shape; }
  // The values of operand i. Throws unsupported where they are only known at run time.
  Shape known(std::size_t i) const;
  void require(bool holds, const std::string& why) const;
};

// infer_slices.cc
Shape infer_slice(const Open& open, std::size_t);
Shape infer_real_dynamic_slice(const Open& open, std::size_t);

// infer_algebra.cc: result 0, but for batch normalisation, which has results of two shapes.
Shape infer_gather(const Open& open, std::size_t);
Shape infer_dynamic_gather(const Open& open, std::size_t);
Shape infer_reduce(const Open& open, std::size_t);
Shape infer_reduce_window(const Open& open, std::size_t);
Shape infer_convolution(const Open& open, std::size_t);
Shape infer_dynamic_conv(const Open& open, std::size_t);
Shape infer_dot_general(const Open& open, std::size_t);
Shape infer_dot(const Open& open, std::size_t);
Shape infer_fft(const Open& open, std::size_t);
Shape infer_top_k(const Open& open, std::size_t);
Shape infer_batch_norm(const Open& open, std::size_t result);

}  // namespace understudy::program::passes
