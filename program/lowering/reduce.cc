// SPDX-License-Identifier: Apache-2.0
// Operations that call a region element by element: reductions, windows, sort, map.
#include <fmt/format.h>

#include "program/ir/reductions.h"
#include "program/lowering/arg_reduction.h"
#include "program/lowering/custom_call/custom_call.h"
#include "program/lowering/exported_calls.h"
#include "program/lowering/lowering.h"
#include "program/lowering/pad.h"
#include "program/lowering/reduce_apart.h"
#include "program/lowering/reduce_joined.h"
#include "program/lowering/reduce_mapped.h"
#include "program/lowering/sliced_windows.h"
#include "program/lowering/split_reduction.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// Inputs and initial values, converted to the element types that the body takes: the specification
// allows the body to compute in a wider type than its operands.
Parts promoted(Lowering& lowering, const Operation& op, const Body& body, Parts inputs) {
  const std::size_t count = inputs.size() / 2;
  if (inputs.size() != body.parameters.size() || count == 0)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: {} operands do not match a region with {} arguments", op.name,
                               inputs.size(), body.parameters.size()));
  // The body takes the accumulated values first, then the elements.
  for (std::size_t i = 0; i < count; ++i) {
    inputs[i] = lowering.convert(inputs[i], body.parameters[count + i].type.element);
    inputs[count + i] = lowering.convert(inputs[count + i], body.parameters[i].type.element);
  }
  return inputs;
}

// Values with the body's element types, converted to what the op declares.
void bind_results(Lowering& lowering, const Operation& op, const Parts& values) {
  for (std::size_t i = 0; i < op.results.size(); ++i)
    lowering.bind(*op.results[i], lowering.convert(values[i], lowering.result_type(op, i).element));
}

// Emits work whose outputs have the body's element types, and binds them.
void emit_reduction(Lowering& lowering, const Operation& op, Work work, Parts inputs,
                    const std::vector<ElementType>& elements) {
  Parts outputs;
  if (op.results.size() == 1) {
    const TensorType type{elements[0], lowering.result_type(op).shape};
    outputs.push_back(lowering.emit(std::move(work), std::move(inputs), type));
  } else {
    for (std::size_t i = 0; i < op.results.size(); ++i)
      outputs.push_back(lowering.make({elements[i], lowering.result_type(op, i).shape}));
    lowering.emit(std::move(work), std::move(inputs), outputs);
  }
  bind_results(lowering, op, outputs);
}

std::vector<ElementType> result_elements(const Body& body) {
  std::vector<ElementType> elements;
  for (const Operand& result : body.results) elements.push_back(result.type.element);
  return elements;
}

// A reduction of one array.
Operand reduce_one(Lowering& lowering, Reduce work, Parts inputs, const Shape& result) {
  work.reduction = recognise(work.body);
  if (const auto values = reduce_joined(lowering, work, inputs)) return values->front();
  map_before_reduction(lowering, work, inputs);
  const ElementType element = work.body.results[0].type.element;
  inputs[0] = reduce_outer_dimensions(lowering, work, inputs[0]);
  inputs[0] = reduce_long_runs(lowering, work, inputs[0]);
  return lowering.emit(std::move(work), std::move(inputs), TensorType{element, result});
}

// One of several arrays whose results do not depend on each other, one after the other. nullopt,
// with nothing emitted, for any other.
std::optional<Parts> reduce_apart(Lowering& lowering, const Operation& op, const Reduce& work,
                                  const Parts& inputs) {
  std::vector<Body> bodies = separate_bodies(work.body);
  if (bodies.empty() || lowering.in_body()) return std::nullopt;
  Parts values;
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    Reduce one = work;
    one.body = std::move(bodies[r]);
    values.push_back(reduce_one(lowering, std::move(one), {inputs[r], inputs[bodies.size() + r]},
                                lowering.result_type(op, r).shape));
  }
  return values;
}

