// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/collectives.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "program/kernels/kernels.h"
#include "tests/program/process_lists.h"
#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using program::Collective;
using program::CollectiveKind;
using program::ElementType;
using program::Reduction;
using program::Space;
using program::TensorType;
using testing::ElementsAre;

using Ints = std::vector<std::int32_t>;
using Groups = std::vector<std::vector<std::int64_t>>;

Collective of(CollectiveKind kind, const Groups& groups) {
  Collective collective;
  collective.kind = kind;
  collective.groups = program::groups(groups);
  collective.channel = 1;
  return collective;
}

// a * 2 + b: order matters, and no kernel knows it.
program::Body doubling_body(bool lanewise) {
  const TensorType scalar{ElementType::i32, {}};
  const auto at = [&](std::uint64_t offset) {
    return program::Operand{{Space::frame, 0, offset}, scalar};
  };
  program::Body body;
  body.parameters = {at(0), at(16)};
  body.results = {at(48)};
  body.code = {{program::Binary{program::BinaryOp::add}, {at(0), at(0)}, {at(32)}, 0},
               {program::Binary{program::BinaryOp::add}, {at(32), at(16)}, {at(48)}, 0}};
  body.frame_bytes = 64;
  body.lanewise = lanewise;
  return body;
}

// What each of `inputs.size()` chips gets; each has its own input, all i32.
std::vector<Ints> run(const Collective& collective, const TensorType& in, const TensorType& out,
                      const std::vector<Ints>& inputs,
                      std::vector<configs::CollectiveCount>* counts = nullptr) {
  std::vector<Ints> outputs(inputs.size());
  const auto chips = static_cast<int>(inputs.size());
  const auto errors = run_pod(chips, [&](const collectives::Fabric& fabric) {
    const auto rank = static_cast<std::size_t>(fabric.transport.rank().value);
    Vmem vmem(1 << 20);
    Ints result(static_cast<std::size_t>(out.elements()), -1);
    Execution execution;
    execution.arguments = {reinterpret_cast<const std::byte*>(inputs[rank].data())};
    execution.results = {reinterpret_cast<std::byte*>(result.data())};
    execution.process = {0, fabric.transport.rank().value, 1, chips};
    execution.vmem = &vmem;
    execution.kernels = &program::kernels::select("");
    const program::Instruction instruction{
        collective, {{{Space::argument, 0, 0}, in}}, {{{Space::result, 0, 0}, out}}, 7};
    PodCollectives pod(fabric);
    pod.use_algorithm("ring");
    std::shared_ptr<KeptCollective> kept;
    pod.run(collective, instruction, execution, kept);
    outputs[rank] = result;
    if (rank == 0 && counts != nullptr) *counts = pod.counts();
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  return outputs;
}

TensorType ints(program::Shape shape) { return {ElementType::i32, std::move(shape)}; }

TEST(PodCollectives, AllReduceSumsOverSeveralGroupsSideBySide) {
  Collective sum = of(CollectiveKind::all_reduce, {{0, 2}, {1, 3}});
  sum.reduction = Reduction::sum;
  std::vector<configs::CollectiveCount> counts;
  EXPECT_THAT(run(sum, ints({2}), ints({2}), {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, &counts),
              ElementsAre(Ints{6, 8}, Ints{10, 12}, Ints{6, 8}, Ints{10, 12}));
  ASSERT_EQ(counts.size(), 1U);
  EXPECT_EQ(counts[0].kind, "all_reduce");
  EXPECT_EQ(counts[0].bytes, 8U);
  EXPECT_EQ(counts[0].messages_sent, 2U);
  EXPECT_EQ(counts[0].bytes_sent, 8U);
}

TEST(PodCollectives, AnUnknownReducerIsItsBodyInGroupOrder) {
  for (const bool lanewise : {true, false}) {
    Collective collective = of(CollectiveKind::all_reduce, {{1, 0}});
    collective.body = doubling_body(lanewise);
    // One element: the ring folds it at its owner, which is the first member of the group.
    const auto got = run(collective, ints({1}), ints({1}), {{100}, {1}});
    EXPECT_EQ(got[0], got[1]);
    EXPECT_TRUE(got[0] == Ints{102} || got[0] == Ints{201}) << got[0][0];
  }
}

TEST(PodCollectives, BodiesRunOverMoreElementsThanLanes) {
  Collective collective = of(CollectiveKind::reduce_scatter, {{0, 1}});
  collective.body = doubling_body(true);
  const Ints ones(2000, 1);
  for (const Ints& out : run(collective, ints({2000}), ints({1000}), {ones, ones})) {
    EXPECT_EQ(out, Ints(1000, 3));
  }
}

TEST(PodCollectives, AllGatherJoinsAlongItsDimension) {
  Collective gather = of(CollectiveKind::all_gather, {{0, 1}});
  gather.dimension = 1;
  EXPECT_THAT(run(gather, ints({2, 1}), ints({2, 2}), {{1, 2}, {3, 4}}),
              ElementsAre(Ints{1, 3, 2, 4}, Ints{1, 3, 2, 4}));
  gather.dimension = 0;
  EXPECT_THAT(run(gather, ints({2}), ints({4}), {{1, 2}, {3, 4}}),
              ElementsAre(Ints{1, 2, 3, 4}, Ints{1, 2, 3, 4}));
}

TEST(PodCollectives, ReduceScatterCutsAlongItsDimension) {
  Collective scatter = of(CollectiveKind::reduce_scatter, {{0, 1}});
  scatter.reduction = Reduction::sum;
  scatter.dimension = 1;
  EXPECT_THAT(run(scatter, ints({2, 2}), ints({2, 1}), {{1, 2, 3, 4}, {10, 20, 30, 40}}),
              ElementsAre(Ints{11, 33}, Ints{22, 44}));
}

TEST(PodCollectives, AllToAllSplitsAndJoins) {
  Collective all = of(CollectiveKind::all_to_all, {{0, 1}});
  all.split_dimension = 1;
  all.concat_dimension = 0;
  all.split_count = 2;
  EXPECT_THAT(run(all, ints({1, 4}), ints({2, 2}), {{1, 2, 3, 4}, {5, 6, 7, 8}}),
              ElementsAre(Ints{1, 2, 5, 6}, Ints{3, 4, 7, 8}));
}

TEST(PodCollectives, PermuteGivesZerosWhereNobodySends) {
  Collective permute = of(CollectiveKind::collective_permute, {});
  permute.source_target = program::pairs({{0, 1}, {1, 2}});
  EXPECT_THAT(run(permute, ints({1}), ints({1}), {{7}, {8}, {9}}),
              ElementsAre(Ints{0}, Ints{7}, Ints{8}));
}

TEST(PodCollectives, BroadcastComesFromTheFirstMember) {
  EXPECT_THAT(run(of(CollectiveKind::collective_broadcast, {{2, 0}}), ints({1}), ints({1}),
                  {{7}, {8}, {9}}),
              ElementsAre(Ints{9}, Ints{0}, Ints{9}));
}

TEST(PodCollectives, AProcessInNoGroupKeepsItsOperand) {
  Collective sum = of(CollectiveKind::all_reduce, {{0, 1}});
  sum.reduction = Reduction::sum;
  EXPECT_THAT(run(sum, ints({1}), ints({1}), {{7}, {8}, {9}}),
              ElementsAre(Ints{15}, Ints{15}, Ints{9}));
}

}  // namespace
}  // namespace understudy::worker
