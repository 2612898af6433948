// SPDX-License-Identifier: Apache-2.0
// By labels: batching, contracting, summed, repeated; under an ellipsis.

func.func @labels_0() {
  %a0 = stablehlo.constant dense<[[3.0, 1.0, 1.0], [3.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[2.0, -2.0, -3.0, -1.0], [-2.0, 3.0, 3.0, -3.0], [0.0, 2.0, -3.0, 2.0]]> : tensor<3x4xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,bc->ac"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4xf32>) -> tensor<2x4xui32>
  check.expect_eq_const %b0, dense<[[1082130432, 3212836864, 3239051264, 3229614080], [1082130432, 1065353216, 3242196992, 3221225472]]> : tensor<2x4xui32>
  return
}

func.func @labels_1() {
  %a0 = stablehlo.constant dense<[[-3.0, 0.0, 2.0], [-1.0, -1.0, -2.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[2.0, -2.0], [3.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,ba->"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> (tensor<f32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %b0, dense<3229614080> : tensor<ui32>
  return
}

func.func @labels_2() {
  %a0 = stablehlo.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %a1 = stablehlo.constant dense<[0.0, 3.0, 2.0]> : tensor<3xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "a,b->ab"} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[0, 1077936128, 1073741824], [0, 0, 0]]> : tensor<2x3xui32>
  return
}

func.func @labels_3() {
  %a0 = stablehlo.constant dense<[[2.0, 1.0, 1.0], [-1.0, 3.0, 0.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[-2.0, 2.0, -2.0], [3.0, 1.0, -3.0], [-3.0, 0.0, -3.0], [-3.0, 0.0, 3.0]]> : tensor<4x3xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,cb->ca"} : (tensor<2x3xf32>, tensor<4x3xf32>) -> (tensor<4x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<4x2xf32>) -> tensor<4x2xui32>
  check.expect_eq_const %b0, dense<[[3229614080, 1090519040], [1082130432, 0], [3239051264, 1077936128], [3225419776, 1077936128]]> : tensor<4x2xui32>
  return
}

func.func @labels_4() {
  %a0 = stablehlo.constant dense<[[[0.0, 2.0, 3.0, 2.0], [1.0, 0.0, 0.0, -2.0], [0.0, -1.0, -2.0, 3.0]], [[-3.0, -3.0, -2.0, 3.0], [1.0, 3.0, -2.0, 2.0], [-1.0, 0.0, -3.0, 1.0]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[[[2.0, 1.0, -2.0, 0.0, -2.0], [3.0, 3.0, -2.0, 0.0, 3.0], [2.0, 1.0, 1.0, -3.0, 2.0], [0.0, -3.0, -2.0, 0.0, 2.0]], [[0.0, 1.0, 3.0, 1.0, -1.0], [1.0, 1.0, -3.0, -3.0, 1.0], [-1.0, 1.0, -1.0, -2.0, -2.0], [-1.0, 2.0, -1.0, -1.0, 1.0]]]> : tensor<2x4x5xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "abc,acd->abd"} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> (tensor<2x3x5xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3x5xf32>) -> tensor<2x3x5xui32>
  check.expect_eq_const %b0, dense<[[[1094713344, 1077936128, 3231711232, 3239051264, 1098907648], [1073741824, 1088421888, 1073741824, 0, 3233808384], [3235905536, 3244294144, 3233808384, 1086324736, 3212836864]], [[3229614080, 3221225472, 3212836864, 1088421888, 1088421888], [1077936128, 1086324736, 3233808384, 3233808384, 1090519040], [1073741824, 3221225472, 3212836864, 1082130432, 1090519040]]]> : tensor<2x3x5xui32>
  return
}

func.func @labels_5() {
  %a0 = stablehlo.constant dense<[[[3.0, -1.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 3.0, -2.0, 0.0]], [[0.0, -1.0, -2.0, -3.0], [-1.0, 2.0, -3.0, -1.0], [3.0, 3.0, -2.0, -3.0]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[[[1.0, -3.0, -1.0, 0.0, 3.0], [-3.0, 1.0, 0.0, -3.0, 2.0]], [[2.0, 0.0, 3.0, 1.0, 3.0], [3.0, 0.0, -2.0, -2.0, 0.0]], [[-2.0, 2.0, 3.0, -2.0, 0.0], [-3.0, -2.0, -1.0, 3.0, 3.0]], [[1.0, 1.0, 0.0, -3.0, -1.0], [3.0, -1.0, -2.0, -2.0, 1.0]]]> : tensor<4x2x5xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "abc,cad->db"} : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> (tensor<5x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<5x3xf32>) -> tensor<5x3xui32>
  check.expect_eq_const %b0, dense<[[3235905536, 1096810496, 1090519040], [0, 1084227584, 1077936128], [1088421888, 1077936128, 1082130432], [3212836864, 3240099840, 3238002688], [3225419776, 3239051264, 1091567616]]> : tensor<5x3xui32>
  return
}

func.func @labels_6() {
  %a0 = stablehlo.constant dense<[[[-3.0, 3.0, 3.0], [0.0, 0.0, 2.0]], [[0.0, 0.0, -1.0], [0.0, 2.0, -3.0]]]> : tensor<2x2x3xf32>
  %a1 = stablehlo.constant dense<[[-3.0, 2.0, -1.0, 2.0], [-3.0, 3.0, -3.0, -1.0], [3.0, -3.0, 1.0, 2.0]]> : tensor<3x4xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "aab,bc->ac"} : (tensor<2x2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4xf32>) -> tensor<2x4xui32>
  check.expect_eq_const %b0, dense<[[1091567616, 3233808384, 3225419776, 3225419776], [3245342720, 1097859072, 3239051264, 3238002688]]> : tensor<2x4xui32>
  return
}

func.func @labels_7() {
  %a0 = stablehlo.constant dense<[[-1.0, -3.0, 0.0], [0.0, 3.0, 1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[-1.0, -3.0, 1.0], [-2.0, 1.0, 3.0]]> : tensor<2x3xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,ab->ab"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3xf32>) -> tensor<2x3xui32>
  check.expect_eq_const %b0, dense<[[1065353216, 1091567616, 0], [0, 1077936128, 1077936128]]> : tensor<2x3xui32>
  return
}

func.func @labels_8() {
  %a0 = stablehlo.constant dense<[[-1.0, 3.0, 0.0], [0.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[3.0, 3.0, -2.0, -1.0]> : tensor<4xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,c->b"} : (tensor<2x3xf32>, tensor<4xf32>) -> (tensor<3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %b0, dense<[3225419776, 1097859072, 1086324736]> : tensor<3xui32>
  return
}

func.func @labels_9() {
  %a0 = stablehlo.constant dense<3.0> : tensor<f32>
  %a1 = stablehlo.constant dense<[[-1.0, -3.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = ",ab->ba"} : (tensor<f32>, tensor<2x3xf32>) -> (tensor<3x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3x2xf32>) -> tensor<3x2xui32>
  check.expect_eq_const %b0, dense<[[3225419776, 1086324736], [3239051264, 1086324736], [1077936128, 1086324736]]> : tensor<3x2xui32>
  return
}

func.func @labels_10() {
  %a0 = stablehlo.constant dense<[[[1.0, -3.0], [2.0, -1.0], [2.0, 2.0]], [[3.0, -3.0], [3.0, 1.0], [0.0, 2.0]]]> : tensor<2x3x2xf32>
  %a1 = stablehlo.constant dense<[[3.0, 0.0], [-3.0, 2.0]]> : tensor<2x2xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "aba,aa->b"} : (tensor<2x3x2xf32>, tensor<2x2xf32>) -> (tensor<3xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %b0, dense<[3225419776, 1090519040, 1092616192]> : tensor<3xui32>
  return
}

func.func @labels_11() {
  %a0 = stablehlo.constant dense<[[-2.0, -2.0, -2.0], [-2.0, 3.0, -1.0]]> : tensor<2x3xf32>
  %a1 = stablehlo.constant dense<[[-3.0, -2.0, -1.0, -1.0], [-1.0, 3.0, 3.0, 1.0], [3.0, -1.0, -3.0, -2.0]]> : tensor<3x4xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,bc"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4xf32>) -> tensor<2x4xui32>
  check.expect_eq_const %b0, dense<[[1073741824, 0, 1073741824, 1082130432], [0, 1096810496, 1096810496, 1088421888]]> : tensor<2x4xui32>
  return
}

func.func @ellipsis() {
  %a0 = stablehlo.constant dense<[[[[-3.0, 3.0, -2.0], [0.0, -2.0, 3.0]]], [[[-2.0, 0.0, 3.0], [0.0, 3.0, 3.0]]], [[[2.0, 2.0, 1.0], [1.0, 2.0, -1.0]]], [[[3.0, 3.0, -1.0], [-1.0, 2.0, 3.0]]], [[[-3.0, -3.0, -2.0], [0.0, -2.0, 0.0]]]]> : tensor<5x1x2x3xf32>
  %a1 = stablehlo.constant dense<[[[0.0, 3.0], [2.0, -2.0], [2.0, 2.0]], [[1.0, 1.0], [-1.0, 2.0], [-3.0, 1.0]], [[3.0, 3.0], [-1.0, -1.0], [1.0, -1.0]], [[2.0, -2.0], [-2.0, -3.0], [0.0, -2.0]]]> : tensor<4x3x2xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "...ab,...bc->...ac"} : (tensor<5x1x2x3xf32>, tensor<4x3x2xf32>) -> (tensor<5x4x2x2xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<5x4x2x2xf32>) -> tensor<5x4x2x2xui32>
  check.expect_eq_const %b0, dense<[[[[1073741824, 3247964160], [1073741824, 1092616192]], [[0, 1065353216], [3235905536, 3212836864]], [[3244294144, 3240099840], [1084227584, 3212836864]], [[3242196992, 1065353216], [1082130432, 0]]], [[[1086324736, 0], [1094713344, 0]], [[3241148416, 1065353216], [3242196992, 1091567616]], [[3225419776, 3239051264], [0, 3233808384]], [[3229614080, 3221225472], [3233808384, 3245342720]]], [[[1086324736, 1082130432], [1073741824, 3225419776]], [[3225419776, 1088421888], [1073741824, 1082130432]], [[1084227584, 1077936128], [0, 1073741824]], [[0, 3242196992], [3221225472, 3233808384]]], [[[1082130432, 1065353216], [1092616192, 3212836864]], [[1077936128, 1090519040], [3242196992, 1086324736]], [[1084227584, 1088421888], [3221225472, 3238002688]], [[0, 3243245568], [3233808384, 3240099840]]], [[[3240099840, 3235905536], [3229614080, 1082130432]], [[1086324736, 3241148416], [1073741824, 3229614080]], [[3238002688, 3229614080], [1073741824, 1073741824]], [[0, 1100480512], [1082130432, 1086324736]]]]> : tensor<5x4x2x2xui32>
  return
}

func.func @integers() {
  %a0 = stablehlo.constant dense<[[-1, 3, 2], [2, 1, -3]]> : tensor<2x3xi32>
  %a1 = stablehlo.constant dense<[[2, 1, 3, 0], [-2, 1, 0, 1], [-1, -1, -3, 3]]> : tensor<3x4xi32>
  %r = stablehlo.einsum %a0, %a1, config = "ab,bc->ac" : (tensor<2x3xi32>, tensor<3x4xi32>) -> tensor<2x4xi32>
  check.expect_eq_const %r, dense<[[-10, 0, -9, 9], [5, 6, 15, -8]]> : tensor<2x4xi32>
  return
}

func.func @of_nothing() {
  %a0 = stablehlo.constant dense<> : tensor<2x0xf32>
  %a1 = stablehlo.constant dense<> : tensor<0x4xf32>
  %r = "stablehlo.einsum"(%a0, %a1) {einsum_config = "ab,bc->ac"} : (tensor<2x0xf32>, tensor<0x4xf32>) -> (tensor<2x4xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x4xf32>) -> tensor<2x4xui32>
  check.expect_eq_const %b0, dense<[[0, 0, 0, 0], [0, 0, 0, 0]]> : tensor<2x4xui32>
  return
}
