// SPDX-License-Identifier: Apache-2.0
// Every operation with any number of operands, results and regions of a few types, and with
// attributes of the kinds that it asks for: the verifier answers each with a verdict.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "program/ir/op_table.h"
#include "program/verify/signature.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

// Some attribute of this kind. Over 40 lines: a table with a row per kind.
std::string of_kind(const std::string& kind) {
  static const std::map<std::string, std::string> kValues = {
      {"f32", "1.0 : f32"},
      {"number", "1.0 : f32"},
      {"bool", "true"},
      {"unit", "unit"},
      {"text", "\"a.b\""},
      {"symbol", "@f"},
      {"symbols", "[@f]"},
      {"ints", "array<i64: 0>"},
      {"bools", "array<i1: true>"},
      {"dense", "dense<0> : tensor<1x2xi64>"},
      {"elements", "dense<1.0> : tensor<2xf32>"},
      {"groups", "dense<[[0, 1]]> : tensor<1x2xi64>"},
      {"dict", "{a}"},
      {"config", "\"c\""},
      {"list", "[[0]]"},
      {"layouts", "[dense<0> : tensor<1xindex>]"},
      {"aliases",
       "[#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, "
       "operand_tuple_indices = [1]>]"},
      {"precision", "[#stablehlo<precision HIGH>]"},
      {"accuracy", "#stablehlo.result_accuracy<ulps = 1>"},
      {"sharding", "#sdy.sharding<@m, [{\"x\"}]>"},
      {"shardings", "#sdy.sharding_per_value<[<@m, [{\"x\"}]>]>"},
      {"axes", "#sdy<manual_axes{\"x\"}>"},
      {"#dot",
       "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>"},
      {"#dot_algorithm", "#stablehlo.dot_algorithm<lhs_precision_type = f32>"},
      {"#ragged_dot",
       "#chlo.ragged_dot<lhs_contracting_dimensions = [0], "
       "rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>"},
      {"#gather", "#stablehlo.gather<offset_dims = [0], start_index_map = [0]>"},
      {"#scatter",
       "#stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = "
       "[0]>"},
      {"#conv", "#stablehlo.conv<[b, f]x[i, o]->[b, f]>"},
      {"#channel_handle", "#stablehlo.channel_handle<handle = 1, type = 1>"},
  };
  if (kind.front() == '{') {
    const std::string word = kind.substr(1, kind.find_first_of(",}") - 1);
    return fmt::format("#stablehlo<word {}>", word);
  }
  const auto found = kValues.find(kind);
  if (found != kValues.end()) return found->second;
  return kind.starts_with("i64") ? "1 : i64" : "1 : i32";
}

std::string repeated(const std::string& part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + part;
  return text;
}

struct Counts {
  std::size_t operands, results, regions;
};

std::string program_of(const OpRow& row, const std::string& attributes, const std::string& type,
                       const Counts& counts, const std::string& region) {
  std::string results = fmt::format("({})", repeated(type, counts.results));
  std::string regions = repeated(region, counts.regions);
  return fmt::format(
      "sdy.mesh @m = <[\"x\"=2]>\nfunc.func @f(%x: {0}) {{\n  {1}\"{2}\"({3}){4} {{{5}}} : ({6}) "
      "-> "
      "{7}\n  return\n}}\n",
      type, counts.results == 0 ? "" : fmt::format("%r:{} = ", counts.results), row.name,
      repeated("%x", counts.operands), regions.empty() ? "" : " (" + regions + ")", attributes,
      repeated(type, counts.operands), results);
}

TEST(VerifySweep, EveryOperationWithAnyNumberOfValuesHasAVerdict) {
  std::size_t refused = 0, taken = 0;
  for (const OpRow& row : op_table()) {
    const rules::Signature* signature = rules::find_signature(row.name);
    std::string attributes;
    if (signature != nullptr)
      for (const auto& needed : signature->attributes)
        attributes += fmt::format("{}{} = {}", attributes.empty() ? "" : ", ", needed.name,
                                  of_kind(std::string(needed.kind)));
    for (const std::string type :
         {"tensor<2xf32>", "tensor<?xi32>", "tensor<i1>", "tensor<0x3xcomplex<f64>>",
          "!stablehlo.token", "tuple<tensor<f32>>"}) {
      const std::string end =
          row.name.starts_with("sdy.") ? "\"sdy.return\"() : () -> ()" : "stablehlo.return";
      const std::string block = fmt::format("{{^bb0(%a: {0}, %b: {0}): {1}}}", type, end);
      for (std::size_t i = 0; i < 5 * 3 * 2; ++i) {
        const Counts counts{i % 5, i / 5 % 3, i / 15 + (row.regions.least > 1 ? 1 : 0)};
        const std::string text = program_of(row, attributes, type, counts, block);
        const std::string error = error_of(text);
        EXPECT_EQ(error.find("internal"), std::string::npos) << text << error;
        (error.empty() ? taken : refused) += 1;
      }
    }
  }
  EXPECT_GT(refused, taken);
  EXPECT_GT(taken, 100U);
}

}  // namespace
}  // namespace understudy::program
