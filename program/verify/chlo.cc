// SPDX-License-Identifier: Apache-2.0
// Operations of CHLO: broadcast_*, constant_like, scan.
#include <algorithm>
#include <fmt/format.h>

#include "program/verify/dimensions.h"
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// The size that two sizes broadcast to: they are equal, or one of them is 1. A dynamic size may be
// either at run time.
std::int64_t met(const Check& check, std::int64_t a, std::int64_t b) {
  if (a == 1) return b;
  // A dynamic size meets a known one other than 1: at run time it is that size or 1, and the result
  // has the known size either way.
  if (b == 1 || b == kDynamic) return a;
  if (a == kDynamic || a == b) return b;
  check.fail(fmt::format("sizes {} and {} do not broadcast", a, b));
}

// `small` placed on the dimensions `places` of `large`.
Shape spread(const Check& check, Shape large, const Shape& small, const Shape& places) {
  for (std::size_t i = 0; i < small.size(); ++i)
    large[at(places[i])] = met(check, large[at(places[i])], small[i]);
  return large;
}

// numpy aligns shapes at their last dimensions.
Shape trailing(std::size_t large, std::size_t small) {
  Shape out;
  for (std::size_t d = large - small; d < large; ++d) out.push_back(static_cast<std::int64_t>(d));
  return out;
}

Shape joined(const Check& check, const Shape& a, const Shape& b) {
  return a.size() < b.size() ? spread(check, b, a, trailing(b.size(), a.size()))
                             : spread(check, a, b, trailing(a.size(), b.size()));
}

}  // namespace

// numpy's rule on trailing dimensions, unless broadcast_dimensions places those of the operand with
// fewer.
void broadcast_binary(const Check& check) {
  const Shape& lhs = check.operand(0).shape;
  const Shape& rhs = check.operand(1).shape;
  const bool right = lhs.size() >= rhs.size();
  const Shape& large = right ? lhs : rhs;
  const Shape& small = right ? rhs : lhs;
  // Equal numbers of dimensions leave nothing to place, so the list is ignored.
  if (check.op().find("broadcast_dimensions") == nullptr || lhs.size() == rhs.size())
    return check.expect_shape(0, joined(check, lhs, rhs));
  const Shape places = check.integers("broadcast_dimensions");
  check.expect_count("broadcast_dimensions", places, small.size());
  check.expect_dimensions("broadcast_dimensions", places, static_cast<std::int64_t>(large.size()));
  check.expect_shape(0, spread(check, large, small, places));
}

void broadcast_complex(const Check& check) {
  broadcast_binary(check);
  complex_parts(check);
}

void broadcast_select(const Check& check) {
  const Shape values = joined(check, check.operand(1).shape, check.operand(2).shape);
  check.expect_shape(0, joined(check, check.operand(0).shape, values));
}

void constant_like(const Check& check) {
  const Attribute& value = check.needed("value");
  const auto* integer = value.get<IntegerAttribute>();
  const auto* number = value.get<FloatAttribute>();
  const auto* dense = value.get<DenseAttribute>();
  const TensorType type = integer != nullptr  ? integer->type.tensor
                          : number != nullptr ? number->type.tensor
                                              : dense->type;
  // There is no text for a complex number outside of dense<...>: its real part stands for it.
  const ElementType result = check.result(0).element;
  const ElementType wanted = result == ElementType::c64    ? ElementType::f32
                             : result == ElementType::c128 ? ElementType::f64
                                                           : result;
  check.require(type == TensorType{wanted, {}},
                fmt::format("'value' is {}, but the result has elements of {}", text_of(type),
                            mlir_name(result)));
}

namespace {

// Counts the inputs of a scan: leading operands that have one dimension more than their region
// argument. Initial values must have the types of their arguments.
std::size_t inputs_of(const Check& check, const Block& body, std::int64_t dimension) {
  std::size_t inputs = 0;
  for (std::size_t i = 0; i < check.operands(); ++i) {
    Type wanted = check.op().operands[i]->type;
    const Type& inside = body.arguments[i]->type;
    check.require(inside.is_tensor(), fmt::format("argument {} of region 0 is {}, but must be a "
                                                  "tensor",
                                                  i, text_of(inside)));
    // Inputs come first; the first operand that keeps its dimensions is a carry.
    const bool sliced = i == inputs && inside.tensor.ndims() + 1 == wanted.tensor.ndims();
    if (sliced) {
      ++inputs;
      check.require(
          dimension < wanted.tensor.ndims(),
          fmt::format("'dimension' is {}, but operand {} is {}", dimension, i, text_of(wanted)));
      wanted.tensor.shape.erase(wanted.tensor.shape.begin() + dimension);
    }
    if (!fit(wanted, inside))
      check.fail_operand(i, fmt::format("is {}, but argument {} of region 0 is {}",
                                        text_of(check.op().operands[i]->type), i, text_of(inside)));
  }
  return inputs;
}

// Segment sizes repeat what the types say; both must agree, as a generic-form program could state
// anything.
void expect_segments(const Check& check, std::string_view name, std::size_t first,
                     std::size_t rest) {
  const auto* list = check.needed(name).get<DenseAttribute>();
  const Shape wanted = {static_cast<std::int64_t>(first), static_cast<std::int64_t>(rest)};
  if (list == nullptr || !is_integer(list->type.element) || integers_of(Attribute{*list}) != wanted)
    check.fail(fmt::format("'{}' must be {}", name, list_text(wanted)));
}

}  // namespace

// A scan applies its region to slices along `dimension`: inputs lose that dimension inside, outputs
// gain it outside, carried values keep their types. scan_dim_size gives the number of steps if
// there is no input to take it from.
void scan(const Check& check) {
  const Block& body = check.op().block();
  const std::int64_t dimension = check.integer("dimension");
  if (body.arguments.size() != check.operands())
    check.fail(fmt::format("region 0 has {} arguments, but needs {}", body.arguments.size(),
                           check.operands()));
  const std::size_t inputs = inputs_of(check, body, dimension);
  const std::size_t carries = check.operands() - inputs;
  const Operation& end = *body.terminator();
  if (end.operands.size() != check.results() || check.results() < carries)
    check.fail(fmt::format(
        "region 0 returns {} values, which does not match {} results and {} carried values",
        end.operands.size(), check.results(), carries));
  const std::size_t outputs = check.results() - carries;
  expect_segments(check, "operandSegmentSizes", inputs, carries);
  expect_segments(check, "resultSegmentSizes", outputs, carries);
  std::int64_t size = integer_of(check.op(), "scan_dim_size", kDynamic);
  // An input overrides the attribute: the sizes of all inputs agree, as each fits its region
  // argument.
  if (inputs > 0) size = check.operand(0).shape[at(dimension)];
  for (std::size_t i = 0; i < check.results(); ++i) {
    const Type& returned = end.operands[i]->type;
    if (!returned.is_tensor()) check.fail(fmt::format("region 0 returns {}", text_of(returned)));
    TensorType wanted = returned.tensor;
    if (i < outputs) {
      // One past the last dimension is allowed: results gain the dimension at the end.
      if (dimension > wanted.ndims())
        check.fail(fmt::format("'dimension' is {}, but result {} is {}", dimension, i,
                               text_of(check.result(i))));
      wanted.shape.insert(wanted.shape.begin() + dimension, size);
    }
    check.expect_result(i, wanted);
  }
}

}  // namespace understudy::program::rules
