// The CHLO operations: short forms have "operand types -> result types".
module @chlo {
  func.func @unary(%x: tensor<2x3xf32>, %c: tensor<2xcomplex<f32>>) {
    %0 = chlo.acos %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %1 = chlo.acosh %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %2 = chlo.asin %c : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
    %3 = chlo.asinh %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %4 = chlo.atan %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %5 = chlo.atanh %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %6 = chlo.bessel_i1e %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %7 = chlo.conj %c : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
    %8 = chlo.cosh %x {note} : tensor<2x3xf32> -> tensor<2x3xf32>
    %9 = chlo.digamma %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %10 = chlo.erf %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %11 = chlo.erfc %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %12 = chlo.erf_inv %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %13 = chlo.is_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
    %14 = chlo.is_neg_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
    %15 = chlo.is_pos_inf %x : tensor<2x3xf32> -> tensor<2x3xi1>
    %16 = chlo.lgamma %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %17 = chlo.sinh %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %18 = chlo.square %c : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
    %19 = chlo.tan %x : tensor<2x3xf32> -> tensor<2x3xf32>
    %20 = "chlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
    %21 = "chlo.constant_like"(%x) <{value = 3.5 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %22 = "chlo._asin_acos_kernel"(%c) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    return
  }
  func.func @binary(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %i: tensor<2x3xi32>, %p: tensor<2x3xi1>, %g: tensor<1xi32>) {
    %0 = chlo.next_after %x, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %1 = chlo.polygamma %x, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %2 = chlo.zeta %x, %x : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    %3 = chlo.mulhi %i, %i : tensor<2x3xi32>, tensor<2x3xi32> -> tensor<2x3xi32>
    %4 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %5 = chlo.broadcast_and %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %6 = chlo.broadcast_atan2 %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %7 = chlo.broadcast_compare %x, %y {broadcast_dimensions = array<i64: 1>, comparison_direction = #chlo<comparison_direction GT>, compare_type = #chlo<comparison_type FLOAT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
    %8 = chlo.broadcast_complex %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
    %9 = chlo.broadcast_divide %x, %y {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %10 = chlo.broadcast_maximum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %11 = chlo.broadcast_minimum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %12 = chlo.broadcast_multiply %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %13 = chlo.broadcast_next_after %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %14 = chlo.broadcast_or %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %15 = chlo.broadcast_polygamma %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %16 = chlo.broadcast_power %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %17 = chlo.broadcast_remainder %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %18 = chlo.broadcast_select %p, %x, %x : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %19 = chlo.broadcast_shift_left %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %20 = chlo.broadcast_shift_right_arithmetic %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %21 = chlo.broadcast_shift_right_logical %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %22 = chlo.broadcast_subtract %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %23 = chlo.broadcast_xor %i, %i : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
    %24 = chlo.broadcast_zeta %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %values, %indices = chlo.top_k(%x, k = 2) {note} : tensor<2x3xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
    %r = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<1x3x2xf32>
    %25 = "chlo.ragged_dot"(%x, %r, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<1x3x2xf32>, tensor<1xi32>) -> tensor<2x2xf32>
    return
  }
  func.func @scan(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
    %0:2 = chlo.scan(%x) inits(%init) dimension=0 attributes {is_reverse = true} {
    ^bb0(%element: tensor<3xf32>, %carry: tensor<3xf32>):
      %1 = stablehlo.add %element, %carry : tensor<3xf32>
      stablehlo.return %1, %1 : tensor<3xf32>, tensor<3xf32>
    } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
    return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
  }
}
