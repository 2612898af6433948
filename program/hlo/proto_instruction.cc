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
struct InstructionField {
  std::uint32_t field;
  std::string_view name;
  Kind kind;
};
constexpr std::array<InstructionField, 26> kInstructionFields = {{
    // Numbers of xla/service/hlo.proto, ascending. Field 17 (slice), 21 (padding) and other
    // messages are in kMessageFields.
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
  for (const InstructionField& row : kInstructionFields) {
    if (row.field != in.field()) continue;
    switch (row.kind) {
      case Kind::number:
        out.set(row.name, in.number());
        break;
      case Kind::flag:
        // False is proto3's absence; text leaves false flags out too, so both readers agree.
        if (in.flag()) out.set(row.name, true);
        break;
      case Kind::real:
        out.set(row.name, in.real32());
        break;
      case Kind::text:
        // Empty text is absence as well.
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
  // Post order again: callees come before callers, so an unknown id is an error and recursion is
  // impossible.
  for (const std::int64_t id : ids) {
    const auto found = context.computations.find(id);
    if (found == context.computations.end())
      in.fail(fmt::format("{} calls computation {}, which is not defined before it", out.name, id));
    out.called.push_back(found->second);
  }
}

// One field on its way into an instruction.
struct Reading {
  const Wire& in;
  const ProtoContext& context;
  Instruction& out;
};

// PaddingConfig: dimensions = 1 (low = 1, high = 2, interior = 3).
void padding_in(const Reading& r) {
  Wire padding = r.in.message();
  while (padding.next())
    if (padding.field() == 1) append_row(r.out, "padding", numbers_of(padding.message(), 3));
}

// The old place of replica groups: ReplicaGroup, replica_ids = 1.
void replica_group_in(const Reading& r) {
  Wire group = r.in.message();
  Ints ids;
  while (group.next())
    if (group.field() == 1) group.append(ids);
  append_row(r.out, "replica_groups", std::move(ids));
}

// CholeskyOptions: lower = 1.
void cholesky_in(const Reading& r) {
  Wire options = r.in.message();
  while (options.next())
    if (options.field() == 1 && options.flag()) r.out.set("lower", true);
}

void frontend_attributes_in(const Reading& r) {
  if (Words words = words_in(r.in.message()); !words.empty())
    r.out.set("frontend_attributes", std::move(words));
}

void backend_config_in(const Reading& r) {
  if (std::string value = payload_in(r.in.message(), r.context); !value.empty())
    r.out.set("backend_config", std::move(value));
}

void api_version_in(const Reading& r) {
  // 0 and 1 are UNSPECIFIED and ORIGINAL, which text does not print.
  if (r.in.number() > 1) r.out.set("api_version", word_in(WordList::version, r.in));
}

// The fields that are messages or enumerations.
struct FieldReader {
  std::uint32_t field;
  void (*read)(const Reading& r);
};
constexpr FieldReader kMessageFields[] = {
    {3, [](const Reading& r) { r.out.shape = shape_in(r.in.message()); }},
    {7, [](const Reading& r) { metadata_in(r.in.message(), r.context, r.out); }},
    {8, [](const Reading& r) { literals_in(r.in.message(), r.out.literals); }},
    {15, [](const Reading& r) { r.out.set("window", window_in(r.in.message())); }},
    {16, [](const Reading& r) { r.out.set("dim_labels", labels_in(r.in.message())); }},
    // SliceDimensions: start = 1, limit = 2, stride = 3
    {17, [](const Reading& r) { append_row(r.out, "slice", numbers_of(r.in.message(), 3)); }},
    {21, padding_in},
    {23,
     [](const Reading& r) { r.out.set("distribution", word_in(WordList::distribution, r.in)); }},
    {30, [](const Reading& r) { dot_in(r.in.message(), r.out); }},
    {31, [](const Reading& r) { r.out.set("fft_type", word_in(WordList::fft, r.in)); }},
    {33, [](const Reading& r) { gather_in(r.in.message(), r.out); }},
    {38, [](const Reading& r) { called_in(r.in, r.context, r.out); }},
    {40, [](const Reading& r) { r.out.set("sharding", sharding_in(r.in.message())); }},
    {48, [](const Reading& r) { scatter_in(r.in.message(), r.out); }},
    // 49 is the list that XLA wrote before 87 (collective_device_list) existed; new dumps may have
    // both with the same groups, and the later field replaces the rows.
    {49, replica_group_in},
    {51, [](const Reading& r) { precision_in(r.in.message(), r.out); }},
    {52,
     [](const Reading& r) {
       append_row(r.out, "source_target_pairs", numbers_of(r.in.message(), 2));
     }},
    {57, [](const Reading& r) { r.out.operand_layouts.push_back(shape_in(r.in.message())); }},
    {59, [](const Reading& r) { triangular_in(r.in.message(), r.out); }},
    {62, cholesky_in},
    {68, frontend_attributes_in},
    {70, [](const Reading& r) { r.out.set("algorithm", word_in(WordList::random, r.in)); }},
    {74, [](const Reading& r) { aliasing_in(r.in.message(), r.out); }},
    {77, api_version_in},
    {85, [](const Reading& r) { r.out.set("largest", r.in.flag()); }},
    {87, [](const Reading& r) { r.out.set("replica_groups", group_list_in(r.in.message())); }},
    {90, [](const Reading& r) { ragged_in(r.in.message(), r.out); }},
    {92, [](const Reading& r) { r.out.set("replica_groups", iota_groups_in(r.in.message())); }},
    {93, [](const Reading& r) { r.out.set("replica_groups", mesh_groups_in(r.in.message())); }},
    {99, backend_config_in},
};

void message_field(const Wire& in, const ProtoContext& context, Instruction& out) {
  const auto* const row = std::ranges::find(kMessageFields, in.field(), &FieldReader::field);
  if (row != std::end(kMessageFields)) row->read({in, context, out});
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
  // Text always has it; in a proto an absent flag is false, which asks for the smallest elements.
  if (out.opcode == "topk") at_least("largest", false);
  if (out.opcode == "iota") {
    // In a proto the dimension of iota is in the shared list `dimensions`; in text it has a name of
    // its own.
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
      message_field(in, context, raw.out);
  }
  // Nothing can be reported about an instruction without opcode, so the file is damaged.
  if (raw.out.opcode.empty()) wire.fail("an instruction has no opcode");
  complete(raw.out);
  return raw;
}

}  // namespace understudy::program::hlo
