// SPDX-License-Identifier: Apache-2.0
// Operations on quantized tensors: which of them accept quantized operands, and which quantizations
// have to agree (StableHLO specification, "Quantized types" and the constraints of each operation).
#include "program/lowering/quantized/quantized.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/verify/rules.h"
#include "program/verify/signature.h"

namespace understudy::program::rules {
namespace {

using passes::QuantizedRow;
using passes::QuantizedWork;
using passes::Shares;

// A value of the operation and how to call it: "operand 1 is ...", "result 0 is ...".
struct Named {
  const Type* type;
  std::string name;
};

Named operand_of(const Check& check, std::size_t i) {
  return {&check.op().operands.at(i)->type, fmt::format("operand {}", i)};
}
Named result_of(const Check& check, std::size_t i) {
  return {&check.op().results.at(i)->type, fmt::format("result {}", i)};
}

// ---- alike -------------------------------------------------------------------------------------

// Per-axis scales have no meaning in a reduction: elements along the axis would mix.
void refuse_per_axis(const Check& check, const Named& value) {
  if (value.type->is_quantized() && value.type->quantization->is_per_axis())
    check.fail(fmt::format("{} is {}, but must be quantized per tensor", value.name,
                           text_of(*value.type)));
}

// Operands may have another scale than the region's arguments (they are requantized), but both must
// express the same float type.
void expect_reduced(const Check& check) {
  // The last region: select_and_scatter has its reducer behind the region that selects.
  const Block& body = check.op().block(check.op().regions.size() - 1);
  for (std::size_t i = 0; i < check.operands(); ++i) refuse_per_axis(check, operand_of(check, i));
  for (std::size_t i = 0; i < std::min(check.results(), body.arguments.size()); ++i) {
    const Named argument{&body.arguments[i]->type, fmt::format("argument {} of the region", i)};
    const Named operand = operand_of(check, i);
    for (const Named& value : {argument, result_of(check, i)}) {
      refuse_per_axis(check, value);
      const bool alike = value.type->is_quantized() == operand.type->is_quantized() &&
                         (!value.type->is_quantized() || value.type->quantization->expressed ==
                                                             operand.type->quantization->expressed);
      check.require(
          alike, fmt::format("{} is {}, but {} is {}: they must express the same type", value.name,
                             text_of(*value.type), operand.name, text_of(*operand.type)));
    }
  }
}

// All values have the same per-tensor quantization, or none is quantized.
void expect_alike(const Check& check, const std::vector<Named>& values) {
  for (const Named& value : values) refuse_per_axis(check, value);
  const Named& first = values.front();
  for (const Named& value : values) {
    const bool alike =
        value.type->is_quantized() == first.type->is_quantized() &&
        (!first.type->is_quantized() || *value.type->quantization == *first.type->quantization);
    if (!alike)
      check.fail(fmt::format("{} is {}, but {} is {}: they must be quantized alike", value.name,
                             text_of(*value.type), first.name, text_of(*first.type)));
  }
}

// The groups of values that must agree, as the operation's row says (see Shares).
void expect_groups(const Check& check, Shares shares) {
  const std::size_t count = shares == Shares::each || shares == Shares::scatter
                                ? std::min(check.results(), check.operands())
                                : 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Named> group = {operand_of(check, i)};
    if (shares == Shares::pair) group.push_back(operand_of(check, 1));
    if (shares == Shares::all)
      for (std::size_t k = 1; k < check.operands(); ++k) group.push_back(operand_of(check, k));
    if (shares == Shares::scatter) group.push_back(operand_of(check, count + 1 + i));
    group.push_back(result_of(check, i));
    expect_alike(check, group);
  }
}

// ---- dimensions that move ----------------------------------------------------------------------

// The quantized dimension after a reshape: the dimension of the same size with as many elements
// before it; -1 if there is none.
std::int64_t reshaped(const Shape& from, const Shape& to, std::int64_t axis) {
  std::int64_t before = 1;
  for (std::int64_t d = 0; d < axis; ++d) before *= from[static_cast<std::size_t>(d)];
  std::int64_t product = 1;
  // The element count before a dimension fixes its place; sizes alone could be ambiguous.
  for (std::size_t d = 0; d < to.size(); product *= to[d++])
    if (product == before && to[d] == from[static_cast<std::size_t>(axis)])
      return static_cast<std::int64_t>(d);
  return -1;
}

// The quantized dimension in the result; -1 if it has no counterpart.
std::int64_t moved(const Check& check, std::int64_t axis) {
  const Operation& op = check.op();
  if (op.name.ends_with("reshape"))
    return reshaped(check.operand(0).shape, check.result(0).shape, axis);
  const bool transposes = op.name == "stablehlo.transpose";
  const Shape list = check.integers(transposes ? "permutation" : "broadcast_dimensions");
  if (!transposes)
    // A broadcast lists the result's dimension for each of the operand's.
    return axis < static_cast<std::int64_t>(list.size()) ? list[static_cast<std::size_t>(axis)]
                                                         : -1;
  // A transposition lists the operand's dimension for each of the result's, so it is searched.
  const auto found = std::ranges::find(list, axis);
  return found == list.end() ? -1 : found - list.begin();
}

// Broadcasting a quantized dimension of one element repeats its scale.
Quantization spread_to(const Quantization& from, const Quantization& to) {
  Quantization wide = from;
  if (from.scales.size() == 1) {
    wide.scales.assign(to.scales.size(), from.scales[0]);
    wide.zero_points.assign(to.scales.size(), from.zero_points[0]);
  }
  return wide;
}

// Per-axis quantization moves with its dimension; per-tensor quantization must stay the same.
void expect_moved(const Check& check) {
  const Type& from = check.op().operands[0]->type;
  const Type& to = check.op().results[0]->type;
  const bool per_axis = from.is_quantized() && from.quantization->is_per_axis() &&
                        to.is_quantized() && to.quantization->is_per_axis();
  if (!per_axis) return expect_alike(check, {operand_of(check, 0), result_of(check, 0)});
  Quantization wanted = *from.quantization;
  const std::int64_t place = moved(check, *wanted.axis);
  check.require(place >= 0, fmt::format("the quantized dimension {} of {} is lost in {}",
                                        *wanted.axis, text_of(from), text_of(to)));
  if (check.op().name.find("broadcast") != std::string::npos)
    wanted = spread_to(wanted, *to.quantization);
  wanted.axis = place;
  check.require(*to.quantization == wanted,
                fmt::format("result 0 is {}, but operand 0 is {}: dimension {} must be quantized "
                            "like dimension {} of the operand",
                            text_of(to), text_of(from), place, *from.quantization->axis));
}

// ---- by expressed types ------------------------------------------------------------------------

// All quantized and float tensors of the operation must express the same float type.
void expect_one_expressed(const Check& check) {
  // Points into `values`, which does not grow any more.
  const Named* first = nullptr;
  std::vector<Named> values;
  for (std::size_t i = 0; i < check.operands(); ++i) values.push_back(operand_of(check, i));
  for (std::size_t i = 0; i < check.results(); ++i) values.push_back(result_of(check, i));
  for (const Named& value : values) {
    const Type type = passes::expressed_type(*value.type);
    // Integers and tokens have no expressed type that could differ.
    if (!type.is_tensor() || !is_float(type.tensor.element)) continue;
    if (first == nullptr) first = &value;
    const ElementType wanted = passes::expressed_type(*first->type).tensor.element;
    check.require(type.tensor.element == wanted,
                  fmt::format("{} is {}, but {} is {}: they must express the same type", value.name,
                              text_of(*value.type), first->name, text_of(*first->type)));
  }
}

// Applies the ordinary rule to a twin whose types are the expressed ones.
void expect_of_expressed(const Check& check, RuleFunction rule) {
  std::vector<Type> operands, results;
  for (const Value* value : check.op().operands)
    operands.push_back(passes::expressed_type(value->type));
  for (const auto& value : check.op().results)
    results.push_back(passes::expressed_type(value->type));
  const passes::ExpressedOperation twin(check.op(), operands, results);
  const Check expressed(check.module(), twin.op, check.partitions());
  check_signature(expressed);
  if (rule != nullptr) rule(expressed);
}

}  // namespace

