// SPDX-License-Identifier: Apache-2.0
#include "program/executable/memory_plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "compiled.h"
#include "configs/base/error.h"
#include "program/analysis/peak.h"
#include "program/executable/tile.h"

namespace understudy::program {
namespace {

TEST(MemoryPlan, SumsWhatALaunchNeeds) {
  const Executable executable = compiled_main(
      "(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32>",
      "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
      "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "%1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
      "tensor<8x8xf32>) -> tensor<8x8xf32>\nreturn %1 : tensor<8x8xf32>");
  const MemoryPlan plan = memory_plan(executable);
  EXPECT_EQ(plan.arguments, 512U);
  EXPECT_EQ(plan.results, 256U);
  EXPECT_EQ(plan.temporaries, 256U);
  EXPECT_EQ(plan.conditional, 0U);
  EXPECT_EQ(plan.regions, 5U);
  EXPECT_GT(plan.instructions, 2U * 3 * sizeof(Buffer));
  EXPECT_EQ(plan.hbm(), 1024 + plan.code());
  EXPECT_EQ(image_of(executable).size(), plan.code());
}

constexpr const char* kDots =
    "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
    "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "%1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
    "tensor<8x8xf32>) -> tensor<8x8xf32>\n"
    "%2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, "
    "tensor<8x8xf32>) -> tensor<8x8xf32>\nreturn %2 : tensor<8x8xf32>";

TEST(LiveAtPeak, NamesTheOperationsOfTheBuffers) {
  const Executable executable =
      compiled_main("(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32>", kDots);
  const auto live = analysis::live_at_peak(executable.code);
  ASSERT_EQ(live.size(), 2U);
  EXPECT_EQ(live[0].bytes, 256U);
  EXPECT_EQ(executable.op_names[live[0].op], "stablehlo.dot_general");
  EXPECT_NE(live[0].op, live[1].op);
}

std::string sums_of_rows(std::int64_t columns) {
  const std::string type = "tensor<4x" + std::to_string(columns) + "xf32>";
  return "func.func public @main(%a: " + type +
         ") -> tensor<4xf32> {\n"
         "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "%0 = stablehlo.multiply %a, %a : " +
         type +
         "\n"
         "%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (" +
         type + ", tensor<f32>) -> tensor<4xf32>\nreturn %1 : tensor<4xf32>\n}\n";
}

// A reduced row is never split, so a long one needs much VMEM.
TEST(Tiles, MustFitVmemTwice) {
  const Executable executable = compiled(sums_of_rows(1 << 16), {});
  const auto fused = std::ranges::find_if(executable.code, [](const Instruction& one) {
    return std::holds_alternative<Fused>(one.work);
  });
  ASSERT_NE(fused, executable.code.end());
  const Tile tile = tile_of(*fused);
  EXPECT_EQ(tile.columns, 1U << 16);
  EXPECT_EQ(tile.rows, 1U);
  EXPECT_GE(tile.operand_bytes, std::uint64_t{4} << 16);
  EXPECT_GE(tile.vmem_bytes(), 2 * tile.operand_bytes + (std::uint64_t{4} << 16));
  check_tiles_fit(executable, tile.vmem_bytes());
  try {
    check_tiles_fit(executable, tile.vmem_bytes() - 1);
    FAIL() << "the tile should not fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::capacity);
    EXPECT_EQ(error.diagnosis(), "vmem-exhausted");
    EXPECT_THAT(error.message(), testing::HasSubstr("Ran out of memory in memory space vmem"));
  }
  EXPECT_THAT(list(executable), testing::HasSubstr("steps, tile 1x65536, VMEM "));
}

// Rows that are added, and a little longer than a tile, would have a short second part.
TEST(Tiles, RowsThatAreAddedAreWhole) {
  const auto listing = [](int columns, const char* type) {
    return list(compiled(
        fmt::format("func.func public @main(%a: tensor<1000x{0}x{1}>) -> tensor<{0}x{1}> {{\n"
                    "%z = stablehlo.constant dense<0> : tensor<{1}>\n"
                    "%0 = stablehlo.xor %a, %a : tensor<1000x{0}x{1}>\n"
                    "%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = "
                    "[0] : (tensor<1000x{0}x{1}>, tensor<{1}>) -> tensor<{0}x{1}>\n"
                    "return %1 : tensor<{0}x{1}>\n}}\n",
                    columns, type),
        {}));
  };
  EXPECT_THAT(listing(1000, "i32"), testing::HasSubstr("steps, tile 2x1000, "));
  EXPECT_THAT(listing(1203, "i32"), testing::HasSubstr("steps, tile 3x1203, "));
  EXPECT_THAT(listing(2048, "i32"), testing::HasSubstr("steps, tile 2x2048, "));
  EXPECT_THAT(listing(3000, "i32"), testing::HasSubstr("steps, tile 1x3000, "));
  EXPECT_THAT(listing(4096, "i32"), testing::HasSubstr("steps, tile 1x2048, "));
  // Bytes have twice as many lanes.
  EXPECT_THAT(listing(6000, "i8"), testing::HasSubstr("steps, tile 1x6000, "));
  EXPECT_THAT(listing(8192, "i8"), testing::HasSubstr("steps, tile 1x4096, "));
}

// Rows that are no divisors of a piece fill some together; where many lanes would go, they do not.
TEST(Tiles, ShortRowsAreWholePiecesTogether) {
  const auto listing = [](int rows, int columns) {
    return list(compiled(
        fmt::format("func.func public @main(%a: tensor<{0}x{1}xf32>, %b: tensor<{1}xf32>) -> "
                    "tensor<{0}x{1}xf32> {{\n"
                    "%c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{1}xf32>) -> "
                    "tensor<{0}x{1}xf32>\n"
                    "%0 = stablehlo.multiply %a, %c : tensor<{0}x{1}xf32>\n"
                    "return %0 : tensor<{0}x{1}xf32>\n}}\n",
                    rows, columns),
        {}));
  };
  EXPECT_THAT(listing(5000, 3), testing::HasSubstr("tile 640x3,"));
  EXPECT_THAT(listing(350, 3), testing::HasSubstr("tile 350x3,"));
  EXPECT_THAT(listing(5000, 5), testing::HasSubstr("tile 384x5,"));
  EXPECT_THAT(listing(5000, 12), testing::HasSubstr("tile 160x12,"));
  EXPECT_THAT(listing(5000, 15), testing::HasSubstr("tile 128x15,"));
  EXPECT_THAT(listing(5000, 8), testing::HasSubstr("tile 256x8,"));
}

}  // namespace
}  // namespace understudy::program
