#a0 = 1 : i8
#a1 = [#a0, #a0]
!t0 = tensor<2x?xf32, #stablehlo.bounds<?, 3>>
!t1 = tuple<!t0, tensor<i1>>
module attributes {x.a = #a1, x.b = @a::@b, x.c = -1 : i1} {
  func.func @f(%x: !t1) -> !t0 {
    %0 = stablehlo.get_tuple_element %x[0] : (!t1) -> !t0
    return %0 : !t0
  }
}
