// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes are operands. Their results have static shapes by now (refine/refine.cc),
// so they lower like the static operations where all operands are known; otherwise the worker reads
// the remaining values at run time and checks them against the static result.
#include "program/lowering/lowering.h"
#include "program/lowering/pad.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

void lower_dynamic_reshape(Lowering& lowering, const Operation& op) {
  // The operand with the shape is not read: the result's type already has it.
  const Operand x = lowering.operand(op, 0);
  lowering.bind(*op.results[0], Operand{x.at, lowering.result_type(op)});
}

void lower_dynamic_broadcast(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0],
                lowering.broadcast(lowering.operand(op, 0), integers_of(op, "broadcast_dimensions"),
                                   lowering.result_type(op)));
}

// Operands: x, the padding value, low, high, interior.
void lower_dynamic_pad(Lowering& lowering, const Operation& op) {
  auto low = lowering.known_operand(op, 2);
  auto high = lowering.known_operand(op, 3);
  auto interior = lowering.known_operand(op, 4);
  if (!low || !high || !interior) return lowering.emit_result(op, DynamicPad{}, lowering.parts(op));
  const Padding padding{std::move(*low), std::move(*high), std::move(*interior)};
  lowering.bind(*op.results[0], pad(lowering, lowering.operand(op, 0), lowering.operand(op, 1),
                                    padding, lowering.result_type(op)));
}

// A slice with known bounds is a strided view; otherwise an instruction of its own.
// Operands: x, starts, limits, strides. The limits are in the result's shape.
void lower_real_dynamic_slice(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const auto starts = lowering.known_operand(op, 1);
  const auto steps = lowering.known_operand(op, 3);
  if (!starts || !steps || !lowering.known_operand(op, 2))
    return lowering.emit_result(op, RealDynamicSlice{}, lowering.parts(op));
  Shape strides = row_major_strides(x.type.shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    base += starts->at(d) * strides[d];
    strides[d] *= steps->at(d);
  }
  lowering.bind(*op.results[0],
                lowering.gather_strided(x, lowering.result_type(op), std::move(strides), base));
}

void lower_get_dimension_size(Lowering& lowering, const Operation& op) {
  // A constant by now: every shape is static.
  const Operand x = lowering.operand(op, 0);
  const auto dimension = static_cast<std::size_t>(integer_of(op, "dimension", 0));
  const std::int64_t size[] = {x.type.shape.at(dimension)};
  lowering.bind(*op.results[0], lowering.integers(lowering.result_type(op), size));
}

// Buffers have static shapes. A size that is only known at run time must therefore be the full
// dimension, which is asserted.
void lower_set_dimension_size(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  if (!lowering.known_operand(op, 1)) {
    const auto dimension = static_cast<std::size_t>(integer_of(op, "dimension", 0));
    const Operand size = lowering.operand(op, 1);
    // The assertion compares with the whole dimension.
    const std::int64_t whole[] = {x.type.shape.at(dimension)};
    const Operand same =
        lowering.emit(Compare{Direction::eq}, {size, lowering.integers(size.type, whole)},
                      TensorType{ElementType::pred, size.type.shape});
    lowering.emit(Assert{"stablehlo.set_dimension_size: {0} is not the size of the dimension: a "
                         "smaller size must be known before the run"},
                  {same, size}, Parts());
  }
  // A smaller known size keeps the leading elements: the operand's strides under the smaller shape.
  lowering.bind(*op.results[0], lowering.gather_strided(x, lowering.result_type(op),
                                                        row_major_strides(x.type.shape), 0));
}

}  // namespace

void add_dynamic(LowerTable& table) {
  table.emplace("stablehlo.dynamic_reshape", lower_dynamic_reshape);
  table.emplace("stablehlo.dynamic_broadcast_in_dim", lower_dynamic_broadcast);
  table.emplace("stablehlo.dynamic_iota", lower_iota);
  table.emplace("stablehlo.dynamic_pad", lower_dynamic_pad);
  table.emplace("stablehlo.real_dynamic_slice", lower_real_dynamic_slice);
  table.emplace("stablehlo.get_dimension_size", lower_get_dimension_size);
  table.emplace("stablehlo.set_dimension_size", lower_set_dimension_size);
}

}  // namespace understudy::program::passes
