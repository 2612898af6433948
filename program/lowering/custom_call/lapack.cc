// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/custom_call/lapack.h"

#include <algorithm>
#include <fmt/format.h>

#include "program/lowering/custom_call/lapack_targets.h"

namespace understudy::program::passes {

namespace {

// Only calls with symbolic shapes have such operands; they follow the matrices.
std::size_t shape_operands(const Operation& op) {
  const Attribute* shapes = op.find("indices_of_shape_operands");
  return shapes == nullptr ? 0 : integers_of(*shapes).size();
}

// For each result of the routine, the result of the call; npos: the call does not have it.
std::vector<std::size_t> places_of(const LapackTarget& target, std::size_t outputs,
                                   std::size_t results) {
  std::vector<std::size_t> places(outputs, std::string_view::npos);
  for (std::size_t i = 0; i < results; ++i) {
    // A row without a list: the results are in the routine's order.
    if (target.results.empty()) {
      if (i < outputs) places[i] = i;
    } else if (i < target.results.size() && target.results[i] != '-') {
      places.at(static_cast<std::size_t>(target.results[i] - '0')) = i;
    }
  }
  return places;
}

std::vector<TensorType> types_of(const Parts& parts) {
  std::vector<TensorType> types;
  for (const Operand& part : parts) types.push_back(part.type);
  return types;
}

void expect_layouts(const Operation& op, const LapackTarget& target, const Lapack& work,
                    const Parts& inputs, std::size_t scalars, const Parts& outputs,
                    const std::vector<std::size_t>& places) {
  // These forms carry no layouts.
  if (target.form == LapackForm::none || target.form == LapackForm::text) return;
  const RoutineRow& row = row_of(work.routine);
  const auto in = words_of(row.inputs);
  const auto out = words_of(outputs_of(row, inputs[0].type.element));
  for (std::size_t i = 0; i < in.size(); ++i)
    expect_layout(op, "operand_layouts", scalars + i, in[i].size() - 2,
                  inputs[i].type.shape.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    expect_layout(op, "result_layouts", places[i], out[i].size() - 2, outputs[i].type.shape.size());
}

void lower_routine(Lowering& lowering, const Operation& op) {
  char letter = '\0';
  // Not null: lapack_target() has found this name.
  const LapackTarget& target = *find_lapack_target(target_name(op), letter);
  Lapack work{target.routine};
  const std::size_t scalars = read_settings(lowering, op, target, work);
  const std::size_t last = op.operands.size() - shape_operands(op);
  if (last <= scalars) throw wrong_call(op, "an operand is missing");
  const Parts inputs = lowering.parts(op, scalars, last - scalars);
  expect_letter(op, letter, inputs[0].type);
  const std::size_t expected = target.results.size();
  if (expected != 0 && op.results.size() != expected)
    throw wrong_call(op, fmt::format("{} results, expected {}", op.results.size(), expected));
  const auto words = words_of(outputs_of(row_of(work.routine), inputs[0].type.element));
  // A row without a list takes as many results as the call has.
  const std::size_t count = expected == 0 ? op.results.size() : words.size();
  const auto places = places_of(target, count, op.results.size());
  Parts outputs;
  for (const std::size_t place : places)
    outputs.push_back(lowering.make(lowering.result_type(op, place)));
  const std::string problem = misfit(work, types_of(inputs), types_of(outputs));
  if (!problem.empty()) throw wrong_call(op, problem);
  expect_layouts(op, target, work, inputs, scalars, outputs, places);
  lowering.emit(work, inputs, outputs);
  // Workspace, which old calls return as results, is zeros.
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const auto found = std::ranges::find(places, i);
    lowering.bind(*op.results[i], found == places.end()
                                      ? lowering.splat(lowering.result_type(op, i), 0)
                                      : outputs[static_cast<std::size_t>(found - places.begin())]);
  }
}

}  // namespace

LowerFunction lapack_target(std::string_view target) {
  char letter = '\0';
  if (find_lapack_target(target, letter) != nullptr) return lower_routine;
  if (matches_letter(kSolveTarget, "sdcz", target, letter)) return lower_lapack_solve;
  return matches_letter(kOldSolveTarget, "sdcz", target, letter) ? lower_old_lapack_solve : nullptr;
}

}  // namespace understudy::program::passes
