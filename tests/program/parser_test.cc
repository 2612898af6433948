// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <limits>

#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

const Operation& operation(const Module& module, std::size_t index) {
  return *module.functions.at(0)->block().operations.at(index);
}

std::filesystem::path programs() { return repository() / "tests/programs"; }

TEST(Parser, ReadsEveryProgramOfTheTests) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(programs())) {
    if (!std::filesystem::exists(entry.path() / "program.mlir")) continue;
    const auto module = parse(Source::read((entry.path() / "program.mlir").string()));
    ASSERT_NE(module->find_function("main"), nullptr) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 6);
}

TEST(Parser, ReadsAManualComputation) {
  const auto module =
      parse(Source::read((programs() / "dense_data_parallel/program.mlir").string()));
  EXPECT_EQ(module->name, "jit_step");
  ASSERT_EQ(module->meshes.size(), 1u);
  EXPECT_EQ(module->meshes[0].axes[0].first, "data");
  EXPECT_EQ(module->meshes[0].axes[0].second, 8);
  const Operation& manual = operation(*module, 0);
  EXPECT_EQ(manual.name, "sdy.manual_computation");
  EXPECT_EQ(manual.results.size(), 4u);
  const ArrayAttribute* shardings = manual.find("in_shardings")->array();
  ASSERT_EQ(shardings->elements.size(), 5u);
  const DialectAttribute* sharding = shardings->elements[3].dialect();
  EXPECT_EQ(sharding->mnemonic, "sharding");
  EXPECT_EQ(sharding->parameters[0].second.get<SymbolAttribute>()->name, "mesh");
  const ArrayAttribute* dimensions = sharding->parameters[1].second.array();
  ASSERT_EQ(dimensions->elements.size(), 2u);
  EXPECT_EQ(dimensions->elements[0].array()->elements[0].get<StringAttribute>()->value, "data");
  EXPECT_TRUE(dimensions->elements[1].array()->elements.empty());
  EXPECT_EQ(manual.find("manual_axes")->array()->elements.size(), 1u);
  const Operation& dot = *manual.block().operations[0];
  EXPECT_EQ(integers_of(
                *dot.find("dot_dimension_numbers")->dialect()->find("lhs_contracting_dimensions")),
            (Shape{1}));
}

TEST(Parser, PrettyAndGenericFormsGiveTheSameAttributes) {
  const auto pretty = parsed(
      "func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {\n"
      "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
      "  return %0 : tensor<3x2xf32>\n}\n");
  const auto generic = parsed(
      "func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {\n"
      "  %0 = \"stablehlo.transpose\"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) "
      "-> "
      "tensor<3x2xf32>\n"
      "  func.return %0 : tensor<3x2xf32>\n}\n");
  const auto old = parsed(
      "func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {\n"
      "  %0 = \"stablehlo.transpose\"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : "
      "(tensor<2x3xf32>) -> tensor<3x2xf32>\n"
      "  return %0 : tensor<3x2xf32>\n}\n");
  EXPECT_EQ(operation(*pretty, 0).attributes, operation(*generic, 0).attributes);
  EXPECT_EQ(operation(*pretty, 0).attributes, operation(*old, 0).attributes);
}

std::int64_t number_in(const std::string& text) {
  const auto module = parsed("module attributes {x.a = " + text + "} {}\n");
  return module->find("x.a")->get<IntegerAttribute>()->value;
}

TEST(Parser, ReadsNumbersAsTheirTypesHoldThem) {
  EXPECT_EQ(number_in("255 : i8"), -1);
  EXPECT_EQ(number_in("-128 : i8"), -128);
  EXPECT_EQ(number_in("255 : ui8"), 255);
  EXPECT_EQ(number_in("-1 : i1"), 1);
  EXPECT_EQ(number_in("9 : i4"), -7);
  EXPECT_EQ(number_in("0xFFFFFFFF : i32"), -1);
  EXPECT_EQ(number_in("18446744073709551615 : ui64"), -1);  // its bits
  EXPECT_EQ(number_in("-5 : index"), -5);
}

double float_in(const std::string& text) {
  const auto module = parsed("module attributes {x.a = " + text + "} {}\n");
  return module->find("x.a")->get<FloatAttribute>()->value;
}

// As jaxlib 0.10.2 reads them. A number beyond the range was once read as 0 in attributes, and as
// infinity in literals.
TEST(Parser, ReadsFloatsBeyondTheRangeAsInfinityOrZero) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(float_in("1.0e400 : f64"), kInfinity);
  EXPECT_EQ(float_in("-1.0e400"), -kInfinity);
  EXPECT_EQ(float_in("1.8e308"), kInfinity);
  EXPECT_EQ(float_in("1.0e39 : f32"), kInfinity);
  EXPECT_EQ(float_in("1.0e400 : f16"), kInfinity);
  EXPECT_EQ(float_in("1.0e-400"), 0.0);
  EXPECT_EQ(float_in("1.0e-310"), 1e-310);
  EXPECT_EQ(float_in("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(Parser, ReadsMinusOneAsTrue) {
  const auto module = parsed(
      "func.func @main() -> tensor<2xi1> {\n  %0 = stablehlo.constant dense<[-1, 0]> : "
      "tensor<2xi1>\n  return %0 : tensor<2xi1>\n}\n");
  const auto* value = operation(*module, 0).find("value")->get<DenseAttribute>();
  EXPECT_EQ(*value->data, (std::vector<std::byte>{std::byte{1}, std::byte{0}}));
}

// As ml_dtypes and jaxlib round: half way up, the greater power of two; no sign, no zero.
TEST(Parser, RoundsToPowersOfTwo) {
  const auto module = parsed(
      "func.func @main() -> tensor<8xf8E8M0FNU> {\n  %0 = stablehlo.constant dense<[2.9, 2.83, "
      "3.0, "
      "1.5, 6.0, -1.0, 0.0, 3.0e38]> : tensor<8xf8E8M0FNU>\n  return %0 : "
      "tensor<8xf8E8M0FNU>\n}\n");
  const auto* value = operation(*module, 0).find("value")->get<DenseAttribute>();
  std::vector<int> bits;
  for (const std::byte each : *value->data) bits.push_back(std::to_integer<int>(each));
  EXPECT_EQ(bits, (std::vector<int>{128, 128, 129, 128, 130, 255, 0, 255}));
}

TEST(Parser, FindsTheLineOfEveryPlace) {
  const Source source("a.mlir", "one\ntwo\r\n\nfour");
  const auto at = [&](std::uint64_t offset) {
    const SourcePlace place = source.place(offset);
    return std::tuple(place.line, place.column, place.text);
  };
  EXPECT_EQ(at(0), std::tuple(1U, 1U, std::string("one")));
  EXPECT_EQ(at(3), std::tuple(1U, 4U, std::string("one")));
  EXPECT_EQ(at(4), std::tuple(2U, 1U, std::string("two")));
  EXPECT_EQ(at(9), std::tuple(3U, 1U, std::string("")));
  EXPECT_EQ(at(13), std::tuple(4U, 4U, std::string("four")));
  EXPECT_EQ(at(99), std::tuple(4U, 5U, std::string("four")));
}

}  // namespace
}  // namespace understudy::program
