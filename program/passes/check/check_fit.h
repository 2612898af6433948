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

class InstructionChecker {
 public:
  explicit InstructionChecker(const Instruction& instruction)
      : in_(instruction.inputs), out_(instruction.outputs) {}

#define UNDERSTUDY_FIT(type, ...) void operator()(const type& work) const;
  UNDERSTUDY_WORKS(UNDERSTUDY_FIT)
#undef UNDERSTUDY_FIT

 private:
  void counts(std::size_t inputs, std::size_t outputs) const;
  void same_shape() const;
  bool scalar_or_same(const Operand& operand) const;
  void starts(std::size_t first, std::int64_t ndims) const;
  void vectors(std::size_t first, std::size_t count) const;
  void takes(const Body& body, std::size_t parameters, std::size_t results) const;
  void reducing(const Body& body) const;
  void batches(std::int64_t batch, std::int64_t vector_dim, const Shape& map) const;
  void ragged() const;
  void collective_shapes(const Collective& work) const;

  const std::vector<Operand>& in_;
  const std::vector<Operand>& out_;
};

}  // namespace understudy::program::passes
