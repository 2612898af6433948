// SPDX-License-Identifier: Apache-2.0
// Replica groups written as axes of a mesh: what they mean, and how mistakes are named. That they
// run is checked by tests/parallel/mesh_groups.mlir.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"

namespace understudy::program {
namespace {

using testing::HasSubstr;

std::string gathering(const std::string& groups) {
  return "module attributes {mhlo.num_partitions = 8 : i32} {\n"
         "sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\n"
         "func.func public @main(%a: tensor<2xf32>) -> tensor<4xf32> {\n"
         "  %0 = \"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = "
         "#stablehlo.replica_group_mesh_axes<" +
         groups +
         ">, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = "
         "1>} : (tensor<2xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n}\n";
}

TEST(MeshGroups, MembersDifferInTheListedAxesOnly) {
  const std::string text = gathering("mesh = @m, axes = [#stablehlo.axis_ref<name = \"x\">]");
  const auto module = module_of(text);
  verify(*module);
  EXPECT_THAT(lines(compile(*module, {})).at(0), HasSubstr("[0,4] [1,5] [2,6] [3,7]"));
}

TEST(MeshGroups, APartOfAnAxisCutsItIntoThree) {
  const std::string text =
      gathering("mesh = @m, axes = [#stablehlo.axis_ref<name = \"y\", sub_axis_info = (2)2>]");
  EXPECT_THAT(lines(compiled(text)).at(0), HasSubstr("[0,1] [2,3] [4,5] [6,7]"));
}

TEST(MeshGroups, TheVerifierCountsTheirMembers) {
  const auto module = module_of(gathering("mesh = @m, axes = [#stablehlo.axis_ref<name = \"y\">]"));
  EXPECT_THAT(error_of([&] { verify(*module); }), HasSubstr("tensor<8xf32>"));
}

TEST(MeshGroups, UnknownAxesAndMeshesAreNamed) {
  EXPECT_THAT(error_of([] {
                compiled(gathering("mesh = @m, axes = [#stablehlo.axis_ref<name = \"z\">]"));
              }),
              HasSubstr("the mesh has no axis \"z\""));
  EXPECT_THAT(error_of([] {
                compiled(gathering("mesh = @n, axes = [#stablehlo.axis_ref<name = \"x\">]"));
              }),
              HasSubstr("no mesh @n"));
  EXPECT_THAT(error_of([] {
                compiled(gathering(
                    "mesh = @m, axes = [#stablehlo.axis_ref<name = \"y\", sub_axis_info = (1)3>]"));
              }),
              HasSubstr("\"y\":(1)3 is not a sub-axis of an axis of size 4"));
}

}  // namespace
}  // namespace understudy::program
