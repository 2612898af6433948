// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// The real type of the parts; real types are their own.
ElementType real_of(ElementType element) {
  if (element == ElementType::c64) return ElementType::f32;
  return element == ElementType::c128 ? ElementType::f64 : element;
}

}  // namespace

void each_same(const Check& check) {
  // Exactly equal, with quantization and encodings: these operations do not change types.
  check.expect_results(check.operands());
  for (std::size_t i = 0; i < check.results(); ++i) {
    check.require(check.op().results[i]->type == check.op().operands[i]->type,
                  fmt::format("result {} is {}, but operand {} is {}", i,
                              text_of(check.op().results[i]->type), i,
                              text_of(check.op().operands[i]->type)));
  }
}

void real_part(const Check& check) {
  TensorType wanted = check.operand(0);
  wanted.element = real_of(wanted.element);
  check.expect_result(0, wanted);
}

void complex_parts(const Check& check) {
  const ElementType part = check.operand(0).element;
  check.require(part == ElementType::f32 || part == ElementType::f64,
                fmt::format("needs f32 or f64, got {}", mlir_name(part)));
  const ElementType whole = part == ElementType::f32 ? ElementType::c64 : ElementType::c128;
  // The shape is compared by the signature, so only the element type is asked for.
  check.expect_result(0, TensorType{whole, check.result(0).shape});
}

void complex(const Check& check) { complex_parts(check); }

// Complex numbers have no order: only EQ and NE apply. (The specification allows a lexicographic
// order but plans to remove it.)
void compare(const Check& check) {
  // Its kind was checked with the signature.
  const std::string& word = check.needed("comparison_direction").get<EnumAttribute>()->word;
  check.require(!is_complex(check.operand(0).element) || word == "EQ" || word == "NE",
                fmt::format("{} does not apply to complex numbers", word));
}

void select(const Check& check) {
  const TensorType& which = check.operand(0);
  const TensorType& chosen = check.operand(1);
  // A scalar predicate chooses one of the two arrays as a whole.
  if (which.ndims() == 0 || fit(which.shape, chosen.shape)) return;
  check.fail_operand(0, fmt::format("is {}, but must be tensor<i1> or {}", text_of(which),
                                    text_of(TensorType{ElementType::pred, chosen.shape})));
}

void clamp(const Check& check) {
  const TensorType& value = check.operand(1);
  // Operands: least, value, most.
  for (const std::size_t bound : {std::size_t{0}, std::size_t{2}}) {
    const TensorType& type = check.operand(bound);
    if (type.ndims() == 0 || fit(type, value)) continue;
    check.fail_operand(bound, fmt::format("is {}, but must be {} or a scalar of its element type",
                                          text_of(type), text_of(value)));
  }
}

void bitcast_convert(const Check& check) {
  const TensorType& from = check.operand(0);
  const TensorType& to = check.result(0);
  const int from_bits = bit_width(from.element);
  const int to_bits = bit_width(to.element);
  check.require(is_complex(from.element) == is_complex(to.element),
                fmt::format("{} and {}: complex numbers convert only to complex numbers",
                            text_of(from), text_of(to)));
  // Constraints of bitcast_convert: a wider operand adds a last dimension for its pieces; a
  // narrower one loses its last dimension, which must hold the pieces of one result element.
  Shape wanted = from.shape;
  if (from_bits > to_bits && from_bits % to_bits == 0) wanted.push_back(from_bits / to_bits);
  if (from_bits < to_bits) {
    check.require(
        !wanted.empty() && to_bits % from_bits == 0 && fit(wanted.back(), to_bits / from_bits),
        fmt::format("the last dimension of {} must hold one {}", text_of(from),
                    mlir_name(to.element)));
    wanted.pop_back();
  }
  check.expect_shape(0, wanted);
}

void constant(const Check& check) {
  // An array<...> has no shape beyond its length.
  const auto* value = check.needed("value").get<DenseAttribute>();
  check.require(value != nullptr && !value->is_array, "'value' must be dense<...>");
  check.expect_result(0, value->type);
}

void iota(const Check& check) {
  check.dimension("iota_dimension", check.result(0).ndims());
  // The specification has no iota of i1.
  check.require(!is_pred(check.result(0).element), "does not support i1");
}

void tuple(const Check& check) {
  std::vector<Type> parts;
  // Tuples hold their elements' types in order.
  for (const Value* operand : check.op().operands) parts.push_back(operand->type);
  const Type wanted = Type::tuple(std::move(parts));
  check.require(check.op().results[0]->type == wanted,
                fmt::format("result 0 is {}, but must be {}", text_of(check.op().results[0]->type),
                            text_of(wanted)));
}

// The result type is that of the element.
void get_tuple_element(const Check& check) {
  const Type& whole = check.op().operands[0]->type;
  if (whole.kind != Type::Kind::tuple) check.fail_operand(0, "must be a tuple");
  const std::int64_t index = check.integer("index");
  check.require(index >= 0 && index < static_cast<std::int64_t>(whole.elements.size()),
                fmt::format("index {} is out of range for a tuple of {} elements", index,
                            whole.elements.size()));
  const Type& part = whole.elements[static_cast<std::size_t>(index)];
  check.require(check.op().results[0]->type == part,
                fmt::format("result 0 is {}, but element {} is {}",
                            text_of(check.op().results[0]->type), index, text_of(part)));
}

}  // namespace understudy::program::rules
