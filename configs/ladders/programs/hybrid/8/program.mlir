module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "expert"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "expert", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg3: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg4: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg5: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg7: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg8: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg9: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg10: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg12: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg13: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg14: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg15: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg16: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg17: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg18: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg19: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg20: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg21: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg22: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg23: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg24: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg25: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg26: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg27: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg28: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg29: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg30: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg31: tensor<4x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg32: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg33: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg34: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg35: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg36: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg37: tensor<8x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}, %arg38: tensor<8x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}, %arg39: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg40: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg41: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg42: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg43: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16xf32> {jax.result_info = "result[0]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[0]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[0]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[0]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[0]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[0]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xf32> {jax.result_info = "result[1]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[1]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[1]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[1]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[1]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[1]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[1]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[1]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[1]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xf32> {jax.result_info = "result[2]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[2]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[2]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[2]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<4x16x16xf32> {jax.result_info = "result[2]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[2]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[2]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[2]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[2]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0:38 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %arg42, %arg43) in_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, [{"data", "expert"}, {}, {}]>, <@mesh, [{"data", "expert"}, {}, {}]>, <@mesh, []>, <@mesh, []>, <@mesh, []>, <@mesh, []>, <@mesh, []>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{"expert"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, []>, <@mesh, []>] manual_axes={"data", "expert"} (%arg44: tensor<16xf32>, %arg45: tensor<16x4x4xf32>, %arg46: tensor<4x4x16xf32>, %arg47: tensor<16x4x4xf32>, %arg48: tensor<16x4x4xf32>, %arg49: tensor<16x4xf32>, %arg50: tensor<1x16x16xf32>, %arg51: tensor<1x16x16xf32>, %arg52: tensor<32xf32>, %arg53: tensor<16x32xf32>, %arg54: tensor<16x32xf32>, %arg55: tensor<32x16xf32>, %arg56: tensor<16xf32>, %arg57: tensor<16x4x4xf32>, %arg58: tensor<4x4x16xf32>, %arg59: tensor<16x4x4xf32>, %arg60: tensor<16x4x4xf32>, %arg61: tensor<16x4xf32>, %arg62: tensor<1x16x16xf32>, %arg63: tensor<1x16x16xf32>, %arg64: tensor<32xf32>, %arg65: tensor<16x32xf32>, %arg66: tensor<16x32xf32>, %arg67: tensor<32x16xf32>, %arg68: tensor<16xf32>, %arg69: tensor<16x4x4xf32>, %arg70: tensor<4x4x16xf32>, %arg71: tensor<16x4x4xf32>, %arg72: tensor<16x4x4xf32>, %arg73: tensor<16x4xf32>, %arg74: tensor<1x16x16xf32>, %arg75: tensor<1x16x16xf32>, %arg76: tensor<32xf32>, %arg77: tensor<16x32xf32>, %arg78: tensor<16x32xf32>, %arg79: tensor<32x16xf32>, %arg80: tensor<f32>, %arg81: tensor<1x8x16xf32>, %arg82: tensor<1x8x16xf32>, %arg83: tensor<f32>, %arg84: tensor<f32>, %arg85: tensor<f32>, %arg86: tensor<f32>, %arg87: tensor<f32>) {
      %1 = stablehlo.multiply %arg81, %arg81 : tensor<1x8x16xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
      %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
      %5 = stablehlo.divide %3, %4 : tensor<1x8x1xf32>
      %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
      %7 = stablehlo.add %5, %6 : tensor<1x8x1xf32>
      %8 = stablehlo.rsqrt %7 : tensor<1x8x1xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
      %10 = stablehlo.multiply %arg81, %9 : tensor<1x8x16xf32>
      %11 = stablehlo.broadcast_in_dim %arg44, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
      %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
      %13 = stablehlo.multiply %10, %12 : tensor<1x8x16xf32>
      %14 = stablehlo.dot_general %13, %arg47, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
      %15 = stablehlo.dot_general %13, %arg45, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
      %16 = stablehlo.dot_general %13, %arg48, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
      %17 = stablehlo.dot_general %14, %15, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x8xf32>
      %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
      %19 = stablehlo.divide %17, %18 : tensor<1x4x8x8xf32>
      %c = stablehlo.constant dense<true> : tensor<i1>
      %20 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
      %21 = func.call @tril(%20) : (tensor<8x8xi1>) -> tensor<8x8xi1>
      %cst_3 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
      %22:2 = func.call @_where(%21, %19, %cst_3) : (tensor<8x8xi1>, tensor<1x4x8x8xf32>, tensor<f32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xi1>)
      %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %23 = stablehlo.reduce(%22#0 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
      %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x8xf32>
      %25 = stablehlo.maximum %24, %23 : tensor<1x4x8xf32>
      %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
      %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
      %28 = stablehlo.subtract %22#0, %27 : tensor<1x4x8x8xf32>
      %29 = stablehlo.exponential %28 : tensor<1x4x8x8xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %30 = stablehlo.reduce(%29 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
      %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
      %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
      %33 = stablehlo.divide %29, %32 : tensor<1x4x8x8xf32>
      %34 = stablehlo.multiply %31, %31 : tensor<1x4x8x1xf32>
      %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x4x8x1xf32>
      %36 = stablehlo.divide %35, %34 : tensor<1x4x8x1xf32>
      %37 = stablehlo.dot_general %16, %33, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
      %38 = stablehlo.dot_general %37, %arg46, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<4x4x16xf32>) -> tensor<1x8x16xf32>
      %39 = stablehlo.add %arg81, %38 : tensor<1x8x16xf32>
      %40 = stablehlo.dot_general %39, %arg53, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
      %41 = stablehlo.broadcast_in_dim %arg52, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x8x32xf32>
      %43 = stablehlo.add %40, %42 : tensor<1x8x32xf32>
      %44 = stablehlo.negate %43 : tensor<1x8x32xf32>
      %45 = stablehlo.exponential %44 : tensor<1x8x32xf32>
      %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %47 = stablehlo.add %46, %45 : tensor<1x8x32xf32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %49 = stablehlo.divide %48, %47 : tensor<1x8x32xf32>
      %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
      %51 = stablehlo.subtract %50, %49 : tensor<1x8x32xf32>
      %52 = stablehlo.multiply %49, %51 : tensor<1x8x32xf32>
      %53 = stablehlo.dot_general %39, %arg54, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
      %55 = stablehlo.transpose %49, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %56 = stablehlo.transpose %53, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %60:7 = stablehlo.while(%iterArg = %55, %iterArg_88 = %56, %iterArg_89 = %c_15, %iterArg_90 = %54, %iterArg_91 = %57, %iterArg_92 = %58, %iterArg_93 = %59) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      cond {
        %c_94 = stablehlo.constant dense<8> : tensor<i32>
        %604 = stablehlo.compare LT, %iterArg_89, %c_94, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %604 : tensor<i1>
      } do {
        %604 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_89) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %605 = func.call @dynamic_index_in_dim(%iterArg_88, %iterArg_89) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %606:4 = func.call @closed_call(%iterArg_90, %604, %605) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
        %607 = func.call @dynamic_update_index_in_dim(%iterArg_91, %606#1, %iterArg_89) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %608 = func.call @dynamic_update_index_in_dim(%iterArg_92, %606#2, %iterArg_89) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %609 = func.call @dynamic_update_index_in_dim(%iterArg_93, %606#3, %iterArg_89) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %c_94 = stablehlo.constant dense<1> : tensor<i32>
        %610 = stablehlo.add %iterArg_89, %c_94 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_88, %610, %606#0, %607, %608, %609 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      }
      %61 = stablehlo.transpose %60#4, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %62 = stablehlo.dot_general %61, %arg55, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<32x16xf32>) -> tensor<1x8x16xf32>
      %63 = stablehlo.add %39, %62 : tensor<1x8x16xf32>
      %64 = stablehlo.reshape %63 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %65 = stablehlo.dot_general %64, %arg49, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %66 = stablehlo.reduce(%65 init: %cst_16) applies stablehlo.maximum across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %67 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %68 = stablehlo.maximum %67, %66 : tensor<8xf32>
      %69 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
      %71 = stablehlo.subtract %65, %70 : tensor<8x4xf32>
      %72 = stablehlo.exponential %71 : tensor<8x4xf32>
      %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %73 = stablehlo.reduce(%72 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
      %74 = stablehlo.broadcast_in_dim %73, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
      %76 = stablehlo.divide %72, %75 : tensor<8x4xf32>
      %77 = stablehlo.multiply %74, %74 : tensor<8x1xf32>
      %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
      %79 = stablehlo.divide %78, %77 : tensor<8x1xf32>
      %80 = func.call @argmax(%76) : (tensor<8x4xf32>) -> tensor<8xi32>
      %81 = func.call @_one_hot(%80) : (tensor<8xi32>) -> tensor<8x4xf32>
      %82 = func.call @cumsum(%81) : (tensor<8x4xf32>) -> tensor<8x4xf32>
      %83 = stablehlo.multiply %82, %81 : tensor<8x4xf32>
      %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
      %85 = stablehlo.subtract %83, %84 : tensor<8x4xf32>
      %86 = stablehlo.convert %85 : (tensor<8x4xf32>) -> tensor<8x4xi32>
      %87 = func.call @_one_hot_1(%86) : (tensor<8x4xi32>) -> tensor<8x4x4xf32>
      %88 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
      %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x4xf32>
      %90 = stablehlo.multiply %87, %89 : tensor<8x4x4xf32>
      %91 = stablehlo.dot_general %90, %64, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x4x4xf32>, tensor<8x16xf32>) -> tensor<4x4x16xf32>
      %92 = "stablehlo.all_to_all"(%91) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
      %93 = stablehlo.reshape %92 : (tensor<4x4x16xf32>) -> tensor<16x16xf32>
      %94 = stablehlo.reshape %arg50 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %95 = stablehlo.dot_general %93, %94, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %96 = stablehlo.tanh %95 : tensor<16x16xf32>
      %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %97 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
      %98 = stablehlo.subtract %97, %96 : tensor<16x16xf32>
      %99 = stablehlo.reshape %arg51 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
      %100 = stablehlo.dot_general %96, %99, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %101 = stablehlo.reshape %100 : (tensor<16x16xf32>) -> tensor<4x4x16xf32>
      %102 = "stablehlo.all_to_all"(%101) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
      %103 = stablehlo.multiply %76, %81 : tensor<8x4xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %104 = stablehlo.reduce(%103 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
      %105 = stablehlo.dot_general %90, %102, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x4x4xf32>, tensor<4x4x16xf32>) -> tensor<8x16xf32>
      %106 = stablehlo.broadcast_in_dim %104, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
      %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %108 = stablehlo.multiply %105, %107 : tensor<8x16xf32>
      %109 = stablehlo.add %64, %108 : tensor<8x16xf32>
      %110 = stablehlo.reshape %109 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %111 = stablehlo.subtract %110, %arg82 : tensor<1x8x16xf32>
      %112 = stablehlo.multiply %111, %111 : tensor<1x8x16xf32>
      %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %113 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
      %114 = stablehlo.multiply %113, %111 : tensor<1x8x16xf32>
      %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %115 = stablehlo.reduce(%112 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<f32>
      %cst_25 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %116 = stablehlo.divide %115, %cst_25 : tensor<f32>
      %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_27 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
      %117 = stablehlo.divide %cst_26, %cst_27 : tensor<f32>
      %118 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
      %119 = stablehlo.multiply %118, %114 : tensor<1x8x16xf32>
      %120 = stablehlo.reshape %119 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
      %121 = stablehlo.multiply %105, %120 : tensor<8x16xf32>
      %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %122 = stablehlo.reduce(%121 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
      %123 = stablehlo.reshape %122 : (tensor<8xf32>) -> tensor<8x1xf32>
      %124 = stablehlo.broadcast_in_dim %106, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
      %125 = stablehlo.multiply %120, %124 : tensor<8x16xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %126 = stablehlo.reduce(%123 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %127 = stablehlo.dot_general %125, %90, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x4x4xf32>) -> tensor<16x4x4xf32>
      %128 = stablehlo.transpose %127, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
      %129 = stablehlo.broadcast_in_dim %126, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
      %130 = stablehlo.multiply %129, %81 : tensor<8x4xf32>
      %131 = "stablehlo.all_to_all"(%128) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
      %132 = stablehlo.reshape %131 : (tensor<4x4x16xf32>) -> tensor<16x16xf32>
      %133 = stablehlo.dot_general %132, %96, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %134 = stablehlo.transpose %133, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %135 = stablehlo.dot_general %132, %99, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %136 = stablehlo.broadcast_in_dim %134, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %137 = stablehlo.multiply %135, %98 : tensor<16x16xf32>
      %138 = stablehlo.multiply %137, %96 : tensor<16x16xf32>
      %139 = stablehlo.add %137, %138 : tensor<16x16xf32>
      %140 = stablehlo.dot_general %139, %93, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %141 = stablehlo.transpose %140, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %142 = stablehlo.dot_general %139, %94, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
      %143 = stablehlo.broadcast_in_dim %141, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
      %144 = stablehlo.reshape %142 : (tensor<16x16xf32>) -> tensor<4x4x16xf32>
      %145 = "stablehlo.all_to_all"(%144) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
      %146 = stablehlo.dot_general %145, %90, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<4x4x16xf32>, tensor<8x4x4xf32>) -> tensor<16x8xf32>
      %147 = stablehlo.transpose %146, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
      %148 = stablehlo.add %120, %147 : tensor<8x16xf32>
      %149 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
      %150 = stablehlo.multiply %130, %149 : tensor<8x4xf32>
      %151 = stablehlo.multiply %150, %72 : tensor<8x4xf32>
      %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %152 = stablehlo.reduce(%151 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
      %153 = stablehlo.reshape %152 : (tensor<8xf32>) -> tensor<8x1xf32>
      %154 = stablehlo.negate %153 : tensor<8x1xf32>
      %155 = stablehlo.broadcast_in_dim %74, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
      %156 = stablehlo.divide %130, %155 : tensor<8x4xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %157 = stablehlo.reduce(%154 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
      %158 = stablehlo.broadcast_in_dim %157, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
      %159 = stablehlo.add %156, %158 : tensor<8x4xf32>
      %160 = stablehlo.multiply %159, %72 : tensor<8x4xf32>
      %161 = stablehlo.dot_general %160, %64, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
      %162 = stablehlo.transpose %161, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
      %163 = stablehlo.dot_general %160, %arg49, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
      %164 = stablehlo.add %148, %163 : tensor<8x16xf32>
      %165 = stablehlo.reshape %164 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
      %166 = stablehlo.dot_general %165, %61, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x8x32xf32>) -> tensor<16x32xf32>
      %167 = stablehlo.transpose %166, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
      %168 = stablehlo.dot_general %165, %arg55, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<32x16xf32>) -> tensor<1x8x32xf32>
      %169 = stablehlo.transpose %168, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
      %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %170 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %171 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %172 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
      %c_35 = stablehlo.constant dense<0> : tensor<i32>
      %173:9 = stablehlo.while(%iterArg = %169, %iterArg_88 = %60#5, %iterArg_89 = %55, %iterArg_90 = %56, %iterArg_91 = %60#6, %iterArg_92 = %c_35, %iterArg_93 = %170, %iterArg_94 = %171, %iterArg_95 = %172) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      cond {
        %c_96 = stablehlo.constant dense<8> : tensor<i32>
        %604 = stablehlo.compare LT, %iterArg_92, %c_96, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %604 : tensor<i1>
      } do {
        %c_96 = stablehlo.constant dense<8> : tensor<i32>
        %604 = stablehlo.subtract %c_96, %iterArg_92 : tensor<i32>
        %c_97 = stablehlo.constant dense<1> : tensor<i32>
        %605 = stablehlo.subtract %604, %c_97 : tensor<i32>
        %606 = func.call @dynamic_index_in_dim(%iterArg, %605) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %607 = func.call @dynamic_index_in_dim(%iterArg_88, %605) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %608 = func.call @dynamic_index_in_dim(%iterArg_89, %605) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %609 = func.call @dynamic_index_in_dim(%iterArg_90, %605) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %610 = func.call @dynamic_index_in_dim(%iterArg_91, %605) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
        %611:3 = func.call @closed_call_2(%iterArg_93, %606, %607, %608, %609, %610) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
        %612 = func.call @dynamic_update_index_in_dim(%iterArg_94, %611#1, %605) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %613 = func.call @dynamic_update_index_in_dim(%iterArg_95, %611#2, %605) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
        %c_98 = stablehlo.constant dense<1> : tensor<i32>
        %614 = stablehlo.add %iterArg_92, %c_98 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %614, %611#0, %612, %613 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
      }
      %174 = stablehlo.transpose %173#8, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %175 = stablehlo.transpose %173#7, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
      %176 = stablehlo.dot_general %174, %39, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
      %177 = stablehlo.transpose %176, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %178 = stablehlo.dot_general %174, %arg54, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<16x32xf32>) -> tensor<1x8x16xf32>
      %179 = stablehlo.add %165, %178 : tensor<1x8x16xf32>
      %180 = stablehlo.multiply %175, %52 : tensor<1x8x32xf32>
      %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %181 = stablehlo.reduce(%180 init: %cst_36) applies stablehlo.add across dimensions = [1] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x32xf32>
      %182 = stablehlo.reshape %181 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %183 = stablehlo.reduce(%182 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
      %184 = stablehlo.dot_general %180, %39, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
      %185 = stablehlo.transpose %184, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
      %186 = stablehlo.dot_general %180, %arg53, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<16x32xf32>) -> tensor<1x8x16xf32>
      %187 = stablehlo.add %179, %186 : tensor<1x8x16xf32>
      %188 = stablehlo.dot_general %187, %37, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x4x4x8xf32>) -> tensor<16x4x4xf32>
      %189 = stablehlo.transpose %188, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
      %190 = stablehlo.dot_general %187, %arg46, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<4x4x16xf32>) -> tensor<1x8x4x4xf32>
      %191 = stablehlo.transpose %190, dims = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
      %192 = stablehlo.dot_general %191, %16, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x8xf32>
      %193 = stablehlo.dot_general %191, %33, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
      %194 = stablehlo.transpose %193, dims = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
      %195 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
      %196 = stablehlo.multiply %192, %195 : tensor<1x4x8x8xf32>
      %197 = stablehlo.multiply %196, %29 : tensor<1x4x8x8xf32>
      %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %198 = stablehlo.reduce(%197 init: %cst_38) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
      %199 = stablehlo.reshape %198 : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
      %200 = stablehlo.negate %199 : tensor<1x4x8x1xf32>
      %201 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
      %202 = stablehlo.divide %192, %201 : tensor<1x4x8x8xf32>
      %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %203 = stablehlo.reduce(%200 init: %cst_39) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
      %204 = stablehlo.broadcast_in_dim %203, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
      %205 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x8xf32>
      %206 = stablehlo.add %202, %205 : tensor<1x4x8x8xf32>
      %207 = stablehlo.multiply %206, %29 : tensor<1x4x8x8xf32>
      %208 = func.call @_where_3(%22#1, %207) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
      %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %209 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
      %210 = stablehlo.divide %208, %209 : tensor<1x4x8x8xf32>
      %211 = stablehlo.dot_general %210, %14, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x4x8x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x4xf32>
      %212 = stablehlo.transpose %211, dims = [0, 2, 1, 3] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32>
      %213 = stablehlo.dot_general %210, %15, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x4x8x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x4xf32>
      %214 = stablehlo.transpose %213, dims = [0, 2, 1, 3] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32>
      %215 = stablehlo.dot_general %194, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
      %216 = stablehlo.transpose %215, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
      %217 = stablehlo.dot_general %194, %arg48, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
      %218 = stablehlo.dot_general %212, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
      %219 = stablehlo.transpose %218, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
      %220 = stablehlo.dot_general %212, %arg45, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
      %221 = stablehlo.add %217, %220 : tensor<1x8x16xf32>
      %222 = stablehlo.dot_general %214, %13, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
      %223 = stablehlo.transpose %222, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
      %224 = stablehlo.dot_general %214, %arg47, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
      %225 = stablehlo.add %221, %224 : tensor<1x8x16xf32>
      %226 = stablehlo.multiply %10, %225 : tensor<1x8x16xf32>
      %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %227 = stablehlo.reduce(%226 init: %cst_41) applies stablehlo.add across dimensions = [1] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x16xf32>
      %228 = stablehlo.reshape %227 : (tensor<1x16xf32>) -> tensor<1x1x16xf32>
      %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %229 = stablehlo.reduce(%228 init: %cst_42) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
      %230 = "stablehlo.all_reduce"(%162) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x4xf32>) -> tensor<16x4xf32>
      %cst_43 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %231 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %232 = stablehlo.divide %230, %231 : tensor<16x4xf32>
      %cst_44 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %233 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %234 = stablehlo.divide %143, %233 : tensor<1x16x16xf32>
      %cst_45 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %235 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %236 = stablehlo.divide %136, %235 : tensor<1x16x16xf32>
      %237 = "stablehlo.all_reduce"(%234) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %cst_46 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %238 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %239 = stablehlo.divide %237, %238 : tensor<1x16x16xf32>
      %240 = "stablehlo.all_reduce"(%236) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
      %cst_47 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %241 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %242 = stablehlo.divide %240, %241 : tensor<1x16x16xf32>
      %243 = "stablehlo.all_reduce"(%229) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16xf32>) -> tensor<16xf32>
      %cst_48 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %244 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %245 = stablehlo.divide %243, %244 : tensor<16xf32>
      %246 = "stablehlo.all_reduce"(%219) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
      %cst_49 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %247 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %248 = stablehlo.divide %246, %247 : tensor<16x4x4xf32>
      %249 = "stablehlo.all_reduce"(%189) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
      %cst_50 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %250 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %251 = stablehlo.divide %249, %250 : tensor<4x4x16xf32>
      %252 = "stablehlo.all_reduce"(%223) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
      %cst_51 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %253 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %254 = stablehlo.divide %252, %253 : tensor<16x4x4xf32>
      %255 = "stablehlo.all_reduce"(%216) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
      %cst_52 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %256 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %257 = stablehlo.divide %255, %256 : tensor<16x4x4xf32>
      %258 = "stablehlo.all_reduce"(%183) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<32xf32>) -> tensor<32xf32>
      %cst_53 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %259 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %260 = stablehlo.divide %258, %259 : tensor<32xf32>
      %261 = "stablehlo.all_reduce"(%185) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_54 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %262 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %263 = stablehlo.divide %261, %262 : tensor<16x32xf32>
      %264 = "stablehlo.all_reduce"(%177) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %cst_55 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %265 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %266 = stablehlo.divide %264, %265 : tensor<16x32xf32>
      %267 = "stablehlo.all_reduce"(%167) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
      %cst_56 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %268 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %269 = stablehlo.divide %267, %268 : tensor<32x16xf32>
      %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %270 = stablehlo.add %arg80, %cst_57 : tensor<f32>
      %271 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %272 = stablehlo.multiply %271, %arg56 : tensor<16xf32>
      %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %273 = stablehlo.subtract %cst_58, %arg83 : tensor<f32>
      %274 = stablehlo.broadcast_in_dim %273, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %275 = stablehlo.multiply %274, %245 : tensor<16xf32>
      %276 = stablehlo.add %272, %275 : tensor<16xf32>
      %277 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %278 = stablehlo.multiply %277, %arg57 : tensor<16x4x4xf32>
      %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %279 = stablehlo.subtract %cst_59, %arg83 : tensor<f32>
      %280 = stablehlo.broadcast_in_dim %279, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %281 = stablehlo.multiply %280, %248 : tensor<16x4x4xf32>
      %282 = stablehlo.add %278, %281 : tensor<16x4x4xf32>
      %283 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %284 = stablehlo.multiply %283, %arg58 : tensor<4x4x16xf32>
      %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %285 = stablehlo.subtract %cst_60, %arg83 : tensor<f32>
      %286 = stablehlo.broadcast_in_dim %285, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %287 = stablehlo.multiply %286, %251 : tensor<4x4x16xf32>
      %288 = stablehlo.add %284, %287 : tensor<4x4x16xf32>
      %289 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %290 = stablehlo.multiply %289, %arg59 : tensor<16x4x4xf32>
      %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %291 = stablehlo.subtract %cst_61, %arg83 : tensor<f32>
      %292 = stablehlo.broadcast_in_dim %291, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %293 = stablehlo.multiply %292, %254 : tensor<16x4x4xf32>
      %294 = stablehlo.add %290, %293 : tensor<16x4x4xf32>
      %295 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %296 = stablehlo.multiply %295, %arg60 : tensor<16x4x4xf32>
      %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %297 = stablehlo.subtract %cst_62, %arg83 : tensor<f32>
      %298 = stablehlo.broadcast_in_dim %297, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %299 = stablehlo.multiply %298, %257 : tensor<16x4x4xf32>
      %300 = stablehlo.add %296, %299 : tensor<16x4x4xf32>
      %301 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %302 = stablehlo.multiply %301, %arg61 : tensor<16x4xf32>
      %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %303 = stablehlo.subtract %cst_63, %arg83 : tensor<f32>
      %304 = stablehlo.broadcast_in_dim %303, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %305 = stablehlo.multiply %304, %232 : tensor<16x4xf32>
      %306 = stablehlo.add %302, %305 : tensor<16x4xf32>
      %307 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %308 = stablehlo.multiply %307, %arg62 : tensor<1x16x16xf32>
      %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %309 = stablehlo.subtract %cst_64, %arg83 : tensor<f32>
      %310 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %311 = stablehlo.multiply %310, %239 : tensor<1x16x16xf32>
      %312 = stablehlo.add %308, %311 : tensor<1x16x16xf32>
      %313 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %314 = stablehlo.multiply %313, %arg63 : tensor<1x16x16xf32>
      %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %315 = stablehlo.subtract %cst_65, %arg83 : tensor<f32>
      %316 = stablehlo.broadcast_in_dim %315, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %317 = stablehlo.multiply %316, %242 : tensor<1x16x16xf32>
      %318 = stablehlo.add %314, %317 : tensor<1x16x16xf32>
      %319 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %320 = stablehlo.multiply %319, %arg64 : tensor<32xf32>
      %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %321 = stablehlo.subtract %cst_66, %arg83 : tensor<f32>
      %322 = stablehlo.broadcast_in_dim %321, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %323 = stablehlo.multiply %322, %260 : tensor<32xf32>
      %324 = stablehlo.add %320, %323 : tensor<32xf32>
      %325 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %326 = stablehlo.multiply %325, %arg65 : tensor<16x32xf32>
      %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %327 = stablehlo.subtract %cst_67, %arg83 : tensor<f32>
      %328 = stablehlo.broadcast_in_dim %327, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %329 = stablehlo.multiply %328, %263 : tensor<16x32xf32>
      %330 = stablehlo.add %326, %329 : tensor<16x32xf32>
      %331 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %332 = stablehlo.multiply %331, %arg66 : tensor<16x32xf32>
      %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %333 = stablehlo.subtract %cst_68, %arg83 : tensor<f32>
      %334 = stablehlo.broadcast_in_dim %333, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %335 = stablehlo.multiply %334, %266 : tensor<16x32xf32>
      %336 = stablehlo.add %332, %335 : tensor<16x32xf32>
      %337 = stablehlo.broadcast_in_dim %arg83, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %338 = stablehlo.multiply %337, %arg67 : tensor<32x16xf32>
      %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %339 = stablehlo.subtract %cst_69, %arg83 : tensor<f32>
      %340 = stablehlo.broadcast_in_dim %339, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %341 = stablehlo.multiply %340, %269 : tensor<32x16xf32>
      %342 = stablehlo.add %338, %341 : tensor<32x16xf32>
      %343 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %344 = stablehlo.multiply %343, %arg68 : tensor<16xf32>
      %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %345 = stablehlo.subtract %cst_70, %arg84 : tensor<f32>
      %346 = stablehlo.broadcast_in_dim %345, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %347 = stablehlo.multiply %346, %245 : tensor<16xf32>
      %348 = stablehlo.multiply %347, %245 : tensor<16xf32>
      %349 = stablehlo.add %344, %348 : tensor<16xf32>
      %350 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %351 = stablehlo.multiply %350, %arg69 : tensor<16x4x4xf32>
      %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %352 = stablehlo.subtract %cst_71, %arg84 : tensor<f32>
      %353 = stablehlo.broadcast_in_dim %352, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %354 = stablehlo.multiply %353, %248 : tensor<16x4x4xf32>
      %355 = stablehlo.multiply %354, %248 : tensor<16x4x4xf32>
      %356 = stablehlo.add %351, %355 : tensor<16x4x4xf32>
      %357 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %358 = stablehlo.multiply %357, %arg70 : tensor<4x4x16xf32>
      %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %359 = stablehlo.subtract %cst_72, %arg84 : tensor<f32>
      %360 = stablehlo.broadcast_in_dim %359, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %361 = stablehlo.multiply %360, %251 : tensor<4x4x16xf32>
      %362 = stablehlo.multiply %361, %251 : tensor<4x4x16xf32>
      %363 = stablehlo.add %358, %362 : tensor<4x4x16xf32>
      %364 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %365 = stablehlo.multiply %364, %arg71 : tensor<16x4x4xf32>
      %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %366 = stablehlo.subtract %cst_73, %arg84 : tensor<f32>
      %367 = stablehlo.broadcast_in_dim %366, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %368 = stablehlo.multiply %367, %254 : tensor<16x4x4xf32>
      %369 = stablehlo.multiply %368, %254 : tensor<16x4x4xf32>
      %370 = stablehlo.add %365, %369 : tensor<16x4x4xf32>
      %371 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %372 = stablehlo.multiply %371, %arg72 : tensor<16x4x4xf32>
      %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %373 = stablehlo.subtract %cst_74, %arg84 : tensor<f32>
      %374 = stablehlo.broadcast_in_dim %373, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %375 = stablehlo.multiply %374, %257 : tensor<16x4x4xf32>
      %376 = stablehlo.multiply %375, %257 : tensor<16x4x4xf32>
      %377 = stablehlo.add %372, %376 : tensor<16x4x4xf32>
      %378 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %379 = stablehlo.multiply %378, %arg73 : tensor<16x4xf32>
      %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %380 = stablehlo.subtract %cst_75, %arg84 : tensor<f32>
      %381 = stablehlo.broadcast_in_dim %380, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %382 = stablehlo.multiply %381, %232 : tensor<16x4xf32>
      %383 = stablehlo.multiply %382, %232 : tensor<16x4xf32>
      %384 = stablehlo.add %379, %383 : tensor<16x4xf32>
      %385 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %386 = stablehlo.multiply %385, %arg74 : tensor<1x16x16xf32>
      %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %387 = stablehlo.subtract %cst_76, %arg84 : tensor<f32>
      %388 = stablehlo.broadcast_in_dim %387, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %389 = stablehlo.multiply %388, %239 : tensor<1x16x16xf32>
      %390 = stablehlo.multiply %389, %239 : tensor<1x16x16xf32>
      %391 = stablehlo.add %386, %390 : tensor<1x16x16xf32>
      %392 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %393 = stablehlo.multiply %392, %arg75 : tensor<1x16x16xf32>
      %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %394 = stablehlo.subtract %cst_77, %arg84 : tensor<f32>
      %395 = stablehlo.broadcast_in_dim %394, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %396 = stablehlo.multiply %395, %242 : tensor<1x16x16xf32>
      %397 = stablehlo.multiply %396, %242 : tensor<1x16x16xf32>
      %398 = stablehlo.add %393, %397 : tensor<1x16x16xf32>
      %399 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %400 = stablehlo.multiply %399, %arg76 : tensor<32xf32>
      %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %401 = stablehlo.subtract %cst_78, %arg84 : tensor<f32>
      %402 = stablehlo.broadcast_in_dim %401, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %403 = stablehlo.multiply %402, %260 : tensor<32xf32>
      %404 = stablehlo.multiply %403, %260 : tensor<32xf32>
      %405 = stablehlo.add %400, %404 : tensor<32xf32>
      %406 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %407 = stablehlo.multiply %406, %arg77 : tensor<16x32xf32>
      %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %408 = stablehlo.subtract %cst_79, %arg84 : tensor<f32>
      %409 = stablehlo.broadcast_in_dim %408, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %410 = stablehlo.multiply %409, %263 : tensor<16x32xf32>
      %411 = stablehlo.multiply %410, %263 : tensor<16x32xf32>
      %412 = stablehlo.add %407, %411 : tensor<16x32xf32>
      %413 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %414 = stablehlo.multiply %413, %arg78 : tensor<16x32xf32>
      %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %415 = stablehlo.subtract %cst_80, %arg84 : tensor<f32>
      %416 = stablehlo.broadcast_in_dim %415, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %417 = stablehlo.multiply %416, %266 : tensor<16x32xf32>
      %418 = stablehlo.multiply %417, %266 : tensor<16x32xf32>
      %419 = stablehlo.add %414, %418 : tensor<16x32xf32>
      %420 = stablehlo.broadcast_in_dim %arg84, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %421 = stablehlo.multiply %420, %arg79 : tensor<32x16xf32>
      %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %422 = stablehlo.subtract %cst_81, %arg84 : tensor<f32>
      %423 = stablehlo.broadcast_in_dim %422, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %424 = stablehlo.multiply %423, %269 : tensor<32x16xf32>
      %425 = stablehlo.multiply %424, %269 : tensor<32x16xf32>
      %426 = stablehlo.add %421, %425 : tensor<32x16xf32>
      %427 = stablehlo.power %arg83, %270 : tensor<f32>
      %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %428 = stablehlo.subtract %cst_82, %427 : tensor<f32>
      %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %429 = stablehlo.divide %cst_83, %428 : tensor<f32>
      %430 = stablehlo.power %arg84, %270 : tensor<f32>
      %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %431 = stablehlo.subtract %cst_84, %430 : tensor<f32>
      %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %432 = stablehlo.divide %cst_85, %431 : tensor<f32>
      %433 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %434 = stablehlo.multiply %276, %433 : tensor<16xf32>
      %435 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %436 = stablehlo.multiply %349, %435 : tensor<16xf32>
      %437 = stablehlo.sqrt %436 : tensor<16xf32>
      %438 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %439 = stablehlo.add %437, %438 : tensor<16xf32>
      %440 = stablehlo.divide %434, %439 : tensor<16xf32>
      %441 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %442 = stablehlo.multiply %441, %arg44 : tensor<16xf32>
      %443 = stablehlo.add %440, %442 : tensor<16xf32>
      %444 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %445 = stablehlo.multiply %444, %443 : tensor<16xf32>
      %446 = stablehlo.subtract %arg44, %445 : tensor<16xf32>
      %447 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %448 = stablehlo.multiply %282, %447 : tensor<16x4x4xf32>
      %449 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %450 = stablehlo.multiply %356, %449 : tensor<16x4x4xf32>
      %451 = stablehlo.sqrt %450 : tensor<16x4x4xf32>
      %452 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %453 = stablehlo.add %451, %452 : tensor<16x4x4xf32>
      %454 = stablehlo.divide %448, %453 : tensor<16x4x4xf32>
      %455 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %456 = stablehlo.multiply %455, %arg45 : tensor<16x4x4xf32>
      %457 = stablehlo.add %454, %456 : tensor<16x4x4xf32>
      %458 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %459 = stablehlo.multiply %458, %457 : tensor<16x4x4xf32>
      %460 = stablehlo.subtract %arg45, %459 : tensor<16x4x4xf32>
      %461 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %462 = stablehlo.multiply %288, %461 : tensor<4x4x16xf32>
      %463 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %464 = stablehlo.multiply %363, %463 : tensor<4x4x16xf32>
      %465 = stablehlo.sqrt %464 : tensor<4x4x16xf32>
      %466 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %467 = stablehlo.add %465, %466 : tensor<4x4x16xf32>
      %468 = stablehlo.divide %462, %467 : tensor<4x4x16xf32>
      %469 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %470 = stablehlo.multiply %469, %arg46 : tensor<4x4x16xf32>
      %471 = stablehlo.add %468, %470 : tensor<4x4x16xf32>
      %472 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
      %473 = stablehlo.multiply %472, %471 : tensor<4x4x16xf32>
      %474 = stablehlo.subtract %arg46, %473 : tensor<4x4x16xf32>
      %475 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %476 = stablehlo.multiply %294, %475 : tensor<16x4x4xf32>
      %477 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %478 = stablehlo.multiply %370, %477 : tensor<16x4x4xf32>
      %479 = stablehlo.sqrt %478 : tensor<16x4x4xf32>
      %480 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %481 = stablehlo.add %479, %480 : tensor<16x4x4xf32>
      %482 = stablehlo.divide %476, %481 : tensor<16x4x4xf32>
      %483 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %484 = stablehlo.multiply %483, %arg47 : tensor<16x4x4xf32>
      %485 = stablehlo.add %482, %484 : tensor<16x4x4xf32>
      %486 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %487 = stablehlo.multiply %486, %485 : tensor<16x4x4xf32>
      %488 = stablehlo.subtract %arg47, %487 : tensor<16x4x4xf32>
      %489 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %490 = stablehlo.multiply %300, %489 : tensor<16x4x4xf32>
      %491 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %492 = stablehlo.multiply %377, %491 : tensor<16x4x4xf32>
      %493 = stablehlo.sqrt %492 : tensor<16x4x4xf32>
      %494 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %495 = stablehlo.add %493, %494 : tensor<16x4x4xf32>
      %496 = stablehlo.divide %490, %495 : tensor<16x4x4xf32>
      %497 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %498 = stablehlo.multiply %497, %arg48 : tensor<16x4x4xf32>
      %499 = stablehlo.add %496, %498 : tensor<16x4x4xf32>
      %500 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
      %501 = stablehlo.multiply %500, %499 : tensor<16x4x4xf32>
      %502 = stablehlo.subtract %arg48, %501 : tensor<16x4x4xf32>
      %503 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %504 = stablehlo.multiply %306, %503 : tensor<16x4xf32>
      %505 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %506 = stablehlo.multiply %384, %505 : tensor<16x4xf32>
      %507 = stablehlo.sqrt %506 : tensor<16x4xf32>
      %508 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %509 = stablehlo.add %507, %508 : tensor<16x4xf32>
      %510 = stablehlo.divide %504, %509 : tensor<16x4xf32>
      %511 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %512 = stablehlo.multiply %511, %arg49 : tensor<16x4xf32>
      %513 = stablehlo.add %510, %512 : tensor<16x4xf32>
      %514 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
      %515 = stablehlo.multiply %514, %513 : tensor<16x4xf32>
      %516 = stablehlo.subtract %arg49, %515 : tensor<16x4xf32>
      %517 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %518 = stablehlo.multiply %312, %517 : tensor<1x16x16xf32>
      %519 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %520 = stablehlo.multiply %391, %519 : tensor<1x16x16xf32>
      %521 = stablehlo.sqrt %520 : tensor<1x16x16xf32>
      %522 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %523 = stablehlo.add %521, %522 : tensor<1x16x16xf32>
      %524 = stablehlo.divide %518, %523 : tensor<1x16x16xf32>
      %525 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %526 = stablehlo.multiply %525, %arg50 : tensor<1x16x16xf32>
      %527 = stablehlo.add %524, %526 : tensor<1x16x16xf32>
      %528 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %529 = stablehlo.multiply %528, %527 : tensor<1x16x16xf32>
      %530 = stablehlo.subtract %arg50, %529 : tensor<1x16x16xf32>
      %531 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %532 = stablehlo.multiply %318, %531 : tensor<1x16x16xf32>
      %533 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %534 = stablehlo.multiply %398, %533 : tensor<1x16x16xf32>
      %535 = stablehlo.sqrt %534 : tensor<1x16x16xf32>
      %536 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %537 = stablehlo.add %535, %536 : tensor<1x16x16xf32>
      %538 = stablehlo.divide %532, %537 : tensor<1x16x16xf32>
      %539 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %540 = stablehlo.multiply %539, %arg51 : tensor<1x16x16xf32>
      %541 = stablehlo.add %538, %540 : tensor<1x16x16xf32>
      %542 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
      %543 = stablehlo.multiply %542, %541 : tensor<1x16x16xf32>
      %544 = stablehlo.subtract %arg51, %543 : tensor<1x16x16xf32>
      %545 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %546 = stablehlo.multiply %324, %545 : tensor<32xf32>
      %547 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %548 = stablehlo.multiply %405, %547 : tensor<32xf32>
      %549 = stablehlo.sqrt %548 : tensor<32xf32>
      %550 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %551 = stablehlo.add %549, %550 : tensor<32xf32>
      %552 = stablehlo.divide %546, %551 : tensor<32xf32>
      %553 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %554 = stablehlo.multiply %553, %arg52 : tensor<32xf32>
      %555 = stablehlo.add %552, %554 : tensor<32xf32>
      %556 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<32xf32>
      %557 = stablehlo.multiply %556, %555 : tensor<32xf32>
      %558 = stablehlo.subtract %arg52, %557 : tensor<32xf32>
      %559 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %560 = stablehlo.multiply %330, %559 : tensor<16x32xf32>
      %561 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %562 = stablehlo.multiply %412, %561 : tensor<16x32xf32>
      %563 = stablehlo.sqrt %562 : tensor<16x32xf32>
      %564 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %565 = stablehlo.add %563, %564 : tensor<16x32xf32>
      %566 = stablehlo.divide %560, %565 : tensor<16x32xf32>
      %567 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %568 = stablehlo.multiply %567, %arg53 : tensor<16x32xf32>
      %569 = stablehlo.add %566, %568 : tensor<16x32xf32>
      %570 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %571 = stablehlo.multiply %570, %569 : tensor<16x32xf32>
      %572 = stablehlo.subtract %arg53, %571 : tensor<16x32xf32>
      %573 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %574 = stablehlo.multiply %336, %573 : tensor<16x32xf32>
      %575 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %576 = stablehlo.multiply %419, %575 : tensor<16x32xf32>
      %577 = stablehlo.sqrt %576 : tensor<16x32xf32>
      %578 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %579 = stablehlo.add %577, %578 : tensor<16x32xf32>
      %580 = stablehlo.divide %574, %579 : tensor<16x32xf32>
      %581 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %582 = stablehlo.multiply %581, %arg54 : tensor<16x32xf32>
      %583 = stablehlo.add %580, %582 : tensor<16x32xf32>
      %584 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
      %585 = stablehlo.multiply %584, %583 : tensor<16x32xf32>
      %586 = stablehlo.subtract %arg54, %585 : tensor<16x32xf32>
      %587 = stablehlo.broadcast_in_dim %429, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %588 = stablehlo.multiply %342, %587 : tensor<32x16xf32>
      %589 = stablehlo.broadcast_in_dim %432, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %590 = stablehlo.multiply %426, %589 : tensor<32x16xf32>
      %591 = stablehlo.sqrt %590 : tensor<32x16xf32>
      %592 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %593 = stablehlo.add %591, %592 : tensor<32x16xf32>
      %594 = stablehlo.divide %588, %593 : tensor<32x16xf32>
      %595 = stablehlo.broadcast_in_dim %arg86, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %596 = stablehlo.multiply %595, %arg55 : tensor<32x16xf32>
      %597 = stablehlo.add %594, %596 : tensor<32x16xf32>
      %598 = stablehlo.broadcast_in_dim %arg87, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
      %599 = stablehlo.multiply %598, %597 : tensor<32x16xf32>
      %600 = stablehlo.subtract %arg55, %599 : tensor<32x16xf32>
      %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %601 = stablehlo.add %arg80, %cst_86 : tensor<f32>
      %602 = "stablehlo.all_reduce"(%116) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg88: tensor<f32>, %arg89: tensor<f32>):
        %604 = stablehlo.add %arg88, %arg89 : tensor<f32>
        stablehlo.return %604 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_87 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
      %603 = stablehlo.divide %602, %cst_87 : tensor<f32>
      sdy.return %446, %460, %474, %488, %502, %516, %530, %544, %558, %572, %586, %600, %276, %282, %288, %294, %300, %306, %312, %318, %324, %330, %336, %342, %349, %356, %363, %370, %377, %384, %391, %398, %405, %412, %419, %426, %601, %603 : tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>
    } : (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#11, %0#12, %0#13, %0#14, %0#15, %0#16, %0#17, %0#18, %0#19, %0#20, %0#21, %0#22, %0#23, %0#24, %0#25, %0#26, %0#27, %0#28, %0#29, %0#30, %0#31, %0#32, %0#33, %0#34, %0#35, %0#36, %0#37 : tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x4xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<1x4x8x8xf32>, %arg2: tensor<f32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>
    return %3, %1 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xi1>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x1x32xf32>, %arg1: tensor<i32>) -> tensor<1x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 32] : (tensor<8x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x32xf32>) -> tensor<1x32xf32>
    return %1 : tensor<1x32xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<1x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %2 = stablehlo.subtract %1, %arg1 : tensor<1x32xf32>
    %3 = stablehlo.multiply %2, %arg2 : tensor<1x32xf32>
    %4 = stablehlo.add %0, %3 : tensor<1x32xf32>
    return %4, %4, %arg0, %2 : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<i32>) -> tensor<8x1x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x1x32xf32>, tensor<1x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x1x32xf32>
    return %1 : tensor<8x1x32xf32>
  }
  func.func private @argmax(%arg0: tensor<8x4xf32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<8x4xf32>, tensor<8x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<8xi32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<8x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x4xi32>, tensor<8x4xi32>) -> tensor<8x4xi1>
    %5 = stablehlo.convert %4 : (tensor<8x4xi1>) -> tensor<8x4xf32>
    return %5 : tensor<8x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x4xi32>) -> tensor<8x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x4xi32>) -> tensor<8x4x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x4x1xi32>) -> tensor<8x4x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x4xi32>) -> tensor<8x4x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x4x4xi32>, tensor<8x4x4xi32>) -> tensor<8x4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<8x4x4xi1>) -> tensor<8x4x4xf32>
    return %5 : tensor<8x4x4xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<1x32xf32>, %arg3: tensor<1x32xf32>, %arg4: tensor<1x32xf32>, %arg5: tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1x32xf32>
    %1 = stablehlo.multiply %arg5, %0 : tensor<1x32xf32>
    %2 = stablehlo.multiply %0, %arg4 : tensor<1x32xf32>
    %3 = stablehlo.negate %2 : tensor<1x32xf32>
    %4 = stablehlo.multiply %arg3, %0 : tensor<1x32xf32>
    %5 = stablehlo.multiply %0, %arg2 : tensor<1x32xf32>
    %6 = stablehlo.add %3, %5 : tensor<1x32xf32>
    return %4, %6, %1 : tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>
  }
  func.func private @_where_3(%arg0: tensor<1x4x8x8xi1>, %arg1: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>
    return %1 : tensor<1x4x8x8xf32>
  }
}
