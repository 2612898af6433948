// Every element-wise operation, with what its short form may carry.
module @elementwise {
  func.func @floats(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %c: tensor<2xcomplex<f64>>) {
    %0 = stablehlo.cbrt %x : tensor<2x3xf32>
    %1 = stablehlo.ceil %x : tensor<2x3xf32>
    %2 = stablehlo.cosine %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
    %3 = stablehlo.sine %c : tensor<2xcomplex<f64>>
    %4 = stablehlo.tan %x : tensor<2x3xf32>
    %5 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = stablehlo.exponential_minus_one %x : tensor<2x3xf32>
    %7 = stablehlo.floor %x : tensor<2x3xf32>
    %8 = stablehlo.log %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, rtol = 0.5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2x3xf32>
    %9 = stablehlo.log_plus_one %x : tensor<2x3xf32>
    %10 = stablehlo.logistic %x : tensor<2x3xf32>
    %11 = stablehlo.round_nearest_afz %x : tensor<2x3xf32>
    %12 = stablehlo.round_nearest_even %x : tensor<2x3xf32>
    %13 = stablehlo.rsqrt %x : tensor<2x3xf32>
    %14 = stablehlo.sqrt %x : tensor<2x3xf32>
    %15 = stablehlo.sign %x : tensor<2x3xf32>
    %16 = stablehlo.imag %c : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
    %17 = stablehlo.real %x : tensor<2x3xf32>
    %18 = stablehlo.atan2 %x, %y : tensor<2x3xf32>
    %19 = stablehlo.divide %x, %y : tensor<2x3xf32>
    %20 = stablehlo.maximum %x, %y : tensor<2x3xf32>
    %21 = stablehlo.minimum %x, %y : tensor<2x3xf32>
    %22 = stablehlo.multiply %x, %y : tensor<2x3xf32>
    %23 = stablehlo.power %x, %y : tensor<2x3xf32>
    %24 = stablehlo.remainder %x, %y : tensor<2x3xf32>
    %25 = stablehlo.subtract %x, %y : tensor<2x3xf32>
    %26 = stablehlo.negate %c : tensor<2xcomplex<f64>>
    %27 = stablehlo.convert %c : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
    %28 = stablehlo.convert %x : (tensor<2x3xf32>) -> tensor<2x3xf8E4M3B11FNUZ>
    %29 = stablehlo.add %x, %y {mhlo.frontend_attributes = {key = "value"}} : tensor<2x3xf32>
    %30 = stablehlo.compare EQ, %c, %c : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<2xi1>
    %31 = stablehlo.bitcast_convert %c : (tensor<2xcomplex<f64>>) -> tensor<2x2xcomplex<f32>>
    %32 = stablehlo.clamp %x, %y, %x : tensor<2x3xf32>
    %33 = stablehlo.reduce_precision %x, format = e8m7 {note} : tensor<2x3xf32>
    return
  }
  func.func @integers(%x: tensor<4xi32>, %y: tensor<4xui8>, %p: tensor<4xi1>, %s: tensor<i1>) {
    %0 = stablehlo.and %x, %x : tensor<4xi32>
    %1 = stablehlo.or %p, %p : tensor<4xi1>
    %2 = stablehlo.xor %y, %y : tensor<4xui8>
    %3 = stablehlo.not %p : tensor<4xi1>
    %4 = stablehlo.popcnt %x : tensor<4xi32>
    %5 = stablehlo.count_leading_zeros %y : tensor<4xui8>
    %6 = stablehlo.shift_left %x, %x : tensor<4xi32>
    %7 = stablehlo.shift_right_arithmetic %x, %x : tensor<4xi32>
    %8 = stablehlo.shift_right_logical %y, %y : tensor<4xui8>
    %9 = stablehlo.abs %x : tensor<4xi32>
    %10 = stablehlo.compare GE, %y, %y, UNSIGNED : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xi1>
    %11 = "stablehlo.compare"(%x, %x) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %12 = "stablehlo.compare"(%x, %x) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %13 = stablehlo.bitcast_convert %y : (tensor<4xui8>) -> tensor<i32>
    %14 = stablehlo.select %s, %x, %x : tensor<i1>, tensor<4xi32>
    %15 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %16 = stablehlo.add %a, %b : tensor<i32>
      "stablehlo.return"(%16) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %17 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xi4>
    %18 = stablehlo.convert %x : (tensor<4xi32>) -> tensor<4xui2>
    "func.return"() : () -> ()
  }
  func.func @constants() {
    %0 = stablehlo.constant {note = "kept"} dense<[-2, 1]> : tensor<2xi2>
    %1 = "stablehlo.constant"() {value = dense<3> : tensor<ui4>} : () -> tensor<ui4>
    %2 = stablehlo.iota dim = 0 {note} : tensor<3xcomplex<f32>>
    %3 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<2x3xbf16>
    %4 = stablehlo.replica_id {note} : tensor<ui32>
    return
  }
}
