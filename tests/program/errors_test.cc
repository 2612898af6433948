// SPDX-License-Identifier: Apache-2.0
// Every error text of the reader, whole: tests/golden/program/errors/*.txt.
#include <gtest/gtest.h>

#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

// One operation on common arguments.
ErrorCase op(const char* name, const std::string& line) {
  return {name,
          "func.func @main(%x: tensor<4x6xf32>, %y: tensor<6x8xf32>, %s: tensor<f32>, "
          "%i: tensor<i32>, %p: tensor<4x6xi1>) {\n  " +
              line + "\n  return\n}\n"};
}

std::string nested(std::size_t depth, const std::string& open) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  return text;
}

// Over 40 lines: a row per case.
TEST(ReaderErrors, OfText) {
  expect_errors(
      "text.txt",
      {
          {"truncated file",
           "module @jit {\n  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"},
          {"truncated operation", "func.func @main() {\n  %0 = stablehlo.add"},
          {"no module", "hello"},
          {"unclosed string", "module attributes {a = \"text} {}\n"},
          {"strange byte", "func.func @main() { \x01 }\n"},
          {"two modules", "module {}\nmodule {}\n"},
          {"module in module", "module { module {} }\n"},
          {"function twice", "func.func @f() { return }\nfunc.func @f() { return }\n"},
          {"mesh twice", "sdy.mesh @m = <[\"x\"=2]>\nsdy.mesh @m = <[\"x\"=2]>\n"},
          {"bad axis", "sdy.mesh @m = <[\"x\"=0]>\n"},
          {"no body", "func.func @f() {}\n"},
          {"call of a declaration",
           "func.func private @g()\nfunc.func @f() { call @g() : () -> () return }\n"},
          {"declared twice", "func.func private @g()\nfunc.func private @g()\n"},
          {"visibility", "func.func hidden @f() { return }\n"},
          op("unknown operation", "%0 = stablehlo.subtrac %x, %x : tensor<4x6xf32>"),
          op("unknown generic operation", "%0 = \"stablehlo.bad\"(%x) : (tensor<4x6xf32>) -> f32"),
          op("unknown quoted operation",
             "%0 = \"stablehlo.add_\"(%x) : (tensor<4x6xf32>) -> tensor<f32>"),
          op("no short form", "%0 = stablehlo.gather %x, %y : tensor<4x6xf32>"),
          op("undefined value", "%0 = stablehlo.negate %z : tensor<4x6xf32>"),
          op("undefined result", "%0 = stablehlo.negate %x#1 : tensor<4x6xf32>"),
          op("defined twice", "%x = stablehlo.negate %y : tensor<6x8xf32>"),
          op("number of results", "%0:2 = stablehlo.negate %x : tensor<4x6xf32>"),
          op("huge number of results", "%0:4000000000 = stablehlo.negate %x : tensor<4x6xf32>"),
          op("wrong operand type", "%0 = stablehlo.add %x, %y : tensor<4x6xf32>"),
          op("number of operand types",
             "%0 = stablehlo.tanh %x : (tensor<f32>, tensor<f32>) -> tensor<f32>"),
          op("unknown element type", "%0 = stablehlo.tanh %x : tensor<4xsi32>"),
          op("dimension overflow",
             "%0 = stablehlo.iota dim = 0 : tensor<99999999999999999999xf32>"),
          op("dimension list", "%0 = stablehlo.iota dim = 0 : tensor<4*6xf32>"),
          op("type alias", "%0 = stablehlo.iota dim = 0 : !nowhere"),
          op("attribute alias", "%0 = stablehlo.negate %x {a = #nowhere} : tensor<4x6xf32>"),
          op("attribute twice", "%0 = stablehlo.negate %x {a, a} : tensor<4x6xf32>"),
          op("second block",
             "\"stablehlo.case\"(%i) ({\n  ^bb0:\n  ^bb1:\n}) : (tensor<i32>) -> ()"),
          op("missing comma", "%0 = stablehlo.add %x %x : tensor<4x6xf32>"),
          op("dimensions missing",
             "%0 = stablehlo.transpose %x : (tensor<4x6xf32>) -> tensor<6x4xf32>"),
          op("reduce format", "%0 = stablehlo.reduce_precision %x, format = f32 : tensor<4x6xf32>"),
          op("dot part", "%0 = stablehlo.dot_general %x, %y, contract = [1] x [0] : () -> ()"),
          op("convolution list",
             "%0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0]x[i, o]->[b, f], window = {} "
             ": () -> ()"),
      });
}

