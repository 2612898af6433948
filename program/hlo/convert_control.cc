// SPDX-License-Identifier: Apache-2.0
// Tuples, calls, fusions, loops and branches.
#include <algorithm>
#include <fmt/format.h>

#include "program/hlo/convert.h"

namespace understudy::program::hlo {
namespace {

std::vector<Type> types_of(const Values& values) {
  std::vector<Type> out;
  for (const Value* value : values) out.push_back(value->type);
  return out;
}

std::uint32_t only_called(const Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  return in.called[0];
}

void convert_tuple(Converter& converter, const Instruction&) {
  // A tuple costs nothing here: its leaves are the values of its operands in order.
  converter.bind(converter.all_operands());
}

// The leaves before the element are those of the elements before it.
void convert_element(Converter& converter, const Instruction& in) {
  const HloShape& shape = converter.operand_instruction(0).shape;
  const std::int64_t index = in.number("index", 0);
  if (shape.kind != HloShape::Kind::tuple || index < 0 ||
      static_cast<std::size_t>(index) >= shape.parts.size())
    converter.refuse(fmt::format("{} has no element {}", text_of(shape), index));
  std::size_t begin = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(index); ++i)
    begin += shape.parts[i].leaves();
  const Values& all = converter.operand(0);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
  const std::size_t count = shape.parts[static_cast<std::size_t>(index)].leaves();
  converter.bind(Values(first, first + static_cast<std::ptrdiff_t>(count)));
}

void convert_fusion(Converter& converter, const Instruction& in) {
  // What a fusion groups is XLA's choice for another machine. The passes of the executable fuse
  // again for this one.
  converter.bind(converter.inlined(only_called(converter, in), converter.all_operands()));
}

void convert_call(Converter& converter, const Instruction& in) {
  const std::uint32_t called = only_called(converter, in);
  // A call that is the body of a manual computation becomes a region, all others stay functions: a
  // computation called n times is converted once.
  if (convert_manual_body(converter, in)) return;
  const std::string name = converter.function_for(called);
  converter.emit_result("func.call", converter.all_operands(),
                        {{"callee", {SymbolAttribute{name}}}});
}

void convert_while(Converter& converter, const Instruction& in) {
  if (in.called.size() != 2) converter.refuse("needs a condition and a body");
  const Values init = converter.all_operands();
  Operation& op = converter.emit_result("stablehlo.while", init);
  const std::vector<Type> types = types_of(init);
  // called[0] is the body and called[1] the condition; StableHLO has the condition first.
  converter.add_region(op, in.called[1], types);
  converter.add_region(op, in.called[0], types);
}

// A predicate chooses between two computations, an index between any number; operand i + 1 is the
// argument of computation i.
void convert_conditional(Converter& converter, const Instruction& in) {
  const Value& selector = converter.single(0);
  // HLO's two forms differ by the selector: pred gives called[0] for true, s32 gives called[i] and
  // the last one for any index out of range.
  const bool is_predicate = selector.type.is_tensor() && is_pred(selector.type.tensor.element);
  if (converter.operand_count() != in.called.size() + 1 || (is_predicate && in.called.size() != 2))
    converter.refuse("needs one operand for each branch");
  Operation& op = converter.emit_result(is_predicate ? "stablehlo.if" : "stablehlo.case",
                                        {&converter.single(0)});
  for (std::size_t i = 0; i < in.called.size(); ++i)
    converter.add_branch(op, in.called[i], converter.operand(i + 1));
}

void convert_barrier(Converter& converter, const Instruction&) {
  const Values operands = converter.all_operands();
  converter.emit_result("stablehlo.optimization_barrier", operands);
}

void convert_after_all(Converter& converter, const Instruction&) {
  converter.emit_result(
      converter.operand_count() == 0 ? "stablehlo.create_token" : "stablehlo.after_all",
      converter.all_operands());
}

}  // namespace

void add_control(ConvertTable& table) {
  table.emplace("after-all", convert_after_all);
  // A generic async-start wraps a computation of one operation.
  table.emplace("async", convert_fusion);  // async-start
  table.emplace("call", convert_call);
  table.emplace("conditional", convert_conditional);
  table.emplace("fusion", convert_fusion);
  table.emplace("get-tuple-element", convert_element);
  table.emplace("opt-barrier", convert_barrier);
  table.emplace("tuple", convert_tuple);
  table.emplace("while", convert_while);
}

}  // namespace understudy::program::hlo
