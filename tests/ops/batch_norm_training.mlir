// SPDX-License-Identifier: Apache-2.0
// The feature is dimension 1; formulas of the specification.

func.func @matrix_float64() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 0.25], [2.0, -7.0, 5.0], [0.5, 8.0, 2.0]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf64>
  %r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
  %w0 = stablehlo.constant dense<[[0.024112319222418077, -0.04504842718602532, -3.9177521836429943], [3.14695289771068, -0.9460169709065318, -3.371006201898232], [1.5855326084665493, 3.1984383302077983, -1.8869813943053049], [-0.7565978253996475, -2.207372932115241, -2.824260220153469]]> : tensor<4x3xf64>
  check.expect_close %r#0, %w0, max_ulp_difference = 4096 : tensor<4x3xf64>, tensor<4x3xf64>
  %w1 = stablehlo.constant dense<[1.625, 1.875, 1.4375]> : tensor<3xf64>
  check.expect_close %r#1, %w1, max_ulp_difference = 4096 : tensor<3xf64>, tensor<3xf64>
  %w2 = stablehlo.constant dense<[0.921875, 30.796875, 5.76171875]> : tensor<3xf64>
  check.expect_close %r#2, %w2, max_ulp_difference = 4096 : tensor<3xf64>, tensor<3xf64>
  return
}

func.func @image_float64() {
  %a0 = stablehlo.constant dense<[[[0.0, 0.03125, 0.08838834764831845, 0.16237976320958225], [0.25, 0.34938562148434216, 0.4592793267718459, 0.5787580992953791], [0.7071067811865476, 0.84375, 0.9882117688026185, 1.1400897716846687]], [[1.299038105676658, 1.4647552056572457, 1.6369751067135994, 1.8154609435347266], [2.0, 2.190399863609382, 2.386485386504598, 2.588096247727275], [2.7950849718747373, 3.00731529981477, 3.2246608348786077, 3.447003907381017]]]> : tensor<2x3x4xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf64>
  %r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>)
  check.expect_almost_eq_const %r#0, dense<[[[-0.6114818274459748, -0.5494850416094677, -0.43612843673891755, -0.2893370785215845], [2.2968797871143307, 2.0894120899050166, 1.8600087453036103, 1.6105965523662427], [-3.879392582848657, -3.7878081256824974, -3.6909833231643896, -3.5891878255888923]], [[1.9656761639491456, 2.294441845771338, 2.636108416093744, 2.990205958501717], [-1.3562489521721686, -1.7537090742908332, -2.1630380223174246, -2.5839011259087745], [-2.479935289398746, -2.3376889375682928, -2.1920141428791737, -2.0429897728693494]]]> : tensor<2x3x4xf64>
  check.expect_almost_eq_const %r#1, dense<[0.8122809340550163, 1.3503005681741027, 2.0191529169528706]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[0.5706684341707103, 0.9169227505886952, 1.251146497960713]> : tensor<3xf64>
  return
}

func.func @matrix_float32() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 2.5e-01], [2.0, -7.0, 5.0], [5.0e-01, 8.0, 2.0]]> : tensor<4x3xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %r#0, dense<[[2.411232e-02, -4.5048427e-02, -3.9177523], [3.1469529, -9.4601697e-01, -3.3710063], [1.5855327, 3.1984384, -1.8869814], [-7.565978e-01, -2.207373, -2.8242602]]> : tensor<4x3xf32>
  check.expect_almost_eq_const %r#1, dense<[1.625, 1.875, 1.4375]> : tensor<3xf32>
  check.expect_almost_eq_const %r#2, dense<[9.21875e-01, 3.0796875e+01, 5.7617188]> : tensor<3xf32>
  return
}

func.func @image_float32() {
  %a0 = stablehlo.constant dense<[[[0.0, 3.125e-02, 8.8388346e-02, 1.6237976e-01], [2.5e-01, 3.4938562e-01, 4.5927933e-01, 5.787581e-01], [7.0710677e-01, 8.4375e-01, 9.8821175e-01, 1.1400898]], [[1.299038, 1.4647552, 1.636975, 1.8154609], [2.0, 2.1904, 2.3864853, 2.5880961], [2.795085, 3.0073154, 3.2246609, 3.4470038]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf32>
  %r:3 = "stablehlo.batch_norm_training"(%a0, %a1, %a2) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %r#0, dense<[[[-6.1148185e-01, -5.49485e-01, -4.3612844e-01, -2.8933707e-01], [2.2968798, 2.0894122, 1.8600087, 1.6105965], [-3.8793926, -3.7878082, -3.6909833, -3.5891879]], [[1.9656761, 2.294442, 2.6361084, 2.990206], [-1.356249, -1.7537092, -2.163038, -2.583901], [-2.4799354, -2.337689, -2.1920142, -2.0429897]]]> : tensor<2x3x4xf32>
  check.expect_almost_eq_const %r#1, dense<[8.122809e-01, 1.3503006, 2.0191529]> : tensor<3xf32>
  check.expect_almost_eq_const %r#2, dense<[5.706684e-01, 9.169227e-01, 1.2511466]> : tensor<3xf32>
  return
}
