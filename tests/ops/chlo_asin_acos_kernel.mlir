// SPDX-License-Identifier: Apache-2.0
// asin(z) = atan2(re z, re w) + i sign(im z) im w.

func.func @complex() {
  %a0 = stablehlo.constant dense<[(5.0e-01, 2.5e-01), (-3.0, 2.0), (1.0e-01, -4.0), (2.0, 5.0e-01)]> : tensor<4xcomplex<f32>>
  %r = chlo._asin_acos_kernel %a0 : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(9.117543e-01, 2.8139606e-01), (2.0795565, 1.968638), (4.1230345, 2.094998), (5.702489e-01, 1.3618009)]> : tensor<4xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}
