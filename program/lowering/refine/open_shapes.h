// SPDX-License-Identifier: Apache-2.0
// What shape refinement asks of one operation. The functions of the rows are pure; each throws
// Error{input} or Error{unsupported} at the operation.
#pragma once

#include <span>
#include <string>
#include <string_view>

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

// How the shape of one result follows; one row per operation whose result can be open.
using Infer = Shape (*)(const Open&, std::size_t result);
struct InferRow {
  std::string_view name;
  Infer infer;
};
std::span<const InferRow> slice_shapes();    // infer_slices.cc
std::span<const InferRow> algebra_shapes();  // infer_algebra.cc: windows and gathers too

}  // namespace understudy::program::passes
