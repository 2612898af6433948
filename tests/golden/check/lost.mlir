// Process 1 waits in a collective that process 0 never joins.
module {
  func.func @joins(%x: tensor<i64>) -> tensor<i64> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %s = stablehlo.add %a, %b : tensor<i64>
      stablehlo.return %s : tensor<i64>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
  func.func @stays_away(%x: tensor<i64>) -> tensor<i64> { return %x : tensor<i64> }
  func.func @main() {
    %a = stablehlo.constant dense<1> : tensor<i64>
    %0:2 = "interpreter.run_parallel"(%a, %a) {programs = [[@stays_away], [@joins]]}
      : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<i64>)
    check.expect_eq_const %0#0, dense<1> : tensor<i64>
    func.return
  }
}
