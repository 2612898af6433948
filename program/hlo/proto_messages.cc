// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/proto_messages.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace understudy::program::hlo {
namespace {

// Enumerations of xla_data.proto and hlo.proto as HLO text spells them, by number.
// The index is the enumeration's number. Text is the common form: programs are compared by it,
// whichever format they came in.
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
  // An unknown number comes from a newer XLA; a guess would change what the program computes.
  if (number < 0 || number >= static_cast<std::int64_t>(N))
    in.fail(fmt::format("field {} has the unknown value {}", in.field(), number));
  return std::string(words[static_cast<std::size_t>(number)]);
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
    // proto3 omits a zero, but an index_vector_dim of 0 means something.
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

}  // namespace

// A repeated field may be packed or come one by one, also mixed (protobuf's encoding guide), so
// values are appended.
void append_to(Instruction& out, std::string_view name, const Wire& in) {
  Ints values = out.ints(name);
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

std::string word_in(WordList words, const Wire& in) {
  switch (words) {
    case WordList::random:
      return word_of(kRandom, in);
    case WordList::distribution:
      return word_of(kDistributions, in);
    case WordList::fft:
      return word_of(kFfts, in);
    case WordList::version:
      return word_of(kVersions, in);
  }
  UNDERSTUDY_ASSERT(false);
}

void dot_in(const Wire& in, Instruction& out) { named_in(in, kDot, out); }
void gather_in(const Wire& in, Instruction& out) { named_in(in, kGather, out); }
void scatter_in(const Wire& in, Instruction& out) { named_in(in, kScatter, out); }

// RaggedDotDimensionNumbers: dot_dimension_numbers = 1.
void ragged_in(Wire in, Instruction& out) {
  // `in` is copied by named_in(), so this loop starts from the first field again.
  named_in(in, kRagged, out);
  while (in.next())
    if (in.field() == 1) named_in(in.message(), kDot, out);
}

// ConvolutionDimensionNumbers: input 7, 8, 11; kernel 3, 4, 6; output 9, 10, 12; rows as in
// text_fields.cc.
Rows labels_in(Wire in) {
  constexpr std::array<std::uint32_t, 9> kFields = {7, 8, 11, 3, 4, 6, 9, 10, 12};
  Rows out(kFields.size());
  // The single dimensions default to 0, proto3's absence; the lists stay empty.
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
    // 3 is PACKED_NIBBLE, two values in a byte: no kernel here has it.
    if (number < 0 || number >= 3) in.fail("unknown operand precision");
    words +=
        (words.empty() ? "" : ",") + std::string(kPrecisions[static_cast<std::size_t>(number)]);
  }
  // Text prints the list only where one entry is not default.
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
      // 0 - 1 wraps to a huge number, so an absent id fails the comparison.
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
      // An id out of range leaves the value empty: payloads are backend configurations, which only
      // decorate the listing.
      if (id < context.payloads.size()) value = context.payloads[id];
    }
  }
  return value;
}

const Frames::Place* Frames::find(std::int64_t frame) const {
  // Ids count from 1; 0 (no frame) wraps and is out of range.
  const auto index = static_cast<std::size_t>(frame) - 1;
  if (index >= frames.size()) return nullptr;
  const auto place = static_cast<std::size_t>(frames[index]) - 1;
  return place < places.size() ? &places[place] : nullptr;
}

}  // namespace understudy::program::hlo