TEST(ReaderErrors, OfLiterals) {
  expect_errors(
      "literals.txt",
      {
          op("too few", "%0 = stablehlo.constant dense<[1.0]> : tensor<2xf32>"),
          op("too many", "%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<1xf32>"),
          op("too deep", "%0 = stablehlo.constant dense<[[1.0]]> : tensor<1xf32>"),
          op("too flat", "%0 = stablehlo.constant dense<[1.0]> : tensor<1x1xf32>"),
          op("empty", "%0 = stablehlo.constant dense<> : tensor<1xf32>"),
          op("integer for float", "%0 = stablehlo.constant dense<1> : tensor<1xf32>"),
          op("float for integer", "%0 = stablehlo.constant dense<1.0> : tensor<1xi32>"),
          op("out of range", "%0 = stablehlo.constant dense<256> : tensor<1xui8>"),
          op("negative", "%0 = stablehlo.constant dense<-1> : tensor<1xui8>"),
          op("wide bits", "%0 = stablehlo.constant dense<0x1FFFF> : tensor<1xbf16>"),
          op("bool", "%0 = stablehlo.constant dense<maybe> : tensor<1xi1>"),
          op("hex digits", "%0 = stablehlo.constant dense<\"0x00G0\"> : tensor<2xi8>"),
          op("hex length", "%0 = stablehlo.constant dense<\"0x000000\"> : tensor<2xi8>"),
          op("hex prefix", "%0 = stablehlo.constant dense<\"0000\"> : tensor<2xi8>"),
          op("hostile size",
             "%0 = stablehlo.constant dense<\"0x0000\"> : "
             "tensor<4294967296x4294967296x4294967296xf32>"),
          op("large size", "%0 = stablehlo.constant dense<[0]> : tensor<1000000000000xi8>"),
          op("dynamic", "%0 = stablehlo.constant dense<0> : tensor<?xi8>"),
          op("elided", "%0 = stablehlo.constant dense_resource<__elided__> : tensor<2xi8>"),
          op("no resource", "%0 = stablehlo.constant dense_resource<blob> : tensor<2xi8>"),
          op("number overflow",
             "%0 = stablehlo.tanh %x {a = 99999999999999999999} : tensor<4x6xf32>"),
          op("number of another width", "%0 = stablehlo.tanh %x {a = 300 : i8} : tensor<4x6xf32>"),
          op("negative number", "%0 = stablehlo.tanh %x {a = -129 : i8} : tensor<4x6xf32>"),
          op("number of no sign", "%0 = stablehlo.tanh %x {a = -1 : ui8} : tensor<4x6xf32>"),
          op("wide bool", "%0 = stablehlo.constant dense<2> : tensor<1xi1>"),
          op("bounds", "%0 = stablehlo.tanh %x : tensor<?x?xf32, #stablehlo.bounds<4>>"),
          op("no bounds", "%0 = stablehlo.tanh %x : tensor<?xf32, #stablehlo.bounds>"),
          op("no point", "%0 = stablehlo.tanh %x {a = 1 : f32} : tensor<4x6xf32>"),
          {"deep lists", "module attributes {a = " + nested(300, "[") + "} {}"},
          {"deep dictionaries", "module attributes {a = " + nested(300, "{a = ") + "} {}"},
          {"deep tuples", "func.func @f(%x: " + nested(300, "tuple<") + ") { return }"},
          {"deep text", "module attributes {a = #x.y<" + nested(300, "<") + "} {}"},
      });
}

// Whatever is cut off or struck out, the reader answers with a module or an input error.
TEST(ReaderErrors, AreTheOnlyAnswerToDamagedText) {
  for (const auto& path : mlir_files(repository() / "tests/program/forms")) {
    const std::string text(Source::read(path.string())->text());
    for (std::size_t at = 0; at < text.size(); at += 97) {
      for (const std::string& damaged :
           {text.substr(0, at), text.substr(0, at) + text.substr(std::min(at + 5, text.size()))}) {
        try {
          verify(*parsed(damaged));
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input) << error.text();
        }
      }
    }
  }
}

