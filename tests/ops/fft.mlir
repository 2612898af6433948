// SPDX-License-Identifier: Apache-2.0
// Four kinds.

func.func @fft() {
  %a0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %r = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>)
  check.expect_almost_eq_const %r, dense<[(0.0, 2.0), (4.0, 0.0), (0.0, -2.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

func.func @ifft() {
  %a0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %r = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4>} : (tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>)
  check.expect_almost_eq_const %r, dense<[(0.0, 5.0e-01), (0.0, 0.0), (0.0, -5.0e-01), (1.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

func.func @rfft() {
  %a0 = stablehlo.constant dense<[1.0, 0.0, -1.0, 0.0]> : tensor<4xf32>
  %r = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 4>} : (tensor<4xf32>) -> (tensor<3xcomplex<f32>>)
  check.expect_almost_eq_const %r, dense<[(0.0, 0.0), (2.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

func.func @irfft() {
  %a0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r = "stablehlo.fft"(%a0) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 4>} : (tensor<3xcomplex<f32>>) -> (tensor<4xf32>)
  check.expect_almost_eq_const %r, dense<[0.0, -5.0e-01, 0.0, 1.5]> : tensor<4xf32>
  return
}
