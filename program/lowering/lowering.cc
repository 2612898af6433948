// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/lowering.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/quantized/quantized.h"
#include "program/passes/module/calls.h"

namespace understudy::program::passes {

namespace {

// Lowering, later passes and the executor recurse over nested code; the limit keeps all of them
// within their stacks.
constexpr std::size_t kMaxNesting = 512;

}  // namespace

Lowering::Lowering(const Module& module, const Interface& interface, Draft& draft, Lowered lowered)
    : module_(module),
      interface_(interface),
      draft_(draft),
      code_(&draft.code),
      origins_(lowered, code_) {
  const auto order = operations_in_order(module);
  // Instructions refer to operations by their position in the whole module (Instruction::op), so
  // an inlined call keeps the operation of the callee.
  ordinals_.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    ordinals_.emplace(order[i], static_cast<std::uint32_t>(i));
    if (order[i]->name == "stablehlo.slice") ++slices_[order[i]->operands[0]];
  }
}

Parts Lowering::run_main(const Function& main) {
  // Before anything is inlined, so that a small file cannot expand without a limit.
  check_calls(module_, main);
  Parts arguments;
  for (std::size_t i = 0; i < interface_.arguments.size(); ++i)
    arguments.push_back(
        {{Space::argument, static_cast<std::uint32_t>(i), 0}, interface_.arguments[i].local});
  return run_block(main.block(), arguments);
}

void Lowering::lower_main(const Function& main) {
  const Parts results = run_main(main);
  UNDERSTUDY_ASSERT(results.size() == interface_.results.size());
  for (std::size_t i = 0; i < results.size(); ++i)
    copy(results[i], {{Space::result, static_cast<std::uint32_t>(i), 0}, results[i].type});
}

std::vector<TensorType> Lowering::result_types_of(const Function& main) {
  std::vector<TensorType> types;
  for (const Operand& result : run_main(main)) types.push_back(result.type);
  return types;
}

// ---- values ------------------------------------------------------------------------------------

const Parts& Lowering::parts_of(const Value& value, const Operation& op) const {
  const auto found = values_.find(&value);
  if (found == values_.end())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: an operand is used before it is defined", op.name));
  return found->second;
}

// Tuples have several parts, tokens none: neither is a tensor operand.
Operand Lowering::operand(const Operation& op, std::size_t index) {
  if (index >= op.operands.size())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: operand {} is missing", op.name, index));
  const Parts& found = parts_of(*op.operands[index], op);
  if (found.size() != 1)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: operand {} is not a tensor", op.name, index));
  return into_frame(found[0]);
}

Parts Lowering::parts(const Operation& op, std::size_t first, std::size_t count) {
  Parts all;
  for (std::size_t i = first; i < first + count; ++i)
    for (const Operand& part : parts_of(*op.operands[i], op)) all.push_back(into_frame(part));
  return all;
}

void Lowering::bind(const Value& value, Operand operand) {
  values_[&value] = Parts{std::move(operand)};
}

void Lowering::bind(const Value& value, Parts parts) { values_[&value] = std::move(parts); }

namespace {

std::size_t part_count(const Type& type) {
  if (type.is_tensor()) return 1;
  std::size_t count = 0;
  for (const Type& element : type.elements) count += part_count(element);
  return count;
}

}  // namespace

void Lowering::bind_all(std::span<const std::unique_ptr<Value>> values, const Parts& parts) {
  auto next = parts.begin();
  for (const auto& value : values) {
    const auto count = static_cast<std::ptrdiff_t>(part_count(value->type));
    UNDERSTUDY_ASSERT(parts.end() - next >= count);
    bind(*value, Parts(next, next + count));
    next += count;
  }
}

const TensorType& Lowering::operand_type(const Operation& op, std::size_t index) const {
  const Parts& found = parts_of(*op.operands.at(index), op);
  if (found.size() != 1)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: operand {} is not a tensor", op.name, index));
  return found[0].type;
}

const TensorType& Lowering::result_type(const Operation& op, std::size_t index) const {
  // A type found by refine() goes before the declared one, whose sizes may be open.
  const Type& type = op.results.at(index)->type;
  if (const auto found = refined_.find(op.results[index].get()); found != refined_.end())
    return found->second;
  if (!type.is_tensor() || !type.tensor.is_static())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: the shape of its result {} is only known at run time", op.name,
                               text_of(type)));
  return type.tensor;
}

// ---- blocks ------------------------------------------------------------------------------------

Parts Lowering::run_block(const Block& block, const Parts& arguments) {
  if (block.operations.empty()) throw Error(ErrorKind::input, "a block has no terminator");
  const Operation& terminator = *block.terminator();
  // Calls are inlined, so a block that is already being lowered is a recursive call.
  // The chain is short (kMostNesting at most), so a search of it is enough.
  if (std::ranges::find(active_, &block) != active_.end())
    throw error_at(terminator.location, ErrorKind::unsupported, "recursion is not supported");
  if (active_.size() >= kMaxNesting)
    throw error_at(
        terminator.location, ErrorKind::unsupported,
        fmt::format("calls and regions are nested more than {} levels deep", kMaxNesting));
  active_.push_back(&block);
  bind_all(block.arguments, arguments);
  // An inlined block sets both. An exception ends the whole lowering, so it need not restore them.
  const std::uint32_t outer = op_;
  const Operation* const outer_at = at_;
  const LowerTable& table = lower_table();
  for (const auto& op : block.operations) {
    if (op.get() == &terminator) break;
    const auto row = table.find(op->name);
    if (row == table.end())
      throw error_at(op->location, ErrorKind::unsupported,
                     fmt::format("{}: this operation is not supported", op->name));
    op_ = ordinals_.at(op.get());
    at_ = op.get();
    // Static result types first: every lowering function may rely on result_type().
    refine(*op);
    const LowerFunction lower = is_quantized(*op) ? quantized_function(*op) : row->second;
    lower(*this, *op);
  }
  // The copies that a caller makes of the results belong to the terminator.
  op_ = ordinals_.at(&terminator);
  Parts results = parts(terminator);
  active_.pop_back();
  op_ = outer;
  at_ = outer_at;
  return results;
}