TEST(ReaderErrors, DeepRegionsAreAnErrorNotAnOverflow) {
  const std::string text = "func.func @f() {\n" + nested(300, "\"test.op\"() ({\n");
  EXPECT_NE(error_of(text).find("nested more than 256 levels deep"), std::string::npos);
}

TEST(ReaderErrors, OfElementwiseOperations) {
  expect_errors(
      "elementwise.txt",
      {
          op("result type",
             "%0 = \"stablehlo.add\"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> "
             "tensor<4xf32>"),
          op("operand types",
             "%0 = \"stablehlo.add\"(%x, %s) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>"),
          op("operand count", "%0 = \"stablehlo.add\"(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("region count",
             "%0 = \"stablehlo.tanh\"(%x) ({\n}) : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("compare result",
             "%0 = stablehlo.compare LT, %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> "
             "tensor<4x6xf32>"),
          op("compare direction",
             "%0 = stablehlo.compare XX, %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> "
             "tensor<4x6xi1>"),
          op("compare missing",
             "%0 = \"stablehlo.compare\"(%x, %x) : (tensor<4x6xf32>, tensor<4x6xf32>) -> "
             "tensor<4x6xi1>"),
          op("select condition",
             "%0 = stablehlo.select %x, %x, %x : tensor<4x6xf32>, tensor<4x6xf32>"),
          op("clamp bound",
             "%0 = stablehlo.clamp %i, %x, %i : (tensor<i32>, tensor<4x6xf32>, tensor<i32>) -> "
             "tensor<4x6xf32>"),
          op("convert shape", "%0 = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<6x4xi32>"),
          op("iota dimension", "%0 = stablehlo.iota dim = 2 : tensor<4x6xi32>"),
          op("partition id", "%0 = stablehlo.partition_id : tensor<i32>"),
          op("complex of integers",
             "%0 = stablehlo.complex %i, %i : (tensor<i32>, tensor<i32>) -> tensor<complex<f32>>"),
          op("tuple index",
             "%0 = stablehlo.tuple %x : tuple<tensor<4x6xf32>>\n  %1 = stablehlo.get_tuple_element "
             "%0[1] : (tuple<tensor<4x6xf32>>) -> tensor<f32>"),
      });
}

// Over 40 lines: a row per case.
TEST(ReaderErrors, OfDataMovement) {
  expect_errors(
      "movement.txt",
      {
          op("reshape", "%0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<23xf32>"),
          op("reshape overflow",
             "%0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<4294967296x4294967296xf32>"),
          op("transpose count",
             "%0 = stablehlo.transpose %x, dims = [0] : (tensor<4x6xf32>) -> tensor<6x4xf32>"),
          op("transpose twice",
             "%0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>"),
          op("transpose result",
             "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("broadcast",
             "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<4x6xf32>) -> "
             "tensor<4x7xf32>"),
          op("broadcast range",
             "%0 = stablehlo.broadcast_in_dim %x, dims = [0, 9] : (tensor<4x6xf32>) -> "
             "tensor<4x6xf32>"),
          op("concatenate",
             "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<6x8xf32>) -> "
             "tensor<10x6xf32>"),
          op("slice range",
             "%0 = stablehlo.slice %x [0:5, 0:6] : (tensor<4x6xf32>) -> tensor<5x6xf32>"),
          op("slice stride",
             "%0 = stablehlo.slice %x [0:4:0, 0:6] : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("dynamic slice",
             "%0 = stablehlo.dynamic_slice %x, %i, sizes = [2, 2] : (tensor<4x6xf32>, tensor<i32>) "
             "-> tensor<2x2xf32>"),
          op("dynamic start",
             "%0 = stablehlo.dynamic_slice %x, %i, %s, sizes = [2, 2] : (tensor<4x6xf32>, "
             "tensor<i32>, tensor<f32>) -> tensor<2x2xf32>"),
          op("update",
             "%0 = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<4x6xf32>, "
             "tensor<6x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>"),
          op("pad",
             "%0 = stablehlo.pad %x, %s, low = [0, 0], high = [0, -9], interior = [0, 0] : "
             "(tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>"),
          op("pad overflow",
             "%0 = stablehlo.pad %x, %s, low = [0, 0], high = [0, 0], interior = [0, "
             "9223372036854775807] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>"),
          op("reverse", "%0 = stablehlo.reverse %x, dims = [2] : tensor<4x6xf32>"),
          op("gather",
             "%0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = "
             "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = "
             "[0]>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<i32>) -> "
             "tensor<5xf32>"),
          op("dot sizes",
             "%0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4x6xf32>, "
             "tensor<6x8xf32>) -> tensor<6x8xf32>"),
          op("dot pairs",
             "%0 = stablehlo.dot_general %x, %y, contracting_dims = [0, 1] x [0] : "
             "(tensor<4x6xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>"),
          op("dot result",
             "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x6xf32>, "
             "tensor<6x8xf32>) -> tensor<8x4xf32>"),
      });
}

