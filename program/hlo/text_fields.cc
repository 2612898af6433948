// SPDX-License-Identifier: Apache-2.0
// The attributes of HLO text: one row per name with the form of its value. Names that are not in
// the table are kept as raw text.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "program/hlo/text_values.h"

namespace understudy::program::hlo {
namespace {

// What the forms leave in a Field:
//   window      one row per dimension: size, stride, low padding, high padding, window dilation,
//               base dilation, reversed
//   padding     one row per dimension: low, high, interior
//   slice       one row per dimension: start, limit, stride
//   labels      nine rows: [batch], [feature], spatial dimensions of the input; [input feature],
//               [output feature], spatial of the kernel; [batch], [feature], spatial of the output
//   groups      one row of ids per group        pairs   one row per pair
//   aliasing    one row per pair: length and indexes of the output, operand, its indexes
enum class FieldForm : std::uint8_t {
  aliasing,
  call,
  calls,
  flag,
  groups,
  ignored,
  ints,
  labels,
  layouts,
  metadata,
  number,
  padding,
  pairs,
  real,
  sharding,
  slice,
  text,
  window,
  words,
  word,
};
struct FieldRow {
  std::string_view name;
  FieldForm form;
};
constexpr FieldRow kFields[] = {
    {"algorithm", FieldForm::word},
    {"api_version", FieldForm::word},
    {"backend_config", FieldForm::text},
    {"batch_group_count", FieldForm::number},
    {"body", FieldForm::call},
    {"branch_computations", FieldForm::calls},
    {"called_computations", FieldForm::calls},
    {"calls", FieldForm::call},
    {"channel_id", FieldForm::number},
    {"collapsed_slice_dims", FieldForm::ints},
    {"condition", FieldForm::call},
    {"constrain_layout", FieldForm::flag},
    {"control-predecessors", FieldForm::ignored},
    {"custom_call_has_side_effect", FieldForm::flag},
    {"custom_call_target", FieldForm::text},
    {"delta", FieldForm::number},
    {"dim_labels", FieldForm::labels},
    {"dimensions", FieldForm::ints},
    {"direction", FieldForm::word},
    {"distribution", FieldForm::word},
    {"dynamic_slice_sizes", FieldForm::ints},
    {"epsilon", FieldForm::real},
    {"exponent_bits", FieldForm::number},
    {"false_computation", FieldForm::call},
    {"feature_group_count", FieldForm::number},
    {"feature_index", FieldForm::number},
    {"fft_length", FieldForm::ints},
    {"fft_type", FieldForm::word},
    {"frontend_attributes", FieldForm::words},
    {"index", FieldForm::number},
    {"index_vector_dim", FieldForm::number},
    {"indices_are_sorted", FieldForm::flag},
    {"inserted_window_dims", FieldForm::ints},
    {"input_batching_dims", FieldForm::ints},
    {"iota_dimension", FieldForm::number},
    {"is_host_transfer", FieldForm::flag},
    {"is_stable", FieldForm::flag},
    {"k", FieldForm::number},
    {"kind", FieldForm::ignored},
    {"largest", FieldForm::flag},
    {"left_side", FieldForm::flag},
    {"lhs_batch_dims", FieldForm::ints},
    {"lhs_contracting_dims", FieldForm::ints},
    {"lhs_ragged_dims", FieldForm::ints},
    {"lower", FieldForm::flag},
    {"mantissa_bits", FieldForm::number},
    {"metadata", FieldForm::metadata},
    {"offset_dims", FieldForm::ints},
    {"operand_batching_dims", FieldForm::ints},
    {"operand_layout_constraints", FieldForm::layouts},
    {"operand_precision", FieldForm::words},
    {"origin", FieldForm::ignored},
    {"output_to_operand_aliasing", FieldForm::aliasing},
    {"padding", FieldForm::padding},
    {"replica_groups", FieldForm::groups},
    {"rhs_batch_dims", FieldForm::ints},
    {"rhs_contracting_dims", FieldForm::ints},
    {"rhs_group_dims", FieldForm::ints},
    {"scatter", FieldForm::call},
    {"scatter_dims_to_operand_dims", FieldForm::ints},
    {"scatter_indices_batching_dims", FieldForm::ints},
    {"select", FieldForm::call},
    {"sharding", FieldForm::sharding},
    {"slice", FieldForm::slice},
    {"slice_sizes", FieldForm::ints},
    {"source_target_pairs", FieldForm::pairs},
    {"start_index_map", FieldForm::ints},
    {"start_indices_batching_dims", FieldForm::ints},
    {"statistics", FieldForm::ignored},
    {"to_apply", FieldForm::call},
    {"transpose_a", FieldForm::word},
    {"true_computation", FieldForm::call},
    {"type", FieldForm::word},
    {"unique_indices", FieldForm::flag},
    {"unit_diagonal", FieldForm::flag},
    {"update_window_dims", FieldForm::ints},
    {"use_global_device_ids", FieldForm::flag},
    {"window", FieldForm::window},
};

// {op_name="..." source_file="..." source_line=3 stack_frame_id=4}
void metadata_in(Scanner& in, const TextContext& context, Instruction& out) {
  std::string file;
  std::int64_t line = 0, column = 0, frame = 0;
  in.expect("{", "before the metadata");
  while (!in.accept("}")) {
    const std::string_view key = in.name("a key");
    in.expect("=", "after the key");
    if (in.peek() == '"') {
      std::string value = in.quoted("a string");
      if (key == "op_name")
        out.op_name = std::move(value);
      else if (key == "source_file")
        file = std::move(value);
    } else if (in.at_integer()) {
      const std::int64_t value = in.integer("a number");
      if (key == "source_line")
        line = value;
      else if (key == "source_column")
        column = value;
      else if (key == "stack_frame_id")
        frame = value;
      // Lists in metadata (profile data of newer XLA) are skipped.
    } else if (in.accept("{")) {
      in.skip_to("}");
      in.expect("}", "after a list");
    } else {
      in.name("a value");
    }
  }
  const Location found =
      file.empty() ? context.frame(frame) : context.files->line(file, line, column);
  if (found.source != nullptr) out.location = found;
}

// {highest,default}, in one word
std::string word_list_in(Scanner& in) {
  std::string out;
  in.expect("{", "before the words");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between words");
    out += (out.empty() ? "" : ",") + std::string(in.name("a word"));
  }
  return out;
}

void layouts_in(Scanner& in, Instruction& out) {
  in.expect("{", "before the layouts");
  while (!in.accept("}")) {
    if (!out.operand_layouts.empty()) in.expect(",", "between layouts");
    out.operand_layouts.push_back(shape_in(in));
  }
  out.set("constrain_layout", true);
}

// While: the condition is found by its attribute's name, whatever the order in the text.
void calls_in(std::string_view name, Scanner& in, const TextContext& context, Instruction& out) {
  const auto one = [&] {
    const std::uint32_t found = context.computation(in.percent_name("a computation"), in);
    // called[0] must be the body, select or true branch (see Instruction::called); text sorts
    // attributes its own way.
    const bool first = name == "body" || name == "select" || name == "true_computation";
    out.called.insert(first ? out.called.begin() : out.called.end(), found);
  };
  if (!in.accept("{")) return one();
  for (bool more = !in.accept("}"); more; more = in.accept(",")) one();
  if (!out.called.empty()) in.accept("}");
}

FieldValue value_in(FieldForm form, Scanner& in) {
  switch (form) {
    case FieldForm::aliasing:
      return aliasing_in(in);
    case FieldForm::flag:
      return flag_in(in);
    case FieldForm::groups:
      return replica_groups_in(in);
    case FieldForm::ints:
      return ints_in(in);
    case FieldForm::labels:
      return labels_in(in);
    case FieldForm::number:
      return in.integer("a number");
    case FieldForm::padding:
      return padding_in(in);
    case FieldForm::pairs:
      return pairs_in(in);
    case FieldForm::real:
      return real_in(in);
    case FieldForm::slice:
      return slice_in(in);
    case FieldForm::window:
      return window_in(in);
    case FieldForm::word:
      return std::string(in.name("a word"));
    default:
      break;
  }
  if (in.peek() == '"') return in.quoted("a string");
  std::string raw(in.text());
  in.skip(raw.size());
  return raw;
}

}  // namespace

