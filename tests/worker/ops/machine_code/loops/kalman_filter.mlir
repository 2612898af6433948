module @jit_kalman attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100xf32>) -> (tensor<2xf32> {jax.result_info = "result[0][0]"}, tensor<2x2xf32> {jax.result_info = "result[0][1]"}, tensor<100xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.iota dim = 0 : tensor<2x2xi32>
    %2 = stablehlo.iota dim = 1 : tensor<2x2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %4 = stablehlo.add %1, %3 : tensor<2x2xi32>
    %5 = stablehlo.compare EQ, %4, %2, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %6 = stablehlo.convert %5 : (tensor<2x2xi1>) -> tensor<2x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %c_1, %iterArg_3 = %0, %iterArg_4 = %6, %iterArg_5 = %7) : tensor<100xf32>, tensor<i32>, tensor<2xf32>, tensor<2x2xf32>, tensor<100xf32>
    cond {
      %c_6 = stablehlo.constant dense<100> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_2, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_2) : (tensor<100xf32>, tensor<i32>) -> tensor<f32>
      %10:3 = func.call @closed_call(%iterArg_3, %iterArg_4, %9) : (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_5, %10#2, %iterArg_2) : (tensor<100xf32>, tensor<f32>, tensor<i32>) -> tensor<100xf32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_2, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %12, %10#0, %10#1, %11 : tensor<100xf32>, tensor<i32>, tensor<2xf32>, tensor<2x2xf32>, tensor<100xf32>
    }
    return %8#2, %8#3, %8#4 : tensor<2xf32>, tensor<2x2xf32>, tensor<100xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<100xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<100xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<2xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<f32>) -> (tensor<2xf32>, tensor<2x2xf32>, tensor<f32>) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %4 = stablehlo.multiply %cst, %3 : tensor<f32>
    %5 = stablehlo.add %1, %4 : tensor<f32>
    %6 = stablehlo.slice %arg1 [0:1, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x1xf32>) -> tensor<f32>
    %8 = stablehlo.slice %arg1 [1:2, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x1xf32>) -> tensor<f32>
    %10 = stablehlo.slice %arg1 [0:1, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x1xf32>) -> tensor<f32>
    %12 = stablehlo.add %9, %11 : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %13 = stablehlo.multiply %cst_0, %12 : tensor<f32>
    %14 = stablehlo.add %7, %13 : tensor<f32>
    %15 = stablehlo.slice %arg1 [1:2, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1x1xf32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %17 = stablehlo.multiply %cst_1, %16 : tensor<f32>
    %18 = stablehlo.add %14, %17 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %19 = stablehlo.add %18, %cst_2 : tensor<f32>
    %20 = stablehlo.slice %arg1 [0:1, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x1xf32>) -> tensor<f32>
    %22 = stablehlo.slice %arg1 [1:2, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x1xf32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = stablehlo.multiply %cst_3, %23 : tensor<f32>
    %25 = stablehlo.add %21, %24 : tensor<f32>
    %26 = stablehlo.slice %arg1 [1:2, 0:1] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x1xf32>) -> tensor<f32>
    %28 = stablehlo.slice %arg1 [1:2, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x1xf32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.multiply %cst_4, %29 : tensor<f32>
    %31 = stablehlo.add %27, %30 : tensor<f32>
    %32 = stablehlo.slice %arg1 [1:2, 1:2] : (tensor<2x2xf32>) -> tensor<1x1xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x1xf32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %34 = stablehlo.add %33, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = stablehlo.add %19, %cst_6 : tensor<f32>
    %36 = stablehlo.divide %19, %35 : tensor<f32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %37 = stablehlo.add %19, %cst_7 : tensor<f32>
    %38 = stablehlo.divide %31, %37 : tensor<f32>
    %39 = stablehlo.subtract %arg2, %5 : tensor<f32>
    %40 = stablehlo.multiply %36, %39 : tensor<f32>
    %41 = stablehlo.add %5, %40 : tensor<f32>
    %42 = stablehlo.slice %arg0 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %43 = stablehlo.reshape %42 : (tensor<1xf32>) -> tensor<f32>
    %44 = stablehlo.multiply %38, %39 : tensor<f32>
    %45 = stablehlo.add %43, %44 : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %48 = stablehlo.concatenate %46, %47, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.subtract %cst_8, %36 : tensor<f32>
    %50 = stablehlo.multiply %49, %19 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.subtract %cst_9, %36 : tensor<f32>
    %52 = stablehlo.multiply %51, %25 : tensor<f32>
    %53 = stablehlo.multiply %38, %19 : tensor<f32>
    %54 = stablehlo.subtract %31, %53 : tensor<f32>
    %55 = stablehlo.multiply %38, %25 : tensor<f32>
    %56 = stablehlo.subtract %34, %55 : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %50, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %58 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %59 = stablehlo.concatenate %57, %58, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %61 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %62 = stablehlo.broadcast_in_dim %56, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %63 = stablehlo.concatenate %61, %62, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %65 = stablehlo.concatenate %60, %64, dim = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
    return %48, %65, %5 : tensor<2xf32>, tensor<2x2xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<100xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<100xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<100xf32>, tensor<1xf32>, tensor<i32>) -> tensor<100xf32>
    return %1 : tensor<100xf32>
  }
}
