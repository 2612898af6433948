// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/groups.h"

#include <gtest/gtest.h>

namespace understudy::program::hlo {
namespace {

TEST(TransposedIota, ReadsOutATransposedArray) {
  EXPECT_EQ(transposed_iota({2, 3}, {1, 0}), (Ints{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(transposed_iota({}, {}), (Ints{0}));
  EXPECT_EQ(transposed_iota({2, 3}, {0, 0}), std::nullopt);
  EXPECT_EQ(transposed_iota({1 << 20, 1 << 20}, {0, 1}), std::nullopt);
  EXPECT_EQ(transposed_iota({0}, {0}), std::nullopt);
}

TEST(IotaGroups, MustFitTheNumberOfIds) {
  EXPECT_EQ(iota_groups(2, 2, {4}, {0}), (Rows{{0, 1}, {2, 3}}));
  EXPECT_EQ(iota_groups(2, 3, {4}, {0}), std::nullopt);
  EXPECT_EQ(iota_groups(-2, -2, {4}, {0}), std::nullopt);
}

TEST(MeshGroups, OverSeveralAxesAndPartsOfThem) {
  const GroupMesh mesh{{{"x", 4}, {"y", 2}}, {}};
  EXPECT_EQ(mesh_groups(mesh, {{1, 1, 0}}), (Rows{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(mesh_groups(mesh, {{1, 1, 0}, {0, 1, 2}}), (Rows{{0, 4, 1, 5}, {2, 6, 3, 7}}));
  EXPECT_EQ(mesh_groups(mesh, {}), (Rows{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(mesh_groups(mesh, {{2, 1, 0}}), std::nullopt);
  EXPECT_EQ(mesh_groups(mesh, {{0, 1, 0}, {0, 1, 0}}), std::nullopt);
  EXPECT_EQ(mesh_groups(mesh, {{0, 3, 1}}), std::nullopt);
}

}  // namespace
}  // namespace understudy::program::hlo
