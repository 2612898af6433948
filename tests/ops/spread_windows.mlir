// SPDX-License-Identifier: Apache-2.0
// Gradients of sums of windows side by side; -0 + 0 is +0.
func.func @two_by_three() {
  %x = stablehlo.constant dense<[[1.0, -0.0], [2.0, -3.0]]> : tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %z, low = [1, 2], high = [1, 2], interior = [1, 2] : (tensor<2x2xf32>, tensor<f32>) -> tensor<5x8xf32>
  %w = "stablehlo.reduce_window"(%p, %z) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x8xf32>, tensor<f32>) -> tensor<4x6xf32>
  %u = stablehlo.bitcast_convert %w : (tensor<4x6xf32>) -> tensor<4x6xui32>
  %c = stablehlo.constant dense<[[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, -3.0, -3.0, -3.0], [2.0, 2.0, 2.0, -3.0, -3.0, -3.0]]> : tensor<4x6xf32>
  %v = stablehlo.bitcast_convert %c : (tensor<4x6xf32>) -> tensor<4x6xui32>
  check.expect_eq %u, %v : tensor<4x6xui32>, tensor<4x6xui32>
  return
}

// Rows and columns behind the last window of what was pooled have no gradient.
func.func @with_rest() {
  %x = stablehlo.constant dense<[[1.0, -0.0], [2.0, -3.0]]> : tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %p = stablehlo.pad %x, %z, low = [1, 1], high = [2, 3], interior = [1, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<6x7xf32>
  %w = "stablehlo.reduce_window"(%p, %z) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x7xf32>, tensor<f32>) -> tensor<5x6xf32>
  %u = stablehlo.bitcast_convert %w : (tensor<5x6xf32>) -> tensor<5x6xui32>
  %c = stablehlo.constant dense<[[1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0], [2.0, 2.0, -3.0, -3.0, 0.0, 0.0], [2.0, 2.0, -3.0, -3.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]> : tensor<5x6xf32>
  %v = stablehlo.bitcast_convert %c : (tensor<5x6xf32>) -> tensor<5x6xui32>
  check.expect_eq %u, %v : tensor<5x6xui32>, tensor<5x6xui32>
  return
}
