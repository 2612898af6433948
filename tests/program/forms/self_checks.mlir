// The check and interpreter dialects of the StableHLO test programs.
module @self_checks {
  func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) {
    check.expect_eq %x, %y : tensor<2xf32>
    check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
    check.expect_almost_eq %x, %y : tensor<2xf32>
    check.expect_almost_eq %x, %y, tolerance = 0.1 : tensor<2xf32>
    check.expect_almost_eq %x, %y, tolerance = 1.0e-03 : f64 : tensor<2xf32>
    check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>
    check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>, tolerance = 0.1
    check.expect_close %x, %y, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    check.expect_close %x, %y, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
    check.expect_serialized_eq %x, probe_id = "p" : tensor<2xf32>
    check.expect_serialized_eq %x, probe_id = "p", iter = 1 : tensor<2xf32>
    %0 = interpreter.probe %x, probe_id = "p" : tensor<2xf32>
    interpreter.print %0 : tensor<2xf32>
    %1:2 = "interpreter.run_parallel"(%x, %y) {infeed = [@queue], programs = [[@f, @f], [@g, @g]]} : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
    %2 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-3>>
    %3 = stablehlo.uniform_dequantize %2 : (tensor<2x!quant.uniform<i8:f32, 0.5:-3>>) -> tensor<2xf32>
    %4 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.1:5, 0.2}>>
    return
  }
}
