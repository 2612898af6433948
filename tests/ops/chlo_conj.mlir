// SPDX-License-Identifier: Apache-2.0
// chlo.conj, bit for bit.

func.func @case0_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = chlo.conj %a0 : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.0, -2.0), (-1.5, -5.0e-01), (2.5e-01, 7.5e-01), (-2.0, 1.0), (5.0e-01, -0.0), (0.0, -3.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @case1_complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = chlo.conj %a0 : (tensor<6xcomplex<f64>>) -> tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.0, -2.0), (-1.5, -0.5), (0.25, 0.75), (-2.0, 1.0), (0.5, -0.0), (0.0, -3.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  %r = chlo.conj %a0 : (tensor<0xcomplex<f32>>) -> tensor<0xcomplex<f32>>
  %w0 = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<0xcomplex<f32>>, tensor<0xcomplex<f32>>
  return
}
