// SPDX-License-Identifier: Apache-2.0
// The bits that XLA makes on a CPU.

func.func @three_fry_uint32_1() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %r#0, dense<[42, 10]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[2642642533, 3437982737, 356970675, 1736384518, 4222757798]> : tensor<5xui32>
  return
}

func.func @three_fry_uint32_2() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %r#0, dense<[42, 10]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[[2642642533, 356970675, 4222757798], [3437982737, 1736384518, 1010817143]]> : tensor<2x3xui32>
  return
}

func.func @three_fry_uint64_1() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %r#0, dense<[42, 10]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[14766023422270211685, 7457714718447694003, 4341426575643913126]> : tensor<3xui64>
  return
}

func.func @philox_uint32_1() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  check.expect_eq_const %r#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[1436477672, 1015822685, 1056814300, 3113490754, 1193696974]> : tensor<5xui32>
  return
}

func.func @philox_uint32_2() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
  check.expect_eq_const %r#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[[1436477672, 1015822685, 1056814300], [3113490754, 1193696974, 489625878]]> : tensor<2x3xui32>
  return
}

func.func @philox_uint64_1() {
  %a0 = stablehlo.constant dense<[42, 7]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  check.expect_eq_const %r#0, dense<[42, 9]> : tensor<2xui64>
  check.expect_eq_const %r#1, dense<[4362925212046387432, 13372340965885195484, 2102927134478982862]> : tensor<3xui64>
  return
}
