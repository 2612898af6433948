// SPDX-License-Identifier: Apache-2.0
// What processes tell each other and their host: send, recv, infeed, outfeed.

func.func @sender(%x: tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %done = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return
}

func.func @receiver() -> tensor<2xi32> {
  %token = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return %r#0 : tensor<2xi32>
}

func.func @first_batch() -> tensor<2xi32> {
  %r = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @second_batch() -> tensor<2xi32> {
  %r = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @eater() -> (tensor<2xi32>, tensor<2xi32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %b:2 = "stablehlo.infeed"(%a#1) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %done = "stablehlo.outfeed"(%b#0, %b#1) {outfeed_config = ""} : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  return %a#0, %b#0 : tensor<2xi32>, tensor<2xi32>
}

func.func @between_processes() {
  %x = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %r = "interpreter.run_parallel"(%x) {programs = [[@sender], [@receiver]]} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[8, 9]> : tensor<2xi32>
  return
}

func.func @from_the_host() {
  %r:2 = "interpreter.run_parallel"() {infeed = [@first_batch, @second_batch], programs = [[@eater]]} : () -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[3, 4]> : tensor<2xi32>
  return
}
