// SPDX-License-Identifier: Apache-2.0
// Quantized types: what the reader and the verifier refuse, and what becomes of them in an
// executable. What programs compute with them stands in tests/ops/quantized_*.mlir.
#include <gtest/gtest.h>

#include "program/compile.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

// The type of an argument.
ErrorCase type(const char* name, const std::string& text) {
  return {name, "func.func @main(%x: " + text + ") {\n  return\n}\n"};
}

TEST(QuantizedTypes, ThatAreWrongAreRefused) {
  expect_errors(
      "quantized_types.txt",
      {
          type("storage", "tensor<2x!quant.uniform<f8:f32, 1.0>>"),
          type("storage type", "tensor<2x!quant.uniform<f16:f32, 1.0>>"),
          type("wide storage", "tensor<2x!quant.uniform<i64:f64, 1.0>>"),
          type("expressed", "tensor<2x!quant.uniform<i8:i16, 1.0>>"),
          type("unknown expressed", "tensor<2x!quant.uniform<i8:f33, 1.0>>"),
          type("no expressed", "tensor<2x!quant.uniform<i8, 1.0>>"),
          type("bounds outside", "tensor<2x!quant.uniform<i8<-129:127>:f32, 1.0>>"),
          type("bounds turned", "tensor<2x!quant.uniform<i8<5:5>:f32, 1.0>>"),
          type("no bound", "tensor<2x!quant.uniform<i8<:5>:f32, 1.0>>"),
          type("zero scale", "tensor<2x!quant.uniform<i8:f32, 0.0>>"),
          type("negative scale", "tensor<2x!quant.uniform<i8:f32, -1.0>>"),
          type("huge scale", "tensor<2x!quant.uniform<i8:f16, 1.0e9>>"),
          type("tiny scale", "tensor<2x!quant.uniform<i8:f32, 1.0e-99>>"),
          type("no number", "tensor<2x!quant.uniform<i8:f32, one>>"),
          type("hexadecimal", "tensor<2x!quant.uniform<i8:f32, 0x10>>"),
          type("no scale", "tensor<2x!quant.uniform<i8:f32>>"),
          type("zero point", "tensor<2x!quant.uniform<i8:f32, 1.0:128>>"),
          type("zero point of bounds", "tensor<2x!quant.uniform<u8<0:100>:f32, 1.0:-1>>"),
          type("scale without list", "tensor<2x!quant.uniform<i8:f32:0, 1.0>>"),
          type("list without dimension", "tensor<2x!quant.uniform<i8:f32, {1.0, 2.0}>>"),
          type("number of scales", "tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>"),
          type("no scales", "tensor<0x!quant.uniform<i8:f32:0, {}>>"),
          type("dimension", "tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>"),
          type("negative dimension", "tensor<2x!quant.uniform<i8:f32:-1, {1.0, 2.0}>>"),
          {"literal",
           "func.func @main() {\n  %0 = stablehlo.constant dense<1> : "
           "tensor<2x!quant.uniform<i8:f32, 1.0>>\n  return\n}\n"},
          {"other scale",
           "func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0>>) {\n  %0 = stablehlo.negate "
           "%x : tensor<2x!quant.uniform<i8:f32, 2.0>>\n  return\n}\n"},
      });
}

// One operation on quantized arguments: %a and %b have other scales, %r is quantized by rows, %h
// expresses f16.
ErrorCase quantized_op(const char* name, const std::string& line) {
  return {name,
          "!a = !quant.uniform<i8:f32, 0.5:3>\n!b = !quant.uniform<i8:f32, 0.25>\n"
          "!r = !quant.uniform<i8:f32:0, {0.5, 0.25}>\n!h = !quant.uniform<i8:f16, 0.5>\n"
          "func.func @main(%a: tensor<2x3x!a>, %b: tensor<2x3x!b>, %r: tensor<2x3x!r>, %h: "
          "tensor<2x3x!h>, %f: tensor<2x3xf32>, %s: tensor<!b>, %i: tensor<2x3xi8>, %n: "
          "tensor<i32>) {\n  " +
              line + "\n  return\n}\n"};
}

