// SPDX-License-Identifier: Apache-2.0
// Trailing dimensions meet; ones are repeated.

func.func @row() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_complex %a0, %a1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(1.5, 2.0), (0.0, 5.0e-01), (2.0, 3.0)], [(2.5e-01, 2.0), (7.5, 5.0e-01), (-3.0, 3.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}

func.func @placed() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = "chlo.broadcast_complex"(%a0, %a1) {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(1.5, 2.0), (0.0, 5.0e-01), (2.0, 3.0)], [(2.5e-01, 2.0), (7.5, 5.0e-01), (-3.0, 3.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}

func.func @column() {
  %a0 = stablehlo.constant dense<[[1.5], [2.5e-01]]> : tensor<2x1xf32>
  %a1 = stablehlo.constant dense<[2.0, 5.0e-01, 3.0]> : tensor<3xf32>
  %r = chlo.broadcast_complex %a0, %a1 : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(1.5, 2.0), (1.5, 5.0e-01), (1.5, 3.0)], [(2.5e-01, 2.0), (2.5e-01, 5.0e-01), (2.5e-01, 3.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r = chlo.broadcast_complex %a0, %a1 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(1.5, 2.0), (0.0, 2.0), (2.0, 2.0)], [(2.5e-01, 2.0), (7.5, 2.0), (-3.0, 2.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}

func.func @equal() {
  %a0 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[1.5, -0.0, 2.0], [2.5e-01, 7.5, -3.0]]> : tensor<2x3xf32>
  %r = chlo.broadcast_complex %a0, %a1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
  %w0 = stablehlo.constant dense<[[(1.5, 1.5), (-0.0, 0.0), (2.0, 2.0)], [(2.5e-01, 2.5e-01), (7.5, 7.5), (-3.0, -3.0)]]> : tensor<2x3xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<2x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>
  return
}
