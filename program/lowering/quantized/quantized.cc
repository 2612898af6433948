// SPDX-License-Identifier: Apache-2.0
// Quantized tensors: conversions between stored integers and real numbers (the StableHLO
// specification, "Quantized types"), and the operations defined by them. real = (stored -
// zero_point) * scale; stored = round_nearest_even(clamp(real / scale + zero_point)).
#include "program/lowering/quantized/quantized.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/ir/literal.h"
#include "program/passes/element_bytes.h"

namespace understudy::program::passes {

namespace {

// Type of stored - zero_point. The difference of two 32-bit integers needs 33 bits, of narrower
// ones 32 suffice.
ElementType difference_type(ElementType storage) {
  return bit_width(storage) < 32 ? ElementType::i32 : ElementType::i64;
}

const Quantization& quantization_of(const Operation& op, const Value& value) {
  if (value.type.is_quantized()) return *value.type.quantization;
  throw error_at(op.location, ErrorKind::input,
                 fmt::format("{}: {} is not quantized", op.name, text_of(value.type)));
}

// A per-axis parameter (scale or zero point) as a full tensor: one value per index of `axis`.
Operand along(Lowering& lowering, const std::vector<std::byte>& bytes, std::int64_t axis,
              const TensorType& type) {
  const std::int64_t count = type.shape.at(static_cast<std::size_t>(axis));
  const std::int64_t dimensions[] = {axis};
  return lowering.broadcast(lowering.constant({type.element, {count}}, bytes), dimensions, type);
}

}  // namespace

Operand spread(Lowering& lowering, const std::vector<double>& values,
               const std::optional<std::int64_t>& axis, const TensorType& type) {
  if (!axis) return lowering.splat(type, values[0]);
  std::vector<std::byte> bytes;
  for (const double value : values)
    append_bits(type.element, bits_of_float(type.element, value), bytes);
  return along(lowering, bytes, *axis, type);
}

Operand spread(Lowering& lowering, const std::vector<std::int64_t>& values,
               const std::optional<std::int64_t>& axis, const TensorType& type) {
  if (!axis) return lowering.fill(lowering.integers({type.element, {}}, values), type);
  std::vector<std::byte> bytes;
  for (const std::int64_t value : values) append_integer(bytes, type.element, value);
  return along(lowering, bytes, *axis, type);
}

// ---- twins -------------------------------------------------------------------------------------

ExpressedOperation::ExpressedOperation(const Operation& of, std::span<const Type> operand_types,
                                       std::span<const Type> result_types) {
  op.name = of.name;
  op.attributes = of.attributes;
  op.location = of.location;
  op.operand_locations = of.operand_locations;
  for (const Type& type : operand_types) {
    operands.push_back(std::make_unique<Value>(Value{type, nullptr, nullptr, 0, of.location}));
    op.operands.push_back(operands.back().get());
  }
  for (const Type& type : result_types) {
    const auto index = static_cast<std::uint32_t>(op.results.size());
    op.results.push_back(
        std::make_unique<Value>(Value{type, nullptr, nullptr, index, of.location}));
  }
}

Type expressed_type(const Type& type) {
  if (!type.is_quantized() || !type.is_tensor()) return type;
  return Type::of(TensorType{type.quantization->expressed, type.tensor.shape});
}

namespace {

Parts values_of(Lowering& lowering, std::vector<Value*> values) {
  Operation reader;
  reader.operands = std::move(values);
  return lowering.parts(reader);
}

}  // namespace

// Runs the ordinary lowering of an operation on a twin with other types, for example the expressed
// types. The twin's values exist only for this call, so they are unbound again: the addresses of
// freed Values may be reused.
Parts run_as(Lowering& lowering, const Operation& op, const Parts& operands,
             std::span<const TensorType> results, std::initializer_list<std::string_view> dropped) {
  std::vector<Type> operand_types, result_types;
  for (const Operand& operand : operands) operand_types.push_back(Type::of(operand.type));
  for (const TensorType& result : results) result_types.push_back(Type::of(result));
  ExpressedOperation twin(op, operand_types, result_types);
  for (const std::string_view attribute : dropped) twin.op.erase(attribute);
  for (std::size_t i = 0; i < operands.size(); ++i) lowering.bind(*twin.operands[i], operands[i]);
  lower_table().at(op.name)(lowering, twin.op);
  std::vector<Value*> values;
  for (const auto& value : twin.op.results) values.push_back(value.get());
  Parts out = values_of(lowering, std::move(values));
  for (const Value* value : twin.op.operands) lowering.forget(*value);
  for (const auto& value : twin.op.results) lowering.forget(*value);
  return out;
}

// ---- conversions -------------------------------------------------------------------------------

Operand dequantize(Lowering& lowering, const Operand& stored, const Quantization& quantization) {
  Operand x = lowering.convert(stored, difference_type(quantization.storage));
  if (quantization.has_zero_points())
    x = lowering.binary(BinaryOp::subtract, x,
                        spread(lowering, quantization.zero_points, quantization.axis, x.type));
  x = lowering.convert(x, quantization.expressed);
  return lowering.binary(BinaryOp::multiply, x,
                         spread(lowering, quantization.scales, quantization.axis, x.type));
}

namespace {

Operand clamped(Lowering& lowering, const Operand& x, const Operand& least,
                const Operand& greatest) {
  return lowering.emit(Clamp{}, {least, x, greatest}, x.type);
}

// Clamps before rounding: the storage bounds are integers, so the order does not change the result,
// and the conversion never sees a value out of range.
Operand stored(Lowering& lowering, const Operand& x, const Quantization& to) {
  const ElementType element = x.type.element;
  const Operand inside =
      clamped(lowering, x, lowering.scalar(element, static_cast<double>(to.storage_min)),
              lowering.scalar(element, static_cast<double>(to.storage_max)));
  return lowering.convert(lowering.unary(UnaryOp::round_nearest_even, inside), to.storage);
}

}  // namespace

// round_nearest_even(clamp(real / scale + zero_point)), in the type of `real`.
Operand quantize(Lowering& lowering, const Operand& real, const Quantization& quantization) {
  Operand x = lowering.binary(BinaryOp::divide, real,
                              spread(lowering, quantization.scales, quantization.axis, real.type));
  if (quantization.has_zero_points()) {
    const std::vector<double> zeros(quantization.zero_points.begin(),
                                    quantization.zero_points.end());
    x = lowering.binary(BinaryOp::add, x, spread(lowering, zeros, quantization.axis, x.type));
  }
  return stored(lowering, x, quantization);
}

ElementType scaling_type(const Quantization& quantization) {
  return quantization.expressed == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

// Converts between two quantizations without going through real numbers: stored * f + (to.zero -
// from.zero * f) with f = from.scale / to.scale. Both factors are computed in double at compile
// time, so the run rounds once per operation.
Operand rescaled(Lowering& lowering, const Operand& stored, const Quantization& from,
                 const Quantization& to) {
  const std::size_t count = std::max(from.scales.size(), to.scales.size());
  const auto at = [](const auto& list, std::size_t i) { return list[list.size() == 1 ? 0 : i]; };
  std::vector<double> factors, offsets;
  for (std::size_t i = 0; i < count; ++i) {
    factors.push_back(at(from.scales, i) / at(to.scales, i));
    offsets.push_back(static_cast<double>(at(to.zero_points, i)) -
                      static_cast<double>(at(from.zero_points, i)) * factors.back());
  }
  const auto& axis = from.is_per_axis() ? from.axis : to.axis;
  // f32 holds every stored integer of up to 24 bits exactly.
  Operand x = lowering.convert(stored, scaling_type(to));
  x = lowering.binary(BinaryOp::multiply, x, spread(lowering, factors, axis, x.type));
  if (std::ranges::any_of(offsets, [](double offset) { return offset != 0; }))
    x = lowering.binary(BinaryOp::add, x, spread(lowering, offsets, axis, x.type));
  return x;
}

Operand bounded(Lowering& lowering, const Operand& integers, const Quantization& to) {
  const TensorType scalar{integers.type.element, {}};
  const std::int64_t least[] = {to.storage_min};
  const std::int64_t greatest[] = {to.storage_max};
  return lowering.convert(clamped(lowering, integers, lowering.integers(scalar, least),
                                  lowering.integers(scalar, greatest)),
                          to.storage);
}

// ---- operations --------------------------------------------------------------------------------

void lower_uniform_quantize(Lowering& lowering, const Operation& op) {
  const Quantization& to = quantization_of(op, *op.results.at(0));
  const Operand x = lowering.operand(op, 0);
  const Type& type = op.operands[0]->type;
  if (!type.is_quantized()) return lowering.bind(*op.results[0], quantize(lowering, x, to));
  if (*type.quantization == to) return lowering.bind(*op.results[0], x);
  lowering.bind(*op.results[0],
                stored(lowering, rescaled(lowering, x, *type.quantization, to), to));
}

void lower_uniform_dequantize(Lowering& lowering, const Operation& op) {
  const Quantization& from = quantization_of(op, *op.operands.at(0));
  lowering.bind(*op.results[0], dequantize(lowering, lowering.operand(op, 0), from));
}

// The fallback that the specification defines: dequantize the operands, run the operation on
// floats, quantize the results.
void lower_expressed(Lowering& lowering, const Operation& op) {
  Parts operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Operand x = lowering.operand(op, i);
    const auto& quantization = op.operands[i]->type.quantization;
    operands.push_back(quantization == nullptr ? x : dequantize(lowering, x, *quantization));
  }
  std::vector<TensorType> types;
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    types.push_back(lowering.result_type(op, i));
    const auto& quantization = op.results[i]->type.quantization;
    if (quantization != nullptr) types.back().element = quantization->expressed;
  }
  const Parts results = run_as(lowering, op, operands, types);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const auto& quantization = op.results[i]->type.quantization;
    lowering.bind(*op.results[i], quantization == nullptr
                                      ? results[i]
                                      : quantize(lowering, results[i], *quantization));
  }
}

