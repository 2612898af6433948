// SPDX-License-Identifier: Apache-2.0
// StableHLO's check dialect, as operations and as custom calls, and the interpreter's probe and
// print: what self-checking programs are made of. The rules are those of the reference interpreter.
#include <fmt/format.h>
#include <optional>

#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

constexpr double kCloseEnough = 1e-4;          // of the dialect's expect_almost_eq and of @check.eq
constexpr double kCloseEnoughForCalls = 1e-3;  // of @check.expect_almost_eq
// Default of check.expect_close, in units in the last place.
constexpr std::int64_t kUlps = 3;

// A tolerance may be written as an integer.
double real_of(const Operation& op, std::string_view attribute, double fallback) {
  const Attribute* const found = op.find(attribute);
  if (found == nullptr) return fallback;
  if (const auto* real = found->get<FloatAttribute>()) return real->value;
  return static_cast<double>(number_of(*found, 0));
}

Expect equal_of(const Operation&) { return {}; }

// Units in the last place. At least min_ulp_difference: tests may demand that results differ.
Expect close_of(const Operation& op) {
  Expect work;
  work.demand = Demand::within_ulps;
  work.least_ulps = integer_of(op, "min_ulp_difference", 0);
  work.most_ulps = integer_of(op, "max_ulp_difference", kUlps);
  return work;
}

Expect almost_equal_of(const Operation& op) {
  Expect work;
  work.demand = Demand::within;
  work.tolerance = real_of(op, "tolerance", kCloseEnough);
  return work;
}

Expect almost_equal_of_call(const Operation&) {
  Expect work;
  work.demand = Demand::within;
  work.tolerance = kCloseEnoughForCalls;
  return work;
}

// @check.eq compares integers exactly, and floats within a tolerance.
Expect eq_of_call(const Operation& op) {
  const Type& type = op.operands.at(0)->type;
  const bool exact = is_integer(type.tensor.element) || is_pred(type.tensor.element);
  return exact ? equal_of(op) : almost_equal_of(op);
}

// The probe's values of turn `iter` are compared at run time.
Expect probed_of(const Operation& op) {
  Expect work;
  work.demand = Demand::equal_probed;
  work.probe = string_of(op, "probe_id", "");
  work.turn = integer_of(op, "iter", 0);
  return work;
}

struct Row {
  std::string_view name;
  Expect (*expect)(const Operation& op);
};
constexpr Row kOperations[] = {
    {"check.expect_eq", equal_of},
    {"check.expect_eq_const", equal_of},
    {"check.expect_close", close_of},
    {"check.expect_almost_eq", almost_equal_of},
    {"check.expect_almost_eq_const", almost_equal_of},
    {"check.expect_serialized_eq", probed_of},
};
constexpr Row kCheckedTargets[] = {
    {"check.expect_eq", equal_of},
    {"check.expect_close", close_of},
    {"check.expect_almost_eq", almost_equal_of_call},
    {"check.eq", eq_of_call},
};

// A reducer runs per element, in an order and number that are not the program's.
void outside_bodies(const Lowering& lowering, const Operation& op) {
  if (lowering.in_body())
    throw error_at(op.location, ErrorKind::unsupported,
                   fmt::format("{}: checks inside a reducer are not supported", op.name));
}

// The expected value of an operation that carries it.
// A splat is filled at run time rather than stored in full.
Operand carried_value(Lowering& lowering, const Operation& op) {
  const auto* dense = op.find("value")->get<DenseAttribute>();
  if (dense == nullptr || dense->data == nullptr)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: the expected value must be dense<...>", op.name));
  if (dense->type.elements() == 0) return lowering.make(dense->type);
  if (!dense->is_splat) return lowering.constant(dense->type, *dense->data);
  return lowering.fill(lowering.constant({dense->type.element, {}}, *dense->data), dense->type);
}

void emit_expect(Lowering& lowering, const Operation& op, Expect work) {
  outside_bodies(lowering, op);
  Parts inputs = lowering.parts(op);
  if (op.find("value") != nullptr) inputs.push_back(carried_value(lowering, op));
  // A comparison with a probe has one input only.
  if (inputs.size() == 2 && inputs[0].type != inputs[1].type)
    throw error_at(op.location, ErrorKind::input,
                   fmt::format("{}: cannot compare {} with {}", op.name, text_of(inputs[0].type),
                               text_of(inputs[1].type)));
  Parts outputs;
  for (std::size_t i = 0; i < op.results.size(); ++i)
    outputs.push_back(lowering.make(lowering.result_type(op, i)));
  lowering.emit(std::move(work), std::move(inputs), outputs);
  lowering.bind_all(op.results, outputs);
}

void lower_check(Lowering& lowering, const Operation& op) {
  // Both spellings of an operation are rows, so a row is always found.
  for (const Row& row : kOperations)
    if (row.name == op.name) return emit_expect(lowering, op, row.expect(op));
}

void lower_probe(Lowering& lowering, const Operation& op) {
  outside_bodies(lowering, op);
  const Operand x = lowering.operand(op, 0);
  lowering.emit(Probe{string_of(op, "probe_id", "")}, Parts{x}, Parts{});
  lowering.bind(*op.results[0], x);
}

// Nobody reads it: it has no effect on results.
void lower_print(Lowering&, const Operation&) {}

}  // namespace

bool is_check_call(std::string_view target) {
  for (const Row& row : kCheckedTargets)
    if (row.name == target) return true;
  return false;
}

void lower_check_call(Lowering& lowering, const Operation& op) {
  const std::string target = string_of(op, "call_target_name", "");
  for (const Row& row : kCheckedTargets)
    if (row.name == target) return emit_expect(lowering, op, row.expect(op));
}

void add_checks(LowerTable& table) {
  for (const Row& row : kOperations) table.emplace(row.name, lower_check);
  table.emplace("interpreter.probe", lower_probe);
  table.emplace("interpreter.print", lower_print);
}

}  // namespace understudy::program::passes
