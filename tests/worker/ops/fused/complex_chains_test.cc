// SPDX-License-Identifier: Apache-2.0
// Arithmetic of complex numbers by parts in chains gives the bits of the kernels, as steps and as
// machine code.
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {
namespace {

using Number = std::complex<float>;

// Every pair of parts of some values, among them NaN of three patterns.
std::vector<Number> special_numbers(std::size_t n, std::size_t turn) {
  std::vector<float> values{0.0F, -0.0F, 1.0F, -1.5F, 3e38F, -3e38F, 1e-45F, 0.1F, 7.25F};
  values.insert(values.end(),
                {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                 std::nanf(""), -std::nanf(""), std::nanf("5")});
  std::vector<Number> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = (i + turn * 7) * (turn + 1);
    numbers[i] = {values[k % values.size()], values[k / values.size() % values.size()]};
  }
  return numbers;
}

// All steps that have parts, their results together in one loop.
std::string all_steps(std::size_t n) {
  return fmt::format(R"(func.func public @main(%x: tensor<{0}xcomplex<f32>>,
    %y: tensor<{0}xcomplex<f32>>, %r: tensor<{0}xf32>, %one: tensor<complex<f32>>)
    -> (tensor<{0}xcomplex<f32>>, tensor<{0}xcomplex<f32>>, tensor<{0}xf32>, tensor<{0}xi1>,
        tensor<{0}xcomplex<f32>>, tensor<{0}xf32>) {{
  %c = stablehlo.constant dense<(2.5, -3.0)> : tensor<{0}xcomplex<f32>>
  %o = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<complex<f32>>) -> tensor<{0}xcomplex<f32>>
  %a = stablehlo.multiply %x, %y : tensor<{0}xcomplex<f32>>
  %b = stablehlo.add %a, %c : tensor<{0}xcomplex<f32>>
  %s = stablehlo.subtract %b, %o : tensor<{0}xcomplex<f32>>
  %n = stablehlo.negate %x : tensor<{0}xcomplex<f32>>
  %re = stablehlo.real %n : (tensor<{0}xcomplex<f32>>) -> tensor<{0}xf32>
  %im = stablehlo.imag %s : (tensor<{0}xcomplex<f32>>) -> tensor<{0}xf32>
  %w = stablehlo.complex %im, %re : tensor<{0}xcomplex<f32>>
  %e = stablehlo.compare EQ, %x, %y : (tensor<{0}xcomplex<f32>>, tensor<{0}xcomplex<f32>>) -> tensor<{0}xi1>
  %f = stablehlo.compare NE, %a, %w : (tensor<{0}xcomplex<f32>>, tensor<{0}xcomplex<f32>>) -> tensor<{0}xi1>
  %g = stablehlo.xor %e, %f : tensor<{0}xi1>
  %t = stablehlo.select %g, %w, %n : tensor<{0}xi1>, tensor<{0}xcomplex<f32>>
  %k = stablehlo.convert %r : (tensor<{0}xf32>) -> tensor<{0}xcomplex<f32>>
  %m = stablehlo.multiply %t, %k : tensor<{0}xcomplex<f32>>
  %d = stablehlo.convert %m : (tensor<{0}xcomplex<f32>>) -> tensor<{0}xf32>
  %q = stablehlo.multiply %s, %s : tensor<{0}xcomplex<f32>>
  %h = stablehlo.abs %w : (tensor<{0}xcomplex<f32>>) -> tensor<{0}xf32>
  %l = stablehlo.add %h, %re : tensor<{0}xf32>
  return %t, %m, %d, %g, %q, %l : tensor<{0}xcomplex<f32>>, tensor<{0}xcomplex<f32>>, tensor<{0}xf32>,
      tensor<{0}xi1>, tensor<{0}xcomplex<f32>>, tensor<{0}xf32>
}})",
                     n);
}

TEST(ComplexChains, HaveTheBitsOfTheKernels) {
  for (const std::size_t n : {7U, 16U, 512U, 4099U, 70000U}) expect_same_bits(all_steps(n));
}

