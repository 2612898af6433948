// SPDX-License-Identifier: Apache-2.0
#include "program/verify/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace understudy::program {

std::string list_text(const Shape& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

// Dynamic sizes fit any size: their values are checked when they are known.
bool fit(const Shape& a, const Shape& b) {
  return std::ranges::equal(a, b, [](std::int64_t x, std::int64_t y) { return fit(x, y); });
}

bool fit(const TensorType& a, const TensorType& b) {
  return a.element == b.element && fit(a.shape, b.shape);
}

bool fit(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.is_quantized() != b.is_quantized()) return false;
  // Opaque types have no parts, so they are equal or not.
  if (a.kind == Type::Kind::opaque) return a == b;
  if (a.is_quantized() && *a.quantization != *b.quantization) return false;
  return fit(a.tensor, b.tensor) &&
         std::ranges::equal(a.elements, b.elements,
                            [](const Type& x, const Type& y) { return fit(x, y); });
}

void Check::fail(const std::string& why) const {
  throw error_at(op_.location, ErrorKind::input, fmt::format("{}: {}", op_.name, why));
}

// Points at the operand if the text form gave it a place of its own.
void Check::fail_operand(std::size_t i, const std::string& why) const {
  const bool placed = i < op_.operand_locations.size();
  throw error_at(placed ? op_.operand_locations[i] : op_.location, ErrorKind::input,
                 fmt::format("{}: operand {} {}", op_.name, i, why));
}

// Rules may run on operations with too few operands if ops.def allows any number.
const TensorType& Check::operand(std::size_t i) const {
  require(i < operands(), fmt::format("has {} operands, but needs more", operands()));
  const Type& type = op_.operands.at(i)->type;
  if (!type.is_tensor()) fail_operand(i, fmt::format("is {}, but must be a tensor", text_of(type)));
  return type.tensor;
}

const TensorType& Check::result(std::size_t i) const {
  require(i < results(), fmt::format("has {} results, but needs more", results()));
  const Type& type = op_.results.at(i)->type;
  require(type.is_tensor(), fmt::format("result {} is {}, but must be a tensor", i, text_of(type)));
  return type.tensor;
}

void Check::expect_result(std::size_t i, const TensorType& wanted) const {
  if (fit(result(i), wanted)) return;
  fail(fmt::format("result {} is {}, but must be {}", i, text_of(result(i)), text_of(wanted)));
}

// The element type of the result itself: the caller checks the shape only.
void Check::expect_shape(std::size_t i, const Shape& wanted) const {
  expect_result(i, TensorType{result(i).element, wanted});
}

void Check::expect_results(std::size_t count) const {
  require(results() == count, fmt::format("has {} results, but must have {}", results(), count));
}

void Check::expect_scalar(std::size_t i) const {
  if (operand(i).ndims() != 0) {
    fail_operand(i, fmt::format("is {}, but must be a scalar", text_of(operand(i))));
  }
}

const Attribute& Check::needed(std::string_view attribute) const {
  const Attribute* found = op_.find(attribute);
  require(found != nullptr, fmt::format("attribute '{}' is missing", attribute));
  return *found;
}

Shape Check::integers(std::string_view attribute) const {
  needed(attribute);
  return integers_of(op_, attribute);
}

// An absent list means `count` copies of the default.
Shape Check::integers_or(std::string_view attribute, std::size_t count,
                         std::int64_t fallback) const {
  if (op_.find(attribute) == nullptr) return Shape(count, fallback);
  Shape list = integers_of(op_, attribute);
  expect_count(attribute, list, count);
  return list;
}

std::int64_t Check::integer(std::string_view attribute) const {
  needed(attribute);
  return integer_of(op_, attribute, 0);
}

// Dimension numbers and similar attributes with named fields.
const DialectAttribute& Check::structure(std::string_view attribute) const {
  const DialectAttribute* found = needed(attribute).dialect();
  require(found != nullptr,
          fmt::format("attribute '{}' must be a #stablehlo structure", attribute));
  return *found;
}

Shape Check::field(const DialectAttribute& structure, std::string_view key) const {
  const Attribute* found = structure.find(key);
  const ArrayAttribute* array = found == nullptr ? nullptr : found->array();
  require(array != nullptr, fmt::format("'{}' must be a list of integers", key));
  for (const Attribute& each : array->elements) {
    require(each.get<IntegerAttribute>() != nullptr,
            fmt::format("'{}' must be a list of integers", key));
  }
  return integers_of(*found);
}

std::int64_t Check::number(const DialectAttribute& structure, std::string_view key) const {
  const Attribute* found = structure.find(key);
  const auto* number = found == nullptr ? nullptr : found->get<IntegerAttribute>();
  require(number != nullptr, fmt::format("'{}' must be an integer", key));
  return number->value;
}

std::int64_t Check::dimension(std::string_view attribute, std::int64_t ndims) const {
  const std::int64_t value = integer(attribute);
  require(value >= 0 && value < ndims,
          fmt::format("'{}' is {}, but there are {} dimensions", attribute, value, ndims));
  return value;
}

