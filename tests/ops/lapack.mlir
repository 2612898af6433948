// SPDX-License-Identifier: Apache-2.0
// Written by generate_lapack.py: the routines of LAPACK that JAX calls, typed and in the older
// form, and the targets of TPUs.

func.func @dpotrf() {
  %a0 = stablehlo.constant dense<[[24.0, 0.0, 0.0], [5.0, 8.25, 0.0], [6.0, 4.5, 21.0]]> : tensor<3x3xf64>
  %r:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.898979485566356, 0.0, 0.0], [1.0206207261596576, 2.6848339489311686, 0.0], [1.2247448713915892, 1.2105031677261917, 4.246726042603273]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @old_dpotrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[24.0, 0.0, 0.0], [5.0, 8.25, 0.0], [6.0, 4.5, 21.0]]> : tensor<3x3xf64>
  %r:2 = stablehlo.custom_call @lapack_dpotrf(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.898979485566356, 0.0, 0.0], [1.0206207261596576, 2.6848339489311686, 0.0], [1.2247448713915892, 1.2105031677261917, 4.246726042603273]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @dgetrf() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.0, -2.0], [-0.25, 2.25, 0.5], [0.75, -0.3333333333333333, 4.666666666666667], [0.25, 0.7777777777777777, 0.13095238095238096]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1, 4, 3]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_dgetrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dgetrf(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.0, -2.0], [-0.25, 2.25, 0.5], [0.75, -0.3333333333333333, 4.666666666666667], [0.25, 0.7777777777777777, 0.13095238095238096]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1, 4, 3]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @dgeqrf() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
  check.expect_almost_eq_const %r#0, dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  return
}

func.func @old_dgeqrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<8> : tensor<i32>
  %a4 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:4 = stablehlo.custom_call @lapack_dgeqrf(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<i32>, tensor<8xf64>)
  check.expect_almost_eq_const %r#0, dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @dgeqp3() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi32>
  %r:3 = stablehlo.custom_call @lapack_dgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x3xf64>, tensor<3xi32>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<3xf64>)
  check.expect_almost_eq_const %r#0, dense<[[-5.196152422706632, -0.09622504486493733, -0.769800358919501], [0.10874112933696653, -3.7736905994981544, -0.2453634980167847], [0.32622338801089956, 0.8081434709187614, 2.889152844909451], [-0.10874112933696653, 0.17697675060642196, -0.3568654184298088]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1, 3, 2]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<[1.769800358919501, 1.187354691642935, 1.7740673327126675]> : tensor<3xf64>
  return
}

func.func @dorgqr() {
  %a0 = stablehlo.constant dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  %r = stablehlo.custom_call @lapack_dorgqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xf64>, tensor<3xf64>) -> tensor<4x3xf64>
  check.expect_almost_eq_const %r, dense<[[-0.769800358919501, -0.140506971960547, 0.5635253504581416], [-0.19245008972987526, -0.6386680543661228, -0.07380893363588965], [-0.5773502691896257, 0.15328033304786948, -0.7960820699299527], [0.19245008972987526, -0.7408549430647025, -0.20795374159318114]]> : tensor<4x3xf64>
  return
}

func.func @old_dorgqr() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<3> : tensor<i32>
  %a4 = stablehlo.constant dense<8> : tensor<i32>
  %a5 = stablehlo.constant dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  %a6 = stablehlo.constant dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  %r:3 = stablehlo.custom_call @lapack_dorgqr(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xf64>, tensor<3xf64>) -> (tensor<4x3xf64>, tensor<i32>, tensor<8xf64>)
  check.expect_almost_eq_const %r#0, dense<[[-0.769800358919501, -0.140506971960547, 0.5635253504581416], [-0.19245008972987526, -0.6386680543661228, -0.07380893363588965], [-0.5773502691896257, 0.15328033304786948, -0.7960820699299527], [0.19245008972987526, -0.7408549430647025, -0.20795374159318114]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @dormqr() {
  %a0 = stablehlo.constant dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r = stablehlo.custom_call @lapack_dormqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xf64>, tensor<3xf64>, tensor<4x3xf64>) -> tensor<4x3xf64>
  check.expect_almost_eq_const %r, dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [7.075053045114543e-17, -2.8995529668221973, -0.31933402718306125], [-3.3003890684889825e-16, -4.878183171815985e-18, -3.7601551191172677], [-3.481737546878285e-17, 3.046616993840398e-17, -4.9756541370454266e-17]]> : tensor<4x3xf64>
  return
}

