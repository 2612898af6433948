// SPDX-License-Identifier: Apache-2.0
// Products, reductions, windows and linear algebra.
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "configs/base/words.h"
#include "program/hlo/convert.h"
#include "program/ir/dense.h"

namespace understudy::program::hlo {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// "highest,default" as [HIGHEST, DEFAULT]
NamedAttribute precision_of(const Instruction& in) {
  // HLO prints operand_precision only where it differs from the default of both operands.
  ArrayAttribute out;
  const std::string words = in.word("operand_precision", "default,default");
  for (const std::string& word : split(words, ','))
    out.elements.push_back({EnumAttribute{upper(word)}});
  return {"precision_config", {std::make_shared<const ArrayAttribute>(std::move(out))}};
}

// The algorithms of XLA's PrecisionConfig in the parameters of #stablehlo.dot_algorithm
// (specification of dot_general).
struct Algorithm {
  std::string_view name;
  ElementType lhs, rhs, sum;
  std::int64_t operations = 1;
  bool imprecise = false;
  bool tf32 = false;
};
// XLA's _x3, _x6 and _x9 split each f32 operand into bf16 (or tf32) parts and count the partial
// products that are added: num_primitive_operations.
constexpr Algorithm kAlgorithms[] = {
    {"dot_f16_f16_f16", ElementType::f16, ElementType::f16, ElementType::f16},
    {"dot_f16_f16_f32", ElementType::f16, ElementType::f16, ElementType::f32},
    {"dot_bf16_bf16_bf16", ElementType::bf16, ElementType::bf16, ElementType::bf16},
    {"dot_bf16_bf16_f32", ElementType::bf16, ElementType::bf16, ElementType::f32},
    {"dot_bf16_bf16_f32_x3", ElementType::bf16, ElementType::bf16, ElementType::f32, 3},
    {"dot_bf16_bf16_f32_x6", ElementType::bf16, ElementType::bf16, ElementType::f32, 6},
    {"dot_bf16_bf16_f32_x9", ElementType::bf16, ElementType::bf16, ElementType::f32, 9},
    {"dot_tf32_tf32_f32", ElementType::f32, ElementType::f32, ElementType::f32, 1, false, true},
    {"dot_tf32_tf32_f32_x3", ElementType::f32, ElementType::f32, ElementType::f32, 3, false, true},
    {"dot_f32_f32_f32", ElementType::f32, ElementType::f32, ElementType::f32},
    {"dot_f64_f64_f64", ElementType::f64, ElementType::f64, ElementType::f64},
};

NamedAttribute algorithm_of(Converter& converter, const Instruction& in, const std::string& name) {
  const auto* row = std::find_if(std::begin(kAlgorithms), std::end(kAlgorithms),
                                 // An algorithm that is not in the table is refused, not
                                 // approximated: the name fixes the bits of the result.
                                 [&](const Algorithm& each) { return each.name == name; });
  if (row == std::end(kAlgorithms))
    converter.unsupported(in, fmt::format("dot algorithm {}", name));
  const auto type = [&](ElementType element) {
    return row->tf32 ? std::string("tf32") : std::string(mlir_name(element));
  };
  return {"algorithm",
          parsed(fmt::format("#stablehlo.dot_algorithm<lhs_precision_type = {}, rhs_precision_type "
                             "= {}, accumulation_type = {}, lhs_component_count = 1, "
                             "rhs_component_count = 1, num_primitive_operations = {}, "
                             "allow_imprecise_accumulation = {}>",
                             type(row->lhs), type(row->rhs), mlir_name(row->sum), row->operations,
                             row->imprecise),
                 in.written)};
}

std::vector<NamedAttribute> dot_fields(const Instruction& in) {
  // The same four lists have other names in HLO (right) and StableHLO (left).
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"lhs_batching_dimensions", "lhs_batch_dims"},
      {"rhs_batching_dimensions", "rhs_batch_dims"},
      {"lhs_contracting_dimensions", "lhs_contracting_dims"},
      {"rhs_contracting_dimensions", "rhs_contracting_dims"}};
  std::vector<NamedAttribute> out;
  for (const auto& [ours, theirs] : kFields) out.emplace_back(ours, list_of(in.ints(theirs)));
  return out;
}

void convert_dot(Converter& converter, const Instruction& in) {
  std::vector<NamedAttribute> attributes{structure("dot_dimension_numbers", "dot", dot_fields(in)),
                                         precision_of(in)};
  if (const std::string name = in.word("algorithm"); !name.empty())
    attributes.push_back(algorithm_of(converter, in, name));
  converter.emit_result("stablehlo.dot_general", {&converter.single(0), &converter.single(1)},
                        std::move(attributes));
}

