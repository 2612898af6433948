// SPDX-License-Identifier: Apache-2.0
// stablehlo.maximum of several types, edges, no elements.

func.func @case0_int32() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.maximum %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  check.expect_eq_const %r, dense<[7, 3, 7, -3, 5, -1, 2147483647]> : tensor<7xi32>
  return
}

func.func @case1_uint8() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.maximum %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xui8>
  check.expect_eq_const %r, dense<[3, 255, 200, 255, 7]> : tensor<5xui8>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.maximum %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
  %w0 = stablehlo.constant dense<[2.5, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 7.5, 2.0, 0.0]> : tensor<9xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<9xf32>, tensor<9xf32>
  return
}

func.func @case3_bool() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.maximum %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

func.func @case4_float64() {
  %a0 = stablehlo.constant dense<[1.25, -3.0, 1.0e+300]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[0.1, 3.0, 10000000000.0]> : tensor<3xf64>
  %r = stablehlo.maximum %a0, %a1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %b0, dense<[4608308318706860032, 4613937818241073152, 9094988921128908188]> : tensor<3xui64>
  return
}

func.func @case5_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.0, 1.0), (0.0, 5.0e-01)]> : tensor<3xcomplex<f32>>
  %a1 = stablehlo.constant dense<[(3.0, -1.0), (0.0, 2.0), (2.5e-01, 0.0)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.maximum %a0, %a1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(3.0, -1.0), (0.0, 2.0), (2.5e-01, 0.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xi32>
  %a1 = stablehlo.constant dense<> : tensor<0xi32>
  %r = stablehlo.maximum %a0, %a1 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %r, dense<> : tensor<0xi32>
  return
}
