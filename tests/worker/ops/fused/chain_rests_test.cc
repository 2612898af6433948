// SPDX-License-Identifier: Apache-2.0
// Chains that write over what they read, so that no lane can be computed twice: what is left beyond
// whole pieces, in one tile or at the end of each.
#include <fmt/format.h>

#include "gtest/gtest.h"

#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

// A loop whose values lie in the same places in every iteration.
std::string carried(const std::string& shape) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xf32>, %y: tensor<{0}xi32>, %p: tensor<{0}xi1>) ->
    (tensor<{0}xf32>, tensor<{0}xi32>, tensor<{0}xi1>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %p) :
      tensor<i32>, tensor<{0}xf32>, tensor<{0}xi32>, tensor<{0}xi1>
  cond {{
    %limit = stablehlo.constant dense<5> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<{0}xi32>
    %half = stablehlo.constant dense<0.5> : tensor<{0}xf32>
    %d = stablehlo.multiply %b, %three : tensor<{0}xi32>
    %e = stablehlo.xor %d, %b : tensor<{0}xi32>
    %f = stablehlo.select %c, %e, %d : tensor<{0}xi1>, tensor<{0}xi32>
    %g = stablehlo.multiply %a, %half : tensor<{0}xf32>
    %h = stablehlo.convert %f : (tensor<{0}xi32>) -> tensor<{0}xf32>
    %j = stablehlo.add %g, %h : tensor<{0}xf32>
    %k = stablehlo.compare LT, %j, %a : (tensor<{0}xf32>, tensor<{0}xf32>) -> tensor<{0}xi1>
    stablehlo.return %next, %j, %f, %k : tensor<i32>, tensor<{0}xf32>, tensor<{0}xi32>, tensor<{0}xi1>
  }}
  return %r#1, %r#2, %r#3 : tensor<{0}xf32>, tensor<{0}xi32>, tensor<{0}xi1>
}})",
      shape);
}

TEST(ChainRests, ValuesThatALoopCarriesKeepTheirBits) {
  for (const char* const shape : {"65", "127", "500", "1100", "9x33", "70x33", "3x1030"}) {
    SCOPED_TRACE(shape);
    expect_same_bits(carried(shape));
  }
}

// Rows that end within an iteration, by a value of each row and one of each column: the last
// iteration stores the lanes that the one before it has left.
std::string carried_rows(int rows, int columns, const std::string& type) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}x{1}x{2}>, %y: tensor<{0}x{2}>, %z: tensor<{1}x{2}>) -> tensor<{0}x{1}x{2}> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<{0}x{1}x{2}>
  cond {{
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
    %c = stablehlo.broadcast_in_dim %z, dims = [1] : (tensor<{1}x{2}>) -> tensor<{0}x{1}x{2}>
    %f = stablehlo.convert %a : (tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}xf32>
    %g = stablehlo.convert %b : (tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}xf32>
    %h = stablehlo.convert %c : (tensor<{0}x{1}x{2}>) -> tensor<{0}x{1}xf32>
    %j = stablehlo.multiply %f, %g : tensor<{0}x{1}xf32>
    %k = stablehlo.add %j, %h : tensor<{0}x{1}xf32>
    %l = stablehlo.subtract %k, %f : tensor<{0}x{1}xf32>
    %m = stablehlo.convert %l : (tensor<{0}x{1}xf32>) -> tensor<{0}x{1}x{2}>
    stablehlo.return %next, %m : tensor<i32>, tensor<{0}x{1}x{2}>
  }}
  return %r#1 : tensor<{0}x{1}x{2}>
}})",
      rows, columns, type);
}

// Stores of two parts for each element.
std::string carried_complex(const std::string& shape) {
  return fmt::format(
      R"(func.func public @main(%x: tensor<{0}xcomplex<f32>>, %y: tensor<{0}xcomplex<f32>>) -> tensor<{0}xcomplex<f32>> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<{0}xcomplex<f32>>
  cond {{
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.multiply %a, %y : tensor<{0}xcomplex<f32>>
    %c = stablehlo.add %b, %y : tensor<{0}xcomplex<f32>>
    stablehlo.return %next, %c : tensor<i32>, tensor<{0}xcomplex<f32>>
  }}
  return %r#1 : tensor<{0}xcomplex<f32>>
}})",
      shape);
}

TEST(ChainRests, ComplexNumbersThatALoopCarriesKeepTheirBits) {
  for (const char* const shape : {"65", "130", "300", "1000", "2999", "46x36", "26x62", "1x180"}) {
    SCOPED_TRACE(shape);
    expect_same_bits(carried_complex(shape));
  }
}

TEST(ChainRests, RowsThatALoopCarriesKeepTheirBits) {
  for (const int columns : {17, 31, 50, 100, 127, 250, 1001})
    for (const char* const type : {"f32", "i32", "ui32", "bf16", "f16", "i8", "ui8", "i1"}) {
      SCOPED_TRACE(fmt::format("{} columns of {}", columns, type));
      expect_same_bits(carried_rows(9, columns, type));
    }
}

// Values of the tile, which has no whole pieces, take the places of those before.
TEST(ChainRests, ValuesOfTilesKeepTheirBits) {
  for (const int rows : {31, 100, 257}) {
    const std::string x = fmt::format("tensor<{}x33xf32>", rows);
    std::string body, last = "%x";
    for (int s = 0; s < 12; ++s) {
      body += fmt::format(
          "  %a{0} = stablehlo.multiply {1}, %y : {2}\n"
          "  %b{0} = stablehlo.cosine %a{0} : {2}\n"
          "  %c{0} = stablehlo.subtract %b{0}, %x : {2}\n"
          "  %d{0} = stablehlo.maximum %c{0}, %a{0} : {2}\n",
          s, last, x);
      last = fmt::format("%d{}", s);
    }
    expect_same_bits(
        fmt::format("func.func public @main(%x: {0}, %y: {0}) -> {0} {{\n{1}"
                    "  return {2} : {0}\n}}",
                    x, body, last));
  }
}

}  // namespace
}  // namespace understudy::worker
