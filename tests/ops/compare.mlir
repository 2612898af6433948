// SPDX-License-Identifier: Apache-2.0
// stablehlo.compare: six directions; NaN; total order; types.

func.func @eq0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare EQ, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, false, false, false]> : tensor<7xi1>
  return
}

func.func @eq1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare EQ, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, false]> : tensor<5xi1>
  return
}

func.func @eq2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare EQ, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[false, true, false, false, false, false, false, false, true]> : tensor<9xi1>
  return
}

func.func @eq3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare EQ, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, false, true]> : tensor<4xi1>
  return
}

func.func @eq_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare EQ, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, false, false, false, false]> : tensor<8xi1>
  return
}

func.func @ne0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare NE, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, true, true, true]> : tensor<7xi1>
  return
}

func.func @ne1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare NE, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, true]> : tensor<5xi1>
  return
}

func.func @ne2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare NE, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[true, false, true, true, true, true, true, true, false]> : tensor<9xi1>
  return
}

func.func @ne3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare NE, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, true, false]> : tensor<4xi1>
  return
}

func.func @ne_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare NE, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, true, true, true, true]> : tensor<8xi1>
  return
}

func.func @ge0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare GE, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[true, false, true, false, true, false, true]> : tensor<7xi1>
  return
}

func.func @ge1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare GE, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @ge2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare GE, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[false, true, true, false, false, false, true, false, true]> : tensor<9xi1>
  return
}

func.func @ge3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare GE, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

func.func @ge_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare GE, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, true, true, true, true]> : tensor<8xi1>
  return
}

func.func @gt0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare GT, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[true, false, true, false, true, false, true]> : tensor<7xi1>
  return
}

func.func @gt1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare GT, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[false, false, true, true, true]> : tensor<5xi1>
  return
}

func.func @gt2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare GT, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[false, false, true, false, false, false, true, false, false]> : tensor<9xi1>
  return
}

func.func @gt3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare GT, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, false, true, false]> : tensor<4xi1>
  return
}

func.func @gt_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare GT, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[false, false, false, false, true, true, true, true]> : tensor<8xi1>
  return
}

func.func @le0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare LE, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[false, true, false, true, false, true, false]> : tensor<7xi1>
  return
}

func.func @le1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare LE, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, true, false, false, false]> : tensor<5xi1>
  return
}

func.func @le2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare LE, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[true, true, false, true, false, false, false, true, true]> : tensor<9xi1>
  return
}

func.func @le3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare LE, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[true, true, false, true]> : tensor<4xi1>
  return
}

func.func @le_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare LE, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, false, false, false, false]> : tensor<8xi1>
  return
}

func.func @lt0() {
  %a0 = stablehlo.constant dense<[7, -7, 7, -7, 5, -2147483648, 2147483647]> : tensor<7xi32>
  %a1 = stablehlo.constant dense<[3, 3, -3, -3, 0, -1, 2]> : tensor<7xi32>
  %r = stablehlo.compare LT, %a0, %a1 : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %r, dense<[false, true, false, true, false, true, false]> : tensor<7xi1>
  return
}

func.func @lt1() {
  %a0 = stablehlo.constant dense<[0, 1, 200, 255, 7]> : tensor<5xui8>
  %a1 = stablehlo.constant dense<[3, 255, 100, 1, 2]> : tensor<5xui8>
  %r = stablehlo.compare LT, %a0, %a1 : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %r, dense<[true, true, false, false, false]> : tensor<5xi1>
  return
}

func.func @lt2() {
  %a0 = stablehlo.constant dense<[1.5, -0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 2.0, 7.5, -7.5, 0.0]> : tensor<9xf32>
  %a1 = stablehlo.constant dense<[2.5, 0.0, 0xFF800000, 0x7F800000, 1.0, 0x7FC00000, 2.0, 2.0, 0.0]> : tensor<9xf32>
  %r = stablehlo.compare LT, %a0, %a1 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
  check.expect_eq_const %r, dense<[true, false, false, true, false, false, false, true, false]> : tensor<9xi1>
  return
}

func.func @lt3() {
  %a0 = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %a1 = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %r = stablehlo.compare LT, %a0, %a1 : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %r, dense<[false, true, false, false]> : tensor<4xi1>
  return
}

func.func @lt_total() {
  %a0 = stablehlo.constant dense<[0xFFC00000, 0xFF800000, -1.0, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %a1 = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 1.0, 0.0, -0.0, -1.0, 0xFF800000, 0xFFC00000]> : tensor<8xf32>
  %r = stablehlo.compare LT, %a0, %a1, TOTALORDER : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  check.expect_eq_const %r, dense<[true, true, true, true, false, false, false, false]> : tensor<8xi1>
  return
}

func.func @eq_complex() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.0, 1.0), (0.0, 5.0e-01)]> : tensor<3xcomplex<f32>>
  %a1 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 1.0), (-0.0, -5.0e-01)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.compare EQ, %a0, %a1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[true, false, false]> : tensor<3xi1>
  return
}

func.func @ne_complex() {
  %a0 = stablehlo.constant dense<[(1.0, 2.0), (-1.0, 1.0), (0.0, 5.0e-01)]> : tensor<3xcomplex<f32>>
  %a1 = stablehlo.constant dense<[(1.0, 2.0), (1.0, 1.0), (-0.0, -5.0e-01)]> : tensor<3xcomplex<f32>>
  %r = stablehlo.compare NE, %a0, %a1 : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %r, dense<[false, true, true]> : tensor<3xi1>
  return
}
