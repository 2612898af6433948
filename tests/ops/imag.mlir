// SPDX-License-Identifier: Apache-2.0
// stablehlo.imag, bit for bit.

func.func @case0_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.imag %a0 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %b0, dense<[1073741824, 1056964608, 3208642560, 3212836864, 0, 1077936128]> : tensor<6xui32>
  return
}

func.func @case1_complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.imag %a0 : (tensor<6xcomplex<f64>>) -> tensor<6xf64>
  %b0 = stablehlo.bitcast_convert %r : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %b0, dense<[4611686018427387904, 4602678819172646912, 13828302655841107968, 13830554455654793216, 0, 4613937818241073152]> : tensor<6xui64>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = stablehlo.imag %a0 : (tensor<10xf32>) -> tensor<10xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<10xf32>) -> tensor<10xui32>
  check.expect_eq_const %b0, dense<[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]> : tensor<10xui32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  %r = stablehlo.imag %a0 : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0xf32>) -> tensor<0xui32>
  check.expect_eq_const %b0, dense<> : tensor<0xui32>
  return
}