void lower_reduce(Lowering& lowering, const Operation& op) {
  Reduce work;
  work.dimensions = integers_of(op, "dimensions");
  work.body = lowering.body(op.block());
  Parts inputs = promoted(lowering, op, work.body, lowering.parts(op));
  if (op.results.size() == 1)
    return bind_results(
        lowering, op,
        {reduce_one(lowering, std::move(work), std::move(inputs), lowering.result_type(op).shape)});
  if (const auto values = reduce_joined(lowering, work, inputs))
    return bind_results(lowering, op, *values);
  if (const auto values = reduce_apart(lowering, op, work, inputs))
    return bind_results(lowering, op, *values);
  auto elements = result_elements(work.body);
  if (const auto arg = arg_reduction(lowering, work, inputs)) {
    elements[0] = arg->compared;
    return emit_reduction(lowering, op, arg->work,
                          {lowering.convert(inputs[0], arg->compared),
                           lowering.convert(inputs[2], arg->compared), inputs[3]},
                          elements);
  }
  // Any other of several arrays runs its body.
  emit_reduction(lowering, op, std::move(work), std::move(inputs), elements);
}

Window window_of(const Operation& op) {
  Window window;
  window.dimensions = integers_of(op, "window_dimensions");
  const std::size_t ndims = window.dimensions.size();
  window.strides = integers_or(op, "window_strides", ndims, 1);
  window.base_dilations = integers_or(op, "base_dilations", ndims, 1);
  window.window_dilations = integers_or(op, "window_dilations", ndims, 1);
  std::tie(window.padding_low, window.padding_high) = pairs_or(op, "padding", ndims, 0);
  return window;
}

// The same window along one dimension alone, or along all but that.
Window part_of(const Window& all, std::size_t dimension, bool is_alone) {
  Window part = all;
  for (std::size_t d = 0; d < part.dimensions.size(); ++d) {
    if ((d == dimension) == is_alone) continue;
    part.dimensions[d] = part.strides[d] = part.base_dilations[d] = part.window_dilations[d] = 1;
    part.padding_low[d] = part.padding_high[d] = 0;
  }
  return part;
}

// Windows of reductions that may combine a value any number of times, first along all dimensions
// but the last, then along that: 3 + 3 elements instead of 3 x 3. Those that move by one element
// along the last dimension are combined in registers, and take longer this way where they are
// small. nullopt for any other.
std::optional<Operand> reduce_in_turn(Lowering& lowering, const ReduceWindow& work,
                                      const Parts& inputs, const TensorType& result) {
  constexpr std::int64_t kLeastSliding = 25;  // elements of a window
  const Window& window = work.window;
  if (!is_idempotent(work.reduction) || inputs.size() != 2 || window.dimensions.size() < 2 ||
      inputs[0].type.elements() == 0 || result.elements() == 0 || lowering.in_body())
    return std::nullopt;
  const std::size_t last = window.dimensions.size() - 1;
  std::int64_t before = 1;
  for (std::size_t d = 0; d < last; ++d) before *= window.dimensions[d];
  const std::int64_t along_last = window.dimensions[last], all = before * along_last;
  if (before == 1 || along_last == 1 || all < (before + along_last) * 3 / 2 ||
      (window.strides[last] == 1 && all < kLeastSliding))
    return std::nullopt;
  ReduceWindow first = work, second = work;
  first.window = part_of(window, last, false);
  second.window = part_of(window, last, true);
  TensorType rows{inputs[0].type.element, result.shape};
  rows.shape[last] = inputs[0].type.shape[last];
  const Operand partial = lowering.emit(std::move(first), inputs, rows);
  return lowering.emit(std::move(second), {partial, inputs[1]},
                       {inputs[0].type.element, result.shape});
}

