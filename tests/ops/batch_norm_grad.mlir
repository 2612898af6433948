// SPDX-License-Identifier: Apache-2.0
// The feature is dimension 1; formulas of the specification.

func.func @matrix_float64() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 0.25], [2.0, -7.0, 5.0], [0.5, 8.0, 2.0]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[0.25, 1.0, -0.5]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[3.0, 1.5, 1.0]> : tensor<3xf64>
  %a4 = stablehlo.constant dense<[[0.5, -1.0, 2.0], [1.0, 0.25, 0.0], [-0.5, 1.0, -3.0], [2.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<3xf64>)
  %w0 = stablehlo.constant dense<[[-0.36524399878291497, 4.1480765529876304, -1.49625505623558], [-0.32903337620525136, 6.100952249195336, 2.246629213673753], [-1.4294900653499085, -13.493195121495654, 14.22640505728005], [1.0327601367852421, 8.834978223886123, 8.238389326577222]]> : tensor<4x3xf64>
  check.expect_close %r#0, %w0, max_ulp_difference = 4096 : tensor<4x3xf64>, tensor<4x3xf64>
  %w1 = stablehlo.constant dense<[1.5874486875218774, 4.795319239445872, -15.992005994624963]> : tensor<3xf64>
  check.expect_close %r#1, %w1, max_ulp_difference = 4096 : tensor<3xf64>, tensor<3xf64>
  %w2 = stablehlo.constant dense<[3.0, 2.25, 0.0]> : tensor<3xf64>
  check.expect_close %r#2, %w2, max_ulp_difference = 4096 : tensor<3xf64>, tensor<3xf64>
  return
}

func.func @image_float64() {
  %a0 = stablehlo.constant dense<[[[0.0, 0.03125, 0.08838834764831845, 0.16237976320958225], [0.25, 0.34938562148434216, 0.4592793267718459, 0.5787580992953791], [0.7071067811865476, 0.84375, 0.9882117688026185, 1.1400897716846687]], [[1.299038105676658, 1.4647552056572457, 1.6369751067135994, 1.8154609435347266], [2.0, 2.190399863609382, 2.386485386504598, 2.588096247727275], [2.7950849718747373, 3.00731529981477, 3.2246608348786077, 3.447003907381017]]]> : tensor<2x3x4xf64>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 0.75]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[0.25, 1.0, -0.5]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[3.0, 1.5, 1.0]> : tensor<3xf64>
  %a4 = stablehlo.constant dense<[[[0.0, 0.003472222222222222, 0.009820927516479828, 0.018042195912175804], [0.027777777777777776, 0.03882062460937135, 0.05103103630798288, 0.06430645547726435], [0.07856742013183862, 0.09375, 0.10980130764473539, 0.12667664129829653]], [[0.14433756729740643, 0.16275057840636065, 0.18188612296817772, 0.20171788261496962], [0.2222222222222222, 0.24337776262326466, 0.26516504294495535, 0.28756624974747497], [0.3105649968749708, 0.33414614442386337, 0.3582956483198453, 0.3830004341534463]]]> : tensor<2x3x4xf64>
  %r:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<3xf64>, tensor<3xf64>)
  check.expect_almost_eq_const %r#0, dense<[[[-0.06991440743315168, -0.06793716810085779, -0.06432193007357662, -0.059640370486381995], [0.07360471173174246, 0.07227081597076145, 0.07079588684668699, 0.06919231254875433], [-0.745850992945491, -0.8065286258353576, -0.8706781551727265, -0.9381209290106615]], [[0.012277888141005706, 0.022763083920695166, 0.03365972271021139, 0.044952817648455205], [0.0501172338968876, 0.04756179813901059, 0.04493005278316069, 0.04222414956359867], [-1.6730362220170485, -1.7672789809235268, -1.863793192908387, -1.9625266057045585]]]> : tensor<2x3x4xf64>
  check.expect_almost_eq_const %r#1, dense<[0.5271733095945099, 1.0084427537291294, 5.6306977620054735]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[0.7220274969377922, 1.2002671717103135, 1.7948025928469962]> : tensor<3xf64>
  return
}

