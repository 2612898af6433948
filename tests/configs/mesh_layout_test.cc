// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/mesh_layout.h"

#include <gmock/gmock.h>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Slice named(const std::string& name) {
  SliceRequest request;
  request.slice = name;
  return make_slice(request);
}

TEST(MeshInSlice, AnAxisAlongOneIciAxisHasNeighboursOneLinkAway) {
  // 2 x 4 chips; x varies fastest, as the last axis of the mesh does.
  const auto places = mesh_in_slice(parse_mesh("data=4,model=2"), named("v6e-8"), {});
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].name, "data");
  EXPECT_THAT(places[0].ici_axes, ElementsAre("y"));
  EXPECT_EQ(places[0].hops, 1);
  EXPECT_EQ(places[0].hops_back, 3);  // without wraparound
  EXPECT_THAT(places[1].ici_axes, ElementsAre("x"));
  EXPECT_EQ(places[1].hops, 1);
  EXPECT_EQ(text_of(places),
            "  data (4)     ICI axis y, 1 link between neighbours, 3 from the last to the first\n"
            "  model (2)    ICI axis x, 1 link between neighbours, 1 from the last to the first\n");
}

TEST(MeshInSlice, TheOrderOfTheDevicesDecides) {
  const auto mesh = parse_mesh("model=2,data=4");
  const auto in_order = mesh_in_slice(mesh, named("v6e-8"), {});
  EXPECT_THAT(in_order[1].ici_axes, ElementsAre("x", "y"));
  EXPECT_EQ(in_order[1].hops, 2);  // from (1,0) to (0,1)
  const auto by_column = mesh_in_slice(mesh, named("v6e-8"), {0, 2, 4, 6, 1, 3, 5, 7});
  EXPECT_THAT(by_column[1].ici_axes, ElementsAre("y"));
  EXPECT_EQ(by_column[1].hops, 1);
  EXPECT_THAT(by_column[0].ici_axes, ElementsAre("x"));
}

TEST(MeshInSlice, AWraparoundClosesTheRing) {
  // 16 x 16 chips in a torus. Ranks go host by host, so the order puts each row on a row of chips.
  const Slice slice = named("v6e-256");
  std::vector<std::int64_t> order(slice.chips.size());
  for (const Chip& chip : slice.chips)
    order[static_cast<std::size_t>(chip.at[1] * 16 + chip.at[0])] = chip.rank.value;
  const auto places = mesh_in_slice(parse_mesh("data=16,model=16"), slice, order);
  EXPECT_EQ(places[0].hops, 1);
  EXPECT_EQ(places[0].hops_back, 1);
  EXPECT_EQ(places[1].hops_back, 1);
}

TEST(MeshInSlice, AnAxisOfOneLiesNowhere) {
  const auto places = mesh_in_slice(parse_mesh("data=1,model=2"), named("v6e-8"), {});
  EXPECT_TRUE(places[0].ici_axes.empty());
  EXPECT_EQ(text_of({places[0]}), "  data (1)     one chip\n");
}

std::string refusal(const std::string& mesh, const std::string& order) {
  try {
    mesh_in_slice(parse_mesh(mesh), named("v6e-8"), parse_device_order(order, "--device-order"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

TEST(MeshInSlice, RefusesWhatIsNoMeshOrNoOrder) {
  EXPECT_THAT(refusal("data", ""), HasSubstr("data=4,model=2"));
  EXPECT_THAT(refusal("data=0", ""), HasSubstr("got \"data=0\""));
  EXPECT_THAT(refusal("=2", ""), HasSubstr("got \"=2\""));
  EXPECT_THAT(refusal("a=1000000,b=1000000", ""), HasSubstr("got \"b=1000000\""));
  EXPECT_THAT(refusal("data=16", ""), HasSubstr("the mesh has 16 chips, but v6e-8 has 8"));
  EXPECT_THAT(refusal("data=4", "0,1,2"), HasSubstr("every rank of 4 once"));
  EXPECT_THAT(refusal("data=4", "0,1,2,2"), HasSubstr("every rank of 4 once"));
  EXPECT_THAT(refusal("data=4", "0,1,2,4"), HasSubstr("every rank of 4 once"));
  EXPECT_THAT(refusal("data=4", "0,1,,2"), HasSubstr("got \"\""));
}

}  // namespace
}  // namespace understudy::configs