TEST(ComplexChains, TreatSpecialNumbersAsTheKernelsDo) {
  constexpr std::size_t kCount = 4096;
  std::vector<float> reals(kCount);
  for (std::size_t i = 0; i < kCount; ++i) reals[i] = special_numbers(kCount, 3)[i].imag();
  std::vector<Bytes> arguments{program::kernels::bytes_of(special_numbers(kCount, 0)),
                               program::kernels::bytes_of(special_numbers(kCount, 1)),
                               program::kernels::bytes_of(reals),
                               program::kernels::bytes_of(std::vector<Number>{{0.5F, -0.0F}})};
  for (Bytes& one : arguments) one.resize(one.size() + kSlack);
  expect_bits_of_kernels(all_steps(kCount), arguments, "special numbers");
}

// Rows and columns of a matrix of numbers, each repeated along the other dimension.
TEST(ComplexChains, ReadRowsAndColumns) {
  for (const auto& [rows, columns] :
       {std::pair{3, 5}, std::pair{40, 512}, std::pair{33, 700}, std::pair{2, 40000}})
    expect_same_bits(fmt::format(R"(func.func public @main(%x: tensor<{0}x{1}xcomplex<f32>>,
    %r: tensor<{0}xcomplex<f32>>, %c: tensor<{1}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>> {{
  %a = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<{0}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>>
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{1}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>>
  %p = stablehlo.multiply %x, %a : tensor<{0}x{1}xcomplex<f32>>
  %q = stablehlo.subtract %p, %b : tensor<{0}x{1}xcomplex<f32>>
  %s = stablehlo.multiply %q, %a : tensor<{0}x{1}xcomplex<f32>>
  return %s : tensor<{0}x{1}xcomplex<f32>>
}})",
                                 rows, columns));
}

// The number is stored for a step without parts, read again, and reduced.
TEST(ComplexChains, EndAtStepsWithoutParts) {
  for (const auto& [rows, columns] : {std::pair{3, 5}, std::pair{20, 1024}, std::pair{1, 70000}})
    expect_same_bits(fmt::format(R"(func.func public @main(%x: tensor<{0}x{1}xcomplex<f32>>)
    -> (tensor<{0}xcomplex<f32>>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %nil = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.multiply %x, %x : tensor<{0}x{1}xcomplex<f32>>
  %b = stablehlo.subtract %a, %x : tensor<{0}x{1}xcomplex<f32>>
  %c = stablehlo.exponential %b : tensor<{0}x{1}xcomplex<f32>>
  %d = stablehlo.multiply %c, %x : tensor<{0}x{1}xcomplex<f32>>
  %e = stablehlo.add %d, %b : tensor<{0}x{1}xcomplex<f32>>
  %f = stablehlo.real %e : (tensor<{0}x{1}xcomplex<f32>>) -> tensor<{0}x{1}xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}xcomplex<f32>>, tensor<complex<f32>>) -> tensor<{0}xcomplex<f32>>
  %t = stablehlo.reduce(%f init: %nil) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  return %s, %t : tensor<{0}xcomplex<f32>>, tensor<{0}xf32>
}})",
                                 rows, columns));
}

// Parts of a slice and of every third number.
TEST(ComplexChains, ReadViews) {
  expect_same_bits(R"(func.func public @main(%x: tensor<64x900xcomplex<f32>>)
    -> (tensor<64x300xf32>, tensor<64x300xcomplex<f32>>) {
  %a = stablehlo.slice %x [0:64, 100:400] : (tensor<64x900xcomplex<f32>>) -> tensor<64x300xcomplex<f32>>
  %b = stablehlo.slice %x [0:64, 1:900:3] : (tensor<64x900xcomplex<f32>>) -> tensor<64x300xcomplex<f32>>
  %c = stablehlo.multiply %a, %b : tensor<64x300xcomplex<f32>>
  %d = stablehlo.subtract %c, %a : tensor<64x300xcomplex<f32>>
  %e = stablehlo.imag %d : (tensor<64x300xcomplex<f32>>) -> tensor<64x300xf32>
  return %e, %d : tensor<64x300xf32>, tensor<64x300xcomplex<f32>>
})");
}

}  // namespace
}  // namespace understudy::worker
