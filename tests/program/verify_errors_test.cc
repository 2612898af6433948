// SPDX-License-Identifier: Apache-2.0
// The error texts of the type rules, at least one for each rule and each check of the signatures:
// tests/golden/program/errors/verify_*.txt. tests/program/judge/compare_verifiers.py shows that the
// rules are those of jaxlib. Here: signatures, movement, reductions, linear algebra.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/program/verify_testing.h"

namespace understudy::program {
namespace {

// Over 40 lines: a row per case.
TEST(VerifyErrors, OfSignatures) {
  expect_errors(
      "verify_signatures.txt",
      {
          on("family", "stablehlo.tanh", {"tensor<2xi32>"}, "", {"tensor<2xi32>"}),
          on("unsigned", "stablehlo.abs", {"tensor<2xui8>"}, "", {"tensor<2xui8>"}),
          on("token", "stablehlo.negate", {"!stablehlo.token"}, "", {"!stablehlo.token"}),
          on("tensor for a token", "stablehlo.after_all", {kF}, "", {"!stablehlo.token"}),
          on("not a scalar", "stablehlo.pad", {kF, kF},
             "edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, "
             "interior_padding = array<i64: 0, 0>",
             {kF}),
          on("element types", "stablehlo.add", {"tensor<?xf32>", "tensor<?xf64>"}, "",
             {"tensor<?xf32>"}),
          on("dimensions", "stablehlo.transpose", {"tensor<?xf32>"}, "permutation = array<i64: 0>",
             {"tensor<?x?xf32>"}),
          on("open shapes", "stablehlo.add", {"tensor<?x3xf32>", "tensor<2x4xf32>"}, "",
             {"tensor<2x4xf32>"}),
          on("open result", "stablehlo.iota", {}, "iota_dimension = 0 : i64", {"tensor<?xf32>"}),
          on("missing", "stablehlo.concatenate", {kF}, "", {kF}),
          on("number", "stablehlo.concatenate", {kF}, "dimension = 0 : i32", {kF}),
          on("negative", "stablehlo.concatenate", {kF}, "dimension = -1 : i64", {kF}),
          on("positive", "stablehlo.reduce_precision", {kF},
             "exponent_bits = 0 : i32, mantissa_bits = 3 : i32", {kF}),
          on("list", "stablehlo.reverse", {kF}, "dimensions = [0]", {kF}),
          on("word", "stablehlo.fft", {kF},
             "fft_type = #stablehlo<fft_type ZFFT>, fft_length = "
             "array<i64: 6>",
             {kF}),
          on("flag", "stablehlo.cholesky", {"tensor<2x2xf32>"}, "lower = 1 : i32",
             {"tensor<2x2xf32>"}),
          on("structure", "stablehlo.gather", {kF, kI},
             "dimension_numbers = \"x\", slice_sizes = "
             "array<i64: 1, 6>",
             {kF}),
          on("precision", "stablehlo.dot", {kF, "tensor<6xf32>"},
             "precision_config = [#stablehlo<precision LOW>]", {"tensor<4xf32>"}),
          on("text", "stablehlo.custom_call", {}, "call_target_name = 3 : i64", {}),
          on("symbol", "func.call", {}, "callee = @a::@b", {}),
          on("unit", "stablehlo.all_reduce", {kF},
             "replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids = true", {kF},
             adder(kS)),
          on("groups", "stablehlo.all_reduce", {kF}, "replica_groups = dense<0> : tensor<1x1xi32>",
             {kF}, adder(kS)),
          on("accuracy", "stablehlo.log", {kF},
             "result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = "
             "#stablehlo.result_accuracy_mode<TOLERANCE>>",
             {kF}),
          on("operands of a run", "stablehlo.outfeed", {}, "", {"!stablehlo.token"}),
          on("operands", "stablehlo.add", {kF, kF, kF}, "", {kF}),
      });
}

// Over 40 lines: a row per case.
TEST(VerifyErrors, OfMovementAndIndexing) {
  const std::string scatter =
      "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
      "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>";
  const auto gather = [](const std::string& rest) {
    return "dimension_numbers = #stablehlo.gather<" + rest + ", index_vector_dim = 1>, ";
  };
  expect_errors(
      "verify_movement.txt",
      {
          on("constant", "stablehlo.constant", {}, "value = dense<1.0> : tensor<2xf32>",
             {"tensor<3xf32>"}),
          on("constant of a list", "stablehlo.constant", {}, "value = array<i64: 1>",
             {"tensor<1xi64>"}),
          on("barrier", "stablehlo.optimization_barrier", {kF}, "", {kS}),
          on("real part", "stablehlo.real", {"tensor<2xcomplex<f64>>"}, "", {"tensor<2xf32>"}),
          on("tuple", "stablehlo.tuple", {kF}, "", {"tuple<tensor<f32>>"}),
          on("stride at the end of 63 bits", "stablehlo.slice", {"tensor<9xf32>"},
             "start_indices = array<i64: 1>, limit_indices = array<i64: 9>, strides = array<i64: "
             "9223372036854775807>",
             {"tensor<2xf32>"}),
          on("concatenated sizes", "stablehlo.concatenate",
             {"tensor<9223372036854775807xi1>", "tensor<9223372036854775807xi1>"},
             "dimension = 0 : i64", {"tensor<2xi1>"}),
          on("broadcast", "stablehlo.broadcast", {kF}, "broadcast_sizes = array<i64: 2>", {kF}),
          on("bits", "stablehlo.bitcast_convert", {"tensor<3xi8>"}, "", {"tensor<i32>"}),
          on("complex bits", "stablehlo.bitcast_convert", {"tensor<2xcomplex<f32>>"}, "",
             {"tensor<2xi64>"}),
          on("condition", "stablehlo.select", {"tensor<4xi1>", kF, kF}, "", {kF}),
          on("order of complex numbers", "stablehlo.compare",
             {"tensor<2xcomplex<f32>>", "tensor<2xcomplex<f32>>"},
             "comparison_direction = #stablehlo<comparison_direction LT>", {"tensor<2xi1>"}),
          on("complex parts", "stablehlo.complex", {"tensor<2xf64>", "tensor<2xf64>"}, "",
             {"tensor<2xcomplex<f32>>"}),
          on("bounds of clamp", "stablehlo.clamp", {"tensor<4xf32>", kF, kS}, "", {kF}),
          on("rising", "stablehlo.gather", {kF, "tensor<2x2xi32>"},
             gather("collapsed_slice_dims = [1, 0], start_index_map = [0, 1]") +
                 "slice_sizes = array<i64: 1, 1>",
             {"tensor<2xf32>"}),
          on("twice", "stablehlo.gather", {kF, "tensor<4x1xi32>"},
             gather("offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [0], "
                    "start_indices_batching_dims = [0], start_index_map = [1]") +
                 "slice_sizes = array<i64: 1, 1>",
             {"tensor<4x1xf32>"}),
          on("batches", "stablehlo.gather", {kF, "tensor<3x1xi32>"},
             gather("offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = "
                    "[0], start_index_map = [1]") +
                 "slice_sizes = array<i64: 1, 1>",
             {"tensor<3x1xf32>"}),
          on("index vector", "stablehlo.gather", {kF, "tensor<3x2xi32>"},
             gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]") +
                 "slice_sizes = array<i64: 1, 6>",
             {"tensor<3x6xf32>"}),
          on("slice", "stablehlo.gather", {kF, "tensor<3x1xi32>"},
             gather("offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0]") +
                 "slice_sizes = array<i64: 2, 6>",
             {"tensor<3x6xf32>"}),
          on("sizes of a gather", "stablehlo.dynamic_gather",
             {kF, "tensor<3x1xi32>", "tensor<3xi32>"},
             "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
             "start_index_map = [0], index_vector_dim = 1>",
             {"tensor<3x6xf32>"}),
          on("updates", "stablehlo.scatter", {kF, "tensor<3x1xi32>", "tensor<2x6xf32>"}, scatter,
             {kF}, adder(kS)),
          on("window of updates", "stablehlo.scatter", {kF, "tensor<3x1xi32>", "tensor<3x7xf32>"},
             scatter, {kF}, adder(kS)),
          on("region of a scatter", "stablehlo.scatter", {kF, "tensor<3x1xi32>", "tensor<3x6xf32>"},
             scatter, {kF}, adder(kI)),
          on("index select", "stablehlo.torch_index_select", {kF, "tensor<2xi32>"},
             "dim = 2 : i64, batch_dims = 0 : i64", {kF}),
          on("batches of an index select", "stablehlo.torch_index_select", {kF, "tensor<2xi32>"},
             "dim = 1 : i64, batch_dims = 1 : i64", {"tensor<4x6xf32>"}),
          on("top k", "chlo.top_k", {kF}, "k = 7 : i64", {"tensor<4x7xf32>", "tensor<4x7xi32>"}),
          on("map", "stablehlo.map", {kF}, "dimensions = array<i64: 1, 0>", {kF},
             "{^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>}"),
      });
}

TEST(VerifyErrors, OfReductions) {
  const std::string window = "window_dimensions = array<i64: 2, 0>";
  const std::string compare =
      "{^bb0(%a: tensor<f64>, %b: tensor<f64>): %c = stablehlo.compare GE, %a, %b : (tensor<f64>, "
      "tensor<f64>) -> tensor<i1> stablehlo.return %c : tensor<i1>}";
  const auto pick = [&](const std::string& type) {
    std::string text = compare;
    for (std::size_t at = text.find("f64"); at != std::string::npos; at = text.find("f64", at))
      text.replace(at, 3, type);
    return text;
  };
  expect_errors(
      "verify_reductions.txt",
      {
          on("initial values", "stablehlo.reduce", {kF, kS, kS}, "dimensions = array<i64: 0>",
             {"tensor<6xf32>"}, adder(kS)),
          on("wider integers", "stablehlo.reduce", {"tensor<2xi64>", "tensor<i32>"},
             "dimensions = array<i64: 0>", {kI}, adder(kI)),
          on("empty window", "stablehlo.reduce_window", {kF, kS}, window, {kF}, adder(kS)),
          on("selection", "stablehlo.select_and_scatter",
             {"tensor<4xi32>", "tensor<2xi32>", "tensor<i32>"},
             "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>", {"tensor<4xi32>"},
             pick("i64") + ", " + adder(kI)),
          on("source", "stablehlo.select_and_scatter",
             {"tensor<4xi32>", "tensor<3xi32>", "tensor<i32>"},
             "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>", {"tensor<4xi32>"},
             pick("i32") + ", " + adder(kI)),
          on("sort", "stablehlo.sort", {kF}, "dimension = 2 : i64", {kF}, pick("f32")),
      });
}

// Over 40 lines: a row per case.
TEST(VerifyErrors, OfLinearAlgebra) {
  const std::string norm = "epsilon = 1.0 : f32, feature_index = ";
  const std::string triangle =
      "left_side = true, lower = true, unit_diagonal = false, transpose_a = "
      "#stablehlo<transpose NO_TRANSPOSE>";
  const auto algorithm = [](const std::string& type, int products) {
    return fmt::format(
        "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
        "rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<"
        "lhs_precision_type = {0}, rhs_precision_type = {0}, accumulation_type = f32, "
        "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = {1}, "
        "allow_imprecise_accumulation = false>",
        type, products);
  };
  const auto convolution = [](const std::string& rest) {
    return "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, " + rest;
  };
  const std::string ones = "feature_group_count = 1 : i64, batch_group_count = 1 : i64";
  expect_errors(
      "verify_linear_algebra.txt",
      {
          on("square", "stablehlo.cholesky", {kF}, "", {kF}),
          on("rank", "stablehlo.triangular_solve", {"tensor<4xf32>", "tensor<4xf32>"}, triangle,
             {"tensor<4xf32>"}),
          on("system", "stablehlo.triangular_solve", {"tensor<4x4xf32>", "tensor<6x4xf32>"},
             triangle, {"tensor<6x4xf32>"}),
          on("transform of floats", "stablehlo.fft", {kF},
             "fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 6>", {kF}),
          on("half", "stablehlo.fft", {"tensor<6xcomplex<f32>>"},
             "fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 6>",
             {"tensor<6xf32>"}),
          on("lengths", "stablehlo.fft", {"tensor<6xf32>"},
             "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 2, 6>",
             {"tensor<4xcomplex<f32>>"}),
          on("result of a transform", "stablehlo.fft", {"tensor<6xf32>"},
             "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 6>",
             {"tensor<6xcomplex<f32>>"}),
          on("features", "stablehlo.batch_norm_inference",
             {kF, "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>"},
             norm + "1 : i64", {kF}),
          on("feature index", "stablehlo.batch_norm_training",
             {kF, "tensor<6xf32>", "tensor<6xf32>"}, norm + "2 : i64",
             {kF, "tensor<6xf32>", "tensor<6xf32>"}),
          on("dot", "stablehlo.dot", {kF, "tensor<4xf32>"}, "", {"tensor<4xf32>"}),
          on("dot of three dimensions", "stablehlo.dot", {"tensor<1x1x1xf32>", kF}, "", {kF}),
          on("algorithm", "stablehlo.dot_general", {"tensor<2x2xf32>", "tensor<2x2xf32>"},
             algorithm("bf16", 2), {"tensor<2x2xf32>"}),
          on("precisions", "stablehlo.dot", {kF, "tensor<6xf32>"},
             "precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision HIGH>, "
             "#stablehlo<precision HIGH>]",
             {"tensor<4xf32>"}),
          on("convolved types", "stablehlo.convolution", {"tensor<1x5x1xf32>", "tensor<2x1x1xf64>"},
             convolution(ones), {"tensor<1x4x1xf32>"}),
          on("groups", "stablehlo.convolution", {"tensor<1x5x3xf32>", "tensor<2x1x1xf32>"},
             convolution("feature_group_count = 2 : i64, batch_group_count = 1 : i64"),
             {"tensor<1x4x1xf32>"}),
          on("convolved sizes", "stablehlo.convolution", {"tensor<1x5x1xf32>", "tensor<2x1x1xf32>"},
             convolution(ones), {"tensor<1x5x1xf32>"}),
          on("padding as a value", "stablehlo.dynamic_conv",
             {"tensor<1x5x1xf32>", "tensor<2x1x1xf32>", "tensor<2x2xi32>"}, convolution(ones),
             {"tensor<1x?x1xf32>"}),
      });
}

}  // namespace
}  // namespace understudy::program
