// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/sharding.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "compiled.h"

namespace understudy::program::passes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

Shape numbers(const std::string& text) {
  Shape shape;
  for (const std::string& part : split(text, ',')) shape.push_back(std::stoll(part));
  return shape;
}

// The first index that a tile has in each dimension.
Shape start_of(std::int64_t tile, const Sharding& sharding, const TensorType& local) {
  Shape start(sharding.tiles.size());
  for (std::size_t d = start.size(); d-- > 0;) {
    start[d] = tile % sharding.tiles[d] * local.shape[d];
    tile /= sharding.tiles[d];
  }
  return start;
}

Sharding gspmd(const std::string& text, const Shape& shape, std::int64_t partitions) {
  return sharding_of(text, TensorType{ElementType::f32, shape}, partitions, {});
}

// One argument with that sharding, over a mesh of those axes.
Sharding shardy(const std::string& axes, const std::string& dimensions, const Shape& shape,
                std::int64_t partitions) {
  std::string type = "tensor<";
  for (const std::int64_t size : shape) type += std::to_string(size) + "x";
  const auto module =
      module_of("sdy.mesh @m = <" + axes + ">\nfunc.func @main(%a: " + type +
                "f32> {sdy.sharding = #sdy.sharding<@m, " + dimensions + ">}) {\nreturn\n}\n");
  const DialectAttribute* sharding =
      module->functions.at(0)->argument_attributes.at(0).at(0).second.dialect();
  return sharding_of(*module, *sharding, TensorType{ElementType::f32, shape}, partitions, {});
}

TEST(Sharding, AgreesWithJaxInBothDialectsAndForEveryOrderOfDevices) {
  std::ifstream in(std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/program/passes/shardings.txt");
  int lines = 0, cut = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    const auto field = split(line, ';');
    ASSERT_EQ(field.size(), 6U) << line;
    const Shape shape = numbers(field[3]);
    const auto starts = split(field[4], '|');
    const auto count = static_cast<std::int64_t>(starts.size());
    const Sharding logical = shardy(field[0], field[1], shape, count);
    const Sharding permuted =
        shardy(field[0] + ", device_ids=[" + field[5] + "]", field[1], shape, count);
    EXPECT_TRUE(same(logical, gspmd(field[2], shape, count))) << line;
    const TensorType local = local_type({ElementType::f32, shape}, logical, {});
    const Shape ids = numbers(field[5]);
    for (std::size_t p = 0; p < starts.size(); ++p) {
      EXPECT_EQ(start_of(logical.tile_of[p], logical, local), numbers(starts[p])) << line;
      const auto device = static_cast<std::size_t>(ids[p]);
      EXPECT_EQ(start_of(permuted.tile_of[device], permuted, local), numbers(starts[p])) << line;
    }
    cut += is_whole(logical) ? 0 : 1;
  }
  EXPECT_EQ(lines, 400);
  EXPECT_GT(cut, 250);
}

TEST(Sharding, StringsOfEveryKindAreRead) {
  EXPECT_THAT(gspmd("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", {4, 4}, 8).tile_of,
              ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(gspmd("{devices=[2,2]<=[2,2]T(1,0)}", {4, 4}, 4).tile_of, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(gspmd("{devices=[2,2]0,2,1,3}", {4, 4}, 4).tile_of, ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(
      gspmd("{devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}", {4, 4}, 8).tile_of,
      ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  for (const char* text : {"{replicated}", "{manual}", "{unknown}", "{maximal device=3}", ""})
    EXPECT_TRUE(is_whole(gspmd(text, {4, 4}, 4))) << text;
  EXPECT_EQ(element_of("{{replicated}, {devices=[1,2]<=[2] last_tile_dims={manual}}}", 1),
            "{devices=[1,2]<=[2] last_tile_dims={manual}}");
  EXPECT_EQ(element_of("{replicated}", 4), "{replicated}");
}

TEST(Sharding, UnreducedTileDimensionsNumberTheSummands) {
  EXPECT_THAT(gspmd("{unreduced}", {4}, 2).summand_of, ElementsAre(0, 1));
  const Sharding minor = gspmd("{devices=[2,2]<=[4] last_tile_dims={unreduced}}", {4}, 4);
  EXPECT_THAT(minor.tile_of, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(minor.summand_of, ElementsAre(0, 1, 0, 1));
  // Between summands there may be copies, in either order.
  EXPECT_THAT(
      gspmd("{devices=[1,2,2]<=[4] last_tile_dims={unreduced, replicated}}", {4}, 4).summand_of,
      ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(
      gspmd("{devices=[1,2,2]<=[4] last_tile_dims={replicated, unreduced}}", {4}, 4).summand_of,
      ElementsAre(0, 1, 0, 1));
  EXPECT_FALSE(same(minor, gspmd("{devices=[2,2]<=[4] last_tile_dim_replicate}", {4}, 4)));
  EXPECT_TRUE(gspmd("{devices=[2,2]<=[4] last_tile_dims={manual}}", {4}, 4).summand_of.empty());
}

TEST(Sharding, StringsThatDoNotFitAreInputErrors) {
  const auto error = [](const std::string& text) {
    return error_of([&] { gspmd(text, {4, 4}, 4); });
  };
  EXPECT_THAT(error("{devices=[2,2]0,2,1,1}"), HasSubstr("lists device 1 twice"));
  EXPECT_THAT(error("{devices=[2,2]<=[8]}"), HasSubstr("lists 8 devices, expected 4"));
  EXPECT_THAT(error("{devices=[8,1]<=[8]}"), HasSubstr("lists 8 devices, expected 4"));
  for (const char* text : {"{devices=[2,2]<=[4] x}", "{devices=[4]<=[4]}", "{devices=[2,2]<=[4]",
                           "{devices=[2,2]0,1,2,4}", "{devices=[2,2]<=[2,2]T(0,2)}", "nothing",
                           "{devices=[2,2,1]<=[4] last_tile_dims={strange}}"})
    EXPECT_THAT(error(text), HasSubstr("mhlo.sharding: cannot parse")) << text;
}

TEST(Sharding, MeshAxesMayBeUsedInPart) {
  // "x" = 8 as 2 x 2 x 2: the middle digit cuts.
  EXPECT_THAT(shardy("[\"x\"=8]", "[{\"x\":(2)2}]", {4}, 8).tile_of,
              ElementsAre(0, 0, 1, 1, 0, 0, 1, 1));
  EXPECT_THAT(shardy("[\"x\"=8]", "[{\"x\":(4)2}, {\"x\":(1)4}]", {4, 4}, 8).tile_of,
              ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
  EXPECT_THAT(error_of([] { shardy("[\"x\"=8]", "[{\"x\":(3)2}]", {4}, 8); }),
              HasSubstr("\"x\":(3)2 is not a part of an axis of size 8"));
}

TEST(Sharding, LastShardsArePadded) {
  const Sharding four = gspmd("{devices=[4,1]<=[4]}", {10, 3}, 4);
  EXPECT_EQ(padded_local_type({ElementType::f32, {10, 3}}, four).shape, (Shape{3, 3}));
  EXPECT_THAT(error_of([&] {
                local_type({ElementType::f32, {10, 3}}, four, {});
              }),
              HasSubstr("is not divisible into 4 shards"));
}

}  // namespace
}  // namespace understudy::program::passes
