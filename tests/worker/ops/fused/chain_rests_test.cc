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

// Three times: %a, at first %x, becomes the %m that the body makes of it.
std::string carrying(const std::string& parameters, const std::string& type,
                     const std::string& body) {
  return fmt::format(
      R"(func.func public @main({0}) -> {1} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, {1}
  cond {{
    %limit = stablehlo.constant dense<3> : tensor<i32>
    %go = stablehlo.compare LT, %i, %limit, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
{2}
    stablehlo.return %next, %m : tensor<i32>, {1}
  }}
  return %r#1 : {1}
}})",
      parameters, type, body);
}

// Rows that end within an iteration, by a value of each row and one of each column: the last
// iteration stores the lanes that the one before it has left.
std::string carried_rows(int rows, int columns, const std::string& type) {
  const std::string all = fmt::format("tensor<{}x{}x{}>", rows, columns, type);
  const std::string wide = fmt::format("tensor<{}x{}xf32>", rows, columns);
  const std::string y = fmt::format("tensor<{}x{}>", rows, type);
  const std::string z = fmt::format("tensor<{}x{}>", columns, type);
  return carrying(fmt::format("%x: {}, %y: {}, %z: {}", all, y, z), all,
                  fmt::format(R"(    %b = stablehlo.broadcast_in_dim %y, dims = [0] : ({2}) -> {0}
    %c = stablehlo.broadcast_in_dim %z, dims = [1] : ({3}) -> {0}
    %f = stablehlo.convert %a : ({0}) -> {1}
    %g = stablehlo.convert %b : ({0}) -> {1}
    %h = stablehlo.convert %c : ({0}) -> {1}
    %j = stablehlo.multiply %f, %g : {1}
    %k = stablehlo.add %j, %h : {1}
    %l = stablehlo.subtract %k, %f : {1}
    %m = stablehlo.convert %l : ({1}) -> {0})",
                              all, wide, y, z));
}

// Stores of two parts for each element.
std::string carried_complex(const std::string& shape) {
  const std::string type = fmt::format("tensor<{}xcomplex<f32>>", shape);
  return carrying(fmt::format("%x: {0}, %y: {0}", type), type,
                  fmt::format(R"(    %b = stablehlo.multiply %a, %y : {0}
    %m = stablehlo.add %b, %y : {0})",
                              type));
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
