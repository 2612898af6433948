// SPDX-License-Identifier: Apache-2.0
// Annotations that ask for another placement are found wherever they stand. The programs of
// tests/program/annotations are what JAX lowers, with Shardy and with GSPMD, as text and artifacts.
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<fs::path> programs_in(const std::string& folder) {
  std::vector<fs::path> files;
  const fs::path from = fs::path(UNDERSTUDY_SOURCE_DIR) / "tests/program/annotations" / folder;
  for (const auto& entry : fs::directory_iterator(from)) files.push_back(entry.path());
  return files;
}

std::string error_in(const fs::path& file) {
  return error_of([&] { interface_of(*read_program(file.string()), {}); });
}

TEST(Annotations, OfJaxProgramsAreRefusedInInnerFunctionsAndRegions) {
  const auto files = programs_in("refused");
  EXPECT_GE(files.size(), 34U);
  for (const fs::path& file : files) {
    // The place: of the text, or where an artifact says that it comes from, or its byte.
    const std::string place = file.extension() == ".mlir" ? file.filename().string() + ":" : "";
    EXPECT_THAT(error_in(file), AllOf(HasSubstr(place), HasSubstr("needs an SPMD partitioner")))
        << file;
  }
}

TEST(Annotations, OfJaxProgramsThatChangeNothingAreAccepted) {
  const auto files = programs_in("accepted");
  EXPECT_GE(files.size(), 12U);
  for (const fs::path& file : files) {
    EXPECT_EQ(error_in(file), "") << file;
    EXPECT_FALSE(compile(*read_program(file.string()), {}).code.empty()) << file;
  }
}

// @main calls @inner with a value that every chip holds; the rest of the module is given.
std::string calling(const std::string& inner, const std::string& attributes = "") {
  return "module attributes {mhlo.num_partitions = 4 : i32" + attributes +
         "} {\nsdy.mesh @mesh = <[\"x\"=4, \"one\"=1]>\n"
         "func.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
         "  %0 = func.call @inner(%a) : (tensor<8xf32>) -> tensor<8xf32>\n"
         "  return %0 : tensor<8xf32>\n}\n" +
         inner + "}\n";
}

// @inner negates; its operation has those attributes.
std::string negating(const std::string& attributes) {
  return "func.func private @inner(%b: tensor<8xf32>) -> tensor<8xf32> {\n  %1 = stablehlo.negate "
         "%b {" +
         attributes + "} : tensor<8xf32>\n  return %1 : tensor<8xf32>\n}\n";
}

std::string error_with(const std::string& text) {
  return error_of([&] { interface_of(*module_of(text), {}); });
}

TEST(Annotations, OfAnyOperationAreFound) {
  for (const std::string sharding :
       {"sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\", ?}]>]>",
        "mhlo.sharding = \"{devices=[4]<=[4]}\"", "mhlo.sharding = \"{maximal device=0}\"",
        "mhlo.sharding = \"{{devices=[4]<=[4]}}\"",
        "mhlo.frontend_attributes = {xla.sdy.sharding = "
        "\"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>\"}",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"x\":(1)2}]>]>",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], unreduced={\"x\"}>]>"}) {
    EXPECT_THAT(error_with(calling(negating(sharding))),
                AllOf(HasSubstr("test.mlir:8:8: error: stablehlo.negate: it "),
                      HasSubstr("needs an SPMD partitioner")))
        << sharding;
  }
}

TEST(Annotations, WithoutEffectAreAccepted) {
  for (const std::string sharding :
       {"sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"one\"}]>]>",
        "sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}], replicated={\"x\"}>]>",
        "mhlo.sharding = \"{replicated}\"", "mhlo.sharding = \"{{replicated}, {replicated}}\"",
        "mhlo.sharding = \"{manual}\"",
        "mhlo.sharding = \"{devices=[1,4]<=[4] "
        "last_tile_dim_replicate}\"",
        "mhlo.frontend_attributes = {xla.sdy.sharding = "
        "\"#sdy.sharding_per_value<[<@mesh, [{}]>]>\"}"})
    EXPECT_EQ(error_with(calling(negating(sharding))), "") << sharding;
}

TEST(Annotations, OfExportedProgramsNameMeshesInText) {
  const std::string meshes =
      ", mhlo.frontend_attributes = {xla.sdy.meshes = \"{grid = #sdy.mesh<[\\22y\\22=4]>}\"}";
  const auto with = [](const std::string& dimension) {
    return negating(
        "mhlo.frontend_attributes = {xla.sdy.sharding = "
        "\"#sdy.sharding_per_value<[<@grid, [" +
        dimension + "]>]>\"}");
  };
  EXPECT_EQ(error_with(calling(with("{}"), meshes)), "");
  EXPECT_THAT(error_with(calling(with("{\\22y\\22}"), meshes)), HasSubstr("a different sharding"));
  EXPECT_THAT(error_with(calling(with("{\\22y\\22"), meshes)),
              HasSubstr("test.mlir:8:8: error: cannot read xla.sdy.sharding"));
}

