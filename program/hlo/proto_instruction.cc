// SPDX-License-Identifier: Apache-2.0
// HloInstructionProto: a table of its fields with the names that HLO text gives them.
#include "program/hlo/proto_instruction.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace understudy::program::hlo {
namespace {

using Ints64 = std::vector<std::int64_t>;

// Enumerations of xla_data.proto and hlo.proto as HLO text spells them, by number.
constexpr std::array<std::string_view, 3> kPrecisions = {"default", "high", "highest"};
constexpr std::array<std::string_view, 14> kAlgorithms = {"",
                                                          "dot_any_f8_any_f8_f32",
                                                          "dot_any_f8_any_f8_f32_fast_accum",
                                                          "dot_f16_f16_f16",
                                                          "dot_f16_f16_f32",
                                                          "dot_bf16_bf16_bf16",
                                                          "dot_bf16_bf16_f32",
                                                          "dot_bf16_bf16_f32_x3",
                                                          "dot_bf16_bf16_f32_x6",
                                                          "dot_tf32_tf32_f32",
                                                          "dot_tf32_tf32_f32_x3",
                                                          "dot_f32_f32_f32",
                                                          "dot_f64_f64_f64",
                                                          "dot_bf16_bf16_f32_x9"};
constexpr std::array<std::string_view, 3> kRandom = {"rng_default", "rng_three_fry", "rng_philox"};
constexpr std::array<std::string_view, 3> kDistributions = {"", "rng_uniform", "rng_normal"};
constexpr std::array<std::string_view, 4> kFfts = {"FFT", "IFFT", "RFFT", "IRFFT"};
constexpr std::array<std::string_view, 4> kTransposes = {"", "NO_TRANSPOSE", "TRANSPOSE",
                                                         "ADJOINT"};
constexpr std::array<std::string_view, 5> kVersions = {
    "", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

template <std::size_t N>
std::string word_of(const std::array<std::string_view, N>& words, const Wire& in) {
  const std::int64_t number = in.number();
  if (number < 0 || number >= static_cast<std::int64_t>(N))
    in.fail(fmt::format("field {} has the unknown value {}", in.field(), number));
  return std::string(words[static_cast<std::size_t>(number)]);
}

void append_to(Instruction& out, std::string_view name, const Wire& in) {
  Ints64 values = out.ints(name);
  in.append(values);
  out.set(name, std::move(values));
}
void append_row(Instruction& out, std::string_view name, Ints row) {
  Rows rows = out.rows(name);
  rows.push_back(std::move(row));
  out.set(name, std::move(rows));
}

// The numbers of a message whose fields 1 to `count` are single numbers.
Ints numbers_of(Wire in, std::size_t count) {
  Ints out(count, 0);
  while (in.next())
    if (in.field() >= 1 && in.field() <= count) out[in.field() - 1] = in.number();
  return out;
}

// A message of lists and numbers whose fields are attributes of their own.
struct Named {
  std::uint32_t field;
  std::string_view name;
  bool is_list;
};
template <std::size_t N>
void named_in(Wire in, const std::array<Named, N>& names, Instruction& out) {
  for (const Named& each : names)
    if (!each.is_list) out.set(each.name, std::int64_t{0});
  while (in.next())
    for (const Named& each : names) {
      if (each.field != in.field()) continue;
      if (each.is_list)
        append_to(out, each.name, in);
      else
        out.set(each.name, in.number());
    }
}
constexpr std::array<Named, 4> kDot = {{{1, "lhs_contracting_dims", true},
                                        {2, "rhs_contracting_dims", true},
                                        {3, "lhs_batch_dims", true},
                                        {4, "rhs_batch_dims", true}}};
constexpr std::array<Named, 6> kGather = {{{1, "offset_dims", true},
                                           {2, "collapsed_slice_dims", true},
                                           {3, "start_index_map", true},
                                           {4, "index_vector_dim", false},
                                           {5, "operand_batching_dims", true},
                                           {6, "start_indices_batching_dims", true}}};
constexpr std::array<Named, 6> kScatter = {{{1, "update_window_dims", true},
                                            {2, "inserted_window_dims", true},
                                            {3, "scatter_dims_to_operand_dims", true},
                                            {4, "index_vector_dim", false},
                                            {5, "input_batching_dims", true},
                                            {6, "scatter_indices_batching_dims", true}}};
constexpr std::array<Named, 2> kRagged = {
    {{2, "lhs_ragged_dims", true}, {3, "rhs_group_dims", true}}};

// RaggedDotDimensionNumbers: dot_dimension_numbers = 1.
void ragged_in(Wire in, Instruction& out) {
  named_in(in, kRagged, out);
  while (in.next())
    if (in.field() == 1) named_in(in.message(), kDot, out);
}

// ConvolutionDimensionNumbers: input 7, 8, 11; kernel 3, 4, 6; output 9, 10, 12; rows as in
// text_fields.cc.
Rows labels_in(Wire in) {
  constexpr std::array<std::uint32_t, 9> kFields = {7, 8, 11, 3, 4, 6, 9, 10, 12};
  Rows out(kFields.size());
  for (const std::size_t single : {0, 1, 3, 4, 6, 7}) out[single] = {0};
  while (in.next())
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      if (kFields[i] != in.field()) continue;
      if (i % 3 == 2)
        in.append(out[i]);
      else
        out[i] = {in.number()};
    }
  return out;
}

// PrecisionConfig: operand_precision = 1, algorithm = 2.
void precision_in(Wire in, Instruction& out) {
  Ints precisions;
  while (in.next()) {
    if (in.field() == 1) in.append(precisions);
    if (in.field() == 2 && in.number() != 0) out.set("algorithm", word_of(kAlgorithms, in));
  }
  std::string words;
  for (const std::int64_t number : precisions) {
    if (number < 0 || number >= 3) in.fail("unknown operand precision");
    words +=
        (words.empty() ? "" : ",") + std::string(kPrecisions[static_cast<std::size_t>(number)]);
  }
  if (std::ranges::any_of(precisions, [](std::int64_t each) { return each != 0; }))
    out.set("operand_precision", std::move(words));
}

// TriangularSolveOptions: left_side = 1, lower = 2, unit_diagonal = 3, transpose_a = 4.
void triangular_in(Wire in, Instruction& out) {
  while (in.next()) {
    if (in.field() == 1) out.set("left_side", in.flag());
    if (in.field() == 2) out.set("lower", in.flag());
    if (in.field() == 3) out.set("unit_diagonal", in.flag());
    if (in.field() == 4) out.set("transpose_a", word_of(kTransposes, in));
  }
}

// OutputOperandAliasing: output_shape_index = 1, operand_index = 2, operand_shape_index = 3. One
// row: length and indexes of the output, operand, indexes of the operand.
void aliasing_in(Wire in, Instruction& out) {
  Ints result, inside;
  std::int64_t operand = 0;
  while (in.next()) {
    if (in.field() == 1) in.append(result);
    if (in.field() == 2) operand = in.number();
    if (in.field() == 3) in.append(inside);
  }
  Ints row{static_cast<std::int64_t>(result.size())};
  row.insert(row.end(), result.begin(), result.end());
  row.push_back(operand);
  row.insert(row.end(), inside.begin(), inside.end());
  append_row(out, "output_to_operand_aliasing", std::move(row));
}

// OpMetadata: op_name = 2, source_file = 3, source_line = 4, stack_frame_id = 15,
// source_column = 18. Of a frame the innermost place counts.
void metadata_in(Wire in, const ProtoContext& context, Instruction& out) {
  std::string file;
  std::int64_t line = 0, column = 0, frame = 0;
  while (in.next()) {
    if (in.field() == 2) out.op_name = in.text();
    if (in.field() == 3) file = in.text();
    if (in.field() == 4) line = in.number();
    if (in.field() == 15) frame = in.number();
    if (in.field() == 18) column = in.number();
  }
  if (file.empty())
    if (const Frames::Place* place = context.frames.find(frame)) {
      const auto index = static_cast<std::size_t>(place->file) - 1;
      if (index >= context.frames.files.size()) return;
      file = context.frames.files[index];
      line = place->line;
      column = place->column;
    }
  if (const Location found = context.files.line(file, line, column); found.source != nullptr)
    out.location = found;
}

// Payload: value = 1, id = 2 (of HloModuleProto.payloads).
std::string payload_in(Wire in, const ProtoContext& context) {
  std::string value;
  while (in.next()) {
    if (in.field() == 1) value = in.text();
    if (in.field() == 2) {
      const auto id = static_cast<std::uint64_t>(in.number());
      if (id < context.payloads.size()) value = context.payloads[id];
    }
  }
  return value;
}

// Single numbers, flags, words and lists. A number that is absent has its proto3 default, 0.
enum class Kind : std::uint8_t { number, flag, real, text, list };
struct Row {
  std::uint32_t field;
  std::string_view name;
  Kind kind;
};
constexpr std::array<Row, 26> kRows = {{
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
  for (const Row& row : kRows) {
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
      out.set("distribution", word_of(kDistributions, in));
      break;
    case 30:
      named_in(in.message(), kDot, out);
      break;
    case 31:
      out.set("fft_type", word_of(kFfts, in));
      break;
    case 33:
      named_in(in.message(), kGather, out);
      break;
    case 38:
      called_in(in, context, out);
      break;
    case 40:
      out.set("sharding", sharding_in(in.message()));
      break;
    case 48:
      named_in(in.message(), kScatter, out);
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
      out.set("algorithm", word_of(kRandom, in));
      break;
    case 74:
      aliasing_in(in.message(), out);
      break;
    case 77:
      if (in.number() > 1) out.set("api_version", word_of(kVersions, in));
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
  if (out.opcode == "rng-bit-generator") at_least("algorithm", std::string(kRandom[0]));
  if (out.opcode == "fft") at_least("fft_type", std::string(kFfts[0]));
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

const Frames::Place* Frames::find(std::int64_t frame) const {
  const auto index = static_cast<std::size_t>(frame) - 1;
  if (index >= frames.size()) return nullptr;
  const auto place = static_cast<std::size_t>(frames[index]) - 1;
  return place < places.size() ? &places[place] : nullptr;
}

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