func.func @dsyevd() {
  %a0 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.5, 0.25, 3.0]]> : tensor<3x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[1.5845835636473289, 2.8077375332220798, 4.607678903130591]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_dsyevd() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.5, 0.25, 3.0]]> : tensor<3x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dsyevd(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<i32>, tensor<8xf64>, tensor<8xf64>)
  check.expect_almost_eq_const %r#1, dense<[1.5845835636473289, 2.8077375332220798, 4.607678903130591]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @dgesdd() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a0) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<3x3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[5.280583228114594, 3.7865112944509627, 2.8333324880695088]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_dgesdd() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<1> : tensor<i32>
  %a3 = stablehlo.constant dense<4> : tensor<i32>
  %a4 = stablehlo.constant dense<3> : tensor<i32>
  %a5 = stablehlo.constant dense<8> : tensor<i32>
  %a6 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:7 = stablehlo.custom_call @lapack_dgesdd(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<3x3xf64>, tensor<i32>, tensor<8xf64>, tensor<8xf64>)
  check.expect_almost_eq_const %r#1, dense<[5.280583228114594, 3.7865112944509627, 2.8333324880695088]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @dgesvd() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dgesvd_ffi(%a0) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>, tensor<4x4xf64>, tensor<3x3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[5.280583228114594, 3.7865112944509627, 2.8333324880695088]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @dgeev() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[4.0, 2.0, 3.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#1, dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_dgeev() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<3> : tensor<i32>
  %a2 = stablehlo.constant dense<78> : tensor<ui8>
  %a3 = stablehlo.constant dense<86> : tensor<ui8>
  %a4 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:8 = stablehlo.custom_call @lapack_dgeev(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[4.0, 2.0, 3.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#7, dense<0> : tensor<i32>
  return
}

func.func @dgees() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:6 = stablehlo.custom_call @lapack_dgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<i32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#2, dense<[4.0, 2.0, 3.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#3, dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  check.expect_almost_eq_const %r#5, dense<0> : tensor<i32>
  return
}

func.func @old_dgees() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<3> : tensor<i32>
  %a2 = stablehlo.constant dense<86> : tensor<ui8>
  %a3 = stablehlo.constant dense<78> : tensor<ui8>
  %a4 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:6 = stablehlo.custom_call @lapack_dgees(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<i32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.0, -2.0], [0.0, 2.0, 0.5], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[4.0, 2.0, 3.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[0.0, 0.0, 0.0]> : tensor<3xf64>
  check.expect_almost_eq_const %r#3, dense<[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  check.expect_almost_eq_const %r#5, dense<0> : tensor<i32>
  return
}

func.func @dgehrd() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:3 = stablehlo.custom_call @lapack_dgehrd_ffi(%a0) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.5811388300841895, -1.5811388300841898], [-3.1622776601683795, 3.05, -0.3500000000000001], [0.7207592200561264, 0.1499999999999997, 1.95]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1.316227766016838, 0.0]> : tensor<2xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_dgehrd() {
  %a0 = stablehlo.constant dense<3> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<3> : tensor<i32>
  %a4 = stablehlo.constant dense<1> : tensor<i32>
  %a5 = stablehlo.constant dense<8> : tensor<i32>
  %a6 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %r:4 = stablehlo.custom_call @lapack_dgehrd(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<2xf64>, tensor<i32>, tensor<8xf64>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.5811388300841895, -1.5811388300841898], [-3.1622776601683795, 3.05, -0.3500000000000001], [0.7207592200561264, 0.1499999999999997, 1.95]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1.316227766016838, 0.0]> : tensor<2xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @dsytrd() {
  %a0 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.5, 0.25, 3.0]]> : tensor<3x3xf64>
  %r:5 = stablehlo.custom_call @lapack_dsytrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 0.0, 0.0], [-1.118033988749895, 2.3999999999999995, 0.0], [0.2360679774997897, -0.5500000000000002, 2.5999999999999996]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[4.0, 2.3999999999999995, 2.5999999999999996]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[-1.118033988749895, -0.5500000000000002]> : tensor<2xf64>
  check.expect_almost_eq_const %r#3, dense<[1.8944271909999157, 0.0]> : tensor<2xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_dsytrd() {
  %a0 = stablehlo.constant dense<3> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<1> : tensor<i32>
  %a4 = stablehlo.constant dense<8> : tensor<i32>
  %a5 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.5, 0.25, 3.0]]> : tensor<3x3xf64>
  %r:6 = stablehlo.custom_call @lapack_dsytrd(%a0, %a1, %a2, %a3, %a4, %a5) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<i32>, tensor<8xf64>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 0.0, 0.0], [-1.118033988749895, 2.3999999999999995, 0.0], [0.2360679774997897, -0.5500000000000002, 2.5999999999999996]]> : tensor<3x3xf64>
  check.expect_almost_eq_const %r#1, dense<[4.0, 2.3999999999999995, 2.5999999999999996]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[-1.118033988749895, -0.5500000000000002]> : tensor<2xf64>
  check.expect_almost_eq_const %r#3, dense<[1.8944271909999157, 0.0]> : tensor<2xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @dgtsv() {
  %a0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[[4.0, 1.0], [1.0, 2.0], [3.0, 0.0]]> : tensor<3x2xf64>
  %r:5 = stablehlo.custom_call @lapack_dgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x2xf64>) -> (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x2xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[1.028301886792453, 0.15094339622641512], [-0.11320754716981131, 0.3962264150943396], [0.5377358490566038, -0.13207547169811318]]> : tensor<3x2xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @dgtsv_perturbed() {
  %a0 = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
  %a1 = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf64>
  %a2 = stablehlo.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf64>
  %a3 = stablehlo.constant dense<[[4.0, 1.0], [1.0, 2.0], [3.0, 0.0]]> : tensor<3x2xf64>
  %r = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %r, dense<[[1.028301886792453, 0.15094339622641512], [-0.11320754716981131, 0.3962264150943396], [0.5377358490566038, -0.13207547169811318]]> : tensor<3x2xf64>
  return
}

