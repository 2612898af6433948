// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/prepared_collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/call.h"
#include "program/kernels/kernels.h"
#include "tests/program/process_lists.h"

namespace understudy::worker {
namespace {

using collectives::CallSite;
using program::Collective;
using program::CollectiveKind;
using program::ElementType;
using program::Reduction;
using program::Space;
using program::TensorType;
using testing::ElementsAre;

// Of two f32 operands in each of two groups.
program::Instruction pair_of(CollectiveKind kind, Reduction reduction = Reduction::sum) {
  Collective work;
  work.kind = kind;
  work.groups = program::groups({{0, 2}, {3, 1}});
  work.channel = 1;
  work.reduction = reduction;
  work.ops = {7, 9};
  program::Instruction instruction{work, {}, {}, 7};
  for (std::uint32_t i = 0; i < 2; ++i) {
    const TensorType type{ElementType::f32, {3, i + 1}};
    instruction.inputs.push_back({{Space::argument, i, 0}, type});
    instruction.outputs.push_back({{Space::result, i, 0}, type});
  }
  return instruction;
}

// In a pod of ten chips of which the program has those from 4 on.
struct Chip {
  explicit Chip(std::int64_t process) : rank(static_cast<std::int32_t>(process + 4)) {
    execution.process = {0, process, 1, 6};
    execution.kernels = &program::kernels::select("");
  }
  Execution execution;
  Rank rank;
};

std::string text_of(const collectives::MessageHeader& header) {
  return std::string(collectives::call_of(header));
}

TEST(PreparedCollective, IsOneArrayOfAWholeBucket) {
  const program::Instruction instruction = pair_of(CollectiveKind::all_reduce);
  const Chip chip(1);
  const PreparedCollective both(instruction, {0, 1}, chip.execution, chip.rank);
  EXPECT_EQ(both.input.type, (TensorType{ElementType::f32, {9}}));
  EXPECT_EQ(both.in_bytes, 36U);
  EXPECT_THAT(both.ops, ElementsAre(7, 9));
  EXPECT_TRUE(both.takes_part);
  EXPECT_THAT(both.group.members, ElementsAre(Rank(7), Rank(5)));
  EXPECT_EQ(both.group.self, 1U);
  EXPECT_NE(both.reducer, nullptr);
  const PreparedCollective second(instruction, {1}, chip.execution, chip.rank);
  EXPECT_EQ(second.out_bytes, 24U);
  EXPECT_EQ(second.site.place, "op 9");
}

TEST(PreparedCollective, LeavesAProcessInNoGroupOut) {
  const program::Instruction instruction = pair_of(CollectiveKind::all_gather);
  const Chip chip(5);
  const PreparedCollective call(instruction, {0}, chip.execution, chip.rank);
  EXPECT_FALSE(call.takes_part);
  EXPECT_EQ(call.reducer, nullptr);
  EXPECT_FALSE(call.has_own_reduction);
}

TEST(PreparedCollective, LeavesAReductionOfTheProgramToEachCall) {
  const program::Instruction instruction = pair_of(CollectiveKind::reduce_scatter, Reduction::none);
  const Chip chip(0);
  const PreparedCollective call(instruction, {0}, chip.execution, chip.rank);
  EXPECT_TRUE(call.has_own_reduction);
  EXPECT_EQ(call.reducer, nullptr);
  EXPECT_EQ(call.site.reduction, "a region");
}

TEST(PreparedCollective, KeepsTheHeaderWhileTheSiteIsTheSame) {
  const program::Instruction instruction = pair_of(CollectiveKind::all_reduce);
  const Chip chip(0);
  PreparedCollective call(instruction, {0}, chip.execution, chip.rank);
  const auto signed_with = [&](std::int64_t channel, std::string_view place) {
    CallSite site = call.site;
    site.channel = channel;
    site.place = place;
    CallSite alone = site;
    call.sign(site);
    EXPECT_EQ(site.header->signature, collectives::header_of(alone, call.group.members).signature);
    return text_of(*site.header);
  };
  const std::string first = signed_with(1, "model.py:4");
  EXPECT_EQ(first, "all_reduce f32[3] sum, channel 1, group 4,6, model.py:4");
  EXPECT_EQ(signed_with(1, "model.py:4"), first);
  EXPECT_EQ(signed_with(1001, "model.py:4"),
            "all_reduce f32[3] sum, channel 1001, group 4,6, model.py:4");
  EXPECT_EQ(signed_with(1, "model.py:5"),
            "all_reduce f32[3] sum, channel 1, group 4,6, model.py:5");
  EXPECT_EQ(signed_with(1, "model.py:4"), first);
}

TEST(PreparedCollective, LeavesHeadersOfPairsToTheAlgorithm) {
  const program::Instruction instruction = pair_of(CollectiveKind::collective_permute);
  const Chip chip(5);
  PreparedCollective call(instruction, {0}, chip.execution, chip.rank);
  EXPECT_TRUE(call.takes_part);
  CallSite site = call.site;
  call.sign(site);
  EXPECT_EQ(site.header, nullptr);
}

}  // namespace
}  // namespace understudy::worker
