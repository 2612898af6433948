// SPDX-License-Identifier: Apache-2.0
// cosh and sinh have the very bits of the exponentials that StableHLO expands them to.

func.func @cosh_f32() {
  %x = stablehlo.constant dense<[9.164727, -10.285651, 8.7436, -6.6825557, 1.0, 80.5, -88.25]> : tensor<7xf32>
  %r = chlo.cosh %x : tensor<7xf32>
  %half = stablehlo.constant dense<0.5> : tensor<7xf32>
  %log = stablehlo.log %half : tensor<7xf32>
  %rising = stablehlo.add %x, %log : tensor<7xf32>
  %a = stablehlo.exponential %rising : tensor<7xf32>
  %falling = stablehlo.subtract %log, %x : tensor<7xf32>
  %b = stablehlo.exponential %falling : tensor<7xf32>
  %w = stablehlo.add %a, %b : tensor<7xf32>
  %got = stablehlo.bitcast_convert %r : (tensor<7xf32>) -> tensor<7xui32>
  %want = stablehlo.bitcast_convert %w : (tensor<7xf32>) -> tensor<7xui32>
  check.expect_eq %got, %want : tensor<7xui32>, tensor<7xui32>
  return
}

func.func @sinh_f32() {
  %x = stablehlo.constant dense<[9.164727, -10.285651, 8.7436, -6.6825557, 1.0, 80.5, -88.25]> : tensor<7xf32>
  %r = chlo.sinh %x : tensor<7xf32>
  %half = stablehlo.constant dense<0.5> : tensor<7xf32>
  %log = stablehlo.log %half : tensor<7xf32>
  %rising = stablehlo.add %x, %log : tensor<7xf32>
  %a = stablehlo.exponential %rising : tensor<7xf32>
  %falling = stablehlo.subtract %log, %x : tensor<7xf32>
  %b = stablehlo.exponential %falling : tensor<7xf32>
  %w = stablehlo.subtract %a, %b : tensor<7xf32>
  %got = stablehlo.bitcast_convert %r : (tensor<7xf32>) -> tensor<7xui32>
  %want = stablehlo.bitcast_convert %w : (tensor<7xf32>) -> tensor<7xui32>
  check.expect_eq %got, %want : tensor<7xui32>, tensor<7xui32>
  return
}

func.func @small_sinh_f32() {
  %x = stablehlo.constant dense<[0.20671187, -0.44587108, 0.999, 1.0e-30, -0.0]> : tensor<5xf32>
  %r = chlo.sinh %x : tensor<5xf32>
  %one = stablehlo.constant dense<1.0> : tensor<5xf32>
  %half = stablehlo.constant dense<0.5> : tensor<5xf32>
  %e = stablehlo.exponential_minus_one %x : tensor<5xf32>
  %below = stablehlo.add %e, %one : tensor<5xf32>
  %ratio = stablehlo.divide %e, %below : tensor<5xf32>
  %sum = stablehlo.add %e, %ratio : tensor<5xf32>
  %w = stablehlo.multiply %half, %sum : tensor<5xf32>
  %got = stablehlo.bitcast_convert %r : (tensor<5xf32>) -> tensor<5xui32>
  %want = stablehlo.bitcast_convert %w : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq %got, %want : tensor<5xui32>, tensor<5xui32>
  return
}

func.func @cosh_f64() {
  %x = stablehlo.constant dense<[9.164727, -10.285651, 8.7436, -6.6825557, 1.0, 80.5, -88.25]> : tensor<7xf64>
  %r = chlo.cosh %x : tensor<7xf64>
  %half = stablehlo.constant dense<0.5> : tensor<7xf64>
  %log = stablehlo.log %half : tensor<7xf64>
  %rising = stablehlo.add %x, %log : tensor<7xf64>
  %a = stablehlo.exponential %rising : tensor<7xf64>
  %falling = stablehlo.subtract %log, %x : tensor<7xf64>
  %b = stablehlo.exponential %falling : tensor<7xf64>
  %w = stablehlo.add %a, %b : tensor<7xf64>
  %got = stablehlo.bitcast_convert %r : (tensor<7xf64>) -> tensor<7xui64>
  %want = stablehlo.bitcast_convert %w : (tensor<7xf64>) -> tensor<7xui64>
  check.expect_eq %got, %want : tensor<7xui64>, tensor<7xui64>
  return
}

func.func @sinh_f64() {
  %x = stablehlo.constant dense<[9.164727, -10.285651, 8.7436, -6.6825557, 1.0, 80.5, -88.25]> : tensor<7xf64>
  %r = chlo.sinh %x : tensor<7xf64>
  %half = stablehlo.constant dense<0.5> : tensor<7xf64>
  %log = stablehlo.log %half : tensor<7xf64>
  %rising = stablehlo.add %x, %log : tensor<7xf64>
  %a = stablehlo.exponential %rising : tensor<7xf64>
  %falling = stablehlo.subtract %log, %x : tensor<7xf64>
  %b = stablehlo.exponential %falling : tensor<7xf64>
  %w = stablehlo.subtract %a, %b : tensor<7xf64>
  %got = stablehlo.bitcast_convert %r : (tensor<7xf64>) -> tensor<7xui64>
  %want = stablehlo.bitcast_convert %w : (tensor<7xf64>) -> tensor<7xui64>
  check.expect_eq %got, %want : tensor<7xui64>, tensor<7xui64>
  return
}

func.func @small_sinh_f64() {
  %x = stablehlo.constant dense<[0.20671187, -0.44587108, 0.999, 1.0e-30, -0.0]> : tensor<5xf64>
  %r = chlo.sinh %x : tensor<5xf64>
  %one = stablehlo.constant dense<1.0> : tensor<5xf64>
  %half = stablehlo.constant dense<0.5> : tensor<5xf64>
  %e = stablehlo.exponential_minus_one %x : tensor<5xf64>
  %below = stablehlo.add %e, %one : tensor<5xf64>
  %ratio = stablehlo.divide %e, %below : tensor<5xf64>
  %sum = stablehlo.add %e, %ratio : tensor<5xf64>
  %w = stablehlo.multiply %half, %sum : tensor<5xf64>
  %got = stablehlo.bitcast_convert %r : (tensor<5xf64>) -> tensor<5xui64>
  %want = stablehlo.bitcast_convert %w : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq %got, %want : tensor<5xui64>, tensor<5xui64>
  return
}
