// SPDX-License-Identifier: Apache-2.0
// Concatenations of computed arrays of 4 KiB and more, which are computed where they lie.

func.func @rows_that_others_read() {
  %i = stablehlo.iota dim = 0 : tensor<2048xi32>
  %a = stablehlo.multiply %i, %i : tensor<2048xi32>
  %b = stablehlo.negate %i : tensor<2048xi32>
  %j = stablehlo.concatenate %a, %b, %a, dim = 0 : (tensor<2048xi32>, tensor<2048xi32>, tensor<2048xi32>) -> tensor<6144xi32>
  %c = stablehlo.add %a, %b : tensor<2048xi32>
  %k = stablehlo.concatenate %c, %j, dim = 0 : (tensor<2048xi32>, tensor<6144xi32>) -> tensor<8192xi32>
  %p = stablehlo.slice %k [0:2048] : (tensor<8192xi32>) -> tensor<2048xi32>
  %q = stablehlo.slice %k [2048:4096] : (tensor<8192xi32>) -> tensor<2048xi32>
  %r = stablehlo.slice %k [4096:6144] : (tensor<8192xi32>) -> tensor<2048xi32>
  %s = stablehlo.slice %k [6144:8192] : (tensor<8192xi32>) -> tensor<2048xi32>
  %d = stablehlo.subtract %a, %i : tensor<2048xi32>
  check.expect_eq %p, %d : tensor<2048xi32>, tensor<2048xi32>
  check.expect_eq %q, %a : tensor<2048xi32>, tensor<2048xi32>
  check.expect_eq %r, %b : tensor<2048xi32>, tensor<2048xi32>
  check.expect_eq %s, %a : tensor<2048xi32>, tensor<2048xi32>
  return
}

// As jax.scipy.linalg.block_diag: each block is padded, then joined with the others.
func.func @diagonal_blocks() {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %x = stablehlo.iota dim = 0 : tensor<48x40xf32>
  %y = stablehlo.iota dim = 1 : tensor<40x48xf32>
  %p = stablehlo.pad %x, %z, low = [0, 0], high = [0, 48], interior = [0, 0] : (tensor<48x40xf32>, tensor<f32>) -> tensor<48x88xf32>
  %q = stablehlo.pad %y, %z, low = [0, 40], high = [0, 0], interior = [0, 0] : (tensor<40x48xf32>, tensor<f32>) -> tensor<40x88xf32>
  %j = stablehlo.concatenate %p, %q, dim = 0 : (tensor<48x88xf32>, tensor<40x88xf32>) -> tensor<88x88xf32>
  %a = stablehlo.slice %j [0:48, 0:40] : (tensor<88x88xf32>) -> tensor<48x40xf32>
  %b = stablehlo.slice %j [48:88, 40:88] : (tensor<88x88xf32>) -> tensor<40x48xf32>
  %s = stablehlo.reduce(%j init: %z) applies stablehlo.add across dimensions = [0, 1] : (tensor<88x88xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq %a, %x : tensor<48x40xf32>, tensor<48x40xf32>
  check.expect_eq %b, %y : tensor<40x48xf32>, tensor<40x48xf32>
  check.expect_eq_const %s, dense<90240.0> : tensor<f32>
  return
}
