// SPDX-License-Identifier: Apache-2.0
// The feature is dimension 1; formulas of the specification.

func.func @matrix_float64() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 0.25], [2.0, -7.0, 5.0], [0.5, 8.0, 2.0]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[0.25, 1.0, -0.5]> : tensor<3xf64>
  %a4 = stablehlo.constant dense<[2.0, 0.5, 0.0]> : tensor<3xf64>
  %r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<4x3xf64>)
  %w0 = stablehlo.constant dense<[[1.795296329589826, -2.8256029330694745, -26.71708188801238], [3.916086541829363, -9.88961026574316, 14.787811416009287], [2.855691435709595, 22.604823464555796, 127.4439503840681], [1.2650987765299422, -19.77922053148632, 56.292704720030954]]> : tensor<4x3xf64>
  check.expect_close %r, %w0, max_ulp_difference = 4096 : tensor<4x3xf64>, tensor<4x3xf64>
  return
}

func.func @image_float64() {
  %a0 = stablehlo.constant dense<[[[0.0, 0.03125, 0.08838834764831845, 0.16237976320958225], [0.25, 0.34938562148434216, 0.4592793267718459, 0.5787580992953791], [0.7071067811865476, 0.84375, 0.9882117688026185, 1.1400897716846687]], [[1.299038105676658, 1.4647552056572457, 1.6369751067135994, 1.8154609435347266], [2.0, 2.190399863609382, 2.386485386504598, 2.588096247727275], [2.7950849718747373, 3.00731529981477, 3.2246608348786077, 3.447003907381017]]]> : tensor<2x3x4xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[0.25, 1.0, -0.5]> : tensor<3xf64>
  %a4 = stablehlo.constant dense<[2.0, 0.5, 0.0]> : tensor<3xf64>
  %r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<2x3x4xf64>)
  check.expect_almost_eq_const %r, dense<[[[0.7349012234700579, 0.7680385705363006, 0.8286277947543474, 0.9070879297103858], [2.119202199802106, 1.838377896231016, 1.5278619202447732, 1.190262350162737], [25.62905037697639, 28.86982878701664, 32.29604038739546, 35.89814341873682]], [[2.1123948733926805, 2.288120475212456, 2.470741615469044, 2.660007123345859], [-2.8256029330694745, -3.363597346140172, -3.917657174765356, -4.4873294155748145], [75.14980010591212, 80.1832841727856, 85.33808602588851, 90.61141488366042]]]> : tensor<2x3x4xf64>
  return
}

func.func @matrix_float32() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 2.5e-01], [2.0, -7.0, 5.0], [5.0e-01, 8.0, 2.0]]> : tensor<4x3xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf32>
  %a3 = stablehlo.constant dense<[2.5e-01, 1.0, -5.0e-01]> : tensor<3xf32>
  %a4 = stablehlo.constant dense<[2.0, 5.0e-01, 0.0]> : tensor<3xf32>
  %r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>)
  check.expect_almost_eq_const %r, dense<[[1.7952963, -2.825603, -2.6717081e+01], [3.9160864, -9.88961, 1.4787811e+01], [2.8556914, 2.2604824e+01, 1.2744395e+02], [1.2650988, -1.977922e+01, 5.6292706e+01]]> : tensor<4x3xf32>
  return
}

func.func @image_float32() {
  %a0 = stablehlo.constant dense<[[[0.0, 3.125e-02, 8.8388346e-02, 1.6237976e-01], [2.5e-01, 3.4938562e-01, 4.5927933e-01, 5.787581e-01], [7.0710677e-01, 8.4375e-01, 9.8821175e-01, 1.1400898]], [[1.299038, 1.4647552, 1.636975, 1.8154609], [2.0, 2.1904, 2.3864853, 2.5880961], [2.795085, 3.0073154, 3.2246609, 3.4470038]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf32>
  %a3 = stablehlo.constant dense<[2.5e-01, 1.0, -5.0e-01]> : tensor<3xf32>
  %a4 = stablehlo.constant dense<[2.0, 5.0e-01, 0.0]> : tensor<3xf32>
  %r = "stablehlo.batch_norm_inference"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>)
  check.expect_almost_eq_const %r, dense<[[[7.3490125e-01, 7.680386e-01, 8.2862777e-01, 9.070879e-01], [2.1192021, 1.838378, 1.527862, 1.1902623], [2.562905e+01, 2.886983e+01, 3.229604e+01, 3.5898144e+01]], [[2.1123948, 2.2881205, 2.4707415, 2.660007], [-2.825603, -3.3635974, -3.9176571, -4.487329], [7.51498e+01, 8.018329e+01, 8.533809e+01, 9.061141e+01]]]> : tensor<2x3x4xf32>
  return
}
