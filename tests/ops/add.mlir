// Element-wise sum; the spec's example, wraparound of integers, rounding of bf16.
func.func @integers() {
  %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %2 = stablehlo.add %0, %1 : tensor<2x2xi32>
  check.expect_eq_const %2, dense<[[6, 8], [10, 12]]> : tensor<2x2xi32>
  return
}

func.func @wraparound() {
  %0 = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %1 = stablehlo.constant dense<[1, -1]> : tensor<2xi8>
  %2 = stablehlo.add %0, %1 : tensor<2xi8>
  check.expect_eq_const %2, dense<[-128, 127]> : tensor<2xi8>
  return
}

func.func @bf16_rounds_to_even() {
  %0 = stablehlo.constant dense<[256.0, 258.0]> : tensor<2xbf16>
  %1 = stablehlo.constant dense<1.0> : tensor<2xbf16>
  %2 = stablehlo.add %0, %1 : tensor<2xbf16>
  check.expect_eq_const %2, dense<[256.0, 260.0]> : tensor<2xbf16>
  return
}
