module @operations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32> {jax.buffer_donor = true}, %arg1: tensor<6x8xf32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i1>, %arg5: tensor<2xcomplex<f32>>, %arg6: !stablehlo.token) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<i32>) attributes {note = "a \22quoted\22 one"} {
    %c = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
    %0 = stablehlo.abs %arg0 : tensor<4x6xf32>
    %1 = stablehlo.cbrt %0 : tensor<4x6xf32>
    %2 = stablehlo.ceil %1 : tensor<4x6xf32>
    %3 = stablehlo.cosine %2 : tensor<4x6xf32>
    %4 = stablehlo.exponential %3 : tensor<4x6xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<4x6xf32>
    %6 = stablehlo.floor %5 : tensor<4x6xf32>
    %7 = stablehlo.log %6 : tensor<4x6xf32>
    %8 = stablehlo.log_plus_one %7 : tensor<4x6xf32>
    %9 = stablehlo.logistic %8 : tensor<4x6xf32>
    %10 = stablehlo.negate %9 : tensor<4x6xf32>
    %11 = stablehlo.round_nearest_afz %10 : tensor<4x6xf32>
    %12 = stablehlo.round_nearest_even %11 : tensor<4x6xf32>
    %13 = stablehlo.rsqrt %12 : tensor<4x6xf32>
    %14 = stablehlo.sign %13 : tensor<4x6xf32>
    %15 = stablehlo.sine %14 : tensor<4x6xf32>
    %16 = stablehlo.sqrt %15 : tensor<4x6xf32>
    %17 = stablehlo.tanh %16 : tensor<4x6xf32>
    %18 = stablehlo.not %arg3 : tensor<i32>
    %19 = stablehlo.popcnt %18 : tensor<i32>
    %20 = stablehlo.count_leading_zeros %19 : tensor<i32>
    %21 = stablehlo.and %20, %arg3 : tensor<i32>
    %22 = stablehlo.or %21, %arg3 : tensor<i32>
    %23 = stablehlo.xor %22, %arg3 : tensor<i32>
    %24 = stablehlo.shift_left %23, %arg3 : tensor<i32>
    %25 = stablehlo.shift_right_arithmetic %24, %arg3 : tensor<i32>
    %26 = stablehlo.shift_right_logical %25, %arg3 : tensor<i32>
    %27 = stablehlo.add %17, %arg0 : tensor<4x6xf32>
    %28 = stablehlo.atan2 %27, %arg0 : tensor<4x6xf32>
    %29 = stablehlo.divide %28, %arg0 : tensor<4x6xf32>
    %30 = stablehlo.maximum %29, %arg0 : tensor<4x6xf32>
    %31 = stablehlo.minimum %30, %arg0 : tensor<4x6xf32>
    %32 = stablehlo.multiply %31, %arg0 : tensor<4x6xf32>
    %33 = stablehlo.power %32, %arg0 : tensor<4x6xf32>
    %34 = stablehlo.remainder %33, %arg0 : tensor<4x6xf32>
    %35 = stablehlo.subtract %34, %arg0 : tensor<4x6xf32>
    %36 = stablehlo.is_finite %arg0 : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %37 = stablehlo.select %36, %arg0, %35 : tensor<4x6xi1>, tensor<4x6xf32>
    %38 = stablehlo.select %arg4, %arg0, %37 : tensor<i1>, tensor<4x6xf32>
    %39 = stablehlo.clamp %arg2, %38, %arg2 : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %40 = stablehlo.after_all %arg6, %arg6 : !stablehlo.token
    %41 = "stablehlo.send"(%arg0, %40) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
    %42:2 = "stablehlo.recv"(%41) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
    %43:2 = "stablehlo.infeed"(%arg6) <{infeed_config = "in", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<3x3xi32>, !stablehlo.token)
    %44 = "stablehlo.outfeed"(%arg0, %43#1) <{outfeed_config = "out"}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
    %45 = stablehlo.custom_call @target(%arg0, %arg2) {api_version = 2 : i32, backend_config = "words", called_computations = [@callee], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %46 = call @callee(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %47 = stablehlo.rng %arg2, %arg2, %c, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x6xf32>
    return {tail = [1 : i8, -2 : i16, 3.500000e+00 : f16, true, {deep = "text"}]} %39, %26 : tensor<4x6xf32>, tensor<i32>
  }
  func.func private @callee(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    return %arg0 : tensor<4x6xf32>
  }
}