// `inputs`: the arrays, then the initial values.
void emit_window(Lowering& lowering, const Operation& op, Window window, const Block& block,
                 Parts inputs) {
  ReduceWindow work;
  work.window = std::move(window);
  work.body = lowering.body(block);
  if (op.results.size() == 1) work.reduction = recognise(work.body);
  inputs = promoted(lowering, op, work.body, std::move(inputs));
  if (const auto sums = accumulate_joined(lowering, work, inputs))
    return bind_results(lowering, op, {*sums});
  if (const auto sums = sums_of_spread(lowering, work, inputs))
    return bind_results(lowering, op, {*sums});
  const auto elements = result_elements(work.body);
  if (const auto extremes = reduce_in_turn(lowering, work, inputs, lowering.result_type(op)))
    return bind_results(lowering, op, {*extremes});
  if (const auto combined = reduce_slices(lowering, work, inputs, lowering.result_type(op)))
    return bind_results(lowering, op, {*combined});
  emit_reduction(lowering, op, std::move(work), std::move(inputs), elements);
}

void lower_reduce_window(Lowering& lowering, const Operation& op) {
  emit_window(lowering, op, window_of(op), op.block(), lowering.parts(op));
}

// Operand 0 is compared in the type of `select`, the source and initial value are combined in that
// of `scatter`.
void lower_select_and_scatter(Lowering& lowering, const Operation& op) {
  SelectAndScatter work;
  work.window = window_of(op);
  work.select = lowering.body(op.block(0));
  work.scatter = lowering.body(op.block(1));
  work.reduction = recognise(work.scatter);
  const ElementType element = work.scatter.parameters[0].type.element;
  Parts inputs = lowering.parts(op);
  inputs[0] = lowering.convert(inputs[0], work.select.parameters[0].type.element);
  inputs[1] = lowering.convert(inputs[1], element);
  inputs[2] = lowering.convert(inputs[2], element);
  emit_reduction(lowering, op, std::move(work), std::move(inputs), {element});
}

// A negative dimension counts from the end. The work is always stable, which satisfies unstable
// sorts too.
// Unverified modules may count from the end.
void lower_sort(Lowering& lowering, const Operation& op) {
  Sort work;
  const Parts inputs = lowering.parts(op);
  work.dimension = integer_of(op, "dimension", -1);
  if (work.dimension < 0) work.dimension += inputs[0].type.ndims();
  work.comparator = lowering.body(op.block());
  Parts outputs;
  for (const Operand& input : inputs) outputs.push_back(lowering.make(input.type));
  lowering.emit(std::move(work), inputs, outputs);
  lowering.bind_all(op.results, outputs);
}

void lower_map(Lowering& lowering, const Operation& op) {
  lowering.emit_result(op, Map{lowering.body(op.block())}, lowering.parts(op));
}

}  // namespace

void lower_dynamic_reduce_window(Lowering& lowering, const Operation& op) {
  // The reducer is a function here, as a custom call has no regions.
  DynamicWindow found = dynamic_window_of(lowering, op);
  const Attribute* calls = op.find("called_computations");
  const ArrayAttribute* names = calls == nullptr ? nullptr : calls->array();
  const auto* name = names == nullptr || names->elements.size() != 1
                         ? nullptr
                         : names->elements[0].get<SymbolAttribute>();
  const Function* reducer = name == nullptr ? nullptr : lowering.module().find_function(name->name);
  if (reducer == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: called_computations must name one function", op.name));
  emit_window(lowering, op, std::move(found.window), reducer->block(),
              lowering.parts(op, 0, 2 * found.inputs));
}

void add_reductions(LowerTable& table) {
  table.emplace("stablehlo.reduce", lower_reduce);
  table.emplace("stablehlo.reduce_window", lower_reduce_window);
  table.emplace("stablehlo.select_and_scatter", lower_select_and_scatter);
  table.emplace("stablehlo.sort", lower_sort);
  table.emplace("stablehlo.map", lower_map);
  table.emplace("chlo.top_k", lower_top_k);
}

}  // namespace understudy::program::passes
