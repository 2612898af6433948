// SPDX-License-Identifier: Apache-2.0
// Operations on quantized tensors, lowered to integers and floats. A quantized value is carried as
// its stored integers; the executable knows no quantization. The arithmetic is that of the
// StableHLO reference ("Quantization computations" of the specification, and the integer formulas
// of stablehlo-legalize-quant-to-math), see docs/numerics.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "program/ir/ir.h"
#include "program/ir/quantization.h"
#include "program/lowering/lowering.h"

namespace understudy::program::passes {

// How an operation treats quantized operands.
enum class QuantizedWork : std::uint8_t {
  integers,   // works on the stored integers
  expressed,  // works on the floats that they stand for
  either,     // integers where all have one quantization, else expressed
  formula,    // a function of its own
};

// Which of its values have to be quantized alike (per tensor, unless said otherwise).
enum class Shares : std::uint8_t {
  none,     // any, or the type rule of the operation compares whole types
  reduced,  // none, but the last region takes quantized values where the operation does
  moved,    // result 0 and operand 0, whose quantized dimension moves along
  first,    // result 0 and operand 0
  pair,     // result 0, operands 0 and 1
  all,      // result 0 and every operand
  each,     // result i and operand i
  scatter,  // result i, input i and update i
};

struct QuantizedRow {
  std::string_view name;
  QuantizedWork work = QuantizedWork::integers;
  Shares shares = Shares::none;
  LowerFunction lower = nullptr;  // nullptr: the row of the ordinary table
};

bool is_quantized(const Operation& op);                       // an operand or result is
const QuantizedRow* quantized_row(std::string_view op_name);  // nullptr: takes no quantized tensors

// The function that lowers an operation on quantized tensors. Throws Error{unsupported}.
LowerFunction quantized_function(const Operation& op);

// An operation without its regions, on values of other types.
struct ExpressedOperation {
  ExpressedOperation(const Operation& op, std::span<const Type> operand_types,
                     std::span<const Type> result_types);
  Operation op;
  std::vector<std::unique_ptr<Value>> operands;
};
// Quantized types as their expressed types; others as they are.
Type expressed_type(const Type& type);

// The results of the ordinary lowering of `op` on other operands; `dropped` attributes are left
// out.
Parts run_as(Lowering& lowering, const Operation& op, const Parts& operands,
             std::span<const TensorType> results,
             std::initializer_list<std::string_view> dropped = {});

// One number per tensor, or per index along `axis`, in the shape of `type`.
Operand spread(Lowering& lowering, const std::vector<double>& values,
               const std::optional<std::int64_t>& axis, const TensorType& type);
Operand spread(Lowering& lowering, const std::vector<std::int64_t>& values,
               const std::optional<std::int64_t>& axis, const TensorType& type);

// (stored - zero point) * scale, in the expressed type.
Operand dequantize(Lowering& lowering, const Operand& stored, const Quantization& quantization);
// clamp(real / scale + zero point), rounded to nearest even, in the storage type. NaN gives 0.
Operand quantize(Lowering& lowering, const Operand& real, const Quantization& quantization);
// Integers of one quantization as integers of another, unbounded, in floats: rounded() of them.
Operand rescaled(Lowering& lowering, const Operand& stored, const Quantization& from,
                 const Quantization& to);
// Integers, within the bounds of the storage, in the storage type.
Operand bounded(Lowering& lowering, const Operand& integers, const Quantization& to);
// In which floats scales of products and quotients are applied: never in less than f32.
ElementType scaling_type(const Quantization& quantization);

void lower_uniform_quantize(Lowering& lowering, const Operation& op);
void lower_uniform_dequantize(Lowering& lowering, const Operation& op);
void lower_expressed(Lowering& lowering, const Operation& op);
void lower_quantized_sum(Lowering& lowering, const Operation& op);
void lower_quantized_reduction(Lowering& lowering, const Operation& op);
void lower_quantized_product(Lowering& lowering, const Operation& op);  // dots, convolutions

}  // namespace understudy::program::passes
