// SPDX-License-Identifier: Apache-2.0
// stablehlo.sqrt: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F800000, 0x7FC00000, -1.0]> : tensor<10xf32>
  %r = stablehlo.sqrt %a0 : tensor<10xf32>
  %w0 = stablehlo.constant dense<[0.0, 3.5355338e-01, 7.0710677e-01, 1.0, 1.4142135, 3.1622777, 3.1622776e+01, 0x7F800000, 0x7FC00000, 0xFFC00000]> : tensor<10xf32>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<10xf32>, tensor<10xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[0.0, 0.125, 0.5, 1.0, 2.0, 10.0, 1000.0, 0x7FF0000000000000, 0x7FF8000000000000, -1.0]> : tensor<10xf64>
  %r = stablehlo.sqrt %a0 : tensor<10xf64>
  %w0 = stablehlo.constant dense<[0.0, 0.3535533905932738, 0.7071067811865476, 1.0, 1.4142135623730951, 3.1622776601683795, 31.622776601683793, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000]> : tensor<10xf64>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<10xf64>, tensor<10xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7F80, 0x7FC0, -1.0]> : tensor<10xbf16>
  %r = stablehlo.sqrt %a0 : tensor<10xbf16>
  %w0 = stablehlo.constant dense<[0.0, 3.5351562e-01, 7.0703125e-01, 1.0, 1.4140625, 3.15625, 3.1625e+01, 0x7F80, 0x7FC0, 0xFFC0]> : tensor<10xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<10xbf16>, tensor<10xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[0.0, 1.25e-01, 5.0e-01, 1.0, 2.0, 1.0e+01, 1.0e+03, 0x7C00, 0x7E00, -1.0]> : tensor<10xf16>
  %r = stablehlo.sqrt %a0 : tensor<10xf16>
  %w0 = stablehlo.constant dense<[0.0, 3.5351562e-01, 7.0703125e-01, 1.0, 1.4140625, 3.1621094, 3.1625e+01, 0x7C00, 0x7E00, 0xFE00]> : tensor<10xf16>
  check.expect_close %r, %w0, max_ulp_difference = 0 : tensor<10xf16>, tensor<10xf16>
  return
}

func.func @complex64() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 5.0e-01), (2.5e-01, -7.5e-01), (-2.0, -1.0), (5.0e-01, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f32>>
  %r = stablehlo.sqrt %a0 : tensor<6xcomplex<f32>>
  %w0 = stablehlo.constant dense<[(1.2720196, 7.8615135e-01), (2.014185e-01, 1.2411968), (7.2130764e-01, -5.198891e-01), (3.4356076e-01, -1.4553467), (7.0710677e-01, 0.0), (1.2247449, 1.2247449)]> : tensor<6xcomplex<f32>>
  check.expect_close %r, %w0, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

func.func @complex128() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0), (0.5, 0.0), (0.0, 3.0)]> : tensor<6xcomplex<f64>>
  %r = stablehlo.sqrt %a0 : tensor<6xcomplex<f64>>
  %w0 = stablehlo.constant dense<[(1.272019649514069, 0.7861513777574233), (0.20141850719855617, 1.2411967672541269), (0.7213076372263415, -0.5198891300277853), (0.34356074972251244, -1.455346690225355), (0.7071067811865476, 0.0), (1.224744871391589, 1.224744871391589)]> : tensor<6xcomplex<f64>>
  check.expect_close %r, %w0, max_ulp_difference = 6 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = stablehlo.sqrt %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = stablehlo.sqrt %a0 : tensor<f32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<1060439283> : tensor<ui32>
  return
}
