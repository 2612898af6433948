// SPDX-License-Identifier: Apache-2.0
// Concatenations and padding of arrays that are read element by element, in runs of many sizes:
// against the same elements found by their numbers.

// Rolled by 3: elements 8997, 8998, 8999, 0, 1, ...
func.func @rolled() {
  %x = stablehlo.iota dim = 0 : tensor<9000xi32>
  %a = stablehlo.slice %x [8997:9000] : (tensor<9000xi32>) -> tensor<3xi32>
  %b = stablehlo.slice %x [0:8997] : (tensor<9000xi32>) -> tensor<8997xi32>
  %y = stablehlo.concatenate %a, %b, dim = 0 : (tensor<3xi32>, tensor<8997xi32>) -> tensor<9000xi32>
  %r = stablehlo.add %y, %x : tensor<9000xi32>
  %three = stablehlo.constant dense<3> : tensor<9000xi32>
  %n = stablehlo.constant dense<9000> : tensor<9000xi32>
  %z = stablehlo.constant dense<0> : tensor<9000xi32>
  %d = stablehlo.subtract %x, %three : tensor<9000xi32>
  %low = stablehlo.compare LT, %d, %z, SIGNED : (tensor<9000xi32>, tensor<9000xi32>) -> tensor<9000xi1>
  %e = stablehlo.add %d, %n : tensor<9000xi32>
  %s = stablehlo.select %low, %e, %d : tensor<9000xi1>, tensor<9000xi32>
  %w = stablehlo.add %s, %x : tensor<9000xi32>
  check.expect_eq %r, %w : tensor<9000xi32>, tensor<9000xi32>
  return
}

// Rolled by one column and one row, and multiplied.
func.func @rolled_columns_and_rows() {
  %x = stablehlo.iota dim = 0 : tensor<9000xi32>
  %m = stablehlo.reshape %x : (tensor<9000xi32>) -> tensor<100x90xi32>
  %a = stablehlo.slice %m [0:100, 89:90] : (tensor<100x90xi32>) -> tensor<100x1xi32>
  %b = stablehlo.slice %m [0:100, 0:89] : (tensor<100x90xi32>) -> tensor<100x89xi32>
  %c = stablehlo.concatenate %a, %b, dim = 1 : (tensor<100x1xi32>, tensor<100x89xi32>) -> tensor<100x90xi32>
  %d = stablehlo.slice %m [1:100, 0:90] : (tensor<100x90xi32>) -> tensor<99x90xi32>
  %e = stablehlo.slice %m [0:1, 0:90] : (tensor<100x90xi32>) -> tensor<1x90xi32>
  %f = stablehlo.concatenate %d, %e, dim = 0 : (tensor<99x90xi32>, tensor<1x90xi32>) -> tensor<100x90xi32>
  %two = stablehlo.constant dense<2> : tensor<100x90xi32>
  %g = stablehlo.multiply %f, %two : tensor<100x90xi32>
  %r = stablehlo.subtract %g, %c : tensor<100x90xi32>
  %i = stablehlo.iota dim = 0 : tensor<100x90xi32>
  %j = stablehlo.iota dim = 1 : tensor<100x90xi32>
  %one = stablehlo.constant dense<1> : tensor<100x90xi32>
  %rows = stablehlo.constant dense<100> : tensor<100x90xi32>
  %columns = stablehlo.constant dense<90> : tensor<100x90xi32>
  %i1 = stablehlo.add %i, %one : tensor<100x90xi32>
  %next = stablehlo.remainder %i1, %rows : tensor<100x90xi32>
  %t0 = stablehlo.multiply %next, %columns : tensor<100x90xi32>
  %t1 = stablehlo.add %t0, %j : tensor<100x90xi32>
  %t2 = stablehlo.multiply %t1, %two : tensor<100x90xi32>
  %j0 = stablehlo.add %j, %columns : tensor<100x90xi32>
  %j1 = stablehlo.subtract %j0, %one : tensor<100x90xi32>
  %before = stablehlo.remainder %j1, %columns : tensor<100x90xi32>
  %t3 = stablehlo.multiply %i, %columns : tensor<100x90xi32>
  %t4 = stablehlo.add %t3, %before : tensor<100x90xi32>
  %w = stablehlo.subtract %t2, %t4 : tensor<100x90xi32>
  check.expect_eq %r, %w : tensor<100x90xi32>, tensor<100x90xi32>
  return
}