namespace {

Operand requantized(Lowering& lowering, const Operand& x, const Type& from, const Type& to) {
  if (!from.is_quantized() || !to.is_quantized() || *from.quantization == *to.quantization)
    return x;
  return stored(lowering, rescaled(lowering, x, *from.quantization, *to.quantization),
                *to.quantization);
}

}  // namespace

// A reduction's region may use another quantization than its operands, for example a wider storage
// to accumulate in. Operands are requantized to what the region takes, and results back. In
// select_and_scatter the first region sees operand 0, the second one the others.
void lower_quantized_reduction(Lowering& lowering, const Operation& op) {
  const Block& body = op.block(op.regions.size() - 1);
  const bool scatters = op.regions.size() == 2;
  const std::size_t count = body.arguments.size() / 2;
  const Parts before = lowering.parts(op);
  for (std::size_t i = scatters ? 1 : 0; i < op.operands.size(); ++i) {
    const Value& operand = *op.operands[i];
    const Type& taken = body.arguments.at(scatters ? 0 : i % count)->type;
    lowering.bind(operand, requantized(lowering, before[i], operand.type, taken));
  }
  lower_table().at(op.name)(lowering, op);
  // Other users of the operands must see the original values.
  for (std::size_t i = 0; i < op.operands.size(); ++i) lowering.bind(*op.operands[i], before[i]);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const Value& result = *op.results[i];
    lowering.bind(result, requantized(lowering, values_of(lowering, {op.results[i].get()})[0],
                                      body.arguments.at(i)->type, result.type));
  }
}

