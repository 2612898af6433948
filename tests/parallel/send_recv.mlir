// Two functions on two processes: one sends, the other receives; as host transfer and between chips.
module @send_and_recv {
  func.func @send(%x: tensor<2x2xi64>, %token: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%x, %token) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true
    } : (tensor<2x2xi64>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @recv(%token: !stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%token) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true
    } : (!stablehlo.token) -> (tensor<2x2xi64>, !stablehlo.token)
    return %0#0, %0#1 : tensor<2x2xi64>, !stablehlo.token
  }
  func.func @main() {
    %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %token = stablehlo.after_all : !stablehlo.token
    %0:3 = "interpreter.run_parallel"(%x, %token, %token) {programs = [[@send, @recv]]}
      : (tensor<2x2xi64>, !stablehlo.token, !stablehlo.token)
     -> (!stablehlo.token, tensor<2x2xi64>, !stablehlo.token)
    check.expect_eq_const %0#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    func.return
  }
}
// -----
// Three messages in the order of the program, from a loop, over a grid of replicas.
module @in_order {
  func.func @producer() {
    %token = stablehlo.create_token : !stablehlo.token
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %t = %token) : tensor<i32>, !stablehlo.token
    cond {
      %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %sent = "stablehlo.send"(%i, %i, %t) {
        channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>
      } : (tensor<i32>, tensor<i32>, !stablehlo.token) -> !stablehlo.token
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %sent : tensor<i32>, !stablehlo.token
    }
    return
  }
  func.func @consumer() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
    %token = stablehlo.create_token : !stablehlo.token
    %a:3 = "stablehlo.recv"(%token) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}
      : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token)
    %b:3 = "stablehlo.recv"(%a#2) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}
      : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token)
    %c:3 = "stablehlo.recv"(%b#2) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>}
      : (!stablehlo.token) -> (tensor<i32>, tensor<i32>, !stablehlo.token)
    return %a#0, %b#1, %c#0 : tensor<i32>, tensor<i32>, tensor<i32>
  }
  func.func @main() {
    %0:3 = "interpreter.run_parallel"() {programs = [[@consumer], [@producer]]}
      : () -> (tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %0#0, dense<0> : tensor<i32>
    check.expect_eq_const %0#1, dense<1> : tensor<i32>
    check.expect_eq_const %0#2, dense<2> : tensor<i32>
    func.return
  }
}
// -----
// Neighbours exchange over one channel.
module @swap {
  func.func @swap(%x: tensor<3xf32>) -> tensor<3xf32> {
    %token = stablehlo.create_token : !stablehlo.token
    %sent = "stablehlo.send"(%x, %token) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}
      : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
    %0:2 = "stablehlo.recv"(%sent) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}
      : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
    return %0#0 : tensor<3xf32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %b = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
    %0:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@swap, @swap]]}
      : (tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
    check.expect_eq %0#0, %b : tensor<3xf32>
    check.expect_eq %0#1, %a : tensor<3xf32>
    func.return
  }
}
