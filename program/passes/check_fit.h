// SPDX-License-Identifier: Apache-2.0
// The visitor behind check_work(): one rule per kind of work, in check_work.cc (element-wise, data
// movement, control, collectives) and check_algebra.cc (indexing, regions, algebra). Holds
// references into the instruction it was made from.
#pragma once

#include <vector>

#include "program/executable/executable.h"

namespace understudy::program::passes {

// Throws Error{internal} with what is wrong.
void need(bool holds, const char* what);

// All dimensions are among ndims; distinct: and none twice.
bool within(const Shape& dimensions, std::int64_t ndims);
bool distinct(Shape dimensions, std::int64_t ndims);
bool no_larger(const Shape& a, const Shape& b);
bool is_index(const Operand& operand);  // an integer scalar

class Fit {
 public:
  explicit Fit(const Instruction& instruction)
      : in_(instruction.inputs), out_(instruction.outputs) {}

  void operator()(const Unary&) const;
  void operator()(const Binary&) const;
  void operator()(const Compare&) const;
  void operator()(const Select&) const;
  void operator()(const Clamp&) const;
  void operator()(const Convert&) const;
  void operator()(const ReducePrecision&) const;
  void operator()(const BitcastConvert&) const;
  void operator()(const Iota& work) const;
  void operator()(const ProcessIndex&) const;
  void operator()(const StridedCopy& work) const;
  void operator()(const Fill&) const;
  void operator()(const DynamicSlice&) const;
  void operator()(const DynamicUpdateSlice&) const;
  void operator()(const DynamicPad&) const;
  void operator()(const RealDynamicSlice&) const;
  void operator()(const Gather& work) const;
  void operator()(const Scatter& work) const;
  void operator()(const Reduce& work) const;
  void operator()(const ReduceWindow& work) const;
  void operator()(const SelectAndScatter& work) const;
  void operator()(const Sort& work) const;
  void operator()(const Map& work) const;
  void operator()(const Fused& work) const;
  void operator()(const Dot& work) const;
  void operator()(const RaggedDot& work) const;
  void operator()(const Convolution& work) const;
  void operator()(const Fft& work) const;
  void operator()(const Cholesky&) const;
  void operator()(const TriangularSolve& work) const;
  void operator()(const Lapack& work) const;
  void operator()(const RngBitGenerator&) const;
  void operator()(const Rng&) const;
  void operator()(const While& work) const;
  void operator()(const Case& work) const;
  void operator()(const Assert&) const;
  void operator()(const Collective& work) const;
  void operator()(const Transfer& work) const;
  void operator()(const Expect& work) const;
  void operator()(const Probe&) const;
  void operator()(const CollectiveDone& work) const;
  void operator()(const InfeedTurn&) const;

 private:
  void counts(std::size_t inputs, std::size_t outputs) const;
  void same_shape() const;
  bool scalar_or_same(const Operand& operand) const;
  void starts(std::size_t first, std::int64_t ndims) const;
  void vectors(std::size_t first, std::size_t count) const;
  void takes(const Body& body, std::size_t parameters, std::size_t results) const;
  void reducing(const Body& body) const;
  void batches(std::int64_t batch, std::int64_t vector_dim, const Shape& map) const;
  void ragged(const Collective& work) const;
  void collective_shapes(const Collective& work) const;

  const std::vector<Operand>& in_;
  const std::vector<Operand>& out_;
};

}  // namespace understudy::program::passes