func.func @dtrsm() {
  %a0 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %a1 = stablehlo.constant dense<[[4.0, 1.0], [1.0, 2.0], [3.0, 0.0]]> : tensor<3x2xf64>
  %a2 = stablehlo.constant dense<2.0> : tensor<f64>
  %r = stablehlo.custom_call @lapack_dtrsm_ffi(%a0, %a1, %a2) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xf64>, tensor<3x2xf64>, tensor<f64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %r, dense<[[0.25, 0.0], [1.0, 2.0], [2.0, 0.0]]> : tensor<3x2xf64>
  return
}

func.func @old_dtrsm() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<2> : tensor<i32>
  %a3 = stablehlo.constant dense<0> : tensor<i32>
  %a4 = stablehlo.constant dense<3> : tensor<i32>
  %a5 = stablehlo.constant dense<2> : tensor<i32>
  %a6 = stablehlo.constant dense<1> : tensor<i32>
  %a7 = stablehlo.constant dense<2.0> : tensor<f64>
  %a8 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %a9 = stablehlo.constant dense<[[4.0, 1.0], [1.0, 2.0], [3.0, 0.0]]> : tensor<3x2xf64>
  %r = stablehlo.custom_call @blas_dtrsm(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<f64>, tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %r, dense<[[0.25, 0.0], [1.0, 2.0], [2.0, 0.0]]> : tensor<3x2xf64>
  return
}