void quantized(const Check& check, RuleFunction rule, bool has_shapes) {
  const QuantizedRow* const row = passes::quantized_row(check.op().name);
  check.require(row != nullptr, "does not support quantized tensors");
  const bool by_integers = row->work == QuantizedWork::integers;
  const bool converts = check.op().name.starts_with("stablehlo.uniform_");
  const bool reduces = row->shares == Shares::reduced;
  // Operations on integers check their own types; conversions between types have rules of their
  // own.
  if (reduces || (!by_integers && !converts)) expect_one_expressed(check);
  if (has_shapes && row->shares == Shares::moved) expect_moved(check);
  if (reduces) expect_reduced(check);
  if (row->shares > Shares::moved) expect_groups(check, row->shares);
  // Opaque shapes leave nothing for the ordinary rule.
  if (!has_shapes) return;
  if (!by_integers && !converts) return expect_of_expressed(check, rule);
  if (rule != nullptr) rule(check);
}

// From the expressed float type, or from another quantization of the same expressed type.
void uniform_quantize(const Check& check) {
  const Type& from = check.op().operands[0]->type;
  const Type& to = check.op().results[0]->type;
  check.require(to.is_tensor() && to.is_quantized(),
                fmt::format("result 0 is {}, but must be quantized", text_of(to)));
  const ElementType expressed = passes::expressed_type(from).tensor.element;
  if (!from.is_tensor() || expressed != to.quantization->expressed)
    check.fail_operand(0, fmt::format("is {}, but {} expresses {}", text_of(from), text_of(to),
                                      mlir_name(to.quantization->expressed)));
  check.expect_shape(0, check.operand(0).shape);
  const bool turns = from.is_quantized() && from.quantization->is_per_axis() &&
                     to.quantization->is_per_axis() &&
                     from.quantization->axis != to.quantization->axis;
  check.require(!turns, fmt::format("{} and {} are quantized along different dimensions",
                                    text_of(from), text_of(to)));
}

void uniform_dequantize(const Check& check) {
  const Type& from = check.op().operands[0]->type;
  if (!from.is_tensor() || !from.is_quantized())
    check.fail_operand(0, fmt::format("is {}, but must be quantized", text_of(from)));
  check.require(!check.op().results[0]->type.is_quantized(),
                fmt::format("result 0 is {}, but must be {}", text_of(check.op().results[0]->type),
                            text_of(passes::expressed_type(from))));
  check.expect_result(0, passes::expressed_type(from).tensor);
}

}  // namespace understudy::program::rules