// Each entry is a dimension number below ndims, and none occurs twice.
void Check::expect_dimensions(std::string_view what, const Shape& dimensions,
                              std::int64_t ndims) const {
  std::vector<bool> seen(static_cast<std::size_t>(ndims), false);
  // A negative dimension would count from the end in numpy; the specification has no such meaning.
  for (const std::int64_t d : dimensions) {
    require(d >= 0 && d < ndims, fmt::format("'{}' is {}, but there are {} dimensions", what,
                                             list_text(dimensions), ndims));
    require(!seen[static_cast<std::size_t>(d)],
            fmt::format("'{}' is {}: duplicate dimension {}", what, list_text(dimensions), d));
    seen[static_cast<std::size_t>(d)] = true;
  }
}

void Check::expect_count(std::string_view what, const Shape& list, std::size_t count) const {
  require(list.size() == count,
          fmt::format("'{}' has {} entries, but needs {}", what, list.size(), count));
}

// Region types are compared with fit(), which accepts a dynamic dimension against any size.
void Check::expect_region(std::size_t i, const std::vector<Type>& arguments,
                          const std::vector<Type>& returned) const {
  const Block& block = op_.block(i);
  require(block.arguments.size() == arguments.size(),
          fmt::format("region {} has {} arguments, but needs {}", i, block.arguments.size(),
                      arguments.size()));
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (fit(block.arguments[k]->type, arguments[k])) continue;
    fail(fmt::format("argument {} of region {} is {}, but must be {}", k, i,
                     text_of(block.arguments[k]->type), text_of(arguments[k])));
  }
  // verify() checks the terminators of regions before the rules run.
  const Operation& end = *block.terminator();
  require(end.operands.size() == returned.size(),
          fmt::format("region {} returns {} values, but must return {}", i, end.operands.size(),
                      returned.size()));
  for (std::size_t k = 0; k < returned.size(); ++k) {
    if (fit(end.operands[k]->type, returned[k])) continue;
    // At the terminator: the mistake is in the region, not at the operation.
    throw error_at(end.location, ErrorKind::input,
                   fmt::format("{}: region {} returns {} as value {}, but must return {}", op_.name,
                               i, text_of(end.operands[k]->type), k, text_of(returned[k])));
  }
}

// A reducer takes `count` accumulators, then `count` elements, all scalars, and returns the
// accumulators' types.
std::vector<ElementType> Check::expect_reducer(std::size_t i, std::size_t count) const {
  const Block& block = op_.block(i);
  require(block.arguments.size() == 2 * count,
          fmt::format("region {} has {} arguments, but needs {}", i, block.arguments.size(),
                      2 * count));
  std::vector<Type> accumulators;
  std::vector<ElementType> elements;
  for (std::size_t k = 0; k < count; ++k) {
    const Type& type = block.arguments[k]->type;
    require(
        type.is_tensor() && type.tensor.ndims() == 0,
        fmt::format("argument {} of region {} is {}, but must be a scalar", k, i, text_of(type)));
    accumulators.push_back(type);
    elements.push_back(type.tensor.element);
  }
  // Accumulators first, then elements, both with the accumulators' types: the region works in one
  // type, to which operands are promoted.
  std::vector<Type> all = accumulators;
  all.insert(all.end(), accumulators.begin(), accumulators.end());
  expect_region(i, all, accumulators);
  return elements;
}

// All arguments of the region are scalars of one type, which is returned.
const Type& Check::expect_scalars(std::size_t i) const {
  const Block& block = op_.block(i);
  if (block.arguments.empty()) fail(fmt::format("region {} has no arguments", i));
  const Type& first = block.arguments[0]->type;
  for (std::size_t k = 0; k < block.arguments.size(); ++k) {
    const Type& type = block.arguments[k]->type;
    if (!type.is_tensor() || type.tensor.ndims() != 0 || type != first)
      fail(fmt::format(
          "argument {} of region {} is {}, but must be a scalar of the same type as the others", k,
          i, text_of(type)));
  }
  return first;
}

// The specification's is_promotable: within one family (integers, floats, complex numbers). Floats
// may also narrow here, as programs in use do (bf16 regions over f32 operands).
void Check::expect_promotable(std::size_t i, ElementType to) const {
  const ElementType from = operand(i).element;
  // i1 counts as the smallest integer here.
  const bool integers = (is_integer(from) || is_pred(from)) && (is_integer(to) || is_pred(to));
  const bool alike =
      integers || (is_float(from) && is_float(to)) || (is_complex(from) && is_complex(to));
  // Width matters to integers only, whose values a narrower type could not hold.
  if (alike && (is_float(from) || bit_width(from) <= bit_width(to))) return;
  fail_operand(i, fmt::format("is {}, which cannot be promoted to the region's {}",
                              text_of(op_.operands[i]->type), mlir_name(to)));
}

}  // namespace understudy::program
