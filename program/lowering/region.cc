// SPDX-License-Identifier: Apache-2.0
// Regions that are called element by element: their bodies and frames, and what is recognised.
#include <algorithm>

#include "program/lowering/lowering.h"

namespace understudy::program::passes {

namespace {

// Bytes of a slot in a frame: the largest scalar, c128.
constexpr std::uint64_t kSlot = 16;
// Calls inside regions are followed this deep; beyond, the body runs one element at a time.
constexpr int kMaxScanDepth = 64;

bool is_scalar(const Type& type) { return type.is_tensor() && type.tensor.shape.empty(); }

// Operations that emit nothing, or a fill of a scalar, do not prevent lane-wise execution.
bool is_transparent(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "stablehlo.constant", "stablehlo.reshape", "stablehlo.broadcast_in_dim",
      "stablehlo.optimization_barrier", "sdy.sharding_constraint"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// A body is lane-wise if it only applies element-wise operations to scalars: the worker can then
// run it on many elements at once, one per lane, instead of calling it per element.
bool works_on_scalars(const Module& module, const Block& block, int depth) {
  if (depth > kMaxScanDepth) return false;
  // The worker's lanes hold scalars only.
  for (const auto& argument : block.arguments)
    if (!is_scalar(argument->type)) return false;
  for (const auto& op : block.operations) {
    if (op.get() == block.terminator()) break;
    if (!op->regions.empty()) return false;
    for (const auto& result : op->results)
      if (!is_scalar(result->type)) return false;
    for (const Value* operand : op->operands)
      if (!is_scalar(operand->type)) return false;
    if (is_elementwise(op->name) || is_transparent(op->name)) continue;
    const Attribute* callee = op->name == "func.call" ? op->find("callee") : nullptr;
    const auto* symbol = callee == nullptr ? nullptr : callee->get<SymbolAttribute>();
    const Function* function = symbol == nullptr ? nullptr : module.find_function(symbol->name);
    if (function == nullptr || function->body.blocks.empty() ||
        !works_on_scalars(module, function->block(), depth + 1))
      return false;
  }
  return true;
}

bool is_pred_reduction(BinaryOp op, bool all) {
  return all ? op == BinaryOp::multiply || op == BinaryOp::minimum || op == BinaryOp::logical_and
             : op == BinaryOp::add || op == BinaryOp::maximum || op == BinaryOp::logical_or;
}

// For pred, add and max are "or", multiply and min are "and". Reductions of small floats other than
// bf16 and f16 run their body.
Reduction reduction_of(BinaryOp op, ElementType element) {
  if (is_pred(element)) {
    if (is_pred_reduction(op, true)) return Reduction::logical_and;
    if (is_pred_reduction(op, false)) return Reduction::logical_or;
    return op == BinaryOp::logical_xor ? Reduction::logical_xor : Reduction::none;
  }
  const bool arithmetic = op == BinaryOp::add || op == BinaryOp::multiply;
  if (is_complex(element) && !arithmetic) return Reduction::none;
  const bool known_float = element == ElementType::bf16 || element == ElementType::f16 ||
                           element == ElementType::f32 || element == ElementType::f64;
  if (!known_float && !is_integer(element) && !is_complex(element)) return Reduction::none;
  switch (op) {
    case BinaryOp::add:
      return Reduction::sum;
    case BinaryOp::multiply:
      return Reduction::product;
    case BinaryOp::minimum:
      return Reduction::minimum;
    case BinaryOp::maximum:
      return Reduction::maximum;
    case BinaryOp::logical_and:
      return Reduction::logical_and;
    case BinaryOp::logical_or:
      return Reduction::logical_or;
    case BinaryOp::logical_xor:
      return Reduction::logical_xor;
    default:
      return Reduction::none;
  }
}

}  // namespace

Operand Lowering::slot(const TensorType& type) {
  // An empty tensor still gets a slot, so that no two operands share an address.
  const auto bytes = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(type.bytes()));
  const std::uint64_t offset = frame_->bytes;
  frame_->bytes += (bytes + kSlot - 1) / kSlot * kSlot;
  return {{Space::frame, frame_->depth, offset}, type};
}

Operand Lowering::into_frame(const Operand& outer) {
  if (frame_ == nullptr) return outer;
  if (outer.at.space == Space::frame) {
    if (outer.at.index != frame_->depth)
      throw Error(
          ErrorKind::unsupported,
          "a region nested in a reducer uses values of that reducer, which is not supported");
    return outer;
  }
  // A lane-wise body reads every operand lane by lane, so an outer scalar is first spread over
  // lanes, once per scalar.
  if (!frame_->lanewise) return outer;
  Parts& expanded = frame_->expanded[outer.at];
  for (std::size_t i = 0; i + 1 < expanded.size(); i += 2)
    if (expanded[i] == outer) return expanded[i + 1];
  const Operand lanes = slot(outer.type);
  emit(Fill{}, {outer}, {lanes});
  expanded.insert(expanded.end(), {outer, lanes});
  return lanes;
}

Body Lowering::collect_body(bool lanewise, const std::vector<TensorType>& parameters,
                            const std::function<Parts(const Parts&)>& build) {
  // A body inside a body has a frame of its own, one deeper.
  Frame frame;
  frame.lanewise = lanewise;
  Frame* outer = frame_;
  frame.depth = outer == nullptr ? 0 : outer->depth + 1;
  frame_ = &frame;
  Body body;
  body.lanewise = lanewise;
  for (const TensorType& type : parameters) body.parameters.push_back(slot(type));
  body.code = nested([&] { body.results = build(body.parameters); });
  frame_ = outer;
  body.frame_bytes = frame.bytes;
  // Frame operands carry the depth of their body while nested bodies are being lowered, to detect
  // captures. In the executable each body has one frame, number 0.
  const auto settle = [](Operand& operand, Access) {
    if (operand.at.space == Space::frame) operand.at.index = 0;
  };
  for (Operand& operand : body.parameters) settle(operand, Access::write);
  for (Operand& operand : body.results) settle(operand, Access::read);
  for (Instruction& instruction : body.code) visit_operands(instruction, settle);
  return body;
}

Body Lowering::body(const Block& block) {
  std::vector<TensorType> parameters;
  for (const auto& argument : block.arguments) parameters.push_back(argument->type.tensor);
  return collect_body(works_on_scalars(module_, block, 0), parameters,
                      [&](const Parts& arguments) { return run_block(block, arguments); });
}

Body Lowering::binary_body(BinaryOp op, ElementType element) {
  const ElementType both[] = {element, element};
  return built_body(both, [&](const Parts& p) { return Parts{binary(op, p[0], p[1])}; });
}

Body Lowering::built_body(std::span<const ElementType> parameters,
                          const std::function<Parts(const Parts&)>& build) {
  std::vector<TensorType> types;
  for (const ElementType element : parameters) types.push_back({element, {}});
  return collect_body(true, types, build);
}

Reduction recognise(const Body& body) {
  // Even one more instruction (a convert, say) makes it another function.
  if (body.code.size() != 1 || body.parameters.size() != 2 || body.results.size() != 1)
    return Reduction::none;
  const Instruction& only = body.code[0];
  const auto* binary = std::get_if<Binary>(&only.work);
  if (binary == nullptr || only.outputs[0].at != body.results[0].at) return Reduction::none;
  const auto is = [&](std::size_t input, std::size_t parameter) {
    return only.inputs[input].at == body.parameters[parameter].at &&
           only.inputs[input].type == body.parameters[parameter].type;
  };
  // Swapped operands are accepted: all recognised operations commute.
  if (!(is(0, 0) && is(1, 1)) && !(is(0, 1) && is(1, 0))) return Reduction::none;
  return reduction_of(binary->op, body.parameters[0].type.element);
}

bool returns_second(const Body& body) {
  return body.parameters.size() == 2 && body.results.size() == 1 &&
         body.results[0].at == body.parameters[1].at;
}

}  // namespace understudy::program::passes
