// SPDX-License-Identifier: Apache-2.0
// Collectives with a root (fixed or given at run time), and ragged_all_to_all. A process in no
// group gets zeros. The executable must be the same for every chip, so whether a chip is the root
// is looked up at run time, by process id, in a table of constants.
#include <fmt/format.h>

#include "program/lowering/collective_groups.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

bool has_dynamic_root(const Operation& op) { return flag_of(op, "has_dynamic_root", false); }

// This process's position in its group, an i64 scalar; -1 if it is in none.
Operand place_in_group(Lowering& lowering, const std::vector<ProcessGroup>& groups) {
  const Interface& interface = lowering.interface();
  // One entry per process, so that a slice by the process's number finds its position.
  Shape places(static_cast<std::size_t>(interface.processes()), -1);
  for (const ProcessGroup& group : groups)
    for (std::size_t i = 0; i < group.size(); ++i)
      places.at(index_of(group[i])) = static_cast<std::int64_t>(i);
  const TensorType index{ElementType::ui32, {}};
  const auto id = [&](bool replica) {
    return lowering.convert(lowering.emit(ProcessIndex{replica}, {}, index), ElementType::i64);
  };
  const std::int64_t partitions[] = {interface.partitions};
  const Operand row = lowering.binary(BinaryOp::multiply, id(true),
                                      lowering.integers({ElementType::i64, {}}, partitions));
  const Operand process = lowering.binary(BinaryOp::add, row, id(false));
  const TensorType table{ElementType::i64, {interface.processes()}};
  const Operand place = lowering.emit(DynamicSlice{}, {lowering.integers(table, places), process},
                                      TensorType{ElementType::i64, {1}});
  return {place.at, {ElementType::i64, {}}};
}

// The group position of the root for result i: the first member, or as the last operand says.
// A vector of roots has one per result, a scalar is for all.
Operand root_of(Lowering& lowering, const Operation& op, std::size_t i) {
  const std::int64_t first[] = {0};
  const TensorType scalar{ElementType::i64, {}};
  if (!has_dynamic_root(op)) return lowering.integers(scalar, first);
  const Operand roots = lowering.operand(op, op.operands.size() - 1);
  const bool each = roots.type.elements() > 1;
  const Operand one = lowering.gather_strided(roots, {roots.type.element, {}}, {},
                                              // A slice of one element, without an instruction.
                                              each ? static_cast<std::int64_t>(i) : 0);
  return lowering.convert(one, ElementType::i64);
}

// x where `holds`, else zeros.
Operand where(Lowering& lowering, const Operand& holds, const Operand& x) {
  const Operand zero = lowering.splat(x.type, 0);
  return lowering.emit(Select{}, {holds, x, zero}, x.type);
}

Operand equal(Lowering& lowering, const Operand& a, const Operand& b, Direction direction) {
  return lowering.emit(Compare{direction}, {a, b}, TensorType{ElementType::pred, {}});
}

std::size_t operand_count(const Operation& op) {
  // The dynamic root is the last operand.
  return op.operands.size() - (has_dynamic_root(op) ? 1 : 0);
}

// All members reduce, then all but the root replace the result by zeros.
void lower_collective_reduce(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::all_reduce, true);
  const std::vector<ProcessGroup> groups = work.groups;
  const Parts inputs = with_reducer(lowering, op, work, operand_count(op));
  Parts outputs = emit_collective(lowering, op, std::move(work), inputs);
  const Operand place = place_in_group(lowering, groups);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = where(lowering, equal(lowering, place, root_of(lowering, op, i), Direction::eq),
                       outputs[i]);
  bind_collective(lowering, op, outputs);
}

// A broadcast from a dynamic root is an all_reduce of bytes with "or", in which every other member
// contributes zeros: the schedule of a collective must not depend on values of the run.
void broadcast_from_root(Lowering& lowering, const Operation& op, Collective work) {
  work.kind = CollectiveKind::all_reduce;
  work.body = lowering.binary_body(BinaryOp::logical_or, ElementType::ui8);
  work.reduction = recognise(work.body);
  const Operand place = place_in_group(lowering, work.groups);
  const std::int64_t first[] = {0};
  const Operand member =
      equal(lowering, place, lowering.integers(place.type, first), Direction::ge);
  Parts inputs;
  for (std::size_t i = 0; i < operand_count(op); ++i) {
    const Operand x = lowering.operand(op, i);
    const Operand bytes{x.at, {ElementType::ui8, {x.type.bytes()}}};
    const Operand is_root = equal(lowering, place, root_of(lowering, op, i), Direction::eq);
    inputs.push_back(where(lowering, is_root, bytes));
  }
  Parts outputs;
  for (const Operand& input : inputs) outputs.push_back(lowering.make(input.type));
  lowering.emit(std::move(work), inputs, outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i] = where(lowering, member, outputs[i]);
    outputs[i].type = lowering.operand_type(op, i);
  }
  bind_collective(lowering, op, outputs);
}

void lower_collective_broadcast(Lowering& lowering, const Operation& op) {
  Collective work = grouped_collective(lowering, op, CollectiveKind::collective_broadcast, false);
  if (has_dynamic_root(op)) return broadcast_from_root(lowering, op, std::move(work));
  bind_collective(lowering, op, emit_collective(lowering, op, std::move(work), lowering.parts(op)));
}

}  // namespace

// Groups and channel are in the backend_config, a dictionary.
void lower_ragged_all_to_all(Lowering& lowering, const Operation& op) {
  const Attribute* config = op.find("backend_config");
  if (config == nullptr || config->dictionary() == nullptr) config = op.find("mhlo.backend_config");
  const DictionaryAttribute* fields = config == nullptr ? nullptr : config->dictionary();
  const Attribute* groups = fields == nullptr ? nullptr : fields->find("replica_groups");
  if (groups == nullptr || op.operands.size() != 6)
    throw error_at(
        op.location, ErrorKind::input,
        fmt::format("{} @ragged_all_to_all: expected six operands, and replica_groups in a "
                    "backend_config dictionary",
                    op.name));
  Collective work = collective_of(lowering, op, CollectiveKind::ragged_all_to_all);
  const Attribute* channel = fields->find("channel_id");
  if (channel != nullptr) work.channel = number_of(*channel, 0);
  work.groups = groups_of(lowering, op, groups, moving_mode(work.channel));
  Parts inputs = lowering.parts(op);
  for (std::size_t i = 2; i < inputs.size(); ++i)
    inputs[i] = lowering.convert(inputs[i], ElementType::i64);
  const std::int64_t slices = inputs[2].type.elements();
  for (const ProcessGroup& group : work.groups)
    if (group.size() != work.groups[0].size() ||
        slices % static_cast<std::int64_t>(group.size()) != 0)
      throw error_at(
          op.location, ErrorKind::input,
          fmt::format("{} @ragged_all_to_all: {} slices do not divide among groups of {}", op.name,
                      slices, group.size()));
  lowering.emit_result(op, std::move(work), inputs);
}

void add_rooted_collectives(LowerTable& table) {
  table.emplace("stablehlo.collective_reduce", lower_collective_reduce);
  table.emplace("stablehlo.collective_broadcast", lower_collective_broadcast);
}

}  // namespace understudy::program::passes
