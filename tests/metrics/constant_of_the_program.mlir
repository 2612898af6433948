// not_applicable
module @jit_constant_of_the_program attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main() -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"data", "model"} () {
      %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
      sdy.return %cst : tensor<f32>
    } : () -> tensor<f32>
    return %0 : tensor<f32>
  }
}
