// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/buckets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "tests/program/process_lists.h"
#include "tests/worker/chip_arrays.h"
#include "tests/worker/worker_testing.h"
#include "worker/pod/collectives.h"

namespace understudy::worker {
namespace {

using program::Collective;
using program::ElementType;
using program::Space;
using program::TensorType;
using testing::ElementsAre;

// One all_reduce of everybody, with an operand of each type.
struct Sum {
  Collective work;
  program::Instruction instruction;

  explicit Sum(const std::vector<TensorType>& types) {
    work.groups = program::groups({{0, 1, 2, 3}});
    work.channel = 1;
    work.reduction = program::Reduction::sum;
    instruction.work = work;
    instruction.op = 3;
    for (std::uint32_t i = 0; i < types.size(); ++i) {
      instruction.inputs.push_back({{Space::argument, i, 0}, types[i]});
      instruction.outputs.push_back({{Space::result, i, 0}, types[i]});
    }
  }
};

TensorType floats(std::int64_t n) { return {ElementType::f32, {n}}; }
TensorType ints(std::int64_t n) { return {ElementType::i32, {n}}; }

TEST(BucketsTest, AreSmallOperandsOfOneElementType) {
  const Sum sum({floats(3), ints(2), floats(9000), floats(0), ints(5), floats(4096)});
  EXPECT_THAT(buckets_of(sum.work, sum.instruction),
              ElementsAre(Bucket{0, 3, 5}, Bucket{1, 4}, Bucket{2}));
}

TEST(BucketsTest, ARegionReducerLeavesEachOperandAlone) {
  Sum sum({floats(3), floats(2)});
  sum.work.reduction = program::Reduction::none;
  EXPECT_THAT(buckets_of(sum.work, sum.instruction), ElementsAre(Bucket{0}, Bucket{1}));
}

// What every chip gets, one operand behind the other, and the counts of chip 0.
struct Got {
  std::vector<std::vector<float>> results = std::vector<std::vector<float>>(kChips);
  std::vector<configs::CollectiveCount> counts;
};

// By one algorithm after the other; the results are those of the last.
Got run(const Sum& sum, const std::vector<std::string>& algorithms) {
  Got got;
  const auto errors = run_pod(kChips, [&](const collectives::Fabric& fabric) {
    const auto rank = static_cast<std::size_t>(fabric.transport.rank().value);
    ChipArrays arrays(fabric);
    for (const program::Operand& input : sum.instruction.inputs) arrays.add(input.type, input.type);
    PodCollectives pod(fabric);
    std::shared_ptr<KeptCollective> kept;
    for (const std::string& algorithm : algorithms) {
      arrays.forget_results();
      pod.use_algorithm(algorithm);
      pod.run(sum.work, sum.instruction, arrays.execution(), kept);
    }
    for (const auto& output : arrays.results())
      got.results[rank].insert(got.results[rank].end(), output.begin(), output.end());
    if (rank == 0) got.counts = pod.counts();
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  return got;
}

TEST(BucketsTest, ABucketGivesTheSameBitsAsSeparateCalls) {
  const Sum sum({floats(3), floats(1), floats(0), floats(9000), floats(700)});
  const Got together = run(sum, {"auto"});
  const Got alone = run(sum, {"direct"});
  EXPECT_EQ(together.results, alone.results);
  ASSERT_EQ(together.counts.size(), 1U);
  EXPECT_EQ(together.counts[0].count, 5);
  EXPECT_EQ(together.counts[0].calls, 2);
  EXPECT_EQ(together.counts[0].bytes, 4U * (3 + 1 + 9000 + 700));
  ASSERT_EQ(alone.counts.size(), 1U);
  EXPECT_EQ(alone.counts[0].count, 5);
  EXPECT_EQ(alone.counts[0].calls, 5);
  EXPECT_EQ(alone.counts[0].bytes, together.counts[0].bytes);
}

TEST(BucketsTest, TheAlgorithmOfALaunchDecidesWhetherItCombines) {
  const Sum sum({floats(3), floats(1)});
  const Got all = run(sum, {"auto", "direct", "auto", "auto"});
  EXPECT_EQ(all.results, run(sum, {"direct"}).results);
  ASSERT_EQ(all.counts.size(), 2U);  // in the order of their names
  EXPECT_EQ(all.counts[0].algorithm, "direct");
  EXPECT_EQ(all.counts[0].calls, 2);
  EXPECT_EQ(all.counts[1].calls, 3);
}

}  // namespace
}  // namespace understudy::worker
