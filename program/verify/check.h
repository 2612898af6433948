// SPDX-License-Identifier: Apache-2.0
// One operation under examination: what rules ask and how they refuse. Every refusal is
// Error{input} at the operation or operand: "stablehlo.add: result 0 ...". Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

// Whether sizes, shapes or types can be those of one value: an open dimension fits any size.
inline bool fit(std::int64_t a, std::int64_t b) { return a == b || a == kDynamic || b == kDynamic; }
bool fit(const Shape& a, const Shape& b);
bool fit(const TensorType& a, const TensorType& b);
bool fit(const Type& a, const Type& b);

class Check {
 public:
  // `partitions`: of the module's program, 0 where its grids differ.
  Check(const Module& module, const Operation& op, std::int64_t partitions)
      : module_(module), op_(op), partitions_(partitions) {}

  const Module& module() const { return module_; }
  std::int64_t partitions() const { return partitions_; }
  const Operation& op() const { return op_; }
  std::size_t operands() const { return op_.operands.size(); }
  std::size_t results() const { return op_.results.size(); }

  // The tensor type of an operand or result. Throws where it is none.
  const TensorType& operand(std::size_t i) const;
  const TensorType& result(std::size_t i) const;

  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_operand(std::size_t i, const std::string& why) const;
  void require(bool holds, const std::string& why) const {
    if (!holds) fail(why);
  }

  // Result i must have this type, but for open dimensions.
  void expect_result(std::size_t i, const TensorType& wanted) const;
  void expect_shape(std::size_t i, const Shape& wanted) const;  // of result i
  void expect_results(std::size_t count) const;
  void expect_scalar(std::size_t operand) const;

  const Attribute& needed(std::string_view attribute) const;
  Shape integers(std::string_view attribute) const;  // required
  Shape integers_or(std::string_view attribute, std::size_t count, std::int64_t fallback) const;
  std::int64_t integer(std::string_view attribute) const;  // required
  const DialectAttribute& structure(std::string_view attribute) const;
  Shape field(const DialectAttribute& structure, std::string_view key) const;
  std::int64_t number(const DialectAttribute& structure, std::string_view key) const;

  // A dimension number, or distinct ones, of a tensor with `ndims` dimensions.
  std::int64_t dimension(std::string_view attribute, std::int64_t ndims) const;
  void expect_dimensions(std::string_view what, const Shape& dimensions, std::int64_t ndims) const;
  void expect_count(std::string_view what, const Shape& list, std::size_t count) const;

  // Region i takes these values and ends by returning those.
  void expect_region(std::size_t i, const std::vector<Type>& arguments,
                     const std::vector<Type>& returned) const;
  // Region i reduces pairs of scalars: arguments (a0.., b0..), returned (a0..). Returns the
  // element types of a0...
  std::vector<ElementType> expect_reducer(std::size_t i, std::size_t count) const;
  // The type of the arguments of region i, which must be scalars of one type.
  const Type& expect_scalars(std::size_t i) const;
  // Operand i must have elements that a region of `to` takes: of its kind, and, but for floats, no
  // wider.
  void expect_promotable(std::size_t operand, ElementType to) const;

 private:
  const Module& module_;
  const Operation& op_;
  std::int64_t partitions_;
};

std::string list_text(const Shape& values);  // "[1, 2]"

}  // namespace understudy::program
