module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=1, "expert"=1]> {stablehlo.mesh = {axes = [{name = "data", size = 1 : i64}, {name = "expert", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg1: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg2: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg3: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg4: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg5: tensor<16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg6: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg7: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg8: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg9: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg10: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg11: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg12: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg13: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg14: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg15: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg16: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg17: tensor<16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg18: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg19: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg20: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg21: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg22: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg23: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg24: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg25: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg26: tensor<4x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg27: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg28: tensor<16x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg29: tensor<16x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg30: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg31: tensor<1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, %arg32: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg33: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg34: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg35: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg36: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg37: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}, %arg38: tensor<1x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "expert"}, {}, {}]>}, %arg39: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg40: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg41: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg42: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}, %arg43: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<16xf32> {jax.result_info = "result[0]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[0]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[0]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x1xf32> {jax.result_info = "result[0]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[0]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[0]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[0]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[0]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[0]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xf32> {jax.result_info = "result[1]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[1]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[1]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x1xf32> {jax.result_info = "result[1]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[1]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[1]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[1]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[1]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[1]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[1]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xf32> {jax.result_info = "result[2]['att']['scale']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wk']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<4x4x16xf32> {jax.result_info = "result[2]['att']['wo']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wq']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x4x4xf32> {jax.result_info = "result[2]['att']['wv']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x1xf32> {jax.result_info = "result[2]['moe']['router']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[2]['moe']['w1']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<1x16x16xf32> {jax.result_info = "result[2]['moe']['w2']", sdy.sharding = #sdy.sharding<@mesh, [{"expert"}, {}, {}]>}, tensor<32xf32> {jax.result_info = "result[2]['ssm']['bias']", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<16x32xf32> {jax.result_info = "result[2]['ssm']['w_gate']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x32xf32> {jax.result_info = "result[2]['ssm']['w_in']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<32x16xf32> {jax.result_info = "result[2]['ssm']['w_out']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<f32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<f32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.multiply %arg37, %arg37 : tensor<1x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<1x8x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<1x8x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x8x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %9 = stablehlo.multiply %arg37, %8 : tensor<1x8x16xf32>
    %10 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<1x8x16xf32>
    %13 = stablehlo.dot_general %12, %arg3, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
    %14 = stablehlo.dot_general %12, %arg1, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
    %15 = stablehlo.dot_general %12, %arg4, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x4x4xf32>) -> tensor<1x8x4x4xf32>
    %16 = stablehlo.dot_general %13, %14, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x8xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %18 = stablehlo.divide %16, %17 : tensor<1x4x8x8xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %20 = call @tril(%19) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %cst_3 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %21:2 = call @_where(%20, %18, %cst_3) : (tensor<8x8xi1>, tensor<1x4x8x8xf32>, tensor<f32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xi1>)
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.reduce(%21#0 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x8xf32>
    %24 = stablehlo.maximum %23, %22 : tensor<1x4x8xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %27 = stablehlo.subtract %21#0, %26 : tensor<1x4x8x8xf32>
    %28 = stablehlo.exponential %27 : tensor<1x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %32 = stablehlo.divide %28, %31 : tensor<1x4x8x8xf32>
    %33 = stablehlo.multiply %30, %30 : tensor<1x4x8x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x4x8x1xf32>
    %35 = stablehlo.divide %34, %33 : tensor<1x4x8x1xf32>
    %36 = stablehlo.dot_general %15, %32, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
    %37 = stablehlo.dot_general %36, %arg2, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<4x4x16xf32>) -> tensor<1x8x16xf32>
    %38 = stablehlo.add %arg37, %37 : tensor<1x8x16xf32>
    %39 = stablehlo.dot_general %38, %arg9, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
    %40 = stablehlo.broadcast_in_dim %arg8, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x8x32xf32>
    %42 = stablehlo.add %39, %41 : tensor<1x8x32xf32>
    %43 = stablehlo.negate %42 : tensor<1x8x32xf32>
    %44 = stablehlo.exponential %43 : tensor<1x8x32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %46 = stablehlo.add %45, %44 : tensor<1x8x32xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %48 = stablehlo.divide %47, %46 : tensor<1x8x32xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %50 = stablehlo.subtract %49, %48 : tensor<1x8x32xf32>
    %51 = stablehlo.multiply %48, %50 : tensor<1x8x32xf32>
    %52 = stablehlo.dot_general %38, %arg10, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %54 = stablehlo.transpose %48, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %55 = stablehlo.transpose %52, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %59:7 = stablehlo.while(%iterArg = %54, %iterArg_87 = %55, %iterArg_88 = %c_15, %iterArg_89 = %53, %iterArg_90 = %56, %iterArg_91 = %57, %iterArg_92 = %58) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    cond {
      %c_93 = stablehlo.constant dense<8> : tensor<i32>
      %593 = stablehlo.compare LT, %iterArg_88, %c_93, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %593 : tensor<i1>
    } do {
      %593 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_88) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %594 = func.call @dynamic_index_in_dim(%iterArg_87, %iterArg_88) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %595:4 = func.call @closed_call(%iterArg_89, %593, %594) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
      %596 = func.call @dynamic_update_index_in_dim(%iterArg_90, %595#1, %iterArg_88) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %597 = func.call @dynamic_update_index_in_dim(%iterArg_91, %595#2, %iterArg_88) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %598 = func.call @dynamic_update_index_in_dim(%iterArg_92, %595#3, %iterArg_88) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %c_93 = stablehlo.constant dense<1> : tensor<i32>
      %599 = stablehlo.add %iterArg_88, %c_93 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %599, %595#0, %596, %597, %598 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    }
    %60 = stablehlo.transpose %59#4, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %61 = stablehlo.dot_general %60, %arg11, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<32x16xf32>) -> tensor<1x8x16xf32>
    %62 = stablehlo.add %38, %61 : tensor<1x8x16xf32>
    %63 = stablehlo.reshape %62 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %64 = stablehlo.dot_general %63, %arg5, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<16x1xf32>) -> tensor<8x1xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_16) applies stablehlo.maximum across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %67 = stablehlo.maximum %66, %65 : tensor<8xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %69 = stablehlo.subtract %64, %68 : tensor<8x1xf32>
    %70 = stablehlo.exponential %69 : tensor<8x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_18) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %73 = stablehlo.divide %70, %72 : tensor<8x1xf32>
    %74 = stablehlo.multiply %72, %72 : tensor<8x1xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %76 = stablehlo.divide %75, %74 : tensor<8x1xf32>
    %77 = call @argmax(%73) : (tensor<8x1xf32>) -> tensor<8xi32>
    %78 = call @_one_hot(%77) : (tensor<8xi32>) -> tensor<8x1xf32>
    %79 = call @cumsum(%78) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<8x1xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %82 = stablehlo.subtract %80, %81 : tensor<8x1xf32>
    %83 = stablehlo.convert %82 : (tensor<8x1xf32>) -> tensor<8x1xi32>
    %84 = call @_one_hot_1(%83) : (tensor<8x1xi32>) -> tensor<8x1x16xf32>
    %85 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x1x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<8x1x1xf32>) -> tensor<8x1x16xf32>
    %87 = stablehlo.multiply %84, %86 : tensor<8x1x16xf32>
    %88 = stablehlo.dot_general %87, %63, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x1x16xf32>, tensor<8x16xf32>) -> tensor<1x16x16xf32>
    %89 = stablehlo.reshape %88 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %90 = stablehlo.reshape %arg6 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %91 = stablehlo.dot_general %89, %90, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %92 = stablehlo.tanh %91 : tensor<16x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %94 = stablehlo.subtract %93, %92 : tensor<16x16xf32>
    %95 = stablehlo.reshape %arg7 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %96 = stablehlo.dot_general %92, %95, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %97 = stablehlo.reshape %96 : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %98 = stablehlo.multiply %73, %78 : tensor<8x1xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %100 = stablehlo.dot_general %87, %97, contracting_dims = [2, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<8x1x16xf32>, tensor<1x16x16xf32>) -> tensor<8x16xf32>
    %101 = stablehlo.broadcast_in_dim %99, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %103 = stablehlo.multiply %100, %102 : tensor<8x16xf32>
    %104 = stablehlo.add %63, %103 : tensor<8x16xf32>
    %105 = stablehlo.reshape %104 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %106 = stablehlo.subtract %105, %arg38 : tensor<1x8x16xf32>
    %107 = stablehlo.multiply %106, %106 : tensor<1x8x16xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
    %109 = stablehlo.multiply %108, %106 : tensor<1x8x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.reduce(%107 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %111 = stablehlo.divide %110, %cst_25 : tensor<f32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %112 = stablehlo.divide %cst_26, %cst_27 : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [] : (tensor<f32>) -> tensor<1x8x16xf32>
    %114 = stablehlo.multiply %113, %109 : tensor<1x8x16xf32>
    %115 = stablehlo.reshape %114 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %116 = stablehlo.multiply %100, %115 : tensor<8x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %117 = stablehlo.reduce(%116 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
    %118 = stablehlo.reshape %117 : (tensor<8xf32>) -> tensor<8x1xf32>
    %119 = stablehlo.broadcast_in_dim %101, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x16xf32>
    %120 = stablehlo.multiply %115, %119 : tensor<8x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%118 init: %cst_29) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %122 = stablehlo.dot_general %120, %87, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x16xf32>, tensor<8x1x16xf32>) -> tensor<16x1x16xf32>
    %123 = stablehlo.transpose %122, dims = [1, 2, 0] : (tensor<16x1x16xf32>) -> tensor<1x16x16xf32>
    %124 = stablehlo.broadcast_in_dim %121, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %125 = stablehlo.multiply %124, %78 : tensor<8x1xf32>
    %126 = stablehlo.reshape %123 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    %127 = stablehlo.dot_general %126, %92, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %128 = stablehlo.transpose %127, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %129 = stablehlo.dot_general %126, %95, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %130 = stablehlo.broadcast_in_dim %128, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %131 = stablehlo.multiply %129, %94 : tensor<16x16xf32>
    %132 = stablehlo.multiply %131, %92 : tensor<16x16xf32>
    %133 = stablehlo.add %131, %132 : tensor<16x16xf32>
    %134 = stablehlo.dot_general %133, %89, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %135 = stablehlo.transpose %134, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %136 = stablehlo.dot_general %133, %90, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %137 = stablehlo.broadcast_in_dim %135, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %138 = stablehlo.reshape %136 : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %139 = stablehlo.dot_general %138, %87, contracting_dims = [0, 1] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x16x16xf32>, tensor<8x1x16xf32>) -> tensor<16x8xf32>
    %140 = stablehlo.transpose %139, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %141 = stablehlo.add %115, %140 : tensor<8x16xf32>
    %142 = stablehlo.multiply %125, %76 : tensor<8x1xf32>
    %143 = stablehlo.multiply %142, %70 : tensor<8x1xf32>
    %144 = stablehlo.negate %143 : tensor<8x1xf32>
    %145 = stablehlo.divide %125, %72 : tensor<8x1xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %146 = stablehlo.reduce(%144 init: %cst_30) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %148 = stablehlo.add %145, %147 : tensor<8x1xf32>
    %149 = stablehlo.multiply %148, %70 : tensor<8x1xf32>
    %150 = stablehlo.dot_general %149, %63, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x1xf32>, tensor<8x16xf32>) -> tensor<1x16xf32>
    %151 = stablehlo.transpose %150, dims = [1, 0] : (tensor<1x16xf32>) -> tensor<16x1xf32>
    %152 = stablehlo.dot_general %149, %arg5, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x1xf32>, tensor<16x1xf32>) -> tensor<8x16xf32>
    %153 = stablehlo.add %141, %152 : tensor<8x16xf32>
    %154 = stablehlo.reshape %153 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %155 = stablehlo.dot_general %154, %60, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x8x32xf32>) -> tensor<16x32xf32>
    %156 = stablehlo.transpose %155, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %157 = stablehlo.dot_general %154, %arg11, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<32x16xf32>) -> tensor<1x8x32xf32>
    %158 = stablehlo.transpose %157, dims = [1, 0, 2] : (tensor<1x8x32xf32>) -> tensor<8x1x32xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x1x32xf32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %162:9 = stablehlo.while(%iterArg = %158, %iterArg_87 = %59#5, %iterArg_88 = %54, %iterArg_89 = %55, %iterArg_90 = %59#6, %iterArg_91 = %c_34, %iterArg_92 = %159, %iterArg_93 = %160, %iterArg_94 = %161) : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    cond {
      %c_95 = stablehlo.constant dense<8> : tensor<i32>
      %593 = stablehlo.compare LT, %iterArg_91, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %593 : tensor<i1>
    } do {
      %c_95 = stablehlo.constant dense<8> : tensor<i32>
      %593 = stablehlo.subtract %c_95, %iterArg_91 : tensor<i32>
      %c_96 = stablehlo.constant dense<1> : tensor<i32>
      %594 = stablehlo.subtract %593, %c_96 : tensor<i32>
      %595 = func.call @dynamic_index_in_dim(%iterArg, %594) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %596 = func.call @dynamic_index_in_dim(%iterArg_87, %594) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %597 = func.call @dynamic_index_in_dim(%iterArg_88, %594) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %598 = func.call @dynamic_index_in_dim(%iterArg_89, %594) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %599 = func.call @dynamic_index_in_dim(%iterArg_90, %594) : (tensor<8x1x32xf32>, tensor<i32>) -> tensor<1x32xf32>
      %600:3 = func.call @closed_call_2(%iterArg_92, %595, %596, %597, %598, %599) : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>)
      %601 = func.call @dynamic_update_index_in_dim(%iterArg_93, %600#1, %594) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %602 = func.call @dynamic_update_index_in_dim(%iterArg_94, %600#2, %594) : (tensor<8x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<8x1x32xf32>
      %c_97 = stablehlo.constant dense<1> : tensor<i32>
      %603 = stablehlo.add %iterArg_91, %c_97 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %603, %600#0, %601, %602 : tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>, tensor<i32>, tensor<1x32xf32>, tensor<8x1x32xf32>, tensor<8x1x32xf32>
    }
    %163 = stablehlo.transpose %162#8, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %164 = stablehlo.transpose %162#7, dims = [1, 0, 2] : (tensor<8x1x32xf32>) -> tensor<1x8x32xf32>
    %165 = stablehlo.dot_general %163, %38, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %166 = stablehlo.transpose %165, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %167 = stablehlo.dot_general %163, %arg10, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<16x32xf32>) -> tensor<1x8x16xf32>
    %168 = stablehlo.add %154, %167 : tensor<1x8x16xf32>
    %169 = stablehlo.multiply %164, %51 : tensor<1x8x32xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%169 init: %cst_35) applies stablehlo.add across dimensions = [1] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x32xf32>
    %171 = stablehlo.reshape %170 : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%171 init: %cst_36) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %173 = stablehlo.dot_general %169, %38, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %174 = stablehlo.transpose %173, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %175 = stablehlo.dot_general %169, %arg9, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x32xf32>, tensor<16x32xf32>) -> tensor<1x8x16xf32>
    %176 = stablehlo.add %168, %175 : tensor<1x8x16xf32>
    %177 = stablehlo.dot_general %176, %36, contracting_dims = [0, 1] x [0, 3], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<1x4x4x8xf32>) -> tensor<16x4x4xf32>
    %178 = stablehlo.transpose %177, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %179 = stablehlo.dot_general %176, %arg2, contracting_dims = [2] x [2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x16xf32>, tensor<4x4x16xf32>) -> tensor<1x8x4x4xf32>
    %180 = stablehlo.transpose %179, dims = [0, 2, 3, 1] : (tensor<1x8x4x4xf32>) -> tensor<1x4x4x8xf32>
    %181 = stablehlo.dot_general %180, %15, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x8xf32>
    %182 = stablehlo.dot_general %180, %32, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<1x4x4x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
    %183 = stablehlo.transpose %182, dims = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
    %184 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %185 = stablehlo.multiply %181, %184 : tensor<1x4x8x8xf32>
    %186 = stablehlo.multiply %185, %28 : tensor<1x4x8x8xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.reduce(%186 init: %cst_37) applies stablehlo.add across dimensions = [3] : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8xf32>
    %188 = stablehlo.reshape %187 : (tensor<1x4x8xf32>) -> tensor<1x4x8x1xf32>
    %189 = stablehlo.negate %188 : tensor<1x4x8x1xf32>
    %190 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x4x8x1xf32>) -> tensor<1x4x8x8xf32>
    %191 = stablehlo.divide %181, %190 : tensor<1x4x8x8xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%189 init: %cst_38) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2] : (tensor<1x4x8xf32>) -> tensor<1x4x8x8xf32>
    %195 = stablehlo.add %191, %194 : tensor<1x4x8x8xf32>
    %196 = stablehlo.multiply %195, %28 : tensor<1x4x8x8xf32>
    %197 = call @_where_3(%21#1, %196) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %199 = stablehlo.divide %197, %198 : tensor<1x4x8x8xf32>
    %200 = stablehlo.dot_general %199, %13, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x4x8x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x4xf32>
    %201 = stablehlo.transpose %200, dims = [0, 2, 1, 3] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32>
    %202 = stablehlo.dot_general %199, %14, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<1x4x8x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x4xf32>
    %203 = stablehlo.transpose %202, dims = [0, 2, 1, 3] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32>
    %204 = stablehlo.dot_general %183, %12, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
    %205 = stablehlo.transpose %204, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %206 = stablehlo.dot_general %183, %arg4, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
    %207 = stablehlo.dot_general %201, %12, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
    %208 = stablehlo.transpose %207, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %209 = stablehlo.dot_general %201, %arg1, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
    %210 = stablehlo.add %206, %209 : tensor<1x8x16xf32>
    %211 = stablehlo.dot_general %203, %12, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<1x8x16xf32>) -> tensor<4x4x16xf32>
    %212 = stablehlo.transpose %211, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %213 = stablehlo.dot_general %203, %arg3, contracting_dims = [2, 3] x [1, 2], precision = [HIGHEST, HIGHEST] : (tensor<1x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<1x8x16xf32>
    %214 = stablehlo.add %210, %213 : tensor<1x8x16xf32>
    %215 = stablehlo.multiply %9, %214 : tensor<1x8x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.reduce(%215 init: %cst_40) applies stablehlo.add across dimensions = [1] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %217 = stablehlo.reshape %216 : (tensor<1x16xf32>) -> tensor<1x1x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%217 init: %cst_41) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %219 = "stablehlo.all_reduce"(%151) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %221 = stablehlo.divide %219, %220 : tensor<16x1xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %223 = stablehlo.divide %137, %222 : tensor<1x16x16xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %225 = stablehlo.divide %130, %224 : tensor<1x16x16xf32>
    %226 = "stablehlo.all_reduce"(%223) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %228 = stablehlo.divide %226, %227 : tensor<1x16x16xf32>
    %229 = "stablehlo.all_reduce"(%225) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %231 = stablehlo.divide %229, %230 : tensor<1x16x16xf32>
    %232 = "stablehlo.all_reduce"(%218) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16xf32>) -> tensor<16xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %234 = stablehlo.divide %232, %233 : tensor<16xf32>
    %235 = "stablehlo.all_reduce"(%208) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %237 = stablehlo.divide %235, %236 : tensor<16x4x4xf32>
    %238 = "stablehlo.all_reduce"(%178) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %240 = stablehlo.divide %238, %239 : tensor<4x4x16xf32>
    %241 = "stablehlo.all_reduce"(%212) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %243 = stablehlo.divide %241, %242 : tensor<16x4x4xf32>
    %244 = "stablehlo.all_reduce"(%205) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x4x4xf32>) -> tensor<16x4x4xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %246 = stablehlo.divide %244, %245 : tensor<16x4x4xf32>
    %247 = "stablehlo.all_reduce"(%172) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<32xf32>) -> tensor<32xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %249 = stablehlo.divide %247, %248 : tensor<32xf32>
    %250 = "stablehlo.all_reduce"(%174) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %252 = stablehlo.divide %250, %251 : tensor<16x32xf32>
    %253 = "stablehlo.all_reduce"(%166) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %255 = stablehlo.divide %253, %254 : tensor<16x32xf32>
    %256 = "stablehlo.all_reduce"(%156) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<32x16xf32>) -> tensor<32x16xf32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %258 = stablehlo.divide %256, %257 : tensor<32x16xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %259 = stablehlo.add %arg36, %cst_56 : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %261 = stablehlo.multiply %260, %arg12 : tensor<16xf32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %262 = stablehlo.subtract %cst_57, %arg39 : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %262, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %264 = stablehlo.multiply %263, %234 : tensor<16xf32>
    %265 = stablehlo.add %261, %264 : tensor<16xf32>
    %266 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %267 = stablehlo.multiply %266, %arg13 : tensor<16x4x4xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %268 = stablehlo.subtract %cst_58, %arg39 : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %270 = stablehlo.multiply %269, %237 : tensor<16x4x4xf32>
    %271 = stablehlo.add %267, %270 : tensor<16x4x4xf32>
    %272 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %273 = stablehlo.multiply %272, %arg14 : tensor<4x4x16xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %274 = stablehlo.subtract %cst_59, %arg39 : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %274, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %276 = stablehlo.multiply %275, %240 : tensor<4x4x16xf32>
    %277 = stablehlo.add %273, %276 : tensor<4x4x16xf32>
    %278 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %279 = stablehlo.multiply %278, %arg15 : tensor<16x4x4xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %280 = stablehlo.subtract %cst_60, %arg39 : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %282 = stablehlo.multiply %281, %243 : tensor<16x4x4xf32>
    %283 = stablehlo.add %279, %282 : tensor<16x4x4xf32>
    %284 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %285 = stablehlo.multiply %284, %arg16 : tensor<16x4x4xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %286 = stablehlo.subtract %cst_61, %arg39 : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %288 = stablehlo.multiply %287, %246 : tensor<16x4x4xf32>
    %289 = stablehlo.add %285, %288 : tensor<16x4x4xf32>
    %290 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %291 = stablehlo.multiply %290, %arg17 : tensor<16x1xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %292 = stablehlo.subtract %cst_62, %arg39 : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %294 = stablehlo.multiply %293, %221 : tensor<16x1xf32>
    %295 = stablehlo.add %291, %294 : tensor<16x1xf32>
    %296 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %297 = stablehlo.multiply %296, %arg18 : tensor<1x16x16xf32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %298 = stablehlo.subtract %cst_63, %arg39 : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %300 = stablehlo.multiply %299, %228 : tensor<1x16x16xf32>
    %301 = stablehlo.add %297, %300 : tensor<1x16x16xf32>
    %302 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %303 = stablehlo.multiply %302, %arg19 : tensor<1x16x16xf32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.subtract %cst_64, %arg39 : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %306 = stablehlo.multiply %305, %231 : tensor<1x16x16xf32>
    %307 = stablehlo.add %303, %306 : tensor<1x16x16xf32>
    %308 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %309 = stablehlo.multiply %308, %arg20 : tensor<32xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %310 = stablehlo.subtract %cst_65, %arg39 : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %312 = stablehlo.multiply %311, %249 : tensor<32xf32>
    %313 = stablehlo.add %309, %312 : tensor<32xf32>
    %314 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %315 = stablehlo.multiply %314, %arg21 : tensor<16x32xf32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %316 = stablehlo.subtract %cst_66, %arg39 : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %316, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %318 = stablehlo.multiply %317, %252 : tensor<16x32xf32>
    %319 = stablehlo.add %315, %318 : tensor<16x32xf32>
    %320 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %321 = stablehlo.multiply %320, %arg22 : tensor<16x32xf32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %322 = stablehlo.subtract %cst_67, %arg39 : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %324 = stablehlo.multiply %323, %255 : tensor<16x32xf32>
    %325 = stablehlo.add %321, %324 : tensor<16x32xf32>
    %326 = stablehlo.broadcast_in_dim %arg39, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %327 = stablehlo.multiply %326, %arg23 : tensor<32x16xf32>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %328 = stablehlo.subtract %cst_68, %arg39 : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %328, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %330 = stablehlo.multiply %329, %258 : tensor<32x16xf32>
    %331 = stablehlo.add %327, %330 : tensor<32x16xf32>
    %332 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %333 = stablehlo.multiply %332, %arg24 : tensor<16xf32>
    %cst_69 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %334 = stablehlo.subtract %cst_69, %arg40 : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %336 = stablehlo.multiply %335, %234 : tensor<16xf32>
    %337 = stablehlo.multiply %336, %234 : tensor<16xf32>
    %338 = stablehlo.add %333, %337 : tensor<16xf32>
    %339 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %340 = stablehlo.multiply %339, %arg25 : tensor<16x4x4xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %341 = stablehlo.subtract %cst_70, %arg40 : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %341, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %343 = stablehlo.multiply %342, %237 : tensor<16x4x4xf32>
    %344 = stablehlo.multiply %343, %237 : tensor<16x4x4xf32>
    %345 = stablehlo.add %340, %344 : tensor<16x4x4xf32>
    %346 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %347 = stablehlo.multiply %346, %arg26 : tensor<4x4x16xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %348 = stablehlo.subtract %cst_71, %arg40 : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %348, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %350 = stablehlo.multiply %349, %240 : tensor<4x4x16xf32>
    %351 = stablehlo.multiply %350, %240 : tensor<4x4x16xf32>
    %352 = stablehlo.add %347, %351 : tensor<4x4x16xf32>
    %353 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %354 = stablehlo.multiply %353, %arg27 : tensor<16x4x4xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %355 = stablehlo.subtract %cst_72, %arg40 : tensor<f32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %357 = stablehlo.multiply %356, %243 : tensor<16x4x4xf32>
    %358 = stablehlo.multiply %357, %243 : tensor<16x4x4xf32>
    %359 = stablehlo.add %354, %358 : tensor<16x4x4xf32>
    %360 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %361 = stablehlo.multiply %360, %arg28 : tensor<16x4x4xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %362 = stablehlo.subtract %cst_73, %arg40 : tensor<f32>
    %363 = stablehlo.broadcast_in_dim %362, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %364 = stablehlo.multiply %363, %246 : tensor<16x4x4xf32>
    %365 = stablehlo.multiply %364, %246 : tensor<16x4x4xf32>
    %366 = stablehlo.add %361, %365 : tensor<16x4x4xf32>
    %367 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %368 = stablehlo.multiply %367, %arg29 : tensor<16x1xf32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %369 = stablehlo.subtract %cst_74, %arg40 : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %369, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %371 = stablehlo.multiply %370, %221 : tensor<16x1xf32>
    %372 = stablehlo.multiply %371, %221 : tensor<16x1xf32>
    %373 = stablehlo.add %368, %372 : tensor<16x1xf32>
    %374 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %375 = stablehlo.multiply %374, %arg30 : tensor<1x16x16xf32>
    %cst_75 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %376 = stablehlo.subtract %cst_75, %arg40 : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %376, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %378 = stablehlo.multiply %377, %228 : tensor<1x16x16xf32>
    %379 = stablehlo.multiply %378, %228 : tensor<1x16x16xf32>
    %380 = stablehlo.add %375, %379 : tensor<1x16x16xf32>
    %381 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %382 = stablehlo.multiply %381, %arg31 : tensor<1x16x16xf32>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %383 = stablehlo.subtract %cst_76, %arg40 : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %383, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %385 = stablehlo.multiply %384, %231 : tensor<1x16x16xf32>
    %386 = stablehlo.multiply %385, %231 : tensor<1x16x16xf32>
    %387 = stablehlo.add %382, %386 : tensor<1x16x16xf32>
    %388 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %389 = stablehlo.multiply %388, %arg32 : tensor<32xf32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %390 = stablehlo.subtract %cst_77, %arg40 : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %392 = stablehlo.multiply %391, %249 : tensor<32xf32>
    %393 = stablehlo.multiply %392, %249 : tensor<32xf32>
    %394 = stablehlo.add %389, %393 : tensor<32xf32>
    %395 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %396 = stablehlo.multiply %395, %arg33 : tensor<16x32xf32>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %397 = stablehlo.subtract %cst_78, %arg40 : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %397, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %399 = stablehlo.multiply %398, %252 : tensor<16x32xf32>
    %400 = stablehlo.multiply %399, %252 : tensor<16x32xf32>
    %401 = stablehlo.add %396, %400 : tensor<16x32xf32>
    %402 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %403 = stablehlo.multiply %402, %arg34 : tensor<16x32xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %404 = stablehlo.subtract %cst_79, %arg40 : tensor<f32>
    %405 = stablehlo.broadcast_in_dim %404, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %406 = stablehlo.multiply %405, %255 : tensor<16x32xf32>
    %407 = stablehlo.multiply %406, %255 : tensor<16x32xf32>
    %408 = stablehlo.add %403, %407 : tensor<16x32xf32>
    %409 = stablehlo.broadcast_in_dim %arg40, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %410 = stablehlo.multiply %409, %arg35 : tensor<32x16xf32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.subtract %cst_80, %arg40 : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %413 = stablehlo.multiply %412, %258 : tensor<32x16xf32>
    %414 = stablehlo.multiply %413, %258 : tensor<32x16xf32>
    %415 = stablehlo.add %410, %414 : tensor<32x16xf32>
    %416 = stablehlo.power %arg39, %259 : tensor<f32>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %417 = stablehlo.subtract %cst_81, %416 : tensor<f32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %418 = stablehlo.divide %cst_82, %417 : tensor<f32>
    %419 = stablehlo.power %arg40, %259 : tensor<f32>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %420 = stablehlo.subtract %cst_83, %419 : tensor<f32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %421 = stablehlo.divide %cst_84, %420 : tensor<f32>
    %422 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %423 = stablehlo.multiply %265, %422 : tensor<16xf32>
    %424 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %425 = stablehlo.multiply %338, %424 : tensor<16xf32>
    %426 = stablehlo.sqrt %425 : tensor<16xf32>
    %427 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %428 = stablehlo.add %426, %427 : tensor<16xf32>
    %429 = stablehlo.divide %423, %428 : tensor<16xf32>
    %430 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %431 = stablehlo.multiply %430, %arg0 : tensor<16xf32>
    %432 = stablehlo.add %429, %431 : tensor<16xf32>
    %433 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %434 = stablehlo.multiply %433, %432 : tensor<16xf32>
    %435 = stablehlo.subtract %arg0, %434 : tensor<16xf32>
    %436 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %437 = stablehlo.multiply %271, %436 : tensor<16x4x4xf32>
    %438 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %439 = stablehlo.multiply %345, %438 : tensor<16x4x4xf32>
    %440 = stablehlo.sqrt %439 : tensor<16x4x4xf32>
    %441 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %442 = stablehlo.add %440, %441 : tensor<16x4x4xf32>
    %443 = stablehlo.divide %437, %442 : tensor<16x4x4xf32>
    %444 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %445 = stablehlo.multiply %444, %arg1 : tensor<16x4x4xf32>
    %446 = stablehlo.add %443, %445 : tensor<16x4x4xf32>
    %447 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %448 = stablehlo.multiply %447, %446 : tensor<16x4x4xf32>
    %449 = stablehlo.subtract %arg1, %448 : tensor<16x4x4xf32>
    %450 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %451 = stablehlo.multiply %277, %450 : tensor<4x4x16xf32>
    %452 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %453 = stablehlo.multiply %352, %452 : tensor<4x4x16xf32>
    %454 = stablehlo.sqrt %453 : tensor<4x4x16xf32>
    %455 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %456 = stablehlo.add %454, %455 : tensor<4x4x16xf32>
    %457 = stablehlo.divide %451, %456 : tensor<4x4x16xf32>
    %458 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %459 = stablehlo.multiply %458, %arg2 : tensor<4x4x16xf32>
    %460 = stablehlo.add %457, %459 : tensor<4x4x16xf32>
    %461 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %462 = stablehlo.multiply %461, %460 : tensor<4x4x16xf32>
    %463 = stablehlo.subtract %arg2, %462 : tensor<4x4x16xf32>
    %464 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %465 = stablehlo.multiply %283, %464 : tensor<16x4x4xf32>
    %466 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %467 = stablehlo.multiply %359, %466 : tensor<16x4x4xf32>
    %468 = stablehlo.sqrt %467 : tensor<16x4x4xf32>
    %469 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %470 = stablehlo.add %468, %469 : tensor<16x4x4xf32>
    %471 = stablehlo.divide %465, %470 : tensor<16x4x4xf32>
    %472 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %473 = stablehlo.multiply %472, %arg3 : tensor<16x4x4xf32>
    %474 = stablehlo.add %471, %473 : tensor<16x4x4xf32>
    %475 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %476 = stablehlo.multiply %475, %474 : tensor<16x4x4xf32>
    %477 = stablehlo.subtract %arg3, %476 : tensor<16x4x4xf32>
    %478 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %479 = stablehlo.multiply %289, %478 : tensor<16x4x4xf32>
    %480 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %481 = stablehlo.multiply %366, %480 : tensor<16x4x4xf32>
    %482 = stablehlo.sqrt %481 : tensor<16x4x4xf32>
    %483 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %484 = stablehlo.add %482, %483 : tensor<16x4x4xf32>
    %485 = stablehlo.divide %479, %484 : tensor<16x4x4xf32>
    %486 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %487 = stablehlo.multiply %486, %arg4 : tensor<16x4x4xf32>
    %488 = stablehlo.add %485, %487 : tensor<16x4x4xf32>
    %489 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %490 = stablehlo.multiply %489, %488 : tensor<16x4x4xf32>
    %491 = stablehlo.subtract %arg4, %490 : tensor<16x4x4xf32>
    %492 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %493 = stablehlo.multiply %295, %492 : tensor<16x1xf32>
    %494 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %495 = stablehlo.multiply %373, %494 : tensor<16x1xf32>
    %496 = stablehlo.sqrt %495 : tensor<16x1xf32>
    %497 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %498 = stablehlo.add %496, %497 : tensor<16x1xf32>
    %499 = stablehlo.divide %493, %498 : tensor<16x1xf32>
    %500 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %501 = stablehlo.multiply %500, %arg5 : tensor<16x1xf32>
    %502 = stablehlo.add %499, %501 : tensor<16x1xf32>
    %503 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x1xf32>
    %504 = stablehlo.multiply %503, %502 : tensor<16x1xf32>
    %505 = stablehlo.subtract %arg5, %504 : tensor<16x1xf32>
    %506 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %507 = stablehlo.multiply %301, %506 : tensor<1x16x16xf32>
    %508 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %509 = stablehlo.multiply %380, %508 : tensor<1x16x16xf32>
    %510 = stablehlo.sqrt %509 : tensor<1x16x16xf32>
    %511 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %512 = stablehlo.add %510, %511 : tensor<1x16x16xf32>
    %513 = stablehlo.divide %507, %512 : tensor<1x16x16xf32>
    %514 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %515 = stablehlo.multiply %514, %arg6 : tensor<1x16x16xf32>
    %516 = stablehlo.add %513, %515 : tensor<1x16x16xf32>
    %517 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %518 = stablehlo.multiply %517, %516 : tensor<1x16x16xf32>
    %519 = stablehlo.subtract %arg6, %518 : tensor<1x16x16xf32>
    %520 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %521 = stablehlo.multiply %307, %520 : tensor<1x16x16xf32>
    %522 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %523 = stablehlo.multiply %387, %522 : tensor<1x16x16xf32>
    %524 = stablehlo.sqrt %523 : tensor<1x16x16xf32>
    %525 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %526 = stablehlo.add %524, %525 : tensor<1x16x16xf32>
    %527 = stablehlo.divide %521, %526 : tensor<1x16x16xf32>
    %528 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %529 = stablehlo.multiply %528, %arg7 : tensor<1x16x16xf32>
    %530 = stablehlo.add %527, %529 : tensor<1x16x16xf32>
    %531 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<1x16x16xf32>
    %532 = stablehlo.multiply %531, %530 : tensor<1x16x16xf32>
    %533 = stablehlo.subtract %arg7, %532 : tensor<1x16x16xf32>
    %534 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %535 = stablehlo.multiply %313, %534 : tensor<32xf32>
    %536 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %537 = stablehlo.multiply %394, %536 : tensor<32xf32>
    %538 = stablehlo.sqrt %537 : tensor<32xf32>
    %539 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %540 = stablehlo.add %538, %539 : tensor<32xf32>
    %541 = stablehlo.divide %535, %540 : tensor<32xf32>
    %542 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %543 = stablehlo.multiply %542, %arg8 : tensor<32xf32>
    %544 = stablehlo.add %541, %543 : tensor<32xf32>
    %545 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %546 = stablehlo.multiply %545, %544 : tensor<32xf32>
    %547 = stablehlo.subtract %arg8, %546 : tensor<32xf32>
    %548 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %549 = stablehlo.multiply %319, %548 : tensor<16x32xf32>
    %550 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %551 = stablehlo.multiply %401, %550 : tensor<16x32xf32>
    %552 = stablehlo.sqrt %551 : tensor<16x32xf32>
    %553 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %554 = stablehlo.add %552, %553 : tensor<16x32xf32>
    %555 = stablehlo.divide %549, %554 : tensor<16x32xf32>
    %556 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %557 = stablehlo.multiply %556, %arg9 : tensor<16x32xf32>
    %558 = stablehlo.add %555, %557 : tensor<16x32xf32>
    %559 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %560 = stablehlo.multiply %559, %558 : tensor<16x32xf32>
    %561 = stablehlo.subtract %arg9, %560 : tensor<16x32xf32>
    %562 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %563 = stablehlo.multiply %325, %562 : tensor<16x32xf32>
    %564 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %565 = stablehlo.multiply %408, %564 : tensor<16x32xf32>
    %566 = stablehlo.sqrt %565 : tensor<16x32xf32>
    %567 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %568 = stablehlo.add %566, %567 : tensor<16x32xf32>
    %569 = stablehlo.divide %563, %568 : tensor<16x32xf32>
    %570 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %571 = stablehlo.multiply %570, %arg10 : tensor<16x32xf32>
    %572 = stablehlo.add %569, %571 : tensor<16x32xf32>
    %573 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %574 = stablehlo.multiply %573, %572 : tensor<16x32xf32>
    %575 = stablehlo.subtract %arg10, %574 : tensor<16x32xf32>
    %576 = stablehlo.broadcast_in_dim %418, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %577 = stablehlo.multiply %331, %576 : tensor<32x16xf32>
    %578 = stablehlo.broadcast_in_dim %421, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %579 = stablehlo.multiply %415, %578 : tensor<32x16xf32>
    %580 = stablehlo.sqrt %579 : tensor<32x16xf32>
    %581 = stablehlo.broadcast_in_dim %arg41, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %582 = stablehlo.add %580, %581 : tensor<32x16xf32>
    %583 = stablehlo.divide %577, %582 : tensor<32x16xf32>
    %584 = stablehlo.broadcast_in_dim %arg42, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %585 = stablehlo.multiply %584, %arg11 : tensor<32x16xf32>
    %586 = stablehlo.add %583, %585 : tensor<32x16xf32>
    %587 = stablehlo.broadcast_in_dim %arg43, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %588 = stablehlo.multiply %587, %586 : tensor<32x16xf32>
    %589 = stablehlo.subtract %arg11, %588 : tensor<32x16xf32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %590 = stablehlo.add %arg36, %cst_85 : tensor<f32>
    %591 = "stablehlo.all_reduce"(%111) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%arg44: tensor<f32>, %arg45: tensor<f32>):
      %593 = stablehlo.add %arg44, %arg45 : tensor<f32>
      stablehlo.return %593 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %592 = stablehlo.divide %591, %cst_86 : tensor<f32>
    return %435, %449, %463, %477, %491, %505, %519, %533, %547, %561, %575, %589, %265, %271, %277, %283, %289, %295, %301, %307, %313, %319, %325, %331, %338, %345, %352, %359, %366, %373, %380, %387, %394, %401, %408, %415, %590, %592 : tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x1xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x1xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16x4x4xf32>, tensor<4x4x16xf32>, tensor<16x4x4xf32>, tensor<16x4x4xf32>, tensor<16x1xf32>, tensor<1x16x16xf32>, tensor<1x16x16xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<32x16xf32>, tensor<f32>, tensor<f32>
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
  func.func private @argmax(%arg0: tensor<8x1xf32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x1xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<8x1xf32>, tensor<8x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xi32>)
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
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<8x1xi32>
    %3 = stablehlo.compare EQ, %0, %2, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %4 = stablehlo.convert %3 : (tensor<8x1xi1>) -> tensor<8x1xf32>
    return %4 : tensor<8x1xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x1xf32>) -> tensor<8x1xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x1xf32>) -> tensor<8x1xf32>
    return %0 : tensor<8x1xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x1xf32>) -> tensor<8x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[7, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 8, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
    return %1 : tensor<8x1xf32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x1xi32>) -> tensor<8x1x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x1x1xi32>
    %1 = stablehlo.iota dim = 2 : tensor<1x1x16xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x1x1xi32>) -> tensor<8x1x16xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x16xi32>) -> tensor<8x1x16xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x1x16xi32>, tensor<8x1x16xi32>) -> tensor<8x1x16xi1>
    %5 = stablehlo.convert %4 : (tensor<8x1x16xi1>) -> tensor<8x1x16xf32>
    return %5 : tensor<8x1x16xf32>
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
