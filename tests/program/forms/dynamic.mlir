// Shapes that only the run knows.
module @dynamic attributes {jax.uses_shape_polymorphism = true} {
  func.func @main(%x: tensor<?x3xf32>, %n: tensor<2xi32>, %s: tensor<f32>, %i: tensor<i32>, %b: tensor<?x3xf32, #stablehlo.bounds<5, ?>>, %k: tensor<2x3xi32>) {
    %0 = stablehlo.dynamic_reshape %x, %n : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    %1 = stablehlo.dynamic_broadcast_in_dim %s, %n, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %2 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    %3 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi32>) -> tensor<?x3xi32>
    %4 = stablehlo.dynamic_pad %x, %s, %n, %n, %n : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %5 = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %6 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %7 = stablehlo.set_dimension_size %b, %i, dim = 0 {note} : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<5, ?>>
    %8 = "stablehlo.dynamic_gather"(%x, %k, %n) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false}> : (tensor<?x3xf32>, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x?x3xf32>
    %9 = stablehlo.add %x, %x : tensor<?x3xf32>
    %10 = "stablehlo.get_dimension_size"(%b) <{dimension = 1 : i64}> : (tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<i32>
    return
  }
}
