// SPDX-License-Identifier: Apache-2.0
// Ids of replica_groups and source_target_pairs to processes, and the checks of loaded ones.
#include "program/lowering/collective_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiled.h"
#include "program/passes/check/check_work.h"
#include "tests/program/process_lists.h"

namespace understudy::program::passes {
namespace {

ProcessCounts counts(std::int64_t replicas, std::int64_t partitions) {
  return {replicas, partitions};
}

TEST(ResolvedGroups, CrossReplicaKeepsThePartition) {
  EXPECT_EQ(counts(4, 2).groups(GroupMode::cross_replica, {{1, 0}, {3, 2}}),
            groups({{2, 0}, {3, 1}, {6, 4}, {7, 5}}));
}

TEST(ResolvedGroups, CrossPartitionKeepsTheReplica) {
  EXPECT_EQ(counts(2, 4).groups(GroupMode::cross_partition, {{0, 2}, {3, 1}}),
            groups({{0, 2}, {4, 6}, {3, 1}, {7, 5}}));
}

TEST(ResolvedGroups, CrossReplicaAndPartitionGoesPartitionByPartition) {
  EXPECT_EQ(counts(4, 2).groups(GroupMode::cross_replica_and_partition, {{0, 2}, {1, 3}}),
            groups({{0, 4, 1, 5}, {2, 6, 3, 7}}));
}

TEST(ResolvedGroups, FlattenedIdsAreProcesses) {
  EXPECT_EQ(counts(4, 2).groups(GroupMode::flattened_ids, {{0, 5, 2}, {7, 1}}),
            groups({{0, 5, 2}, {7, 1}}));
}

TEST(ResolvedGroups, IdsAreReplicasPartitionsOrProcesses) {
  EXPECT_EQ(counts(3, 5).ids(GroupMode::cross_replica), 3);
  EXPECT_EQ(counts(3, 5).ids(GroupMode::cross_replica_and_partition), 3);
  EXPECT_EQ(counts(3, 5).ids(GroupMode::cross_partition), 5);
  EXPECT_EQ(counts(3, 5).ids(GroupMode::flattened_ids), 15);
}

// The error of an all_reduce or permute of four processes.
std::string refusal(Collective work) {
  const Operand operand{{Space::argument, 0, 0}, {ElementType::f32, {4}}};
  const Instruction instruction{std::move(work), {operand}, {operand}, 0};
  return error_of([&] { check_groups(instruction, 4); });
}

std::string refusal_of_groups(const std::vector<ProcessGroup>& groups) {
  Collective work;
  work.groups = groups;
  return refusal(work);
}

std::string refusal_of_pairs(const std::vector<ProcessPair>& pairs) {
  Collective work;
  work.kind = CollectiveKind::collective_permute;
  work.source_target = pairs;
  return refusal(work);
}

TEST(CheckGroups, AcceptsProcessesThatExistOnce) {
  EXPECT_EQ(refusal_of_groups(groups({{2, 0}, {3}})), "");
  EXPECT_EQ(refusal_of_pairs(pairs({{0, 1}, {1, 0}, {3, 3}})), "");
}

TEST(CheckGroups, NamesTheProcessThatIsWrong) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal_of_groups(groups({{0, 4}})), HasSubstr("member 4 is not a process"));
  EXPECT_THAT(refusal_of_groups(groups({{-1}})), HasSubstr("member -1 is not a process"));
  EXPECT_THAT(refusal_of_groups(groups({{0, 1}, {1}})), HasSubstr("process 1 is a member twice"));
  EXPECT_THAT(refusal_of_groups(groups({{}})), HasSubstr("a group is empty"));
  EXPECT_THAT(refusal_of_pairs(pairs({{0, 4}})), HasSubstr("target 4 is not a process"));
  EXPECT_THAT(refusal_of_pairs(pairs({{0, 1}, {0, 2}})), HasSubstr("process 0 is a source twice"));
  EXPECT_THAT(refusal_of_pairs(pairs({{0, 1}, {2, 1}})), HasSubstr("process 1 is a target twice"));
}

TEST(CheckGroups, AGroupMustFitTheShapes) {
  Collective work;
  work.kind = CollectiveKind::all_gather;
  work.groups = groups({{0, 1}});
  const Operand operand{{Space::argument, 0, 0}, {ElementType::f32, {4}}};
  const Instruction instruction{work, {operand}, {operand}, 0};
  EXPECT_THAT(error_of([&] { check_groups(instruction, 4); }),
              testing::HasSubstr("the group size does not fit the shapes"));
}

}  // namespace
}  // namespace understudy::program::passes
