// SPDX-License-Identifier: Apache-2.0
#include "collectives/groups.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

using Groups = std::vector<std::vector<std::int64_t>>;
using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<int> members(Grouping mode, const Groups& groups, std::int64_t replicas,
                         std::int64_t partitions, std::int64_t self) {
  const auto group = group_of(mode, groups, replicas, partitions, self);
  if (!group) return {};
  EXPECT_EQ(group->members.at(group->self), Rank(self));
  std::vector<int> numbers;
  for (const Rank rank : group->members) numbers.push_back(rank.value);
  return numbers;
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.message();
  }
  return "no error";
}

TEST(GroupOf, CrossReplicaKeepsThePartition) {
  EXPECT_THAT(members(Grouping::cross_replica, {{1, 0}, {3, 2}}, 4, 2, 7),
              testing::ElementsAre(7, 5));
  EXPECT_THAT(members(Grouping::cross_replica, {}, 4, 2, 3), testing::ElementsAre(1, 3, 5, 7));
}

TEST(GroupOf, CrossPartitionKeepsTheReplica) {
  EXPECT_THAT(members(Grouping::cross_partition, {{0, 2}, {3, 1}}, 2, 4, 5),
              testing::ElementsAre(7, 5));
  EXPECT_THAT(members(Grouping::cross_partition, {}, 2, 4, 5), testing::ElementsAre(4, 5, 6, 7));
}

TEST(GroupOf, CrossReplicaAndPartitionGoesPartitionByPartition) {
  EXPECT_THAT(members(Grouping::cross_replica_and_partition, {{0, 2}, {1, 3}}, 4, 2, 0),
              testing::ElementsAre(0, 4, 1, 5));
  EXPECT_THAT(members(Grouping::cross_replica_and_partition, {}, 2, 2, 3),
              testing::ElementsAre(0, 2, 1, 3));
}

TEST(GroupOf, FlattenedIdsAreRanks) {
  EXPECT_THAT(members(Grouping::flattened_ids, {{0, 5, 2}, {7, 1}}, 4, 2, 2),
              testing::ElementsAre(0, 5, 2));
  EXPECT_THAT(members(Grouping::flattened_ids, {}, 2, 2, 2), testing::ElementsAre(0, 1, 2, 3));
}

TEST(GroupOf, AProcessInNoGroupTakesNoPart) {
  EXPECT_FALSE(group_of(Grouping::flattened_ids, Groups{{0, 1}}, 4, 1, 3).has_value());
}

TEST(GroupOf, SkipsPaddingOfRaggedGroups) {
  EXPECT_THAT(members(Grouping::cross_replica, {{0, 1, 2}, {3, -1, -1}}, 4, 1, 3),
              testing::ElementsAre(3));
}

TEST(GroupOf, NamesIdsThatAreWrong) {
  EXPECT_EQ(error_of([] {
              group_of(Grouping::cross_replica, Groups{{0, 4}}, 4, 2, 0);
            }),
            "replica_groups: replica id 4 is out of range, expected 0 to 3");
  EXPECT_EQ(error_of([] {
              group_of(Grouping::cross_partition, Groups{{0, 1}, {1}}, 4, 2, 0);
            }),
            "replica_groups: duplicate partition id 1");
  EXPECT_EQ(error_of([] { group_of(Grouping::flattened_ids, Groups{{-2}}, 4, 2, 0); }),
            "replica_groups: process id -2 is out of range, expected 0 to 7");
}

TEST(PeersOf, FollowsPairsInBothModes) {
  const Pairs pairs{{0, 1}, {1, 2}};
  const Peers middle = peers_of(Grouping::cross_replica, pairs, 3, 2, 3);
  EXPECT_EQ(middle.to, Rank(5));
  EXPECT_EQ(middle.from, Rank(1));
  const Peers first = peers_of(Grouping::cross_partition, pairs, 2, 3, 3);
  EXPECT_EQ(first.to, Rank(4));
  EXPECT_EQ(first.from, kNobody);
}

TEST(PeersOf, APairWithItselfIsBoth) {
  const Peers peers = peers_of(Grouping::cross_replica, Pairs{{1, 1}}, 2, 1, 1);
  EXPECT_EQ(peers.to, Rank(1));
  EXPECT_EQ(peers.from, Rank(1));
}

TEST(PeersOf, NamesPairsThatAreWrong) {
  EXPECT_EQ(error_of([] {
              peers_of(Grouping::cross_replica, Pairs{{0, 1}, {2, 1}}, 3, 1, 0);
            }),
            "source_target_pairs: duplicate target replica 1");
  EXPECT_EQ(error_of([] {
              peers_of(Grouping::cross_replica, Pairs{{0, 1}, {0, 2}}, 3, 1, 0);
            }),
            "source_target_pairs: duplicate source replica 0");
  EXPECT_EQ(error_of([] {
              peers_of(Grouping::cross_partition, Pairs{{0, 3}}, 1, 3, 0);
            }),
            "source_target_pairs: partition id 3 is out of range, expected 0 to 2");
}

}  // namespace
}  // namespace understudy::collectives
