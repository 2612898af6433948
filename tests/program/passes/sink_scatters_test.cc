// SPDX-License-Identifier: Apache-2.0
// Which scatters are sunk into sums. Their results: tests/ops/sunk_scatters.mlir.
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "tests/program/passes/compiled.h"

namespace understudy::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const auto kFill = HasSubstr("fill(");
const auto kScatter = HasSubstr("scatter{sum}(");
const auto kAdd = HasSubstr("binary{add}(");

// Updates of a matrix of zeros, one for each row, which is added to another one.
struct Form {
  std::string element = "f32", start = "0.0";
  std::string dimensions =
      "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], "
      "scatter_dims_to_operand_dims = [1], index_vector_dim = 1";
  std::string index_vector = "1", indices = "%i", attributes = "";
  std::string rest = "%r = stablehlo.add %s, %x : MATRIX\nreturn %r : MATRIX";
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::vector<std::string> code_of(const Form& form, const CompileOptions& options = unfused()) {
  std::string text =
      "func.func public @main(%i: tensor<8x1xi32>, %j: tensor<8x2xi32>, %u: tensor<8xTYPE>, "
      "%x: MATRIX) -> MATRIX {\n"
      "%z = stablehlo.constant dense<START> : tensor<TYPE>\n"
      "%zeros = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<TYPE>) -> MATRIX\n"
      "%rows = stablehlo.iota dim = 0 : tensor<8x1xi32>\n"
      "%counted = stablehlo.concatenate %rows, %i, dim = 1 : (tensor<8x1xi32>, tensor<8x1xi32>) "
      "-> tensor<8x2xi32>\n"
      "%s = \"stablehlo.scatter\"(%zeros, INDICES, %u) <{scatter_dimension_numbers = "
      "#stablehlo.scatter<DIMENSIONS>ATTRIBUTES}> ({\n"
      "^bb0(%a: tensor<TYPE>, %b: tensor<TYPE>):\n"
      "%c = stablehlo.add %a, %b : tensor<TYPE>\nstablehlo.return %c : tensor<TYPE>\n"
      "}) : (MATRIX, tensor<8xVECTORxi32>, tensor<8xTYPE>) -> MATRIX\nREST\n}\n";
  const std::pair<std::string, std::string> parts[] = {{"REST", form.rest},
                                                       {"DIMENSIONS", form.dimensions},
                                                       {"ATTRIBUTES", form.attributes},
                                                       {"INDICES", form.indices},
                                                       {"VECTOR", form.index_vector},
                                                       {"START", form.start},
                                                       {"MATRIX", "tensor<8x4xTYPE>"},
                                                       {"TYPE", form.element}};
  for (const auto& [from, to] : parts) text = replaced(text, from, to);
  return lines(compiled(text, options));
}

// By two numbers for each update.
Form by_both(const std::string& indices) {
  Form form;
  form.dimensions =
      "inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1";
  form.index_vector = "2";
  form.indices = indices;
  return form;
}

TEST(SinkScatters, OntoTheArrayThatTheyAreAddedTo) {
  EXPECT_THAT(code_of({}), ElementsAre(kFill, kAdd, kScatter));
  CompileOptions off = unfused();
  off.disabled_passes.emplace_back("sink-scatters");
  EXPECT_THAT(code_of({}, off), ElementsAre(kFill, kScatter, kAdd));
  Form other;
  other.rest = "%r = stablehlo.add %x, %s : MATRIX\nreturn %r : MATRIX";
  EXPECT_THAT(code_of(other), ElementsAre(kFill, kAdd, kScatter));
}

TEST(SinkScatters, IntegersNeedNoZeros) {
  Form integers;
  integers.element = "i32";
  integers.start = "0";
  EXPECT_THAT(code_of(integers), ElementsAre(kScatter));
}

TEST(SinkScatters, FloatsOnlyWhereNoTwoWindowsMeet) {
  EXPECT_THAT(code_of(by_both("%j")), testing::Contains(kAdd).Times(1));
  EXPECT_THAT(code_of(by_both("%j")).back(), kAdd);
  EXPECT_THAT(code_of(by_both("%counted")).back(), kScatter);
  Form unique = by_both("%j");
  unique.attributes = ", unique_indices = true";
  EXPECT_THAT(code_of(unique).back(), kScatter);
}

TEST(SinkScatters, OtherUsesKeepTheirPlaces) {
  Form twice;
  twice.rest =
      "%q = stablehlo.add %s, %x : MATRIX\n%r = stablehlo.multiply %q, %s : MATRIX\nreturn %r : "
      "MATRIX";
  EXPECT_THAT(code_of(twice), ElementsAre(kFill, kScatter, kAdd, HasSubstr("multiply")));
  Form difference;
  difference.rest = "%r = stablehlo.subtract %s, %x : MATRIX\nreturn %r : MATRIX";
  EXPECT_THAT(code_of(difference), ElementsAre(kFill, kScatter, HasSubstr("subtract")));
  Form ones;
  ones.start = "1.0";
  EXPECT_THAT(code_of(ones), ElementsAre(kFill, kScatter, kAdd));
}

}  // namespace
}  // namespace understudy::program
