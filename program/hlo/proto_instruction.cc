// SPDX-License-Identifier: Apache-2.0
// HloInstructionProto: a table of its fields with the names that HLO text gives them.
#include "program/hlo/proto_instruction.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/hlo/proto_messages.h"

namespace understudy::program::hlo {
namespace {

// Single numbers, flags, words and lists. A number that is absent has its proto3 default, 0.
enum class Kind : std::uint8_t { number, flag, real, text, list };
struct Row {
  std::uint32_t field;
  std::string_view name;
  Kind kind;
};
constexpr std::array<Row, 26> kInstructionFields = {{
    {9, "parameter_number", Kind::number},
    {13, "index", Kind::number},
    {14, "dimensions", Kind::list},
    {18, "exponent_bits", Kind::number},
    {19, "mantissa_bits", Kind::number},
    {20, "dynamic_slice_sizes", Kind::list},
    {24, "epsilon", Kind::real},
    {25, "feature_index", Kind::number},
    {26, "channel_id", Kind::number},
    {28, "custom_call_target", Kind::text},
    {32, "fft_length", Kind::list},
    {34, "slice_sizes", Kind::list},
    {43, "backend_config", Kind::text},
    {47, "is_host_transfer", Kind::flag},
    {50, "feature_group_count", Kind::number},
    {56, "constrain_layout", Kind::flag},
    {58, "batch_group_count", Kind::number},
    {60, "is_stable", Kind::flag},
    {63, "direction", Kind::text},
    {65, "custom_call_has_side_effect", Kind::flag},
    {66, "delta", Kind::number},
    {67, "indices_are_sorted", Kind::flag},
    {69, "unique_indices", Kind::flag},
    {71, "use_global_device_ids", Kind::flag},
    {72, "type", Kind::text},
    {81, "k", Kind::number},
}};

bool simple_field(const Wire& in, Instruction& out) {
  for (const Row& row : kInstructionFields) {
    if (row.field != in.field()) continue;
    switch (row.kind) {
      case Kind::number:
        out.set(row.name, in.number());
        break;
      case Kind::flag:
        if (in.flag()) out.set(row.name, true);
        break;
      case Kind::real:
        out.set(row.name, in.real32());
        break;
      case Kind::text:
        if (!in.bytes().empty()) out.set(row.name, in.text());
        break;
      case Kind::list:
        append_to(out, row.name, in);
        break;
    }
    return true;
  }
  return false;
}

void called_in(const Wire& in, const ProtoContext& context, Instruction& out) {
  Ints ids;
  in.append(ids);
  for (const std::int64_t id : ids) {
    const auto found = context.computations.find(id);
    if (found == context.computations.end())
      in.fail(fmt::format("{} calls computation {}, which is not defined before it", out.name, id));
    out.called.push_back(found->second);
  }
}

// The fields that are messages or enumerations.
void other_field(const Wire& in, const ProtoContext& context, Instruction& out) {
  switch (in.field()) {
    case 3:
      out.shape = shape_in(in.message());
      break;
    case 7:
      metadata_in(in.message(), context, out);
      break;
    case 8:
      literals_in(in.message(), out.literals);
      break;
    case 15:
      out.set("window", window_in(in.message()));
      break;
    case 16:
      out.set("dim_labels", labels_in(in.message()));
      break;
    case 17:  // SliceDimensions: start = 1, limit = 2, stride = 3
      append_row(out, "slice", numbers_of(in.message(), 3));
      break;
    case 21: {  // PaddingConfig: dimensions = 1 (low = 1, high = 2, interior = 3)
      Wire padding = in.message();
      while (padding.next())
        if (padding.field() == 1) append_row(out, "padding", numbers_of(padding.message(), 3));
      break;
    }
    case 23:
      out.set("distribution", word_in(WordList::distribution, in));
      break;
    case 30:
      dot_in(in.message(), out);
      break;
    case 31:
      out.set("fft_type", word_in(WordList::fft, in));
      break;
    case 33:
      gather_in(in.message(), out);
      break;
    case 38:
      called_in(in, context, out);
      break;
    case 40:
      out.set("sharding", sharding_in(in.message()));
      break;
    case 48:
      scatter_in(in.message(), out);
      break;
    case 49: {  // the old place of replica groups: ReplicaGroup, replica_ids = 1
      Wire group = in.message();
      Ints ids;
      while (group.next())
        if (group.field() == 1) group.append(ids);
      append_row(out, "replica_groups", std::move(ids));
      break;
    }
    case 51:
      precision_in(in.message(), out);
      break;
    case 52:
      append_row(out, "source_target_pairs", numbers_of(in.message(), 2));
      break;
    case 57:
      out.operand_layouts.push_back(shape_in(in.message()));
      break;
    case 59:
      triangular_in(in.message(), out);
      break;
    case 62: {  // CholeskyOptions: lower = 1
      Wire options = in.message();
      while (options.next())
        if (options.field() == 1 && options.flag()) out.set("lower", true);
      break;
    }
    case 68:
      if (Words words = words_in(in.message()); !words.empty())
        out.set("frontend_attributes", std::move(words));
      break;
    case 70:
      out.set("algorithm", word_in(WordList::random, in));
      break;
    case 74:
      aliasing_in(in.message(), out);
      break;
    case 77:
      if (in.number() > 1) out.set("api_version", word_in(WordList::version, in));
      break;
    case 85:
      out.set("largest", in.flag());
      break;
    case 87:
      out.set("replica_groups", group_list_in(in.message()));
      break;
    case 90:
      ragged_in(in.message(), out);
      break;
    case 92:
      out.set("replica_groups", iota_groups_in(in.message()));
      break;
    case 93:
      out.set("replica_groups", mesh_groups_in(in.message()));
      break;
    case 99:
      if (std::string value = payload_in(in.message(), context); !value.empty())
        out.set("backend_config", std::move(value));
      break;
    default:
      break;
  }
}

// proto3 leaves out what is zero, text spells it: both readers give the same fields.
void complete(Instruction& out) {
  const auto at_least = [&](std::string_view name, FieldValue value) {
    for (const Field& field : out.fields)
      if (field.name == name) return;
    out.set(name, std::move(value));
  };
  if (out.opcode == "parameter") at_least("parameter_number", std::int64_t{0});
  if (out.opcode == "get-tuple-element") at_least("index", std::int64_t{0});
  if (out.opcode == "rng-bit-generator") at_least("algorithm", std::string("rng_default"));
  if (out.opcode == "fft") at_least("fft_type", std::string("FFT"));
  if (out.opcode == "iota") {
    const Ints dimensions = out.ints("dimensions");
    std::erase_if(out.fields, [](const Field& field) { return field.name == "dimensions"; });
    out.set("iota_dimension", dimensions.empty() ? std::int64_t{0} : dimensions[0]);
  }
  // Non-positive means no channel; 0 means one group.
  std::erase_if(out.fields, [](const Field& field) {
    const auto* number = std::get_if<std::int64_t>(&field.value);
    return number != nullptr && ((field.name == "channel_id" && *number <= 0) ||
                                 (field.name.ends_with("_group_count") && *number <= 1));
  });
}

}  // namespace

// name = 1, opcode = 2, id = 35, operand_ids = 36.
RawInstruction instruction_in(const Wire& wire, const ProtoContext& context) {
  RawInstruction raw;
  raw.out.written = raw.out.location = {context.source, wire.offset()};
  Wire in = wire;
  while (in.next()) {
    if (in.field() == 1)
      raw.out.name = in.text();
    else if (in.field() == 2)
      raw.out.opcode = in.text();
    else if (in.field() == 35)
      raw.id = in.number();
    else if (in.field() == 36)
      in.append(raw.operands);
    else if (!simple_field(in, raw.out))
      other_field(in, context, raw.out);
  }
  if (raw.out.opcode.empty()) wire.fail("an instruction has no opcode");
  complete(raw.out);
  return raw;
}

}  // namespace understudy::program::hlo
