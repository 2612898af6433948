// SPDX-License-Identifier: Apache-2.0
// stablehlo.real, bit for bit.

func.func @case0_complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.real %a0 : (tensor<6xcomplex<f32>>) -> tensor<6xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %b0, dense<[1065353216, 3217031168, 1048576000, 3221225472, 1056964608, 0]> : tensor<6xui32>
  return
}

func.func @case1_complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.real %a0 : (tensor<6xcomplex<f64>>) -> tensor<6xf64>
  %b0 = stablehlo.bitcast_convert %r : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %b0, dense<[4607182418800017408, 13832806255468478464, 4598175219545276416, 13835058055282163712, 4602678819172646912, 0]> : tensor<6xui64>
  return
}

func.func @case2_float32() {
  %a0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  %r = stablehlo.real %a0 : (tensor<10xf32>) -> tensor<10xf32>
  %w0 = stablehlo.constant dense<[-1.0, -7.5e-01, -2.5e-01, -0.0, 0.0, 5.0e-01, 8.75e-01, 1.0, 1.5, 0x7FC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<0xcomplex<f32>>
  %r = stablehlo.real %a0 : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<0xf32>) -> tensor<0xui32>
  check.expect_eq_const %b0, dense<> : tensor<0xui32>
  return
}