void convert_ragged_dot(Converter& converter, const Instruction& in) {
  std::vector<NamedAttribute> fields = dot_fields(in);
  // These two fields exist in RaggedDotDimensionNumbers only; batch and contracting dimensions are
  // shared with dot.
  fields.emplace_back("lhs_ragged_dimensions", list_of(in.ints("lhs_ragged_dims")));
  fields.emplace_back("rhs_group_dimensions", list_of(in.ints("rhs_group_dims")));
  converter.emit_result(
      "chlo.ragged_dot", converter.all_operands(),
      {structure("ragged_dot_dimension_numbers", "ragged_dot", std::move(fields), "chlo"),
       precision_of(in)});
}

// ---- windows

struct Windows {
  Ints size, stride, window_dilation, base_dilation;
  Rows padding;
  Ints reversed;
};

// Without a window every dimension has size 1. Dilations and strides of 0 are proto3's absence.
Windows windows_of(const Converter& converter, const Instruction& in, std::size_t ndims) {
  Rows rows = in.rows("window");
  if (rows.empty()) rows.assign(ndims, {1, 1, 0, 0, 1, 1, 0});
  if (rows.size() != ndims)
    converter.refuse(fmt::format("the window has {} dimensions, expected {}", rows.size(), ndims));
  Windows out;
  for (const Ints& row : rows) {
    // A row has the order in which text_fields.cc and proto_shape.cc write windows: size, stride,
    // low and high padding, window dilation, base dilation, reversal.
    out.size.push_back(row[0]);
    out.stride.push_back(row[1]);
    out.padding.push_back({row[2], row[3]});
    out.window_dilation.push_back(row[4]);
    out.base_dilation.push_back(row[5]);
    out.reversed.push_back(row[6]);
  }
  return out;
}

NamedAttribute padding_of(const Rows& padding) { return table("padding", padding, 2); }

std::size_t ndims_of(const Converter& converter, const Value& value) {
  if (!value.type.is_tensor()) converter.refuse("expected an array");
  return value.type.tensor.shape.size();
}

std::vector<NamedAttribute> convolution_numbers(const Converter& converter, const Rows& labels) {
  constexpr std::array<std::string_view, 9> kFields = {
      "input_batch_dimension",           "input_feature_dimension",
      "input_spatial_dimensions",        "kernel_input_feature_dimension",
      "kernel_output_feature_dimension", "kernel_spatial_dimensions",
      "output_batch_dimension",          "output_feature_dimension",
      "output_spatial_dimensions"};
  if (labels.size() != kFields.size()) converter.refuse("needs dim_labels");
  // Read as three groups of three: dim_labels of input, kernel and output, each as batch or
  // feature, feature, spatial.
  std::vector<NamedAttribute> out;
  for (std::size_t i = 0; i < kFields.size(); ++i)
    out.emplace_back(kFields[i], i % 3 == 2 ? list_of(labels[i]) : number_of(labels[i].at(0)));
  // Every third entry is the list of spatial dimensions, which may be empty (a convolution without
  // windows) or long; the two before it are one dimension each.
  return out;
}

void convert_convolution(Converter& converter, const Instruction& in) {
  const Rows& labels = in.rows("dim_labels");
  std::vector<NamedAttribute> attributes{
      structure("dimension_numbers", "conv", convolution_numbers(converter, labels))};
  const Windows window = windows_of(converter, in, labels[5].size());
  const Ints reversed = window.reversed;
  attributes.push_back(list("window_strides", window.stride));
  attributes.push_back(padding_of(window.padding));
  attributes.push_back(list("lhs_dilation", window.base_dilation));
  attributes.push_back(list("rhs_dilation", window.window_dilation));
  // HLO knows reversal per window dimension, as StableHLO does: no flip of the kernel is inserted.
  attributes.push_back({"window_reversal", array_of(ElementType::pred, reversed)});
  attributes.push_back(number("feature_group_count", in.number("feature_group_count", 1)));
  attributes.push_back(number("batch_group_count", in.number("batch_group_count", 1)));
  attributes.push_back(precision_of(in));
  converter.emit_result("stablehlo.convolution", {&converter.single(0), &converter.single(1)},
                        std::move(attributes));
}