namespace {

// lhs + rhs - zero point, of integers that have the result's quantization.
Operand sum(Lowering& lowering, const Operand& lhs, const Operand& rhs, const Quantization& to) {
  Operand all = lowering.binary(BinaryOp::add, lhs, rhs);
  if (to.has_zero_points())
    all = lowering.binary(BinaryOp::subtract, all,
                          spread(lowering, to.zero_points, to.axis, all.type));
  return bounded(lowering, all, to);
}

}  // namespace

// Each operand is rounded to the result's quantization, then integers are added. Mixed per-axis
// quantizations, and ui32 storage (whose sums do not fit i32), go through real numbers instead.
void lower_quantized_sum(Lowering& lowering, const Operation& op) {
  const auto& lhs = op.operands[0]->type.quantization;
  const auto& rhs = op.operands[1]->type.quantization;
  const auto& to = op.results[0]->type.quantization;
  if (lhs == nullptr || rhs == nullptr || to == nullptr) return lower_expressed(lowering, op);
  const bool alike = *lhs == *to && *rhs == *to;
  const bool per_axis = lhs->is_per_axis() || rhs->is_per_axis() || to->is_per_axis();
  const bool wide = is_unsigned_integer(to->storage) && bit_width(to->storage) == 32;
  if ((per_axis && !alike) || wide) return lower_expressed(lowering, op);
  const auto aligned = [&](std::size_t i, const Quantization& from) {
    Operand x = lowering.operand(op, i);
    if (from != *to)
      x = lowering.unary(UnaryOp::round_nearest_even, rescaled(lowering, x, from, *to));
    return lowering.convert(x, ElementType::i32);
  };
  const Operand left = aligned(0, *lhs);
  lowering.bind(*op.results[0], sum(lowering, left, aligned(1, *rhs), *to));
}

}  // namespace understudy::program::passes