// The middle of three dimensions: two parts that two products make, and padding around another.
func.func @halves_swapped() {
  %x = stablehlo.iota dim = 0 : tensor<24000xf32>
  %m = stablehlo.reshape %x : (tensor<24000xf32>) -> tensor<20x30x40xf32>
  %a = stablehlo.slice %m [0:20, 15:30, 0:40] : (tensor<20x30x40xf32>) -> tensor<20x15x40xf32>
  %n = stablehlo.negate %a : tensor<20x15x40xf32>
  %b = stablehlo.slice %m [0:20, 0:15, 0:40] : (tensor<20x30x40xf32>) -> tensor<20x15x40xf32>
  %y = stablehlo.concatenate %n, %b, dim = 1 : (tensor<20x15x40xf32>, tensor<20x15x40xf32>) -> tensor<20x30x40xf32>
  %half = stablehlo.constant dense<5.000000e-01> : tensor<20x30x40xf32>
  %t = stablehlo.multiply %y, %half : tensor<20x30x40xf32>
  %r = stablehlo.add %t, %m : tensor<20x30x40xf32>
  %j = stablehlo.iota dim = 1 : tensor<20x30x40xi32>
  %middle = stablehlo.constant dense<15> : tensor<20x30x40xi32>
  %first = stablehlo.compare LT, %j, %middle, SIGNED : (tensor<20x30x40xi32>, tensor<20x30x40xi32>) -> tensor<20x30x40xi1>
  %far = stablehlo.constant dense<6.000000e+02> : tensor<20x30x40xf32>
  %up = stablehlo.add %m, %far : tensor<20x30x40xf32>
  %low = stablehlo.negate %up : tensor<20x30x40xf32>
  %down = stablehlo.subtract %m, %far : tensor<20x30x40xf32>
  %s = stablehlo.select %first, %low, %down : tensor<20x30x40xi1>, tensor<20x30x40xf32>
  %u = stablehlo.multiply %s, %half : tensor<20x30x40xf32>
  %w = stablehlo.add %u, %m : tensor<20x30x40xf32>
  check.expect_eq %r, %w : tensor<20x30x40xf32>, tensor<20x30x40xf32>
  return
}

func.func @padded() {
  %x = stablehlo.iota dim = 1 : tensor<150x120xi32>
  %value = stablehlo.constant dense<-7> : tensor<i32>
  %y = stablehlo.pad %x, %value, low = [2, 3], high = [1, 5], interior = [0, 0] : (tensor<150x120xi32>, tensor<i32>) -> tensor<153x128xi32>
  %two = stablehlo.constant dense<2> : tensor<153x128xi32>
  %r = stablehlo.multiply %y, %two : tensor<153x128xi32>
  %i = stablehlo.iota dim = 0 : tensor<153x128xi32>
  %j = stablehlo.iota dim = 1 : tensor<153x128xi32>
  %three = stablehlo.constant dense<3> : tensor<153x128xi32>
  %rows = stablehlo.constant dense<152> : tensor<153x128xi32>
  %columns = stablehlo.constant dense<123> : tensor<153x128xi32>
  %a = stablehlo.compare GE, %i, %two, SIGNED : (tensor<153x128xi32>, tensor<153x128xi32>) -> tensor<153x128xi1>
  %b = stablehlo.compare LT, %i, %rows, SIGNED : (tensor<153x128xi32>, tensor<153x128xi32>) -> tensor<153x128xi1>
  %c = stablehlo.compare GE, %j, %three, SIGNED : (tensor<153x128xi32>, tensor<153x128xi32>) -> tensor<153x128xi1>
  %d = stablehlo.compare LT, %j, %columns, SIGNED : (tensor<153x128xi32>, tensor<153x128xi32>) -> tensor<153x128xi1>
  %e = stablehlo.and %a, %b : tensor<153x128xi1>
  %f = stablehlo.and %c, %d : tensor<153x128xi1>
  %g = stablehlo.and %e, %f : tensor<153x128xi1>
  %k = stablehlo.subtract %j, %three : tensor<153x128xi32>
  %all = stablehlo.broadcast_in_dim %value, dims = [] : (tensor<i32>) -> tensor<153x128xi32>
  %s = stablehlo.select %g, %k, %all : tensor<153x128xi1>, tensor<153x128xi32>
  %w = stablehlo.multiply %s, %two : tensor<153x128xi32>
  check.expect_eq %r, %w : tensor<153x128xi32>, tensor<153x128xi32>
  return
}