// Over 40 lines: a row per case.
TEST(ReaderErrors, OfRegionsAndCalls) {
  expect_errors(
      "regions.txt",
      {
          op("reduce result",
             "%0 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : "
             "(tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>"),
          op("reduce init",
             "%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [1] : "
             "(tensor<4x6xf32>, tensor<i32>) -> tensor<4xf32>"),
          op("no terminator",
             "%0 = \"stablehlo.case\"(%i) ({\n  %1 = stablehlo.negate %x : tensor<4x6xf32>\n}) : "
             "(tensor<i32>) -> tensor<4x6xf32>"),
          op("empty region", "\"stablehlo.case\"(%i) ({\n}) : (tensor<i32>) -> ()"),
          op("branch result",
             "%0 = \"stablehlo.case\"(%i) ({\n  stablehlo.return %s : tensor<f32>\n}) : "
             "(tensor<i32>) -> tensor<4x6xf32>"),
          op("while condition",
             "%0 = stablehlo.while(%a = %i) : tensor<i32> cond {\n  stablehlo.return %a : "
             "tensor<i32>\n} do {\n  stablehlo.return %a : tensor<i32>\n}"),
          op("no such function", "%0 = call @f(%x) : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("call itself wrongly", "call @main(%x) : (tensor<4x6xf32>) -> ()"),
          {"return type",
           "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : "
           "tensor<2xf32>\n}\n"},
          {"return count",
           "func.func @main(%x: tensor<2xf32>) {\n  return %x : tensor<2xf32>\n}\n"},
          {"return in the middle", "func.func @main() {\n  return\n  return\n}\n"},
          op("groups twice",
             "%0 = \"stablehlo.collective_broadcast\"(%x) <{replica_groups = dense<[[0, 0]]> : "
             "tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("gather dimension",
             "%0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 0 : i64, replica_groups = "
             "dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("permute twice",
             "%0 = \"stablehlo.collective_permute\"(%x) <{source_target_pairs = dense<[[0, 1], [0, "
             "2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("split count",
             "%0 = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 0 : i64, split_dimension = 1 "
             ": i64, split_count = 4 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : "
             "(tensor<4x6xf32>) -> tensor<4x6xf32>"),
          op("no mesh",
             "%0 = sdy.manual_computation(%x) in_shardings=[<@m, [{}, {}]>] out_shardings=[<@m, "
             "[{}, {}]>] manual_axes={\"x\"} (%a: tensor<4x6xf32>) {\n  sdy.return %a : "
             "tensor<4x6xf32>\n} : (tensor<4x6xf32>) -> tensor<4x6xf32>"),
          {"local shape",
           "sdy.mesh @m = <[\"x\"=2]>\nfunc.func @main(%x: tensor<4xf32>) {\n  %0 = "
           "sdy.manual_computation(%x) in_shardings=[<@m, [{\"x\"}]>] out_shardings=[<@m, [{}]>] "
           "manual_axes={\"x\"} (%a: tensor<4xf32>) {\n    sdy.return %a : tensor<4xf32>\n  } : "
           "(tensor<4xf32>) -> tensor<4xf32>\n  return\n}\n"},
          {"isolated",
           "sdy.mesh @m = <[\"x\"=2]>\nfunc.func @main(%x: tensor<4xf32>) {\n  %0 = "
           "sdy.manual_computation(%x) in_shardings=[<@m, [{}]>] out_shardings=[<@m, [{}]>] "
           "manual_axes={\"x\"} (%a: tensor<4xf32>) {\n    sdy.return %x : tensor<4xf32>\n  } : "
           "(tensor<4xf32>) -> tensor<4xf32>\n  return\n}\n"},
      });
}

}  // namespace
}  // namespace understudy::program