Parts Lowering::call(const Operation& op, std::string_view function, const Parts& arguments) {
  const Function* callee = module_.find_function(function);
  if (callee == nullptr || callee->body.blocks.empty())
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: no function @{}", op.name, function));
  return run_block(callee->block(), arguments);
}

Code Lowering::nested(const std::function<void()>& lower) {
  Code code;
  Code* outer = code_;
  code_ = &code;
  origins_.enter(code_);
  lower();
  code_ = outer;
  origins_.enter(code_);
  return code;
}

// ---- instructions ------------------------------------------------------------------------------

void Lowering::emit(Work work, Parts inputs, Parts outputs) {
  // check_calls() counts operations; one operation may emit many instructions, for example a pad
  // per dimension.
  if (++emitted_ > kMostInlined)
    throw Error(ErrorKind::capacity,
                fmt::format("the program has more than {} instructions once its calls are inlined",
                            kMostInlined));
  // A copy of nothing, which no executor needs to know.
  if (const auto* copy = std::get_if<StridedCopy>(&work);
      copy != nullptr && std::ranges::find(copy->sizes, 0) != copy->sizes.end())
    return;
  // Refused here, at compile time, so that a worker never meets work that it has no kernel for.
  if (at_ != nullptr && !has_kernel(work, inputs, outputs)) {
    const TensorType& type = (inputs.empty() ? outputs : inputs)[0].type;
    throw error_at(at_->location, ErrorKind::unsupported,
                   fmt::format("{} of {}: no kernel for this type", at_->name, text_of(type)));
  }
  if (std::holds_alternative<DynamicUpdateSlice>(work) || std::holds_alternative<Scatter>(work) ||
      std::holds_alternative<While>(work) || std::holds_alternative<Case>(work))
    origins_.note_update();
  code_->push_back({std::move(work), std::move(inputs), std::move(outputs), op_});
}

Operand Lowering::emit(Work work, Parts inputs, const TensorType& type) {
  const std::vector<NumbersIn> in = numbers_in(work, inputs, type);
  if (const auto same = equal_input(work, in); same && inputs[*same].type == type)
    return inputs[*same];
  const auto numbers = in.size() == inputs.size() ? numbers_of(work, in, type) : std::nullopt;
  Operand out = make(type);
  // Folding does not remove the instruction: the value may also be needed as data. Dead code
  // elimination drops it otherwise.
  auto known = folded(work, inputs, type);
  emit(std::move(work), std::move(inputs), Parts{out});
  if (known) remember(out, std::move(*known));
  if (numbers && out.at.space == Space::temporary) counted_[out.at.index] = {type, *numbers};
  return out;
}

void Lowering::emit_result(const Operation& op, Work work, Parts inputs) {
  bind(*op.results[0], emit(std::move(work), std::move(inputs), result_type(op)));
}

Operand Lowering::binary(BinaryOp op, const Operand& a, const Operand& b) {
  return emit(Binary{op}, {a, b}, a.type);
}

Operand Lowering::unary(UnaryOp op, const Operand& x) { return emit(Unary{op}, {x}, x.type); }

Operand Lowering::convert(const Operand& x, ElementType element) {
  if (x.type.element == element) return x;
  const Operand out = emit(Convert{}, {x}, TensorType{element, x.type.shape});
  // Of a stack its arrays, which reductions of the stack read instead.
  const Origins::Joined* const found = origins_.joined(x);
  if (found == nullptr || found->pieces.size() > kMostStacked) return out;
  Origins::Joined stack = *found;
  for (Operand& piece : stack.pieces) piece = convert(piece, element);
  origins_.remember_joined(out, std::move(stack));
  return out;
}

// ---- the table ---------------------------------------------------------------------------------

// Built once, on first use; read-only afterwards, so it may be read from any thread.
const LowerTable& lower_table() {
  static const LowerTable table = [] {
    LowerTable rows;
    add_elementwise(rows);
    add_broadcasting(rows);
    add_movement(rows);
    add_slices(rows);
    add_dynamic(rows);
    add_indexing(rows);
    add_reductions(rows);
    add_batch_norm(rows);
    add_linear_algebra(rows);
    add_einsum(rows);
    add_ragged_dot(rows);
    add_scan(rows);
    add_convolution(rows);
    add_collectives(rows);
    add_rooted_collectives(rows);
    add_control(rows);
    add_structure(rows);
    add_custom_calls(rows);
    add_checks(rows);
    add_parallel(rows);
    return rows;
  }();
  return table;
}

bool can_lower(const Operation& op) {
  constexpr std::string_view kTerminators[] = {"stablehlo.return", "func.return", "sdy.return"};
  for (const std::string_view name : kTerminators)
    if (op.name == name) return true;
  if (op.name == "stablehlo.custom_call") return can_lower_custom_call(op);
  return lower_table().contains(op.name);
}

}  // namespace understudy::program::passes