func.func @zpotrf() {
  %a0 = stablehlo.constant dense<[[(29.25, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.5, 8.5), (13.25, 0.0), (0.0, 0.0)], [(7.125, -7.5), (2.75, 5.75), (23.0625, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(5.408326913195984, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.2773500981126146, 1.5716505559714824), (3.2715426717362948, 0.0), (0.0, 0.0)], [(1.3174129660349192, -1.3867504905630728), (1.395091864010526, 2.508030317322294), (3.3417583353991986, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @old_zpotrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[(29.25, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.5, 8.5), (13.25, 0.0), (0.0, 0.0)], [(7.125, -7.5), (2.75, 5.75), (23.0625, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:2 = stablehlo.custom_call @lapack_zpotrf(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(5.408326913195984, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.2773500981126146, 1.5716505559714824), (3.2715426717362948, 0.0), (0.0, 0.0)], [(1.3174129660349192, -1.3867504905630728), (1.395091864010526, 2.508030317322294), (3.3417583353991986, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @zgetrf() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zgetrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(-0.18461538461538463, 0.5230769230769231), (1.6615384615384614, -1.7076923076923078), (1.676923076923077, 1.4153846153846155)], [(0.7461538461538462, -0.03076923076923077), (-0.7439024390243902, 0.30487804878048774), (6.109756097560975, -0.012195121951219523)], [(0.27692307692307694, 0.2153846153846154), (0.4227642276422764, 0.4715447154471545), (0.2373407383208103, -0.5743765653925733)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[1, 4, 3]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_zgetrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zgetrf(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xi32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(-0.18461538461538463, 0.5230769230769231), (1.6615384615384614, -1.7076923076923078), (1.676923076923077, 1.4153846153846155)], [(0.7461538461538462, -0.03076923076923077), (-0.7439024390243902, 0.30487804878048774), (6.109756097560975, -0.012195121951219523)], [(0.27692307692307694, 0.2153846153846154), (0.4227642276422764, 0.4715447154471545), (0.2373407383208103, -0.5743765653925733)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[1, 4, 3]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @zgeqrf() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a0) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(-5.6844085004510365, 0.0), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(0.10830125721465714, 0.09766723195831939), (-3.2554076421898155, 0.0), (-0.421260087299248, 1.93993538086325)], [(0.31028198691650705, 0.00979502326211545), (-0.0798156706003935, 0.33859386805049113), (-4.230508053871012, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.3335297359507064, -0.30770325989515973), (0.2909223035069699, 0.4171750146166603)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[(1.7036791954136679, 0.0879598994267085), (1.506544711583347, 0.03207168412738511), (1.5668702579703189, -0.18611754898272653)]> : tensor<3xcomplex<f64>>
  return
}

func.func @old_zgeqrf() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<8> : tensor<i32>
  %a4 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:4 = stablehlo.custom_call @lapack_zgeqrf(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<i32>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(-5.6844085004510365, 0.0), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(0.10830125721465714, 0.09766723195831939), (-3.2554076421898155, 0.0), (-0.421260087299248, 1.93993538086325)], [(0.31028198691650705, 0.00979502326211545), (-0.0798156706003935, 0.33859386805049113), (-4.230508053871012, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.3335297359507064, -0.30770325989515973), (0.2909223035069699, 0.4171750146166603)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[(1.7036791954136679, 0.0879598994267085), (1.506544711583347, 0.03207168412738511), (1.5668702579703189, -0.18611754898272653)]> : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @zgeqp3() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[0, 0, 0]> : tensor<3xi32>
  %r:3 = stablehlo.custom_call @lapack_zgeqp3_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<4x3xcomplex<f64>>, tensor<3xi32>) -> (tensor<4x3xcomplex<f64>>, tensor<3xi32>, tensor<3xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(-5.6844085004510365, 0.0), (0.04397994971335395, -1.1874586422605642), (-0.30785964799347965, 1.1434786925472102)], [(0.10830125721465714, 0.09766723195831939), (-4.673115420888287, 0.0), (-0.293460183203188, -1.351406908545006)], [(0.31028198691650705, 0.00979502326211545), (0.5610308102609981, 0.21640189119961237), (2.9470764165930667, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.18604170155922034, 0.19723687258049727), (-0.43116023845576873, 0.46985478439323786)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[1, 3, 2]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<[(1.7036791954136679, 0.0879598994267085), (1.2209823143316294, -0.4591318041962452), (1.4077075528391965, -0.1408725161995517)]> : tensor<3xcomplex<f64>>
  return
}

func.func @zungqr() {
  %a0 = stablehlo.constant dense<[[(-5.6844085004510365, 0.0), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(0.10830125721465714, 0.09766723195831939), (-3.2554076421898155, 0.0), (-0.421260087299248, 1.93993538086325)], [(0.31028198691650705, 0.00979502326211545), (-0.0798156706003935, 0.33859386805049113), (-4.230508053871012, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.3335297359507064, -0.30770325989515973), (0.2909223035069699, 0.4171750146166603)]]> : tensor<4x3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[(1.7036791954136679, 0.0879598994267085), (1.506544711583347, 0.03207168412738511), (1.5668702579703189, -0.18611754898272653)]> : tensor<3xcomplex<f64>>
  %r = stablehlo.custom_call @lapack_zungqr_ffi(%a0, %a1) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[[(-0.7036791954136679, -0.0879598994267085), (-0.2097388022801615, 0.06832850499212065), (0.4303041526565398, -0.3791370456733178)], [(-0.17591979885341696, -0.17591979885341696), (-0.5359331435034156, -0.04515622938609709), (-0.09532354374319482, 0.27904624617831364)], [(-0.527759396560251, -0.043979949713354255), (0.0653577004272458, -0.4884002704654185), (-0.5095139405327587, -0.010095365121478905)], [(0.17591979885341696, -0.35183959770683393), (-0.5074134196806174, 0.4022469380840491), (-0.4672342062633172, -0.32576966680464536)]]> : tensor<4x3xcomplex<f64>>
  return
}

func.func @old_zungqr() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<4> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<3> : tensor<i32>
  %a4 = stablehlo.constant dense<8> : tensor<i32>
  %a5 = stablehlo.constant dense<[[(-5.6844085004510365, 0.0), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(0.10830125721465714, 0.09766723195831939), (-3.2554076421898155, 0.0), (-0.421260087299248, 1.93993538086325)], [(0.31028198691650705, 0.00979502326211545), (-0.0798156706003935, 0.33859386805049113), (-4.230508053871012, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.3335297359507064, -0.30770325989515973), (0.2909223035069699, 0.4171750146166603)]]> : tensor<4x3xcomplex<f64>>
  %a6 = stablehlo.constant dense<[(1.7036791954136679, 0.0879598994267085), (1.506544711583347, 0.03207168412738511), (1.5668702579703189, -0.18611754898272653)]> : tensor<3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zungqr(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<i32>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(-0.7036791954136679, -0.0879598994267085), (-0.2097388022801615, 0.06832850499212065), (0.4303041526565398, -0.3791370456733178)], [(-0.17591979885341696, -0.17591979885341696), (-0.5359331435034156, -0.04515622938609709), (-0.09532354374319482, 0.27904624617831364)], [(-0.527759396560251, -0.043979949713354255), (0.0653577004272458, -0.4884002704654185), (-0.5095139405327587, -0.010095365121478905)], [(0.17591979885341696, -0.35183959770683393), (-0.5074134196806174, 0.4022469380840491), (-0.4672342062633172, -0.32576966680464536)]]> : tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<0> : tensor<i32>
  return
}

func.func @zunmqr() {
  %a0 = stablehlo.constant dense<[[(-5.6844085004510365, 0.0), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(0.10830125721465714, 0.09766723195831939), (-3.2554076421898155, 0.0), (-0.421260087299248, 1.93993538086325)], [(0.31028198691650705, 0.00979502326211545), (-0.0798156706003935, 0.33859386805049113), (-4.230508053871012, 0.0)], [(-0.09235021933015052, 0.2112855018011454), (0.3335297359507064, -0.30770325989515973), (0.2909223035069699, 0.4171750146166603)]]> : tensor<4x3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[(1.7036791954136679, 0.0879598994267085), (1.506544711583347, 0.03207168412738511), (1.5668702579703189, -0.18611754898272653)]> : tensor<3xcomplex<f64>>
  %a2 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r = stablehlo.custom_call @lapack_zunmqr_ffi(%a0, %a1, %a2) {mhlo.backend_config = {left = true, transpose = true}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<4x3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[[(-5.6844085004510365, 5.551115123125783e-17), (-0.30785964799347965, 1.1434786925472102), (0.04397994971335395, -1.1874586422605642)], [(-5.82223833714251e-17, -2.2539613655952173e-16), (-3.2554076421898155, 6.938893903907228e-17), (-0.421260087299248, 1.93993538086325)], [(2.872116874016911e-16, 4.588737902483905e-17), (-4.612973230690107e-17, -2.6190690947254345e-16), (-4.230508053871011, 0.0)], [(8.056114079307586e-17, 2.278939658351389e-16), (-1.423531861070235e-16, 1.0344800644120583e-16), (0.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  return
}

func.func @zheevd() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(0.5, -0.875), (0.25, 1.5), (3.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[0.12288702630700322, 4.092448552156205, 4.784664421536792]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_zheevd() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(0.5, -0.875), (0.25, 1.5), (3.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:6 = stablehlo.custom_call @lapack_zheevd(%a0, %a1, %a2, %a3) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<i32>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#1, dense<[0.12288702630700322, 4.092448552156205, 4.784664421536792]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @zgesdd() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%a0) {mhlo.backend_config = {mode = 65 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[6.12162170813955, 4.792456662566327, 2.6684465143334335]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_zgesdd() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<1> : tensor<i32>
  %a3 = stablehlo.constant dense<4> : tensor<i32>
  %a4 = stablehlo.constant dense<3> : tensor<i32>
  %a5 = stablehlo.constant dense<8> : tensor<i32>
  %a6 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:8 = stablehlo.custom_call @lapack_zgesdd(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#1, dense<[6.12162170813955, 4.792456662566327, 2.6684465143334335]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @zgesvd() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)], [(-1.0, 2.0), (2.0, -1.0), (1.0, 0.0)]]> : tensor<4x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgesvd_ffi(%a0) {mhlo.backend_config = {mode = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<4x3xcomplex<f64>>) -> (tensor<4x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#1, dense<[6.12162170813955, 4.792456662566327, 2.6684465143334335]> : tensor<3xf64>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @zgeev() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:4 = stablehlo.custom_call @lapack_zgeev_ffi(%a0) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[(4.0, 0.5), (2.0, 0.0), (3.0, 1.0)]> : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r#3, dense<0> : tensor<i32>
  return
}

func.func @old_zgeev() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<3> : tensor<i32>
  %a2 = stablehlo.constant dense<78> : tensor<ui8>
  %a3 = stablehlo.constant dense<86> : tensor<ui8>
  %a4 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:6 = stablehlo.custom_call @lapack_zgeev(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<6xf64>, tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#2, dense<[(4.0, 0.5), (2.0, 0.0), (3.0, 1.0)]> : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r#5, dense<0> : tensor<i32>
  return
}

func.func @zgees() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgees_ffi(%a0) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<i32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#2, dense<[(4.0, 0.5), (2.0, 0.0), (3.0, 1.0)]> : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r#3, dense<0> : tensor<i32>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_zgees() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<3> : tensor<i32>
  %a2 = stablehlo.constant dense<86> : tensor<ui8>
  %a3 = stablehlo.constant dense<78> : tensor<ui8>
  %a4 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:6 = stablehlo.custom_call @lapack_zgees(%a0, %a1, %a2, %a3, %a4) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<ui8>, tensor<ui8>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<3xcomplex<f64>>, tensor<3x3xcomplex<f64>>, tensor<i32>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(0.0, 0.0), (2.0, 0.0), (0.5, -2.0)], [(0.0, 0.0), (0.0, 0.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#2, dense<[(4.0, 0.5), (2.0, 0.0), (3.0, 1.0)]> : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r#3, dense<[[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  check.expect_almost_eq_const %r#5, dense<0> : tensor<i32>
  return
}

func.func @zgehrd() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:3 = stablehlo.custom_call @lapack_zgehrd_ffi(%a0) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.3529628504050921, -1.6536212616062236), (1.6743988338287863, 1.622164231469913)], [(-3.3260336739125176, 0.0), (2.2203389830508464, 0.40112994350282527), (0.8485344699908295, 0.41500562582350464)], [(0.6709810460637329, -0.09731340017124565), (2.276354198894944, 0.0), (2.779661016949154, 0.5988700564971752)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[(1.3006584112011315, 0.30065841120113157), (1.0473092989057349, 0.9988802882413128)]> : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @old_zgehrd() {
  %a0 = stablehlo.constant dense<3> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<3> : tensor<i32>
  %a4 = stablehlo.constant dense<1> : tensor<i32>
  %a5 = stablehlo.constant dense<8> : tensor<i32>
  %a6 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0), (-2.0, 2.0)], [(1.0, 1.0), (2.0, 0.0), (0.5, -2.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %r:4 = stablehlo.custom_call @lapack_zgehrd(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i32>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.5), (1.3529628504050921, -1.6536212616062236), (1.6743988338287863, 1.622164231469913)], [(-3.3260336739125176, 0.0), (2.2203389830508464, 0.40112994350282527), (0.8485344699908295, 0.41500562582350464)], [(0.6709810460637329, -0.09731340017124565), (2.276354198894944, 0.0), (2.779661016949154, 0.5988700564971752)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[(1.3006584112011315, 0.30065841120113157), (1.0473092989057349, 0.9988802882413128)]> : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %r#2, dense<0> : tensor<i32>
  return
}

func.func @zhetrd() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(0.5, -0.875), (0.25, 1.5), (3.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zhetrd_ffi(%a0) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<2xf64>, tensor<2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(-1.7365554986812255, 0.0), (0.9067357512953369, 0.0), (0.0, 0.0)], [(0.05810968199433694, -0.34097963021177985), (-0.15494848756785318, 0.0), (4.0932642487046635, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[4.0, 0.9067357512953369, 4.0932642487046635]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[-1.7365554986812255, -0.15494848756785318]> : tensor<2xf64>
  check.expect_almost_eq_const %r#3, dense<[(1.5758526005989555, 0.5758526005989556), (1.8932350327889182, 0.4495900090066284)]> : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @old_zhetrd() {
  %a0 = stablehlo.constant dense<3> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<3> : tensor<i32>
  %a3 = stablehlo.constant dense<1> : tensor<i32>
  %a4 = stablehlo.constant dense<8> : tensor<i32>
  %a5 = stablehlo.constant dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(0.5, -0.875), (0.25, 1.5), (3.0, 0.0)]]> : tensor<3x3xcomplex<f64>>
  %r:6 = stablehlo.custom_call @lapack_zhetrd(%a0, %a1, %a2, %a3, %a4, %a5) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<3x3xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<2xf64>, tensor<2xcomplex<f64>>, tensor<i32>, tensor<8xcomplex<f64>>)
  check.expect_almost_eq_const %r#0, dense<[[(4.0, 0.0), (0.0, 0.0), (0.0, 0.0)], [(-1.7365554986812255, 0.0), (0.9067357512953369, 0.0), (0.0, 0.0)], [(0.05810968199433694, -0.34097963021177985), (-0.15494848756785318, 0.0), (4.0932642487046635, 0.0)]]> : tensor<3x3xcomplex<f64>>
  check.expect_almost_eq_const %r#1, dense<[4.0, 0.9067357512953369, 4.0932642487046635]> : tensor<3xf64>
  check.expect_almost_eq_const %r#2, dense<[-1.7365554986812255, -0.15494848756785318]> : tensor<2xf64>
  check.expect_almost_eq_const %r#3, dense<[(1.5758526005989555, 0.5758526005989556), (1.8932350327889182, 0.4495900090066284)]> : tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @zgtsv() {
  %a0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a2 = stablehlo.constant dense<[(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a3 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0)], [(1.0, 1.0), (2.0, 0.0)], [(3.0, 0.25), (0.0, 1.0)]]> : tensor<3x2xcomplex<f64>>
  %r:5 = stablehlo.custom_call @lapack_zgtsv_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>, tensor<i32>)
  check.expect_almost_eq_const %r#3, dense<[[(1.028301886792453, 0.0778301886792453), (0.15094339622641512, -0.25471698113207547)], [(-0.11320754716981131, 0.18867924528301885), (0.3962264150943396, 0.018867924528301886)], [(0.5377358490566038, -0.021226415094339618), (-0.13207547169811318, 0.16037735849056603)]]> : tensor<3x2xcomplex<f64>>
  check.expect_almost_eq_const %r#4, dense<0> : tensor<i32>
  return
}

func.func @zgtsv_perturbed() {
  %a0 = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a2 = stablehlo.constant dense<[(1.0, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %a3 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0)], [(1.0, 1.0), (2.0, 0.0)], [(3.0, 0.25), (0.0, 1.0)]]> : tensor<3x2xcomplex<f64>>
  %r = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%a0, %a1, %a2, %a3) {mhlo.backend_config = {}, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[[(1.028301886792453, 0.0778301886792453), (0.15094339622641512, -0.25471698113207547)], [(-0.11320754716981131, 0.18867924528301885), (0.3962264150943396, 0.018867924528301886)], [(0.5377358490566038, -0.021226415094339618), (-0.13207547169811318, 0.16037735849056603)]]> : tensor<3x2xcomplex<f64>>
  return
}

func.func @ztrsm() {
  %a0 = stablehlo.constant dense<[[(4.0, 0.5), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %a1 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0)], [(1.0, 1.0), (2.0, 0.0)], [(3.0, 0.25), (0.0, 1.0)]]> : tensor<3x2xcomplex<f64>>
  %a2 = stablehlo.constant dense<(2.0, 0.0)> : tensor<complex<f64>>
  %r = stablehlo.custom_call @lapack_ztrsm_ffi(%a0, %a1, %a2) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[[(0.07884615384615384, -0.5057692307692307), (0.2723076923076924, -0.47846153846153844)], [(0.625, 1.875), (1.7, -0.09999999999999999)], [(1.75, 0.75), (-0.19999999999999998, 0.6)]]> : tensor<3x2xcomplex<f64>>
  return
}

func.func @old_ztrsm() {
  %a0 = stablehlo.constant dense<1> : tensor<i32>
  %a1 = stablehlo.constant dense<1> : tensor<i32>
  %a2 = stablehlo.constant dense<2> : tensor<i32>
  %a3 = stablehlo.constant dense<0> : tensor<i32>
  %a4 = stablehlo.constant dense<3> : tensor<i32>
  %a5 = stablehlo.constant dense<2> : tensor<i32>
  %a6 = stablehlo.constant dense<1> : tensor<i32>
  %a7 = stablehlo.constant dense<(2.0, 0.0)> : tensor<complex<f64>>
  %a8 = stablehlo.constant dense<[[(4.0, 0.5), (0.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0), (0.0, 0.0)], [(3.0, 0.25), (0.0, 1.0), (3.0, 1.0)]]> : tensor<3x3xcomplex<f64>>
  %a9 = stablehlo.constant dense<[[(4.0, 0.5), (1.0, -1.0)], [(1.0, 1.0), (2.0, 0.0)], [(3.0, 0.25), (0.0, 1.0)]]> : tensor<3x2xcomplex<f64>>
  %r = stablehlo.custom_call @blas_ztrsm(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9) {operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<complex<f64>>, tensor<3x3xcomplex<f64>>, tensor<3x2xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_almost_eq_const %r, dense<[[(0.07884615384615384, -0.5057692307692307), (0.2723076923076924, -0.47846153846153844)], [(0.625, 1.875), (1.7, -0.09999999999999999)], [(1.75, 0.75), (-0.19999999999999998, 0.6)]]> : tensor<3x2xcomplex<f64>>
  return
}

func.func @qr() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:2 = stablehlo.custom_call @Qr(%a0) {} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xf64>)
  check.expect_almost_eq_const %r#0, dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  return
}

func.func @reflectors() {
  %a0 = stablehlo.constant dense<[[-5.196152422706632, -0.769800358919501, -0.09622504486493733], [0.10874112933696653, -2.8995529668221973, -0.31933402718306125], [0.32622338801089956, -0.12265512020129615, -3.760155119117267], [-0.10874112933696653, 0.46577484006132414, 0.04195124320491016]]> : tensor<4x3xf64>
  %a1 = stablehlo.constant dense<[1.769800358919501, 1.6233891675554155, 1.9964863700483921]> : tensor<3xf64>
  %r = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a0, %a1) {} : (tensor<4x3xf64>, tensor<3xf64>) -> tensor<4x3xf64>
  check.expect_almost_eq_const %r, dense<[[-0.769800358919501, -0.140506971960547, 0.5635253504581416], [-0.19245008972987526, -0.6386680543661228, -0.07380893363588965], [-0.5773502691896257, 0.15328033304786948, -0.7960820699299527], [0.19245008972987526, -0.7408549430647025, -0.20795374159318114]]> : tensor<4x3xf64>
  return
}

func.func @lu() {
  %a0 = stablehlo.constant dense<[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]]> : tensor<4x3xf64>
  %r:3 = stablehlo.custom_call @LuDecomposition(%a0) {} : (tensor<4x3xf64>) -> (tensor<4x3xf64>, tensor<3xi32>, tensor<4xi32>)
  check.expect_almost_eq_const %r#0, dense<[[4.0, 1.0, -2.0], [-0.25, 2.25, 0.5], [0.75, -0.3333333333333333, 4.666666666666667], [0.25, 0.7777777777777777, 0.13095238095238096]]> : tensor<4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[0, 3, 2]> : tensor<3xi32>
  check.expect_almost_eq_const %r#2, dense<[0, 3, 2, 1]> : tensor<4xi32>
  return
}

func.func @lu_of_a_batch() {
  %a0 = stablehlo.constant dense<[[[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [3.0, 0.0, 3.0], [-1.0, 2.0, 1.0]], [[8.0, 2.0, -4.0], [2.0, 4.0, 1.0], [6.0, 0.0, 6.0], [-2.0, 4.0, 2.0]]]> : tensor<2x4x3xf64>
  %r:3 = stablehlo.custom_call @LuDecomposition(%a0) {} : (tensor<2x4x3xf64>) -> (tensor<2x4x3xf64>, tensor<2x3xi32>, tensor<2x4xi32>)
  check.expect_almost_eq_const %r#0, dense<[[[4.0, 1.0, -2.0], [-0.25, 2.25, 0.5], [0.75, -0.3333333333333333, 4.666666666666667], [0.25, 0.7777777777777777, 0.13095238095238096]], [[8.0, 2.0, -4.0], [-0.25, 4.5, 1.0], [0.75, -0.3333333333333333, 9.333333333333334], [0.25, 0.7777777777777777, 0.13095238095238096]]]> : tensor<2x4x3xf64>
  check.expect_almost_eq_const %r#1, dense<[[0, 3, 2], [0, 3, 2]]> : tensor<2x3xi32>
  check.expect_almost_eq_const %r#2, dense<[[0, 3, 2, 1], [0, 3, 2, 1]]> : tensor<2x4xi32>
  return
}

func.func @eigenvalues() {
  %a0 = stablehlo.constant dense<[[4.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.5, 0.25, 3.0]]> : tensor<3x3xf64>
  %r:2 = stablehlo.custom_call @Eigh(%a0) {backend_config = "1,1,100,1e-6"} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>)
  check.expect_almost_eq_const %r#1, dense<[1.5845835636473289, 2.8077375332220798, 4.607678903130591]> : tensor<3xf64>
  return
}