// Over 40 lines: a row per case.
TEST(QuantizedOperations, OnWrongTypesAreRefused) {
  expect_errors(
      "quantized_operations.txt",
      {
          quantized_op("quantize to floats",
                       "%0 = stablehlo.uniform_quantize %f : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
          quantized_op("quantize integers",
                       "%0 = stablehlo.uniform_quantize %i : (tensor<2x3xi8>) -> tensor<2x3x!a>"),
          quantized_op("quantize to another expressed type",
                       "%0 = stablehlo.uniform_quantize %f : (tensor<2x3xf32>) -> tensor<2x3x!h>"),
          quantized_op("quantize to another shape",
                       "%0 = stablehlo.uniform_quantize %f : (tensor<2x3xf32>) -> tensor<3x2x!a>"),
          quantized_op("quantize along another dimension",
                       "%0 = stablehlo.uniform_quantize %r : (tensor<2x3x!r>) -> "
                       "tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25, 1.0}>>"),
          quantized_op(
              "dequantize floats",
              "%0 = stablehlo.uniform_dequantize %f : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
          quantized_op(
              "dequantize to another type",
              "%0 = stablehlo.uniform_dequantize %h : (tensor<2x3x!h>) -> tensor<2x3xf32>"),
          quantized_op("dequantize to quantized",
                       "%0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!a>) -> tensor<2x3x!b>"),
          quantized_op("takes none", "%0 = stablehlo.popcnt %a : tensor<2x3x!a>"),
          quantized_op("convert",
                       "%0 = stablehlo.convert %a : (tensor<2x3x!a>) -> tensor<2x3xf32>"),
          quantized_op(
              "expressed types",
              "%0 = stablehlo.add %a, %h : (tensor<2x3x!a>, tensor<2x3x!h>) -> tensor<2x3x!a>"),
          quantized_op("float of another type",
                       "%0 = stablehlo.multiply %f, %h : (tensor<2x3xf32>, tensor<2x3x!h>) -> "
                       "tensor<2x3x!h>"),
          quantized_op(
              "shape of a sum",
              "%0 = stablehlo.add %a, %b : (tensor<2x3x!a>, tensor<2x3x!b>) -> tensor<3x2x!a>"),
          quantized_op("dot",
                       "%0 = stablehlo.dot_general %a, %h, contracting_dims = [1] x [1] : "
                       "(tensor<2x3x!a>, tensor<2x3x!h>) -> tensor<2x2x!a>"),
          quantized_op("reshape", "%0 = stablehlo.reshape %a : (tensor<2x3x!a>) -> tensor<6x!b>"),
          quantized_op("reshape to storage",
                       "%0 = stablehlo.reshape %a : (tensor<2x3x!a>) -> tensor<6xi8>"),
          quantized_op("reshape through rows",
                       "%0 = stablehlo.reshape %r : (tensor<2x3x!r>) -> "
                       "tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>"),
          quantized_op("transposed rows",
                       "%0 = stablehlo.transpose %r, dims = [1, 0] : (tensor<2x3x!r>) -> "
                       "tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>"),
          quantized_op("broadcast rows",
                       "%0 = stablehlo.broadcast_in_dim %r, dims = [1, 2] : (tensor<2x3x!r>) -> "
                       "tensor<2x2x3x!r>"),
          quantized_op(
              "pad",
              "%0 = stablehlo.pad %a, %s, low = [0, 0], high = [0, 0], interior = [0, 0] : "
              "(tensor<2x3x!a>, tensor<!b>) -> tensor<2x3x!a>"),
          quantized_op("concatenate",
                       "%0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3x!a>, "
                       "tensor<2x3x!b>) -> tensor<4x3x!a>"),
          quantized_op("slice of rows",
                       "%0 = stablehlo.slice %r [0:1, 0:3] : (tensor<2x3x!r>) -> "
                       "tensor<1x3x!quant.uniform<i8:f32:0, {0.5}>>"),
          quantized_op(
              "reduce rows",
              "%0 = stablehlo.reduce(%r init: %s) applies stablehlo.add across dimensions = [0] : "
              "(tensor<2x3x!r>, tensor<!b>) -> tensor<3x!b>"),
          quantized_op(
              "reduce to floats",
              "%0 = stablehlo.reduce(%b init: %s) applies stablehlo.add across dimensions = [1] : "
              "(tensor<2x3x!b>, tensor<!b>) -> tensor<2xf32>"),
          quantized_op(
              "branches",
              "%0 = \"stablehlo.case\"(%n) ({\n  stablehlo.return %a : tensor<2x3x!a>\n}, {\n  "
              "stablehlo.return %b : tensor<2x3x!b>\n}) : (tensor<i32>) -> tensor<2x3x!a>"),
      });
}

TEST(QuantizedOperations, BecomeIntegersAndFloatsInTheExecutable) {
  const auto module = parsed(function_of(
      "%x: tensor<4x!quant.uniform<i8:f32, 0.5>>, %y: tensor<4xf32>",
      "tensor<4x!quant.uniform<u4:f32, 0.25:3>>",
      "  %0 = stablehlo.add %x, %y : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<4xf32>) -> "
      "tensor<4x!quant.uniform<u4:f32, 0.25:3>>\n"
      "  return %0 : tensor<4x!quant.uniform<u4:f32, 0.25:3>>"));
  verify(*module);
  EXPECT_TRUE(unsupported_operations(*module).empty());
  const std::string before = print(*module);
  const Executable executable = compile(*module, {});
  EXPECT_EQ(text_of(executable.arguments.at(0)), "tensor<4xi8>");
  EXPECT_EQ(text_of(executable.results.at(0)), "tensor<4xui4>");
  EXPECT_EQ(print(*module), before);
}

}  // namespace
}  // namespace understudy::program
