// SPDX-License-Identifier: Apache-2.0
#include "program/lowering/arg_reduction.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "configs/base/index.h"
#include "program/kernels/kernels.h"

namespace understudy::program::passes {

namespace {

// A value of the body: what it is, as text over its parameters a, i (so far) and b, j (the next
// element), and its type.
struct BodyValue {
  std::string text;
  ElementType element;
};
using BodyValues = std::map<std::uint64_t, BodyValue>;  // by place

// Empty where a step has another kind of work than those of an argmax.
std::string text_of(const Instruction& step, const BodyValues& at) {
  const auto in = [&](std::size_t k) {
    const auto found = at.find(step.inputs[k].at.offset);
    // Not where the bytes are seen as another type.
    const bool is_known = found != at.end() && found->second.element == step.inputs[k].type.element;
    return is_known ? found->second.text : std::string("?");
  };
  if (const auto* compare = std::get_if<Compare>(&step.work))
    return compare->total_order
               ? ""
               : fmt::format("c{}({},{})", static_cast<int>(compare->direction), in(0), in(1));
  if (std::holds_alternative<Select>(step.work))
    return fmt::format("s({},{},{})", in(0), in(1), in(2));
  if (const auto* binary = std::get_if<Binary>(&step.work))
    return fmt::format("b{}({},{})", static_cast<int>(binary->op), in(0), in(1));
  return "";
}

bool in_frame(const Instruction& step) {
  const auto is = [](const Operand& operand) { return operand.at.space == Space::frame; };
  return std::ranges::all_of(step.inputs, is) && std::ranges::all_of(step.outputs, is);
}

// The results of the body as texts; empty where it has other steps.
std::vector<std::string> texts_of(const Body& body) {
  constexpr const char* kNames[] = {"a", "i", "b", "j"};
  BodyValues at;
  for (std::size_t k = 0; k < 4; ++k)
    at[body.parameters[k].at.offset] = {kNames[k], body.parameters[k].type.element};
  for (const Instruction& step : body.code) {
    std::string text = in_frame(step) ? text_of(step, at) : "";
    if (text.empty()) return {};
    at[step.outputs[0].at.offset] = {std::move(text), step.outputs[0].type.element};
  }
  std::vector<std::string> results;
  for (const Operand& result : body.results)
    if (result.at.space == Space::frame) results.push_back(at[result.at.offset].text);
  return results;
}

// The type of which there are kernels, with all values of `element`.
ElementType compared_as(ElementType element) {
  if (element == ElementType::f16) return ElementType::f32;
  if (element == ElementType::i16 || element == ElementType::ui16) return ElementType::i32;
  return element;
}

}  // namespace

std::optional<bool> wants_largest(const Body& body) {
  if (body.parameters.size() != 4) return std::nullopt;
  const std::vector<std::string> found = texts_of(body);
  const auto compare = [](Direction direction, const char* left, const char* right) {
    return fmt::format("c{}({},{})", static_cast<int>(direction), left, right);
  };
  const auto both = [](BinaryOp op, const std::string& left, const std::string& right) {
    return fmt::format("b{}({},{})", static_cast<int>(op), left, right);
  };
  const std::string tie = both(BinaryOp::logical_and, compare(Direction::eq, "a", "b"),
                               compare(Direction::lt, "i", "j"));
  for (const bool largest : {true, false}) {
    const Direction better = largest ? Direction::gt : Direction::lt;
    const std::string value =
        both(BinaryOp::logical_or, compare(better, "a", "b"), compare(Direction::ne, "a", "a"));
    const std::string index = both(BinaryOp::logical_or, value, tie);
    if (found ==
        std::vector<std::string>{fmt::format("s({},a,b)", value), fmt::format("s({},i,j)", index)})
      return largest;
  }
  return std::nullopt;
}

std::optional<ArgReduction> arg_reduction(const Lowering& lowering, const Reduce& work,
                                          const Parts& inputs) {
  if (inputs.size() != 4 || work.dimensions.size() != 1 || lowering.in_body()) return std::nullopt;
  const ElementType compared = compared_as(inputs[0].type.element);
  if (!kernels::finds_extremes(compared) || inputs[1].type.element != ElementType::i32 ||
      lowering.origins().iota_dimension(inputs[1]) != at(work.dimensions[0]))
    return std::nullopt;
  const auto largest = wants_largest(work.body);
  if (!largest) return std::nullopt;
  return ArgReduction{{work.dimensions[0], *largest}, compared};
}

}  // namespace understudy::program::passes
