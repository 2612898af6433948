// Every form of quantized types. The operations mean nothing.
!weights = !quant.uniform<i8<-127:127>:f32:1, {1.0e-1:5, 0.2, 3.0:-127}>
!tensor = tensor<2x3x!weights>
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<!quant.uniform<u8:f32, 0.0039215686274509803:128>>, %c: !tensor, %d: tensor<?x!quant.uniform<ui4 : bf16 , 2 : 1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:0>> {
  %0 = "test.op"(%a, %c) {element = !quant.uniform<i4<-7:7>:f16, 1.5e-3:-7>} : (tensor<4x!quant.uniform<i8<-128:127>:f32, 5.0e-1>>, tensor<2x3x!quant.uniform<i8<-127:127>:f32:1, {0.1:5, 0.2:0, 3.0:-127}>>) -> tensor<1x1x!quant.uniform<i32:f64:0, {4.2e-08}>>
  %1 = "test.op"(%b) : (tensor<!quant.uniform<ui8:f32, 0.0039215686274509803:128>>) -> tuple<tensor<2x!quant.uniform<i16<-9:9>:bf16, 1.0>>>
  %2 = "test.op"(%d) : (tensor<?x!quant.uniform<u4:bf16, 2.0:1>>) -> tensor<2x!quant.uniform<i8:f32:{0:1}, {{0.1}, {0.2}}>>
  %3 = "test.op"() : () -> tensor<2x!quant.calibrated<f32<-0.998:1.232>>>
  return %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
