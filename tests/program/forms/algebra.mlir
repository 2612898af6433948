// Linear algebra, batch normalisation, random numbers, quantisation, collectives that reduce.
module @algebra attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @norms(%x: tensor<2x3x4xf32>, %v: tensor<4xf32>) {
    %0:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 9.99999974E-6 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %1 = "stablehlo.batch_norm_inference"(%x, %v, %v, %v, %v) <{epsilon = 0.5 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
    %2:3 = "stablehlo.batch_norm_grad"(%x, %v, %v, %v, %x) <{epsilon = 0.5 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    return
  }
  func.func @solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x8xcomplex<f32>>) {
    %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    %1 = stablehlo.cholesky %a : tensor<3x3xf32>
    %2 = "stablehlo.cholesky"(%a) <{lower = false}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %3 = stablehlo.fft %c, type = IFFT, length = [2, 8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %4 = stablehlo.fft %c, type = IRFFT, length = [14] {note} : (tensor<2x8xcomplex<f32>>) -> tensor<2x14xf32>
    %5 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, HIGH] {note} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xbf16>
    %6 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3x3x2xf32>
    %7 = "stablehlo.dot_general"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<rhs_contracting_dimensions = [0], lhs_contracting_dimensions = [1]>}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    return
  }
  func.func @windows(%x: tensor<2x6x8x4xf32>, %k: tensor<4x2x3x3xf32>, %y: tensor<5x4xf32>, %z: tensor<4x7xf32>) {
    %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x6x8x4xf32>, tensor<4x2x3x3xf32>) -> tensor<2x6x8x4xf32>
    %1 = stablehlo.convolution(%y, %z) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<5x4xf32>, tensor<4x7xf32>) -> tensor<5x7xf32>
    %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 1, 0, f]x[o, i, 1, 0]->[f, 0, b, 1], window = {stride = [2, 1], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<2x6x8x4xf32>, tensor<4x2x3x3xf32>) -> tensor<4x7x2x2xf32>
    return
  }
  func.func @random(%a: tensor<f32>, %n: tensor<2xi64>, %s: tensor<3xui64>) {
    %0 = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %1 = "stablehlo.rng"(%a, %a, %n) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    %2, %3 = stablehlo.rng_bit_generator %s, algorithm = PHILOX {note} : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
    %4:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui64>)
    return
  }
  func.func @collectives(%x: tensor<4xf32>, %y: tensor<2x2xf32>, %r: tensor<i64>) {
    %0:2 = "stablehlo.all_reduce"(%x, %y) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4xf32>, tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2x2xf32>)
    %1 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[3, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %9 = stablehlo.minimum %a, %b : tensor<f32>
      stablehlo.return %9 : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %4:2 = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>}> : (tensor<4xf32>, tensor<2x2xf32>) -> (tensor<4xf32>, tensor<2x2xf32>)
    %5:2 = "stablehlo.all_to_all"(%y, %y) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>)
    return
  }
}
