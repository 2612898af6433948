// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/tiles.h"

#include "gtest/gtest.h"

namespace understudy::launcher {
namespace {

using program::Array;
using program::ElementType;
using program::Parameter;
using program::Shape;

// Elements 0, 1, 2, ...
Array counting(const Shape& shape) {
  Array array{{ElementType::i8, shape}, {}};
  for (std::int64_t i = 0; i < array.type.elements(); ++i)
    array.bytes.push_back(static_cast<std::byte>(i));
  return array;
}

Bytes bytes(std::initializer_list<int> values) {
  Bytes all;
  for (const int value : values) all.push_back(static_cast<std::byte>(value));
  return all;
}

Parameter parameter(const Shape& global, const Shape& tiles, bool per_replica = false) {
  Parameter p;
  p.global = {ElementType::i8, global};
  p.local = p.global;
  for (std::size_t d = 0; d < tiles.size(); ++d) p.local.shape[d] /= tiles[d];
  p.sharding.tiles = tiles;
  p.sharding.per_replica = per_replica;
  return p;
}

TEST(Tiles, CutRowsColumnsAndBoth) {
  const Array whole = counting({2, 4});
  EXPECT_EQ(cut(whole, parameter({2, 4}, {2, 1}), 1),
            (std::vector<Bytes>{bytes({0, 1, 2, 3}), bytes({4, 5, 6, 7})}));
  EXPECT_EQ(cut(whole, parameter({2, 4}, {1, 2}), 1),
            (std::vector<Bytes>{bytes({0, 1, 4, 5}), bytes({2, 3, 6, 7})}));
  EXPECT_EQ(cut(whole, parameter({2, 4}, {2, 2}), 1),
            (std::vector<Bytes>{bytes({0, 1}), bytes({2, 3}), bytes({4, 5}), bytes({6, 7})}));
}

TEST(Tiles, KeepScalarsAndEmptyArraysWhole) {
  EXPECT_EQ(cut(counting({}), parameter({}, {}), 1), std::vector<Bytes>{bytes({0})});
  EXPECT_EQ(cut(counting({4, 0}), parameter({4, 0}, {2, 1}), 1), (std::vector<Bytes>{{}, {}}));
}

// A parameter of a partitioned program: sizes of tiles are rounded up.
Parameter padded(const Shape& global, const Shape& tiles) {
  Parameter p = parameter(global, tiles);
  for (std::size_t d = 0; d < tiles.size(); ++d)
    p.local.shape[d] = (global[d] + tiles[d] - 1) / tiles[d];
  return p;
}

TEST(Tiles, LastTilesArePaddedWithZeros) {
  EXPECT_EQ(cut(counting({5}), padded({5}, {4}), 1),
            (std::vector<Bytes>{bytes({0, 1}), bytes({2, 3}), bytes({4, 0}), bytes({0, 0})}));
  EXPECT_EQ(cut(counting({2, 3}), padded({2, 3}, {1, 2}), 1),
            (std::vector<Bytes>{bytes({0, 1, 3, 4}), bytes({2, 0, 5, 0})}));
}

TEST(Tiles, JoinDropsThePaddingForEveryWayToCut) {
  for (const Shape& global : {Shape{1}, Shape{7}, Shape{5, 3}, Shape{2, 7, 3}, Shape{3, 1, 5}}) {
    const Array whole = counting(global);
    Shape tiles(global.size(), 1);
    // All combinations of 1 to 5 tiles per dimension.
    for (std::size_t d = 0; d < tiles.size();) {
      const Parameter p = padded(global, tiles);
      std::vector<Bytes> pieces = cut(whole, p, 1);
      EXPECT_EQ(join(pieces, p, 1), whole);
      for (d = 0; d < tiles.size() && ++tiles[d] > 5; ++d) tiles[d] = 1;
    }
  }
}

TEST(Tiles, JoinIsTheInverseOfCutForEveryWayToCut) {
  const Shape global{4, 3, 2, 6};
  const Array whole = counting(global);
  for (const Shape& tiles :
       {Shape{1, 1, 1, 1}, Shape{4, 1, 1, 1}, Shape{1, 3, 1, 1}, Shape{1, 1, 2, 1},
        Shape{1, 1, 1, 3}, Shape{2, 3, 1, 6}, Shape{4, 3, 2, 6}, Shape{2, 1, 2, 1}}) {
    const Parameter p = parameter(global, tiles);
    EXPECT_EQ(join(cut(whole, p, 1), p, 1), whole);
  }
}

TEST(Tiles, GiveEveryReplicaItsOwnArrayOrAllTheSame) {
  const Parameter p = parameter({2}, {1}, true);
  EXPECT_EQ(shape_of_all_replicas(p, 3), (Shape{3, 2}));
  EXPECT_EQ(cut(counting({3, 2}), p, 3),
            (std::vector<Bytes>{bytes({0, 1}), bytes({2, 3}), bytes({4, 5})}));
  EXPECT_EQ(cut(counting({2}), p, 3),
            (std::vector<Bytes>{bytes({0, 1}), bytes({0, 1}), bytes({0, 1})}));
  EXPECT_EQ(join({bytes({0, 1}), bytes({2, 3}), bytes({4, 5})}, p, 3), counting({3, 2}));
}

TEST(Tiles, AddNoAxisForASingleReplica) {
  const Parameter p = parameter({2}, {1}, true);
  EXPECT_EQ(join({bytes({0, 1})}, p, 1), counting({2}));
  EXPECT_EQ(cut(counting({1, 2}), p, 1), std::vector<Bytes>{bytes({0, 1})});
}

}  // namespace
}  // namespace understudy::launcher
