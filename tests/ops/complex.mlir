// SPDX-License-Identifier: Apache-2.0
// stablehlo.complex of several types, edges, no elements.

func.func @case0_float32() {
  %a0 = stablehlo.constant dense<[1.5, -0.0]> : tensor<2xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0]> : tensor<2xf32>
  %r = stablehlo.complex %a0, %a1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.5, 2.5), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}

func.func @case1_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = stablehlo.complex %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.25, 0.1), (-3.0, 3.0), (1.0e+300, 10000000000.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0xf32>
  %r = stablehlo.complex %a0, %a1 : (tensor<0xf32>, tensor<0xf32>) -> tensor<0xcomplex<f32>>
  %w0 = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<0xcomplex<f32>>, tensor<0xcomplex<f32>>
  return
}