func.func @matrix_float32() {
  %a0 = stablehlo.constant dense<[[1.0, 2.0, -1.5], [3.0, 4.5, 2.5e-01], [2.0, -7.0, 5.0], [5.0e-01, 8.0, 2.0]]> : tensor<4x3xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[2.5e-01, 1.0, -5.0e-01]> : tensor<3xf32>
  %a3 = stablehlo.constant dense<[3.0, 1.5, 1.0]> : tensor<3xf32>
  %a4 = stablehlo.constant dense<[[5.0e-01, -1.0, 2.0], [1.0, 2.5e-01, 0.0], [-5.0e-01, 1.0, -3.0], [2.0, 2.0, 1.0]]> : tensor<4x3xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %r#0, dense<[[-3.65244e-01, 4.1480765, -1.496255], [-3.2903337e-01, 6.100952, 2.2466292], [-1.4294901, -1.3493196e+01, 1.4226405e+01], [1.0327601, 8.834978, 8.238389]]> : tensor<4x3xf32>
  check.expect_almost_eq_const %r#1, dense<[1.5874487, 4.795319, -1.5992006e+01]> : tensor<3xf32>
  check.expect_almost_eq_const %r#2, dense<[3.0, 2.25, 0.0]> : tensor<3xf32>
  return
}

func.func @image_float32() {
  %a0 = stablehlo.constant dense<[[[0.0, 3.125e-02, 8.8388346e-02, 1.6237976e-01], [2.5e-01, 3.4938562e-01, 4.5927933e-01, 5.787581e-01], [7.0710677e-01, 8.4375e-01, 9.8821175e-01, 1.1400898]], [[1.299038, 1.4647552, 1.636975, 1.8154609], [2.0, 2.1904, 2.3864853, 2.5880961], [2.795085, 3.0073154, 3.2246609, 3.4470038]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[1.5, -2.0, 7.5e-01]> : tensor<3xf32>
  %a2 = stablehlo.constant dense<[2.5e-01, 1.0, -5.0e-01]> : tensor<3xf32>
  %a3 = stablehlo.constant dense<[3.0, 1.5, 1.0]> : tensor<3xf32>
  %a4 = stablehlo.constant dense<[[[0.0, 3.4722222e-03, 9.820928e-03, 1.8042196e-02], [2.7777778e-02, 3.8820624e-02, 5.103104e-02, 6.430645e-02], [7.856742e-02, 9.375e-02, 1.0980131e-01, 1.2667663e-01]], [[1.4433756e-01, 1.6275057e-01, 1.8188612e-01, 2.0171788e-01], [2.2222222e-01, 2.4337776e-01, 2.6516503e-01, 2.8756624e-01], [3.10565e-01, 3.3414614e-01, 3.5829565e-01, 3.8300043e-01]]]> : tensor<2x3x4xf32>
  %r:3 = "stablehlo.batch_norm_grad"(%a0, %a1, %a2, %a3, %a4) {epsilon = 1.0e-03 : f32, feature_index = 1 : i64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %r#0, dense<[[[-6.991441e-02, -6.7937165e-02, -6.432193e-02, -5.964037e-02], [7.360471e-02, 7.227082e-02, 7.0795886e-02, 6.919232e-02], [-7.45851e-01, -8.065286e-01, -8.706781e-01, -9.381209e-01]], [[1.227789e-02, 2.2763083e-02, 3.3659726e-02, 4.495282e-02], [5.0117217e-02, 4.756179e-02, 4.493005e-02, 4.2224124e-02], [-1.6730362, -1.767279, -1.8637933, -1.9625266]]]> : tensor<2x3x4xf32>
  check.expect_almost_eq_const %r#1, dense<[5.271733e-01, 1.0084428, 5.6306977]> : tensor<3xf32>
  check.expect_almost_eq_const %r#2, dense<[7.220275e-01, 1.2002672, 1.7948025]> : tensor<3xf32>
  return
}