void convert_reduce(Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  Operation& op = converter.emit_result("stablehlo.reduce", converter.all_operands(),
                                        {list("dimensions", in.ints("dimensions"))});
  converter.add_region(op, in.called[0], converter.scalars_of(in.called[0]));
}

void convert_reduce_window(Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  const Windows window =
      windows_of(converter, in, ndims_of(converter, *converter.operand(0).at(0)));
  Operation& op = converter.emit_result(
      "stablehlo.reduce_window", converter.all_operands(),
      {list("window_dimensions", window.size), list("window_strides", window.stride),
       list("base_dilations", window.base_dilation),
       list("window_dilations", window.window_dilation), padding_of(window.padding)});
  converter.add_region(op, in.called[0], converter.scalars_of(in.called[0]));
}

void convert_select_and_scatter(Converter& converter, const Instruction& in) {
  if (in.called.size() != 2) converter.refuse("needs two computations");
  const Windows window = windows_of(converter, in, ndims_of(converter, converter.single(0)));
  Operation& op =
      converter.emit_result("stablehlo.select_and_scatter", converter.all_operands(),
                            {list("window_dimensions", window.size),
                             list("window_strides", window.stride), padding_of(window.padding)});
  for (const std::uint32_t called : in.called)
    converter.add_region(op, called, converter.scalars_of(called));
}

// The comparator takes two scalars of each operand.
void convert_sort(Converter& converter, const Instruction& in) {
  if (in.called.size() != 1) converter.refuse("needs one computation");
  const Ints& dimensions = in.ints("dimensions");
  // HLO keeps a list here for historical reasons; its own verifier allows exactly one entry.
  if (dimensions.size() > 1) converter.refuse("needs one dimension");
  Operation& op =
      converter.emit_result("stablehlo.sort", converter.all_operands(),
                            {number("dimension", dimensions.empty() ? 0 : dimensions[0]),
                             flag("is_stable", in.flag("is_stable"))});
  converter.add_region(op, in.called[0], converter.scalars_of(in.called[0]));
}

void convert_topk(Converter& converter, const Instruction& in) {
  const bool* largest = in.find<bool>("largest");
  if (largest != nullptr && !*largest) converter.unsupported(in, "topk of the smallest elements");
  converter.emit_result("chlo.top_k", {&converter.single(0)}, {number("k", in.number("k", 0))});
}

void convert_fft(Converter& converter, const Instruction& in) {
  converter.emit_result(
      "stablehlo.fft", {&converter.single(0)},
      {word("fft_type", in.word("fft_type")), list("fft_length", in.ints("fft_length"))});
}

void convert_cholesky(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.cholesky", {&converter.single(0)},
                        {flag("lower", in.flag("lower"))});
}

void convert_triangular_solve(Converter& converter, const Instruction& in) {
  converter.emit_result("stablehlo.triangular_solve", {&converter.single(0), &converter.single(1)},
                        {flag("left_side", in.flag("left_side")), flag("lower", in.flag("lower")),
                         flag("unit_diagonal", in.flag("unit_diagonal")),
                         word("transpose_a", in.word("transpose_a", "NO_TRANSPOSE"))});
}

void convert_batch_norm(Converter& converter, const Instruction& in) {
  // batch-norm-training becomes batch_norm_training; the three opcodes share their attributes.
  std::string name = "stablehlo." + in.opcode;
  std::replace(name.begin(), name.end(), '-', '_');
  const double* epsilon = in.find<double>("epsilon");
  const FloatAttribute value{epsilon == nullptr ? 0 : *epsilon,
                             Type::of(TensorType{ElementType::f32, {}})};
  converter.emit_result(
      name, converter.all_operands(),
      {{"epsilon", {value}}, number("feature_index", in.number("feature_index", 0))});
}

}  // namespace

void add_algebra(ConvertTable& table) {
  table.emplace("batch-norm-grad", convert_batch_norm);
  table.emplace("batch-norm-inference", convert_batch_norm);
  table.emplace("batch-norm-training", convert_batch_norm);
  table.emplace("cholesky", convert_cholesky);
  table.emplace("convolution", convert_convolution);
  table.emplace("dot", convert_dot);
  table.emplace("fft", convert_fft);
  table.emplace("ragged-dot", convert_ragged_dot);
  table.emplace("reduce", convert_reduce);
  table.emplace("reduce-window", convert_reduce_window);
  table.emplace("select-and-scatter", convert_select_and_scatter);
  table.emplace("sort", convert_sort);
  table.emplace("topk", convert_topk);
  table.emplace("triangular-solve", convert_triangular_solve);
}

}  // namespace understudy::program::hlo
