func.func @literals() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  %1 = stablehlo.constant dense<[[1.0, -2.5], [0x7F800000, 0xFF800000]]> : tensor<2x2xf32>
  %2 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %3 = stablehlo.constant dense<"0x0100010001000100"> : tensor<8xi1>
  %4 = stablehlo.constant dense<(1.5, -0.25)> : tensor<complex<f32>>
  %5 = stablehlo.constant dense<[(0.0, 1.0), (-1.0, 0.1)]> : tensor<2xcomplex<f64>>
  %6 = stablehlo.constant dense<> : tensor<0x3xf32>
  %7 = stablehlo.constant dense<2> : tensor<2x0x3xi4>
  %8 = stablehlo.constant dense<[-8, 7, 0xF]> : tensor<3xi4>
  %9 = stablehlo.constant dense<[0x7FC0, 1.000980e-01, 9.183550e-41]> : tensor<3xbf16>
  %10 = stablehlo.constant dense<[0x7C00, 6.550400e+04, 5.960460e-08]> : tensor<3xf16>
  %11 = stablehlo.constant dense<[0x7F, 4.480000e+02, -1.953130e-03]> : tensor<3xf8E4M3FN>
  %12 = stablehlo.constant dense<[0x7C, 5.734400e+04]> : tensor<2xf8E5M2>
  %13 = stablehlo.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
  %14 = stablehlo.constant dense<[1.0, 2.0, 0xFF]> : tensor<3xf8E8M0FNU>
  %15 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %16 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %17 = stablehlo.constant dense<4.940660e-324> : tensor<f64>
  %18 = stablehlo.constant dense<"0x0000803F"> : tensor<5xf32>
  %19 = stablehlo.constant dense<[3.1415926535897931, 0x7FF8000000000000]> : tensor<2xf64>
  %20 = stablehlo.constant {note = "kept"} dense<0.707106769> : tensor<4xf32>
  return
}
