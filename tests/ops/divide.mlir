// SPDX-License-Identifier: Apache-2.0
// stablehlo.divide of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.divide %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  check.expect_eq_const %r, dense<[2, -2, -2, 2, -1, -2147483648, 1073741823]> : tensor<7xi32>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.divide %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  check.expect_eq_const %r, dense<[0, 0, 2, 255, 3]> : tensor<5xui8>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.divide %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  %w0 = stablehlo.constant dense<[6.0e-01, 0xFFC00000, 0xFFC00000, 0xFFC00000, 0x7FC00000, 0x7FC00000, 3.75, -3.75, 0xFFC00000]> : tensor<9xf32>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @case3_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = stablehlo.divide %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %w0 = stablehlo.constant dense<[12.5, -1.0, 1.0e+290]> : tensor<3xf64>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<3xf64>, tensor<3xf64>
  return
}

func.func @case4_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.0, 1.0), (0.0, 5.0e-01)]> : tensor<3xcomplex<f32>>
  %a1 = stablehlo.constant dense<[(3.0, -1.0), (0.0, 2.0), (2.5e-01, 0.0)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.divide %a0, %a1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.0e-01, 7.0e-01), (5.0e-01, 5.0e-01), (0.0, 2.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.divide %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
