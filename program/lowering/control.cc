// SPDX-License-Identifier: Apache-2.0
// Loops, branches, calls, and the operations that only give structure.
#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/custom_call/custom_call.h"
#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Refuses blocks whose result types differ from those of their siblings, or from what a loop
// carries. Only values of dynamic shapes can reach this: static types were checked by the verifier.
void require_same_types(const Operation& op, const Parts& got, const Parts& wanted) {
  const bool same = std::ranges::equal(
      got, wanted, [](const Operand& a, const Operand& b) { return a.type == b.type; });
  if (!same)
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: the shapes of its results differ between branches or "
                               "iterations",
                               op.name));
}

// Carried values have buffers of their own, which the body overwrites at its end, all at once: the
// body may permute them. Coalescing later removes most of these copies.
void lower_while(Lowering& lowering, const Operation& op) {
  const Parts inputs = lowering.parts(op);
  Parts carried;
  for (const Operand& input : inputs) carried.push_back(lowering.make(input.type));
  lowering.move_all(inputs, carried);
  While work;
  work.condition =
      // The predicate stays where the condition leaves it; no copy is needed.
      lowering.nested([&] { work.predicate = lowering.run_block(op.block(0), carried).at(0); });
  work.body = lowering.nested([&] {
    const Parts next = lowering.run_block(op.block(1), carried);
    // Checked before the moves, which assume equal types.
    require_same_types(op, next, carried);
    lowering.move_all(next, carried);
  });
  lowering.emit(std::move(work), {}, carried);
  lowering.bind_all(op.results, carried);
}

// The branch that an index selects: out of range selects the last one (the StableHLO specification,
// "case"). A pred selects the first branch if true.
std::size_t branch_of(const Operation& op, std::int64_t index, ElementType element) {
  const auto count = static_cast<std::int64_t>(op.regions.size());
  if (is_pred(element)) return index != 0 ? 0 : 1;
  return static_cast<std::size_t>(index < 0 || index >= count ? count - 1 : index);
}

// A known index leaves one branch only. Exported programs select by platform this way, and other
// branches may contain operations that cannot be lowered.
void lower_branches(Lowering& lowering, const Operation& op) {
  const Operand index = lowering.operand(op, 0);
  if (const auto known = lowering.known_integers(index)) {
    const std::size_t chosen = branch_of(op, known->front(), index.type.element);
    return lowering.bind_all(op.results, lowering.run_block(op.block(chosen), {}));
  }
  Parts outputs;
  Case work;
  for (std::size_t i = 0; i < op.regions.size(); ++i)
    work.branches.push_back(lowering.nested([&] {
      const Parts results = lowering.run_block(op.block(i), {});
      // The first branch sets the types that the others must have.
      if (i == 0)
        for (const Operand& result : results) outputs.push_back(lowering.make(result.type));
      require_same_types(op, results, outputs);
      lowering.move_all(results, outputs);
    }));
  lowering.emit(std::move(work), {index}, outputs);
  lowering.bind_all(op.results, outputs);
}

void lower_call(Lowering& lowering, const Operation& op) {
  lowering.bind_all(op.results, lowering.call(op, symbol_of(op, "callee"), lowering.parts(op)));
}

// The function of CHLO that a composite of the frontends stands for ("chlo.erf", decomposed by
// @chlo.erf.impl), where a kernel computes it as exactly as any decomposition does: of floats of at
// most 32 bits. nullopt of all other composites, and of versions that are not known.
std::optional<UnaryOp> function_of(const Operation& op, const Parts& inputs) {
  constexpr std::string_view kDialect = "chlo.";
  const std::string name = word_of(op, "name", "");
  if (!name.starts_with(kDialect) || inputs.size() != 1 || op.results.size() != 1 ||
      // A later version may mean something else; the decomposition then says what.
      !symbol_of(op, "decomposition").starts_with(name + ".impl") ||
      integer_of(op, "version", 0) != 1)
    return std::nullopt;
  const ElementType element = inputs[0].type.element;
  if (!is_float(element) || byte_size(element) > 4) return std::nullopt;
  const auto function = unary_op_of(name.substr(kDialect.size()));
  return function && !is_expanded(*function, element) ? function : std::nullopt;
}

// A composite means what its decomposition computes.
void lower_composite(Lowering& lowering, const Operation& op) {
  const Parts inputs = lowering.parts(op);
  if (const auto function = function_of(op, inputs))
    return lowering.emit_result(op, Unary{*function}, inputs);
  lowering.bind_all(op.results,
                    lowering.call(op, symbol_of(op, "decomposition"), lowering.parts(op)));
}

// The body works on local values already. interface_of() has checked that operands and results have
// the shardings that it expects.
void lower_manual_computation(Lowering& lowering, const Operation& op) {
  lowering.bind_all(op.results, lowering.run_block(op.block(), lowering.parts(op)));
}

// Asynchronous operations run synchronously: the future is bound to the results.
void lower_async_start(Lowering& lowering, const Operation& op) {
  lowering.bind_all(op.results, lowering.run_block(op.block(), lowering.parts(op)));
}

std::size_t leaves(const Type& type) {
  if (type.is_tensor()) return 1;
  std::size_t count = 0;
  for (const Type& element : type.elements) count += leaves(element);
  return count;
}

// A tuple is the list of its leaves, so an element is a range of that list.
void lower_get_tuple_element(Lowering& lowering, const Operation& op) {
  const auto index = static_cast<std::size_t>(integer_of(op, "index", 0));
  const std::vector<Type>& elements = op.operands[0]->type.elements;
  const Parts all = lowering.parts(op);
  // The leaves of earlier elements stand before those of this one.
  std::size_t first = 0;
  for (std::size_t i = 0; i < index; ++i) first += leaves(elements.at(i));
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  lowering.bind(*op.results[0],
                Parts(begin, begin + static_cast<std::ptrdiff_t>(leaves(elements.at(index)))));
}

// Tokens have no buffers: instructions run in the order of the program anyway.
void lower_token(Lowering& lowering, const Operation& op) {
  lowering.bind(*op.results[0], Parts{});
}

void lower_process_index(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, ProcessIndex{op.name == "stablehlo.replica_id"}, {});
}

}  // namespace

void add_control(LowerTable& table) {
  table.emplace("stablehlo.while", lower_while);
  table.emplace("stablehlo.case", lower_branches);
  table.emplace("stablehlo.if", lower_branches);
  table.emplace("func.call", lower_call);
  table.emplace("stablehlo.composite", lower_composite);
}

void add_structure(LowerTable& table) {
  table.emplace("sdy.manual_computation", lower_manual_computation);
  table.emplace("sdy.sharding_constraint", lower_identity);
  table.emplace("stablehlo.optimization_barrier", lower_identity);
  table.emplace("stablehlo.tuple", lower_identity);
  table.emplace("stablehlo.async_start", lower_async_start);
  table.emplace("stablehlo.async_done", lower_identity);
  table.emplace("stablehlo.get_tuple_element", lower_get_tuple_element);
  table.emplace("stablehlo.after_all", lower_token);
  table.emplace("stablehlo.create_token", lower_token);
  table.emplace("stablehlo.partition_id", lower_process_index);
  table.emplace("stablehlo.replica_id", lower_process_index);
}

}  // namespace understudy::program::passes
