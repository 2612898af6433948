// SPDX-License-Identifier: Apache-2.0
// Forwards, backwards, of slices, of nothing.

func.func @forwards() {
  %a0 = stablehlo.constant dense<[1.0, -2.0, -2.0, -1.0, 2.0]> : tensor<5xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = chlo.scan(%a0) inits (%a1) dimension=0 {
  ^bb0(%e: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %e, %c : tensor<f32>
    %m = stablehlo.multiply %s, %e : tensor<f32>
    stablehlo.return %m, %s : tensor<f32>, tensor<f32>
  } : (tensor<5xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  %b0 = stablehlo.bitcast_convert %r#0 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %b0, dense<[1077936128, 3221225472, 1073741824, 1073741824, 0]> : tensor<5xui32>
  %b1 = stablehlo.bitcast_convert %r#1 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b1, dense<0> : tensor<ui32>
  return
}

func.func @backwards() {
  %a0 = stablehlo.constant dense<[1.0, -2.0, -2.0, -1.0, 2.0]> : tensor<5xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = chlo.scan(%a0) inits (%a1) dimension=0 attributes {is_reverse = true} {
  ^bb0(%e: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %e, %c : tensor<f32>
    %m = stablehlo.multiply %s, %e : tensor<f32>
    stablehlo.return %m, %s : tensor<f32>, tensor<f32>
  } : (tensor<5xf32>, tensor<f32>) -> (tensor<5xf32>, tensor<f32>)
  %b0 = stablehlo.bitcast_convert %r#0 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %b0, dense<[0, 1073741824, 3221225472, 3225419776, 1090519040]> : tensor<5xui32>
  %b1 = stablehlo.bitcast_convert %r#1 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b1, dense<0> : tensor<ui32>
  return
}

func.func @slices() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, -3.0], [-1.0, 2.0, 2.0], [1.0, 3.0, -1.0], [-2.0, -3.0, -2.0]], [[2.0, 3.0, -3.0], [0.0, -3.0, 2.0], [-3.0, 1.0, -3.0], [2.0, 3.0, 2.0]]]> : tensor<2x4x3xf32>
  %a1 = stablehlo.constant dense<[[-9.0, -9.0, -9.0], [-9.0, -9.0, -9.0]]> : tensor<2x3xf32>
  %r:2 = chlo.scan(%a0) inits (%a1) dimension=1 {
  ^bb0(%e: tensor<2x3xf32>, %c: tensor<2x3xf32>):
    %s = stablehlo.maximum %e, %c : tensor<2x3xf32>
    stablehlo.return %s, %s : tensor<2x3xf32>, tensor<2x3xf32>
  } : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r#0 : (tensor<2x4x3xf32>) -> tensor<2x4x3xui32>
  check.expect_eq_const %b0, dense<[[[0, 1065353216, 3225419776], [0, 1073741824, 1073741824], [1065353216, 1077936128, 1073741824], [1065353216, 1077936128, 1073741824]], [[1073741824, 1077936128, 3225419776], [1073741824, 1077936128, 1073741824], [1073741824, 1077936128, 1073741824], [1073741824, 1077936128, 1073741824]]]> : tensor<2x4x3xui32>
  %b1 = stablehlo.bitcast_convert %r#1 : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b1, dense<[[1065353216, 1077936128, 1073741824], [1073741824, 1077936128, 1073741824]]> : tensor<2x3xui32>
  return
}

func.func @nothing() {
  %a0 = stablehlo.constant dense<> : tensor<0xf32>
  %a1 = stablehlo.constant dense<2.0> : tensor<f32>
  %r:2 = chlo.scan(%a0) inits (%a1) dimension=0 {
  ^bb0(%e: tensor<f32>, %c: tensor<f32>):
    %s = stablehlo.add %e, %c : tensor<f32>
    %m = stablehlo.multiply %s, %e : tensor<f32>
    stablehlo.return %m, %s : tensor<f32>, tensor<f32>
  } : (tensor<0xf32>, tensor<f32>) -> (tensor<0xf32>, tensor<f32>)
  %b0 = stablehlo.bitcast_convert %r#0 : (tensor<0xf32>) -> tensor<0xui32>
  check.expect_eq_const %b0, dense<> : tensor<0xui32>
  %b1 = stablehlo.bitcast_convert %r#1 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b1, dense<1073741824> : tensor<ui32>
  return
}
