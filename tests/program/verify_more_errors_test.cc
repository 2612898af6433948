// SPDX-License-Identifier: Apache-2.0
// The error texts of the type rules, at least one for each rule and each check of the signatures:
// tests/golden/program/errors/verify_*.txt. tests/program/judge/compare_verifiers.py shows that the
// rules are those of jaxlib. Here: chlo, shapes as values, calls, collectives.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/program/verify_testing.h"

namespace understudy::program {
namespace {

// Over 40 lines: a row per case.
TEST(VerifyErrors, OfChlo) {
  const auto ragged = [](const std::string& rest) {
    return "ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], "
           "rhs_contracting_dimensions = [1], " +
           rest + ">";
  };
  const std::string groups = "lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]";
  const std::string segments =
      "operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>";
  const std::string step =
      "{^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = stablehlo.add %a, %b : tensor<f32> "
      "stablehlo.return %c, %c : tensor<f32>, tensor<f32>}";
  expect_errors(
      "verify_chlo.txt",
      {
          on("sizes that do not meet", "chlo.broadcast_add", {kF, "tensor<5xf32>"}, "", {kF}),
          on("result of a broadcast", "chlo.broadcast_add", {kF, "tensor<1x6xf32>"}, "",
             {"tensor<1x6xf32>"}),
          on("named dimensions", "chlo.broadcast_add", {kF, "tensor<4xf32>"},
             "broadcast_dimensions = array<i64: 2>", {kF}),
          on("broadcast select", "chlo.broadcast_select", {"tensor<3xi1>", kF, kF}, "", {kF}),
          on("broadcast complex", "chlo.broadcast_complex", {"tensor<2xf64>", "tensor<f64>"}, "",
             {"tensor<2xcomplex<f32>>"}),
          on("constant", "chlo.constant_like", {kF}, "value = 1 : i32", {kF}),
          on("ragged dimensions", "chlo.ragged_dot", {kF, "tensor<3x6x2xf32>", "tensor<3xi32>"},
             ragged("lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]"),
             {"tensor<4x2xf32>"}),
          on("groups of the right side", "chlo.ragged_dot",
             {kF, "tensor<3x6x2xf32>", "tensor<2xi32>"}, ragged(groups), {"tensor<4x2xf32>"}),
          on("group sizes", "chlo.ragged_dot", {kF, "tensor<3x6x2xf32>", "tensor<2x3xi32>"},
             ragged(groups), {"tensor<4x2xf32>"}),
          on("ragged result", "chlo.ragged_dot", {kF, "tensor<3x6x2xf32>", "tensor<3xi32>"},
             ragged(groups), {"tensor<4x3xf32>"}),
          on("scanned values", "chlo.scan", {"tensor<5xf32>", "tensor<i32>"},
             "dimension = 0 : i64, " + segments, {"tensor<5xf32>", "tensor<i32>"}, step),
          on("scanned dimension", "chlo.scan", {"tensor<5xf32>", kS},
             "dimension = 1 : i64, " + segments, {"tensor<5xf32>", kS}, step),
          on("scan results", "chlo.scan", {"tensor<5xf32>", kS}, "dimension = 0 : i64, " + segments,
             {"tensor<4xf32>", kS}, step),
          on("segments", "chlo.scan", {"tensor<5xf32>", kS},
             "dimension = 0 : i64, operandSegmentSizes = array<i32: 2, 0>, resultSegmentSizes = "
             "array<i32: 1, 1>",
             {"tensor<5xf32>", kS}, step),
      });
}

TEST(VerifyErrors, OfShapesAsValues) {
  const Types shapes = {kF, kS, "tensor<2xi32>", "tensor<2xi32>", "tensor<2xi32>"};
  expect_errors(
      "verify_dynamic.txt",
      {
          on("reshape", "stablehlo.dynamic_reshape", {kF, "tensor<2xi32>"}, "",
             {"tensor<?x?x?xf32>"}),
          on("broadcast", "stablehlo.dynamic_broadcast_in_dim", {kF, "tensor<2xi32>"},
             "broadcast_dimensions = array<i64: 0, 1>", {"tensor<5x?xf32>"}),
          on("known dimensions", "stablehlo.dynamic_broadcast_in_dim", {kF, "tensor<2xi32>"},
             "broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, "
             "known_nonexpanding_dimensions = array<i64: 0>",
             {"tensor<?x?xf32>"}),
          on("iota", "stablehlo.dynamic_iota", {"tensor<1xi32>"}, "iota_dimension = 1 : i64",
             {"tensor<?xf32>"}),
          on("pad", "stablehlo.dynamic_pad",
             {kF, kS, "tensor<3xi32>", "tensor<3xi32>", "tensor<3xi32>"}, "", {"tensor<?x?xf32>"}),
          on("pad of two kinds", "stablehlo.dynamic_pad",
             {kF, kS, "tensor<2xi32>", "tensor<2xi64>", "tensor<2xi32>"}, "", {"tensor<?x?xf32>"}),
          on("slice", "stablehlo.real_dynamic_slice",
             {kF, "tensor<1xi32>", "tensor<1xi32>", "tensor<1xi32>"}, "", {"tensor<?x?xf32>"}),
          on("size of no dimension", "stablehlo.get_dimension_size", {kF}, "dimension = 2 : i64",
             {kI}),
          on("size that is set", "stablehlo.set_dimension_size", {kF, kI}, "dimension = 0 : i64",
             {"tensor<5x6xf32>"}),
          on("random shape", "stablehlo.rng", {kS, kS, "tensor<1xi64>"},
             "rng_distribution = #stablehlo<rng_distribution UNIFORM>", {kF}),
      });
}

TEST(VerifyErrors, OfCallsAndMessages) {
  const std::string channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = ";
  const std::string alias =
      "call_target_name = \"f\", output_operand_aliases = [#stablehlo.output_operand_alias<"
      "output_tuple_indices = [], operand_index = ";
  expect_errors(
      "verify_messages.txt",
      {
          on("infeed without a token", "stablehlo.infeed", {"!stablehlo.token"}, "", {kF}),
          on("infeed layout", "stablehlo.infeed", {"!stablehlo.token"}, "layout = [[0], [0]]",
             {"tensor<2xf32>", "!stablehlo.token"}),
          on("channel of devices", "stablehlo.send", {kF, "!stablehlo.token"}, channel + "2>",
             {"!stablehlo.token"}),
          on("channel of a host", "stablehlo.recv", {"!stablehlo.token"},
             channel + "1>, is_host_transfer = true", {kF, "!stablehlo.token"}),
          on("future", "stablehlo.async_done", {"!stablehlo.future<tensor<2xf32>>"}, "", {kF}),
          on("started values", "stablehlo.async_start", {kF}, "",
             {"!stablehlo.future<tensor<2xf32>>"},
             "{^bb0(%a: tensor<4x6xf32>): stablehlo.return %a : tensor<4x6xf32>}"),
          on("layouts", "stablehlo.custom_call", {kF},
             "call_target_name = \"f\", operand_layouts = [dense<[0, 0]> : tensor<2xindex>], "
             "result_layouts = [dense<[1, 0]> : tensor<2xindex>]",
             {kF}),
          on("layouts of one side", "stablehlo.custom_call", {kF},
             "call_target_name = \"f\", operand_layouts = [dense<[1, 0]> : tensor<2xindex>]", {kF}),
          on("alias of no operand", "stablehlo.custom_call", {kF},
             alias + "1, operand_tuple_indices = []>]", {kF}),
          on("alias of another type", "stablehlo.custom_call", {kF},
             alias + "0, operand_tuple_indices = []>]", {kS}),
          on("configuration", "stablehlo.custom_call", {kF},
             "call_target_name = \"f\", backend_config = {a = 1 : i64}", {kF}),
          on("name of a composite", "stablehlo.composite", {},
             "name = \"text\", decomposition = @main", {}),
          on("loop", "stablehlo.while", {kI}, "", {kS},
             "{^bb0(%a: tensor<i32>): %c = stablehlo.constant dense<true> : tensor<i1> "
             "stablehlo.return %c : tensor<i1>}, {^bb0(%a: tensor<i32>): stablehlo.return %a : "
             "tensor<i32>}"),
          on("index of a case", "stablehlo.case", {"tensor<i64>"}, "", {}, "{stablehlo.return}"),
      });
}

// What has no counterpart among the programs of the tests, and must not be refused.
TEST(VerifyErrors, AreNoneForWhatIsRight) {
  const std::string pair = "tuple<tensor<4x6xf32>, tensor<2xf32>>";
  const ErrorCase cases[] = {
      on("layouts of a tuple's parts", "stablehlo.custom_call", {kF},
         "call_target_name = \"f\", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], "
         "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]",
         {pair}),
      on("no layout of a token", "stablehlo.custom_call", {"!stablehlo.token"},
         "call_target_name = \"f\", operand_layouts = [dense<> : tensor<0xindex>], "
         "result_layouts = [dense<0> : tensor<1xindex>]",
         {"tensor<4xf32>"}),
      on("alias of a result", "stablehlo.custom_call", {kF},
         "call_target_name = \"f\", output_operand_aliases = [#stablehlo.output_operand_alias<"
         "output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]",
         {"tensor<2xf32>", kF}),
      on("constant of another type", "chlo.constant_like", {"tensor<2xi8>"}, "value = 1.0 : f32",
         {"tensor<2xf32>"}),
      on("open sizes", "stablehlo.gather", {"tensor<?x6xf32>", "tensor<?x1xi32>"},
         "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
         "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>",
         {"tensor<?x6xf32>"}),
  };
  for (const ErrorCase& each : cases) EXPECT_EQ(error_of(each.text), "") << each.name;
}

TEST(VerifyErrors, OfCollectivesAndShardings) {
  const auto groups = [](const std::string& list, const std::string& shape) {
    return fmt::format("replica_groups = dense<{}> : tensor<{}xi64>", list, shape);
  };
  const std::string gather = ", all_gather_dim = 0 : i64";
  expect_errors(
      "verify_collectives.txt",
      {
          on("padding outside of reductions", "stablehlo.all_gather", {kF},
             groups("[[0, -1]]", "1x2") + gather, {"tensor<8x6xf32>"}),
          on("a process left out", "stablehlo.all_reduce", {kF}, groups("[[0, 2]]", "1x2"), {kF},
             adder(kS)),
          on("huge splat", "stablehlo.all_reduce", {kF}, groups("0", "1000000000x2"), {kF},
             adder(kS)),
          on("empty gather", "stablehlo.all_gather", {"tensor<0xf32>"},
             groups("[[0, 1]]", "1x2") + gather, {"tensor<0xf32>"}),
          on("another family", "stablehlo.all_reduce", {kF}, groups("0", "1x1"),
             {"tensor<4x6xi32>"}, adder(kI)),
          on("scattered parts", "stablehlo.reduce_scatter", {kF},
             groups("[[0, 1, 2, 3]]", "1x4") + ", scatter_dimension = 1 : i64", {kF}, adder(kS)),
          on("no such mesh", "sdy.sharding_constraint", {kF},
             "sharding = #sdy.sharding<@n, [{}, {}]>", {kF}),
          on("no such axis", "sdy.sharding_constraint", {kF},
             "sharding = #sdy.sharding<@m, [{\"y\"}, {}]>", {kF}),
          on("part of an axis", "sdy.reshard", {kF},
             "sharding = #sdy.sharding<@m, [{\"x\":(3)2}, {}]>", {kF}),
          on("dimensions of a sharding", "sdy.reshard", {kF},
             "sharding = #sdy.sharding<@m, [{\"x\"}]>", {kF}),
          on("named computation", "sdy.named_computation", {kF}, "name = \"f\"", {kS},
             "{^bb0(%a: tensor<4x6xf32>): \"sdy.return\"(%a) : (tensor<4x6xf32>) -> ()}"),
          on("direction", "sdy.propagation_barrier", {kF}, "allowed_direction = 3 : i32", {kF}),
      });
}

}  // namespace
}  // namespace understudy::program
