// SPDX-License-Identifier: Apache-2.0
// Collectives. HLO and StableHLO share the four grouping modes and the meaning of channel_id and
// use_global_device_ids.
#include <algorithm>
#include <fmt/format.h>

#include "program/hlo/convert.h"

namespace understudy::program::hlo {
namespace {

void add_channel(const Instruction& in, std::vector<NamedAttribute>& attributes) {
  const std::int64_t channel = in.number("channel_id", 0);
  // Channel 0 is proto3's absence: XLA numbers channels from 1. HLO keeps no channel type of a
  // collective, so the type stays 0.
  if (channel > 0)
    attributes.push_back(structure("channel_handle", "channel_handle",
                                   {{"handle", number_of(channel)}, {"type", number_of(0)}}));
}

// replica_groups and, if the operation knows them, channel and global ids.
std::vector<NamedAttribute> groups_of(const Instruction& in, bool global_ids) {
  std::vector<NamedAttribute> out{table("replica_groups", in.rows("replica_groups"))};
  add_channel(in, out);
  if (global_ids && in.flag("use_global_device_ids"))
    out.push_back({"use_global_device_ids", {UnitAttribute{}}});
  return out;
}

std::uint32_t reducer_of(const Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  return in.called[0];
}

void convert_all_reduce(Converter& converter, const Instruction& in) {
  const std::uint32_t reducer = reducer_of(converter, in);
  Operation& op =
      converter.emit_result("stablehlo.all_reduce", converter.all_operands(), groups_of(in, true));
  converter.add_region(op, reducer, converter.scalars_of(reducer));
}

// StableHLO scatters one array per operation.
// HLO may scatter a tuple at once. The parts keep the groups and the reducer, so their sum per
// element is the same.
void convert_reduce_scatter(Converter& converter, const Instruction& in) {
  const std::uint32_t reducer = reducer_of(converter, in);
  const Values operands = converter.all_operands();
  const std::vector<Type> types = converter.types_of(converter.result_shape());
  if (types.size() != operands.size() || in.ints("dimensions").size() != 1)
    converter.refuse("needs one dimension, and one result for each operand");
  Values results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::vector<NamedAttribute> attributes = groups_of(in, true);
    attributes.push_back(number("scatter_dimension", in.ints("dimensions")[0]));
    Operation& op = converter.emit("stablehlo.reduce_scatter", {operands[i]}, {types[i]},
                                   std::move(attributes));
    converter.add_region(op, reducer, converter.scalars_of(reducer));
    results.push_back(op.results[0].get());
  }
  converter.bind(std::move(results));
}

void convert_all_gather(Converter& converter, const Instruction& in) {
  if (in.ints("dimensions").size() != 1) converter.refuse("needs one dimension");
  std::vector<NamedAttribute> attributes = groups_of(in, true);
  attributes.push_back(number("all_gather_dim", in.ints("dimensions")[0]));
  converter.emit_result("stablehlo.all_gather", converter.all_operands(), std::move(attributes));
}

Value& concatenated(Converter& converter, const Values& parts, const Shape& piece) {
  Values pieces;
  for (Value* part : parts) pieces.push_back(&converter.reshape(*part, piece));
  // Each part has size 1 along a new first dimension, so the result of concatenation is indexed by
  // member.
  Shape shape = piece;
  shape[0] = static_cast<std::int64_t>(parts.size());
  return *converter
              .emit("stablehlo.concatenate", std::move(pieces),
                    {Type::of(TensorType{parts[0]->type.tensor.element, shape})},
                    {number("dimension", 0)})
              .results[0];
}

// One operand for each member of the group, one result from each: the operands are stacked,
// exchanged along the new dimension, and taken apart.
void convert_exchange_of_operands(Converter& converter, const Instruction& in) {
  const Values operands = converter.all_operands();
  if (operands.empty() || !operands[0]->type.is_tensor()) converter.refuse("needs operands");
  for (const Value* value : operands)
    if (value->type != operands[0]->type) converter.refuse("operands must have one type");
  const TensorType type = operands[0]->type.tensor;
  const auto count = static_cast<std::int64_t>(operands.size());
  Shape piece = type.shape;
  // all_to_all divides dimension 0 into as many pieces as there are members, and piece i goes to
  // member i: the meaning of HLO's tuple form, where operand i goes to member i.
  piece.insert(piece.begin(), 1);
  Value& stacked = concatenated(converter, operands, piece);
  std::vector<NamedAttribute> attributes = groups_of(in, false);
  attributes.push_back(number("split_dimension", 0));
  attributes.push_back(number("concat_dimension", 0));
  attributes.push_back(number("split_count", count));
  Value& exchanged =
      *converter.emit("stablehlo.all_to_all", {&stacked}, {stacked.type}, std::move(attributes))
           .results[0];
  Values results;
  for (std::int64_t i = 0; i < count; ++i) {
    Ints start(piece.size(), 0), limit(exchanged.type.tensor.shape);
    start[0] = i;
    limit[0] = i + 1;
    Value& slice =
        *converter
             .emit("stablehlo.slice", {&exchanged}, {Type::of(TensorType{type.element, piece})},
                   {list("start_indices", start), list("limit_indices", limit),
                    list("strides", Ints(piece.size(), 1))})
             .results[0];
    results.push_back(&converter.reshape(slice, type.shape));
  }
  converter.bind(std::move(results));
}

void convert_all_to_all(Converter& converter, const Instruction& in) {
  if (in.ints("dimensions").empty()) return convert_exchange_of_operands(converter, in);
  std::vector<NamedAttribute> attributes = groups_of(in, false);
  // Without groups all processes are one group; its size is not in the instruction.
  // Groups in an array all have one size, so the first tells the split count.
  const Rows& groups = in.rows("replica_groups");
  if (groups.empty()) converter.unsupported(in, "all-to-all without replica_groups");
  // HLO has one dimension for both; StableHLO may split one and concatenate along another.
  attributes.push_back(number("split_dimension", in.ints("dimensions")[0]));
  attributes.push_back(number("concat_dimension", in.ints("dimensions")[0]));
  attributes.push_back(number("split_count", static_cast<std::int64_t>(groups[0].size())));
  converter.emit_result("stablehlo.all_to_all", converter.all_operands(), std::move(attributes));
}

// One permutation for each operand.
void convert_collective_permute(Converter& converter, const Instruction& in) {
  const Values operands = converter.all_operands();
  const std::vector<Type> types = converter.types_of(converter.result_shape());
  // The four-operand form writes into a slice of an existing buffer; StableHLO's permute always
  // makes a new array.
  if (types.size() != operands.size())
    converter.unsupported(in, "collective-permute into parts of a buffer");
  Values results;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    std::vector<NamedAttribute> attributes{
        table("source_target_pairs", in.rows("source_target_pairs"), 2)};
    add_channel(in, attributes);
    results.push_back(
        converter
            .emit("stablehlo.collective_permute", {operands[i]}, {types[i]}, std::move(attributes))
            .results[0]
            .get());
  }
  converter.bind(std::move(results));
}