// One value around a small array of bytes: the whole is filled first, and the array laid over it.
// Three rounds of a loop, which carries the array.
func.func @padded_in_a_loop() {
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %x0 = stablehlo.constant dense<1> : tensor<64x1024xui8>
  %0:2 = stablehlo.while(%i = %i0, %x = %x0) : tensor<i32>, tensor<64x1024xui8>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.constant dense<0> : tensor<ui8>
    %3 = stablehlo.slice %x [0:64, 0:1023] : (tensor<64x1024xui8>) -> tensor<64x1023xui8>
    %4 = stablehlo.pad %3, %z, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<64x1023xui8>, tensor<ui8>) -> tensor<64x1024xui8>
    %5 = stablehlo.add %4, %x : tensor<64x1024xui8>
    stablehlo.return %2, %5 : tensor<i32>, tensor<64x1024xui8>
  }
  // Columns 0, 1, 2 and all from 3 on: 1, 4, 7, 8.
  %j = stablehlo.iota dim = 1 : tensor<64x1024xi32>
  %c1 = stablehlo.constant dense<1> : tensor<64x1024xi32>
  %c3 = stablehlo.constant dense<3> : tensor<64x1024xi32>
  %c8 = stablehlo.constant dense<8> : tensor<64x1024xi32>
  %t = stablehlo.multiply %j, %c3 : tensor<64x1024xi32>
  %u = stablehlo.add %t, %c1 : tensor<64x1024xi32>
  %m = stablehlo.minimum %u, %c8 : tensor<64x1024xi32>
  %w = stablehlo.convert %m : (tensor<64x1024xi32>) -> tensor<64x1024xui8>
  check.expect_eq %0#1, %w : tensor<64x1024xui8>, tensor<64x1024xui8>
  return
}

// Reversed and strided parts are copies of their own.
func.func @reversed_and_strided() {
  %x = stablehlo.iota dim = 0 : tensor<5000xi32>
  %a = stablehlo.reverse %x, dims = [0] : tensor<5000xi32>
  %b = stablehlo.slice %x [1:5000:2] : (tensor<5000xi32>) -> tensor<2500xi32>
  %y = stablehlo.concatenate %b, %a, %b, dim = 0 : (tensor<2500xi32>, tensor<5000xi32>, tensor<2500xi32>) -> tensor<10000xi32>
  %one = stablehlo.constant dense<1> : tensor<10000xi32>
  %r = stablehlo.add %y, %one : tensor<10000xi32>
  %k = stablehlo.iota dim = 0 : tensor<10000xi32>
  %two = stablehlo.constant dense<2> : tensor<10000xi32>
  %d = stablehlo.multiply %k, %two : tensor<10000xi32>
  %e = stablehlo.add %d, %two : tensor<10000xi32>
  %c7500 = stablehlo.constant dense<7500> : tensor<10000xi32>
  %c2500 = stablehlo.constant dense<2500> : tensor<10000xi32>
  %c15000 = stablehlo.constant dense<15000> : tensor<10000xi32>
  %f = stablehlo.subtract %c7500, %k : tensor<10000xi32>
  %g = stablehlo.subtract %e, %c15000 : tensor<10000xi32>
  %first = stablehlo.compare LT, %k, %c2500, SIGNED : (tensor<10000xi32>, tensor<10000xi32>) -> tensor<10000xi1>
  %last = stablehlo.compare GE, %k, %c7500, SIGNED : (tensor<10000xi32>, tensor<10000xi32>) -> tensor<10000xi1>
  %s = stablehlo.select %last, %g, %f : tensor<10000xi1>, tensor<10000xi32>
  %w = stablehlo.select %first, %e, %s : tensor<10000xi1>, tensor<10000xi32>
  check.expect_eq %r, %w : tensor<10000xi32>, tensor<10000xi32>
  return
}