void field_in(std::string_view name, Scanner in, const TextContext& context, Instruction& out) {
  const FieldRow* row = std::find_if(std::begin(kFields), std::end(kFields),
                                     [&](const FieldRow& each) { return each.name == name; });
  // An unknown attribute cannot be understood, but a difference in it is still a difference.
  const FieldForm form = row == std::end(kFields) ? FieldForm::text : row->form;
  if (form == FieldForm::ignored) return;
  if (form == FieldForm::call || form == FieldForm::calls)
    calls_in(name, in, context, out);
  else if (form == FieldForm::metadata)
    metadata_in(in, context, out);
  else if (form == FieldForm::layouts)
    layouts_in(in, out);
  else if (form == FieldForm::sharding)
    return out.set(name, sharding_in(in));
  else if (name == "operand_precision")
    out.set(name, word_list_in(in));
  else if (form == FieldForm::words)
    out.set(name, words_in(in));
  else
    out.set(name, value_in(form, in));
  // Every form must use up its value: what is left over would be silently lost.
  if (!in.done()) in.unexpected(fmt::format("the end of {}", name));
}

// {key="value",other={raw}}; values in quotes lose them, others are kept as they are.
Words words_in(Scanner& in) {
  Words out;
  in.expect("{", "before the entries");
  while (!in.accept("}")) {
    if (!out.empty()) in.expect(",", "between entries");
    std::string key(in.peek() == '"' ? in.quoted("a key") : in.name("a key"));
    in.expect("=", "after the key");
    const bool is_quoted = in.peek() == '"';
    out.emplace_back(std::move(key),
                     is_quoted ? in.quoted("a value") : std::string(in.raw().text()));
  }
  // Sorted as the proto reader sorts, so both formats compare equal.
  std::sort(out.begin(), out.end());
  return out;
}

// The metadata of a sharding say where it comes from, not what it is.
std::string sharding_in(Scanner in) {
  constexpr std::string_view kMetadata = "metadata={";
  std::string text(in.text());
  for (std::size_t at = text.find(kMetadata); at != std::string::npos; at = text.find(kMetadata)) {
    int depth = 0;
    std::size_t end = at + kMetadata.size() - 1;
    for (bool quoted = false; end < text.size(); ++end) {
      if (text[end] == '"' && text[end - 1] != '\\') quoted = !quoted;
      if (quoted) continue;
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
      if (depth == 0) break;
    }
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == ',')) --at;
    text.erase(at, end + 1 - at);
  }
  return text;
}

}  // namespace understudy::program::hlo
