// SPDX-License-Identifier: Apache-2.0
// Batches; types; nothing to sum.

func.func @batch() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 1.0e+01, 1.1e+01]], [[1.2e+01, 1.3e+01, 1.4e+01, 1.5e+01], [1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01], [2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01]]]> : tensor<2x3x4xf32>
  %a1 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [1.0e+01, 1.1e+01, 1.2e+01, 1.3e+01, 1.4e+01], [1.5e+01, 1.6e+01, 1.7e+01, 1.8e+01, 1.9e+01]], [[2.0e+01, 2.1e+01, 2.2e+01, 2.3e+01, 2.4e+01], [2.5e+01, 2.6e+01, 2.7e+01, 2.8e+01, 2.9e+01], [3.0e+01, 3.1e+01, 3.2e+01, 3.3e+01, 3.4e+01], [3.5e+01, 3.6e+01, 3.7e+01, 3.8e+01, 3.9e+01]]]> : tensor<2x4x5xf32>
  %r = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> (tensor<2x3x5xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3x5xf32>) -> tensor<2x3x5xui32>
  check.expect_eq_const %b0, dense<[[[1116471296, 1117257728, 1118044160, 1118830592, 1119617024], [1128136704, 1129578496, 1131020288, 1132462080, 1133182976], [1134231552, 1135476736, 1136721920, 1137967104, 1139212288]], [[1153220608, 1153662976, 1154105344, 1154547712, 1154990080], [1156825088, 1157398528, 1157799936, 1158086656, 1158373376], [1159028736, 1159380992, 1159733248, 1160085504, 1160437760]]]> : tensor<2x3x5xui32>
  return
}

func.func @integers() {
  %a0 = stablehlo.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi32>
  %a1 = stablehlo.constant dense<[[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]], [[20, 21, 22, 23, 24], [25, 26, 27, 28, 29], [30, 31, 32, 33, 34], [35, 36, 37, 38, 39]]]> : tensor<2x4x5xi32>
  %r = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xi32>, tensor<2x4x5xi32>) -> (tensor<2x3x5xi32>)
  check.expect_eq_const %r, dense<[[[70, 76, 82, 88, 94], [190, 212, 234, 256, 278], [310, 348, 386, 424, 462]], [[1510, 1564, 1618, 1672, 1726], [1950, 2020, 2090, 2160, 2230], [2390, 2476, 2562, 2648, 2734]]]> : tensor<2x3x5xi32>
  return
}

func.func @doubles() {
  %a0 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], [[12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0]]]> : tensor<2x3x4xf64>
  %a1 = stablehlo.constant dense<[[[0.0, 1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0, 9.0], [10.0, 11.0, 12.0, 13.0, 14.0], [15.0, 16.0, 17.0, 18.0, 19.0]], [[20.0, 21.0, 22.0, 23.0, 24.0], [25.0, 26.0, 27.0, 28.0, 29.0], [30.0, 31.0, 32.0, 33.0, 34.0], [35.0, 36.0, 37.0, 38.0, 39.0]]]> : tensor<2x4x5xf64>
  %r = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x4xf64>, tensor<2x4x5xf64>) -> (tensor<2x3x5xf64>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3x5xf64>) -> tensor<2x3x5xui64>
  check.expect_eq_const %b0, dense<[[[4634626229029306368, 4635048441494372352, 4635470653959438336, 4635892866424504320, 4636315078889570304], [4640889047261118464, 4641663103447072768, 4642437159633027072, 4643211215818981376, 4643598243911958528], [4644161193865379840, 4644829696935067648, 4645498200004755456, 4646166703074443264, 4646835206144131072]], [[4654355865678118912, 4654593360189718528, 4654830854701318144, 4655068349212917760, 4655305843724517376], [4656291006143004672, 4656598869398781952, 4656814373677826048, 4656968305305714688, 4657122236933603328], [4657474080654491648, 4657663196654469120, 4657852312654446592, 4658041428654424064, 4658230544654401536]]]> : tensor<2x3x5xui64>
  return
}

func.func @empty() {
  %a0 = stablehlo.constant dense<> : tensor<2x3x0xf32>
  %a1 = stablehlo.constant dense<> : tensor<2x0x5xf32>
  %r = "stablehlo.dot_general"(%a0, %a1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>} : (tensor<2x3x0xf32>, tensor<2x0x5xf32>) -> (tensor<2x3x5xf32>)
  %b0 = stablehlo.bitcast_convert %r : (tensor<2x3x5xf32>) -> tensor<2x3x5xui32>
  check.expect_eq_const %b0, dense<[[[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]], [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]]> : tensor<2x3x5xui32>
  return
}
