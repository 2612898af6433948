// Each of 1x5, 3x1 and 2x2 processes says who it is.
module @one_by_five {
  func.func @who() -> (tensor<ui32>, tensor<ui32>) {
    %r = stablehlo.replica_id : tensor<ui32>
    %p = stablehlo.partition_id : tensor<ui32>
    return %r, %p : tensor<ui32>, tensor<ui32>
  }
  func.func @main() {
    %0:10 = "interpreter.run_parallel"() {
      programs = [[@who, @who, @who, @who, @who]]
    } : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>,
               tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %0#0, dense<0> : tensor<ui32>
    check.expect_eq_const %0#1, dense<0> : tensor<ui32>
    check.expect_eq_const %0#8, dense<0> : tensor<ui32>
    check.expect_eq_const %0#9, dense<4> : tensor<ui32>
    func.return
  }
}
// -----
module @three_by_one {
  func.func @who() -> tensor<ui32> {
    %r = stablehlo.replica_id : tensor<ui32>
    return %r : tensor<ui32>
  }
  func.func @main() {
    %0:3 = "interpreter.run_parallel"() {programs = [["who"], ["who"], ["who"]]}
      : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %0#0, dense<0> : tensor<ui32>
    check.expect_eq_const %0#1, dense<1> : tensor<ui32>
    check.expect_eq_const %0#2, dense<2> : tensor<ui32>
    func.return
  }
}
// -----
module @two_by_two {
  func.func @who(%scale: tensor<ui32>) -> tensor<ui32> {
    %r = stablehlo.replica_id : tensor<ui32>
    %p = stablehlo.partition_id : tensor<ui32>
    %0 = stablehlo.multiply %r, %scale : tensor<ui32>
    %1 = stablehlo.add %0, %p : tensor<ui32>
    return %1 : tensor<ui32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<10> : tensor<ui32>
    %b = stablehlo.constant dense<20> : tensor<ui32>
    %c = stablehlo.constant dense<30> : tensor<ui32>
    %d = stablehlo.constant dense<40> : tensor<ui32>
    %0:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@who, @who], [@who, @who]]}
      : (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
     -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
    check.expect_eq_const %0#0, dense<0> : tensor<ui32>
    check.expect_eq_const %0#1, dense<1> : tensor<ui32>
    check.expect_eq_const %0#2, dense<30> : tensor<ui32>
    check.expect_eq_const %0#3, dense<41> : tensor<ui32>
    func.return
  }
}
