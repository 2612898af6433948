// SPDX-License-Identifier: Apache-2.0
// chlo.bessel_i1e: values, edges, several types, no elements.

func.func @float32() {
  %a0 = stablehlo.constant dense<[-3.0, 0.0, 5.0e-01, 1.0, 8.0, 4.0e+01, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %r = chlo.bessel_i1e %a0 : tensor<8xf32>
  %w0 = stablehlo.constant dense<[-1.9682671e-01, 0.0, 1.564208e-01, 2.0791042e-01, 1.3414249e-01, 6.248223e-02, 0.0, 0x7FC00000]> : tensor<8xf32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<8xf32>, tensor<8xf32>
  return
}

func.func @float64() {
  %a0 = stablehlo.constant dense<[-3.0, 0.0, 0.5, 1.0, 8.0, 40.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  %r = chlo.bessel_i1e %a0 : tensor<8xf64>
  %w0 = stablehlo.constant dense<[-0.19682671329730084, 0.0, 0.15642080318487173, 0.2079104153497085, 0.13414249329269812, 0.06248222907444206, 0.0, 0x7FF8000000000000]> : tensor<8xf64>
  check.expect_close %r, %w0, max_ulp_difference = 16 : tensor<8xf64>, tensor<8xf64>
  return
}

func.func @bfloat16() {
  %a0 = stablehlo.constant dense<[-3.0, 0.0, 5.0e-01, 1.0, 8.0, 4.0e+01, 0x7F80, 0x7FC0]> : tensor<8xbf16>
  %r = chlo.bessel_i1e %a0 : tensor<8xbf16>
  %w0 = stablehlo.constant dense<[-1.9726562e-01, 0.0, 1.5625e-01, 2.0800781e-01, 1.3378906e-01, 6.25e-02, 0.0, 0x7FC0]> : tensor<8xbf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<8xbf16>, tensor<8xbf16>
  return
}

func.func @float16() {
  %a0 = stablehlo.constant dense<[-3.0, 0.0, 5.0e-01, 1.0, 8.0, 4.0e+01, 0x7C00, 0x7E00]> : tensor<8xf16>
  %r = chlo.bessel_i1e %a0 : tensor<8xf16>
  %w0 = stablehlo.constant dense<[-1.9677734e-01, 0.0, 1.5637207e-01, 2.0788574e-01, 1.3415527e-01, 6.2469482e-02, 0.0, 0x7E00]> : tensor<8xf16>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<8xf16>, tensor<8xf16>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %r = chlo.bessel_i1e %a0 : tensor<2x0xf32>
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x0xf32>) -> tensor<2x0xui32>
  check.expect_eq_const %b0, dense<> : tensor<2x0xui32>
  return
}

func.func @scalar() {
  %a0 = stablehlo.constant dense<5.0e-01> : tensor<f32>
  %r = chlo.bessel_i1e %a0 : tensor<f32>
  %w0 = stablehlo.constant dense<1.564208e-01> : tensor<f32>
  check.expect_close %r, %w0, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}
