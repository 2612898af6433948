// SPDX-License-Identifier: Apache-2.0
// The bits are the implementation's own choice; the bounds, the spread and the mean are not.

func.func @uniform() {
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<[64, 32]> : tensor<2xi64>
  %x = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<64x32xf32>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
  %highs = stablehlo.broadcast_in_dim %high, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
  %above = stablehlo.compare GE, %x, %lows : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xi1>
  %below = stablehlo.compare LT, %x, %highs : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xi1>
  %inside = stablehlo.and %above, %below : tensor<64x32xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%inside init: %true) applies stablehlo.and across dimensions = [0, 1] : (tensor<64x32xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %all, dense<true> : tensor<i1>
  // The mean of 2048 draws from [-1, 3) is 1 within six standard errors of 0.0255.
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<2048.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_almost_eq %mean, %one, tolerance = 0.16 : tensor<f32>, tensor<f32>
  return
}

func.func @integers() {
  %low = stablehlo.constant dense<-3> : tensor<i32>
  %high = stablehlo.constant dense<4> : tensor<i32>
  %shape = stablehlo.constant dense<[500]> : tensor<1xi64>
  %x = "stablehlo.rng"(%low, %high, %shape) {rng_distribution = #stablehlo<rng_distribution UNIFORM>} : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<500xi32>
  %top = stablehlo.constant dense<-2147483648> : tensor<i32>
  %bottom = stablehlo.constant dense<2147483647> : tensor<i32>
  %largest = stablehlo.reduce(%x init: %top) applies stablehlo.maximum across dimensions = [0] : (tensor<500xi32>, tensor<i32>) -> tensor<i32>
  %least = stablehlo.reduce(%x init: %bottom) applies stablehlo.minimum across dimensions = [0] : (tensor<500xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %largest, dense<3> : tensor<i32>
  check.expect_eq_const %least, dense<-3> : tensor<i32>
  return
}

func.func @normal() {
  %mean = stablehlo.constant dense<5.0> : tensor<f64>
  %deviation = stablehlo.constant dense<2.0> : tensor<f64>
  %shape = stablehlo.constant dense<[2048]> : tensor<1xi64>
  %x = stablehlo.rng %mean, %deviation, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<2048xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %count = stablehlo.constant dense<2048.0> : tensor<f64>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2048xf64>, tensor<f64>) -> tensor<f64>
  %m = stablehlo.divide %sum, %count : tensor<f64>
  // Six standard errors of the mean, 2 / sqrt(2048) = 0.044.
  check.expect_almost_eq %m, %mean, tolerance = 0.27 : tensor<f64>, tensor<f64>
  %ms = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f64>) -> tensor<2048xf64>
  %c = stablehlo.subtract %x, %ms : tensor<2048xf64>
  %squares = stablehlo.multiply %c, %c : tensor<2048xf64>
  %total = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2048xf64>, tensor<f64>) -> tensor<f64>
  %variance = stablehlo.divide %total, %count : tensor<f64>
  %four = stablehlo.constant dense<4.0> : tensor<f64>
  // Six standard errors of the variance, 4 * sqrt(2 / 2048) = 0.125.
  check.expect_almost_eq %variance, %four, tolerance = 0.75 : tensor<f64>, tensor<f64>
  return
}
