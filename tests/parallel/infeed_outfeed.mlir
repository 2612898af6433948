module @feeds {
  func.func @queue0() -> tensor<2x2xi64> {
    %0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    return %0 : tensor<2x2xi64>
  }
  func.func @queue1() -> tensor<2x2xi64> {
    %0 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    return %0 : tensor<2x2xi64>
  }
  func.func @infeed(%token: !stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%token) {infeed_config = "", layout = []}
      : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
    %1:2 = "stablehlo.infeed"(%0#1) {infeed_config = "", layout = []}
      : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
    return %0#0, %1#0, %1#1 : tensor<2x2xi64>, tensor<2x2xi64>, !stablehlo.token
  }
  func.func @main() {
    %token = stablehlo.after_all : !stablehlo.token
    %0:3 = "interpreter.run_parallel"(%token) {infeed = [@queue0, @queue1], programs = [[@infeed]]}
      : (!stablehlo.token) -> (tensor<2x2xi64>, tensor<2x2xi64>, !stablehlo.token)
    check.expect_eq_const %0#0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    check.expect_eq_const %0#1, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    func.return
  }
}
// -----
// The queue is one for all processes: what they take adds up to all of it.
module @shared_queue {
  func.func @one() -> tensor<i32> {
    %0 = stablehlo.constant dense<1> : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @ten() -> tensor<i32> {
    %0 = stablehlo.constant dense<10> : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @hundred() -> tensor<i32> {
    %0 = stablehlo.constant dense<100> : tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @take() -> tensor<i32> {
    %token = stablehlo.create_token : !stablehlo.token
    %0:2 = "stablehlo.infeed"(%token) : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    %1 = "stablehlo.all_reduce"(%0#0) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func @main() {
    %0:3 = "interpreter.run_parallel"() {infeed = [@one, @ten, @hundred], programs = [[@take], [@take], [@take]]}
      : () -> (tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %0#0, dense<111> : tensor<i32>
    check.expect_eq_const %0#2, dense<111> : tensor<i32>
    func.return
  }
}
// -----
module @outfeed {
  func.func @outfeed(%x: tensor<2xi64>, %token: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.outfeed"(%x, %token) {outfeed_config = ""}
      : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
    %token = stablehlo.after_all : !stablehlo.token
    %0 = "interpreter.run_parallel"(%x, %token) {programs = [[@outfeed]]}
      : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token
    check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi64>
    func.return
  }
}