// Slices of several pieces are made of these: shifted rows, with steps in the other dimension, and
// of three pieces of which two are cut.
func.func @slices_of_pieces() {
  %x = stablehlo.iota dim = 0 : tensor<12xi32>
  %a = stablehlo.reshape %x : (tensor<12xi32>) -> tensor<3x4xi32>
  %z = stablehlo.constant dense<-1> : tensor<i32>
  %p = stablehlo.pad %a, %z, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x7xi32>
  %q = stablehlo.slice %p [0:3, 0:4] : (tensor<3x7xi32>) -> tensor<3x4xi32>
  %r = stablehlo.slice %p [0:3:2, 3:7] : (tensor<3x7xi32>) -> tensor<2x4xi32>
  %s = stablehlo.slice %p [1:3, 0:7:2] : (tensor<3x7xi32>) -> tensor<2x4xi32>
  %t = stablehlo.slice %p [1:3, 1:3] : (tensor<3x7xi32>) -> tensor<2x2xi32>
  %n = stablehlo.negate %a : tensor<3x4xi32>
  %j = stablehlo.concatenate %a, %n, %p, dim = 1 : (tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x7xi32>) -> tensor<3x15xi32>
  %u = stablehlo.slice %j [0:2, 3:10] : (tensor<3x15xi32>) -> tensor<2x7xi32>
  %v = stablehlo.slice %u [0:2, 0:6] : (tensor<2x7xi32>) -> tensor<2x6xi32>
  check.expect_eq_const %q, dense<[[-1, 0, 1, 2], [-1, 4, 5, 6], [-1, 8, 9, 10]]> : tensor<3x4xi32>
  check.expect_eq_const %r, dense<[[2, 3, -1, -1], [10, 11, -1, -1]]> : tensor<2x4xi32>
  check.expect_eq_const %s, dense<[[-1, 5, 7, -1], [-1, 9, 11, -1]]> : tensor<2x4xi32>
  check.expect_eq_const %t, dense<[[4, 5], [8, 9]]> : tensor<2x2xi32>
  check.expect_eq_const %u, dense<[[3, 0, -1, -2, -3, -1, 0], [7, -4, -5, -6, -7, -1, 4]]> : tensor<2x7xi32>
  check.expect_eq_const %v, dense<[[3, 0, -1, -2, -3, -1], [7, -4, -5, -6, -7, -1]]> : tensor<2x6xi32>
  return
}

// Padding of two dimensions, between elements, and below zero is read from the padded array.
func.func @slices_of_other_padding() {
  %a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %z = stablehlo.constant dense<9> : tensor<i32>
  %p = stablehlo.pad %a, %z, low = [1, 1], high = [0, 0], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x4xi32>
  %q = stablehlo.pad %a, %z, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x6xi32>
  %r = stablehlo.pad %a, %z, low = [0, 2], high = [0, -1], interior = [0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x4xi32>
  %s = stablehlo.slice %p [0:3, 0:2] : (tensor<3x4xi32>) -> tensor<3x2xi32>
  %t = stablehlo.slice %q [0:2, 0:4] : (tensor<2x6xi32>) -> tensor<2x4xi32>
  %u = stablehlo.slice %r [0:2, 1:4] : (tensor<2x4xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %s, dense<[[9, 9], [9, 1], [9, 4]]> : tensor<3x2xi32>
  check.expect_eq_const %t, dense<[[9, 1, 9, 2], [9, 4, 9, 5]]> : tensor<2x4xi32>
  check.expect_eq_const %u, dense<[[9, 1, 2], [9, 4, 5]]> : tensor<2x3xi32>
  return
}
