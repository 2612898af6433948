// SPDX-License-Identifier: Apache-2.0
// Asynchronous collectives give the same results as blocking ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "tests/program/process_lists.h"
#include "tests/worker/chip_arrays.h"
#include "tests/worker/worker_testing.h"
#include "worker/pod/collectives.h"

namespace understudy::worker {
namespace {

using program::Collective;
using program::CollectiveDone;
using program::CollectiveKind;
using program::ElementType;
using program::Instruction;
using program::Space;
using program::TensorType;

TensorType floats(program::Shape shape) { return {ElementType::f32, std::move(shape)}; }

Instruction collective(CollectiveKind kind, std::uint32_t lane, std::uint32_t at,
                       const TensorType& in, const TensorType& out) {
  Collective work;
  work.kind = kind;
  work.groups = program::groups({{0, 1, 2, 3}});
  work.channel = 1;
  work.dimension = 1;
  work.reduction = program::Reduction::sum;
  work.lane = lane;
  return {work, {{{Space::argument, at, 0}, in}}, {{{Space::result, at, 0}, out}}, at};
}

using Results = std::vector<std::vector<float>>;  // by operand

// Runs the instructions, then the ends, on chips whose argument i are the floats of the i-th
// instruction.
std::vector<Results> run(const std::vector<Instruction>& code,
                         const std::vector<std::uint32_t>& ends, const std::string& algorithm) {
  std::vector<Results> all(kChips);
  const auto errors = run_pod(kChips, [&](const collectives::Fabric& fabric) {
    ChipArrays arrays(fabric);
    for (const Instruction& instruction : code)
      arrays.add(instruction.inputs[0].type, instruction.outputs[0].type);
    PodCollectives pod(fabric);
    pod.use_algorithm(algorithm);
    std::vector<std::shared_ptr<KeptCollective>> kept(code.size());
    for (int round = 0; round < 20; ++round) {  // lanes are used again and again
      arrays.forget_results();
      for (std::size_t i = 0; i < code.size(); ++i)
        pod.run(std::get<Collective>(code[i].work), code[i], arrays.execution(), kept[i]);
      for (const std::uint32_t lane : ends) pod.run(CollectiveDone{lane});
    }
    all[static_cast<std::size_t>(fabric.transport.rank().value)] = arrays.results();
    EXPECT_EQ(pod.counts().at(0).count, pod.counts().at(0).calls);
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  return all;
}

// Small operands, where the last member computes everything, and operands of many chunks.
std::vector<Instruction> three_kinds(std::int64_t n, bool in_lanes) {
  const auto lane = [&](std::uint32_t number) { return in_lanes ? number : 0; };
  return {
      collective(CollectiveKind::all_reduce, lane(1), 0, floats({n, 8}), floats({n, 8})),
      collective(CollectiveKind::all_gather, lane(2), 1, floats({n, 8}), floats({n, 32})),
      collective(CollectiveKind::reduce_scatter, lane(3), 2, floats({n, 8}), floats({n, 2})),
      collective(CollectiveKind::all_reduce, 0, 3, floats({n, 3}), floats({n, 3})),
  };
}

TEST(PodLanesTest, GiveWhatWholeCollectivesGive) {
  for (const std::int64_t n : {1, 40, 9000}) {
    const auto whole = run(three_kinds(n, false), {}, "direct");
    EXPECT_EQ(run(three_kinds(n, true), {1, 2, 3}, "direct"), whole) << n;
    EXPECT_EQ(run(three_kinds(n, true), {3, 1, 2}, "auto"), whole) << n;
  }
}

TEST(PodLanesTest, AnAlgorithmThatCannotEnterDoesTheWholeAtOnce) {
  EXPECT_EQ(run(three_kinds(40, true), {1, 2, 3}, "ring"), run(three_kinds(40, false), {}, "ring"));
}

}  // namespace
}  // namespace understudy::worker
