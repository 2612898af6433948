module @forms attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @pretty(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>, %s: tensor<f32>, %i: tensor<i32>, %p: tensor<i1>, %b: tensor<4x6xi1>, %c: tensor<2xcomplex<f32>>, %t: !stablehlo.token) -> tensor<4x6xf32> {
    %0 = stablehlo.tanh %x : tensor<4x6xf32>
    %1 = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xbf16>
    %2 = stablehlo.convert %x : tensor<4x6xf32>
    %3 = stablehlo.abs %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %4 = stablehlo.real %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %5 = stablehlo.complex %4, %4 : tensor<2xcomplex<f32>>
    %6 = stablehlo.is_finite %x : (tensor<4x6xf32>) -> tensor<4x6xi1>
    %7 = stablehlo.compare  LT, %x, %0,  FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %8 = stablehlo.compare EQ, %x, %0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %9 = stablehlo.select %b, %x, %0 : tensor<4x6xi1>, tensor<4x6xf32>
    %10 = stablehlo.select %p, %x, %0 : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %11 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %12 = stablehlo.iota dim = 1 : tensor<4x6xi32>
    %13 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4x6xf32>
    %14 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x2xbf16>
    %15 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
    %16 = stablehlo.transpose %x, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %17 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %18 = stablehlo.concatenate %x, %0, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %19 = stablehlo.slice %x [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %20 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
    %21 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %22 = stablehlo.dynamic_update_slice %x, %21, %i, %i : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %23 = stablehlo.pad %x, %s, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<5x12xf32>
    %24 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
    %25 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %26 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1] {note} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
    %27 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<4x8xf32>
    %28 = stablehlo.reduce(%x init: %s) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %29:2 = stablehlo.reduce(%x init: %s), (%12 init: %i) across dimensions = [0] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%a: tensor<f32>, %e: tensor<f32>) (%k: tensor<i32>, %l: tensor<i32>)  {
      %90 = stablehlo.add %a, %e : tensor<f32>
      stablehlo.return %90, %l : tensor<f32>, tensor<i32>
    }
    %30:2 = stablehlo.while(%iterArg = %i, %iterArg_0 = %x) : tensor<i32>, tensor<4x6xf32> attributes {note = 1 : i32}
     cond {
      %90 = stablehlo.compare LT, %iterArg, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %90 : tensor<i1>
    } do {
      %90 = func.call @callee(%iterArg_0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      stablehlo.return %iterArg, %90 : tensor<i32>, tensor<4x6xf32>
    }
    %31 = "stablehlo.case"(%i) ({
      stablehlo.return %x : tensor<4x6xf32>
    }, {
      stablehlo.return %0 : tensor<4x6xf32>
    }) : (tensor<i32>) -> tensor<4x6xf32>
    %32 = stablehlo.custom_call @Sharding(%x) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %33 = stablehlo.composite "chlo.thing" %x {composite_attributes = {k = 2 : i64}, decomposition = @callee, version = 1 : i32} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %34:2 = stablehlo.optimization_barrier %x, %s : tensor<4x6xf32>, tensor<f32>
    stablehlo.optimization_barrier ()
    %35 = stablehlo.tuple %x, %s : tuple<tensor<4x6xf32>, tensor<f32>>
    %36 = stablehlo.get_tuple_element %35[1] : (tuple<tensor<4x6xf32>, tensor<f32>>) -> tensor<f32>
    %37 = stablehlo.after_all %t, %t : !stablehlo.token
    %38 = stablehlo.create_token : !stablehlo.token
    %39 = stablehlo.partition_id : tensor<ui32>
    %40 = sdy.sharding_constraint %x <@mesh, [{"x"}, {?}]> : tensor<4x6xf32>
    %41 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
    %42, %43 = chlo.top_k(%x, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %44 = chlo.erf_inv %x : tensor<4x6xf32> -> tensor<4x6xf32>
    %45 = chlo.next_after %x, %x : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>
    %square = stablehlo.slice %x [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    %46 = stablehlo.cholesky %square, lower = true : tensor<4x4xf32>
    %47 = stablehlo.constant dense<7> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %47, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    return %0 : tensor<4x6xf32>
  }
  func.func @windows(%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %s: tensor<f32>) {
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
    %1 = "stablehlo.reduce_window"(%x, %s) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<1x8x8x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
    %2 = "stablehlo.select_and_scatter"(%x, %1, %s) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<1x8x8x3xf32>, tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x8x8x3xf32>
    return
  }
  func.func @collectives(%x: tensor<4x8xf32>) -> tensor<16x8xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<16x8xf32>
    %1 = "stablehlo.reduce_scatter"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.all_to_all"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<1x32xf32>
    %3 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%arg: tensor<4x8xf32>) {
      %9 = stablehlo.slice %arg [0:4, 0:2] : (tensor<4x8xf32>) -> tensor<4x2xf32>
      sdy.return %9 : tensor<4x2xf32>
    } : (tensor<16x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<16x8xf32>
  }
  func.func @indexing(%x: tensor<8x4xf32>, %i: tensor<3x1xi32>, %u: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
    %1 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
    %2 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    check.expect_eq %x, %1 : tensor<8x4xf32>
    check.expect_close %x, %1, max_ulp_difference = 3 : tensor<8x4xf32>, tensor<8x4xf32>
    check.expect_almost_eq %x, %1, tolerance = 0.1 : tensor<8x4xf32>
    check.expect_eq_const %x, dense<0.0> : tensor<8x4xf32>
    return %0 : tensor<3x4xf32>
  }
  func.func private @callee(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    return %arg0 : tensor<4x6xf32>
  }
}