TEST(Annotations, OfInnerSignaturesAreFound) {
  const std::string body = " {\n  return %b : tensor<8xf32>\n}\n";
  const std::string sharding = " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>}";
  EXPECT_THAT(error_with(calling("func.func private @inner(%b: tensor<8xf32>" + sharding +
                                 ") -> tensor<8xf32>" + body)),
              HasSubstr("error: an argument of @inner: it requires a different sharding"));
  EXPECT_THAT(error_with(calling("func.func private @inner(%b: tensor<8xf32>) -> (tensor<8xf32>" +
                                 sharding + ")" + body)),
              HasSubstr("error: a result of @inner: it requires a different sharding"));
}

TEST(Annotations, OfFunctionsThatNobodyCallsDoNotMatter) {
  const std::string unused =
      "func.func private @unused(%b: tensor<8xf32>) -> tensor<8xf32> {\n"
      "  %1 = sdy.sharding_constraint %b <@mesh, [{\"x\"}]> : tensor<8xf32>"
      "\n  return %1 : tensor<8xf32>\n}\n";
  EXPECT_EQ(error_with(calling(negating("") + unused)), "");
}

TEST(Annotations, AreListedAllAtOnce) {
  const std::string constraint = "sdy.sharding_constraint %b <@mesh, [{\"x\"}]> : tensor<8xf32>\n";
  const std::string error =
      error_with(calling("func.func private @inner(%b: tensor<8xf32>) -> tensor<8xf32> {\n  %1 = " +
                         constraint + "  %2 = " + constraint + "  return %2 : tensor<8xf32>\n}\n"));
  EXPECT_THAT(error, HasSubstr("test.mlir:8:8: error: sdy.sharding_constraint"));
  EXPECT_THAT(error, HasSubstr("note: test.mlir:9:8: sdy.sharding_constraint: it requires a "
                               "different sharding"));
}

TEST(Annotations, InsideReducersAreFound) {
  const std::string text = calling(
      "func.func private @inner(%b: tensor<8xf32>) -> tensor<8xf32> {\n"
      "  %1 = \"stablehlo.map\"(%b) <{dimensions = array<i64: 0>}> ({\n  ^bb0(%c: tensor<f32>):\n"
      "    %2 = stablehlo.negate %c {mhlo.sharding = \"{maximal device=1}\"} : tensor<f32>\n"
      "    stablehlo.return %2 : tensor<f32>\n  }) : (tensor<8xf32>) -> tensor<8xf32>\n"
      "  return %1 : tensor<8xf32>\n}\n");
  EXPECT_THAT(error_with(text), HasSubstr("test.mlir:10:10: error: stablehlo.negate"));
}

// An argument that the program shards in another way than the computation takes it would have to
// move between chips. One that every chip holds is cut where it lies.
TEST(Annotations, OfArgumentsMustBeWhatComputationsTake) {
  const auto with = [](const std::string& dimensions) {
    return "module attributes {mhlo.num_partitions = 4 : i32} {\nsdy.mesh @mesh = <[\"x\"=4]>\n"
           "func.func public @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [" +
           dimensions +
           "]>}) -> tensor<8x4xf32> {\n"
           "%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] "
           "out_shardings=[<@mesh, [{\"x\"}, {}]>] manual_axes={\"x\"} (%b: tensor<2x4xf32>) {\n"
           "  sdy.return %b : tensor<2x4xf32>\n} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
           "return %0 : tensor<8x4xf32>\n}\n}\n";
  };
  EXPECT_EQ(error_with(with("{\"x\"}, {}")), "");
  EXPECT_EQ(error_with(with("{}, {}")), "");
  EXPECT_EQ(error_with(with("{?}, {?}")), "");
  EXPECT_THAT(error_with(with("{}, {\"x\"}")),
              HasSubstr("error: argument 0 of @main: it requires a different sharding"));
}

TEST(Annotations, OfOneDeviceHaveNoEffect) {
  std::string text =
      calling(negating("sdy.sharding = #sdy.sharding_per_value<[<@mesh, "
                       "[{\"x\"}]>]>, mhlo.sharding = \"{maximal device=0}\""));
  text.replace(text.find("partitions = 4"), 14, "partitions = 1");
  text.replace(text.find("\"x\"=4"), 5, "\"x\"=1");
  EXPECT_EQ(error_with(text), "");
}

}  // namespace
}  // namespace understudy::program
