// The example of jax.lax.ragged_all_to_all, rows of several numbers, and several slices per peer.
module @example {
  func.func @exchange(%x: tensor<3xi32>, %o: tensor<4xi32>, %i: tensor<2xi32>, %s: tensor<2xi32>, %t: tensor<2xi32>, %r: tensor<2xi32>) -> tensor<4xi32> {
    %0 = stablehlo.custom_call @ragged_all_to_all(%x, %o, %i, %s, %t, %r) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func @main() {
    %x0 = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
    %x1 = stablehlo.constant dense<[3, 4, 0]> : tensor<3xi32>
    %o = stablehlo.constant dense<0> : tensor<4xi32>
    %i = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
    %s0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %s1 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
    %t0 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
    %t1 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %r0 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
    %r1 = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
    %0:2 = "interpreter.run_parallel"(%x0, %o, %i, %s0, %t0, %r0, %x1, %o, %i, %s1, %t1, %r1) {programs = [[@exchange, @exchange]]}
      : (tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<3xi32>, tensor<4xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>)
    check.expect_eq_const %0#0, dense<[1, 3, 0, 0]> : tensor<4xi32>
    check.expect_eq_const %0#1, dense<[2, 2, 4, 0]> : tensor<4xi32>
    func.return
  }
}
// -----
module @rows_in_slices {
  func.func @exchange(%x: tensor<4x2xbf16>, %t: tensor<4xi64>) -> tensor<5x2xbf16> {
    %o = stablehlo.constant dense<-1.0> : tensor<5x2xbf16>
    %i = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
    %s = stablehlo.constant dense<[1, 0, 1, 1]> : tensor<4xi64>
    %p = stablehlo.partition_id : tensor<ui32>
    %w = stablehlo.convert %p : (tensor<ui32>) -> tensor<i64>
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %first = stablehlo.compare EQ, %w, %zero : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %ra = stablehlo.constant dense<[1, 0, 1, 0]> : tensor<4xi64>
    %rb = stablehlo.constant dense<[1, 1, 1, 1]> : tensor<4xi64>
    %r = stablehlo.select %first, %ra, %rb : tensor<i1>, tensor<4xi64>
    %0 = stablehlo.custom_call @ragged_all_to_all(%x, %o, %i, %s, %t, %r) {api_version = 4 : i32, backend_config = {channel_id = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<4x2xbf16>, tensor<5x2xbf16>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>, tensor<4xi64>) -> tensor<5x2xbf16>
    return %0 : tensor<5x2xbf16>
  }
  func.func @main() {
    %x0 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xbf16>
    %x1 = stablehlo.constant dense<[[11.0, 12.0], [13.0, 14.0], [15.0, 16.0], [17.0, 18.0]]> : tensor<4x2xbf16>
    %t0 = stablehlo.constant dense<[4, 0, 0, 3]> : tensor<4xi64>
    %t1 = stablehlo.constant dense<[0, 0, 1, 4]> : tensor<4xi64>
    %0:2 = "interpreter.run_parallel"(%x0, %t0, %x1, %t1) {programs = [[@exchange, @exchange]]}
      : (tensor<4x2xbf16>, tensor<4xi64>, tensor<4x2xbf16>, tensor<4xi64>) -> (tensor<5x2xbf16>, tensor<5x2xbf16>)
    check.expect_eq_const %0#0, dense<[[11.0, 12.0], [-1.0, -1.0], [-1.0, -1.0], [-1.0, -1.0], [1.0, 2.0]]> : tensor<5x2xbf16>
    check.expect_eq_const %0#1, dense<[[5.0, 6.0], [15.0, 16.0], [-1.0, -1.0], [7.0, 8.0], [17.0, 18.0]]> : tensor<5x2xbf16>
    func.return
  }
}