void convert_collective_broadcast(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.collective_broadcast", converter.all_operands(),
                        groups_of(in, false));
}

// A custom call in StableHLO, as JAX writes it.
void convert_ragged_all_to_all(Converter& converter, const Instruction& in) {
  DictionaryAttribute config;
  if (const std::int64_t channel = in.number("channel_id", 0); channel > 0)
    config.entries.push_back(number("channel_id", channel));
  config.entries.push_back(table("replica_groups", in.rows("replica_groups")));
  converter.emit_result(
      "stablehlo.custom_call", converter.all_operands(),
      // 4 is the typed interface (API_VERSION_TYPED_FFI), whose backend_config is a dictionary.
      {number32("api_version", 4),
       text("call_target_name", "ragged_all_to_all"),
       {"backend_config", {std::make_shared<const DictionaryAttribute>(std::move(config))}}});
}

}  // namespace

void add_collectives(ConvertTable& table) {
  table.emplace("all-gather", convert_all_gather);
  table.emplace("all-reduce", convert_all_reduce);
  table.emplace("all-to-all", convert_all_to_all);
  table.emplace("collective-broadcast", convert_collective_broadcast);
  table.emplace("collective-permute", convert_collective_permute);
  table.emplace("ragged-all-to-all", convert_ragged_all_to_all);
  table.emplace("reduce-scatter", convert_reduce_scatter);
}

}  // namespace understudy::program::hlo
