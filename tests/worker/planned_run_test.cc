// SPDX-License-Identifier: Apache-2.0
#include "worker/planned_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mutex>

#include "configs/base/file.h"
#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string words(const UnloadProgram&) { return "unload"; }
std::string words(const LoadProgram& c) {
  return fmt::format("load {} {} bytes of {}", c.program, c.text->size(), c.path);
}
std::string words(const PutBuffer& c) {
  return fmt::format("put {} {} \"{}\"", c.buffer, text_of(c.type), text_of(*c.data));
}
std::string words(const Execute& c) {
  return fmt::format("execute {} step {} ({}) -> ({}) by {}", c.program, c.step,
                     fmt::join(c.arguments, " "), fmt::join(c.results, " "), c.collectives);
}
std::string words(const GetBuffer& c) {
  return fmt::format("get {} as result {}{}", c.buffer, c.result, c.bytes ? "" : ", digest only");
}
std::string words(const FreeBuffer& c) { return fmt::format("free {}", c.buffer); }
std::string words(const CollectCounters&) { return "counters"; }
// Commands of a host process, which a planned run never gives.
std::string words(const auto&) { return "of a host process"; }

configs::RunPlan small_plan() {
  configs::RunPlan plan;
  plan.chips = 2;
  plan.partitions = 2;
  plan.program_path = "step.mlir";
  plan.program_file = "program.mlir";
  plan.numerics = "tpu";
  plan.collectives = "ring";
  plan.arguments = {{"i8", {2}, {"a0"}, {0, 0}, true}, {"i8", {1}, {"b0", "b1"}, {0, 1}, false}};
  plan.results = {{"i8", {2}, {"r0"}, {0, 0}, true}, {"i8", {1}, {"s0", "s1"}, {0, 1}, false}};
  return plan;
}

class PlannedRunTest : public testing::Test {
 protected:
  void SetUp() override {
    write_file_atomically(folder_.file("a0"), std::string_view("AA"));
    write_file_atomically(folder_.file("b0"), std::string_view("x"));
    write_file_atomically(folder_.file("b1"), std::string_view("y"));
  }

  // The commands each rank gets; a GetBuffer is answered with its rank's letters.
  std::vector<std::string> run(const configs::RunPlan& plan) {
    return run_pod(2, [&](const collectives::Fabric& fabric) {
      collectives::Transport& transport = fabric.transport;
      ControlChannel control_channel(transport);
      const auto rank = static_cast<std::size_t>(transport.rank().value);
      configs::RecordWriter record(folder_.file(fmt::format("record{}", rank)), transport.rank());
      WorkerStatus worker_status(record);
      PlannedRun source(plan, std::make_shared<const std::string>("module"), {}, folder_.path(),
                        control_channel, worker_status);
      while (const auto command = source.next()) {
        commands_[rank].push_back(std::visit([](const auto& c) { return words(c); }, *command));
        const auto* get = std::get_if<GetBuffer>(&*command);
        if (get == nullptr || !get->bytes) continue;
        const program::TensorType type{program::ElementType::i8, {get->result == 0 ? 2 : 1}};
        const Bytes bytes(get->result == 0 ? 2 : 1, static_cast<std::byte>('p' + rank));
        source.deliver(*get, type, bytes);
      }
    });
  }

  TestFolder folder_;
  std::array<std::vector<std::string>, 2> commands_;
};

TEST_F(PlannedRunTest, GivesEachRankItsOwnTilesAndAsksOneHolderPerResultTile) {
  EXPECT_THAT(run(small_plan()), ElementsAre("", ""));
  EXPECT_THAT(commands_[0],
              ElementsAre("load 1 6 bytes of step.mlir", "put 1 tensor<2xi8> \"AA\"",
                          "put 2 tensor<1xi8> \"x\"", "execute 1 step 0 (1 2) -> (3 4) by ring",
                          "get 3 as result 0", "get 4 as result 1", "counters"));
  EXPECT_THAT(commands_[1],
              ElementsAre("load 1 6 bytes of step.mlir", "put 1 tensor<2xi8> \"AA\"",
                          "put 2 tensor<1xi8> \"y\"", "execute 1 step 0 (1 2) -> (3 4) by ring",
                          "get 3 as result 0, digest only", "get 4 as result 1", "counters"));
  EXPECT_EQ(read_text_file(folder_.file("r0")), "pp");
  EXPECT_EQ(read_text_file(folder_.file("s0")), "p");
  EXPECT_EQ(read_text_file(folder_.file("s1")), "q");
}

TEST_F(PlannedRunTest, CarriesResultsByRenamingAndFreesTheRest) {
  configs::RunPlan plan = small_plan();
  plan.steps = 3;
  plan.carry = {{0, 0}};
  EXPECT_THAT(run(plan), ElementsAre("", ""));
  EXPECT_THAT(commands_[0],
              ElementsAre("load 1 6 bytes of step.mlir", "put 1 tensor<2xi8> \"AA\"",
                          "put 2 tensor<1xi8> \"x\"", "execute 1 step 0 (1 2) -> (3 4) by ring",
                          "free 1", "free 4", "execute 1 step 1 (3 2) -> (5 6) by ring", "free 3",
                          "free 6", "execute 1 step 2 (5 2) -> (7 8) by ring", "get 7 as result 0",
                          "get 8 as result 1", "counters"));
}

TEST_F(PlannedRunTest, OneResultMayBecomeTwoArguments) {
  configs::RunPlan plan = small_plan();
  plan.arguments[1] = plan.arguments[0];
  plan.steps = 2;
  plan.carry = {{0, 0}, {0, 1}};
  EXPECT_THAT(run(plan), ElementsAre("", ""));
  EXPECT_THAT(commands_[0], testing::Contains("execute 1 step 1 (3 3) -> (5 6) by ring"));
}

TEST_F(PlannedRunTest, ResultsThatNobodyAsksForAreNotSent) {
  configs::RunPlan plan = small_plan();
  plan.results[0].files.clear();
  plan.results[1].files.clear();
  EXPECT_THAT(run(plan), ElementsAre("", ""));
  EXPECT_THAT(commands_[1], testing::Contains("get 4 as result 1, digest only"));
}

TEST_F(PlannedRunTest, AnArgumentFileOfTheWrongSizeIsNamed) {
  write_file_atomically(folder_.file("b1"), std::string_view("too long"));
  EXPECT_THAT(run(small_plan())[0], "error: " + folder_.file("b1") + " has 8 bytes, expected 1");
}

TEST_F(PlannedRunTest, AMissingArgumentFileIsNamed) {
  configs::RunPlan plan = small_plan();
  plan.arguments[0].files = {"nowhere"};
  EXPECT_THAT(run(plan)[0], HasSubstr("cannot read " + folder_.file("nowhere")));
}

}  // namespace
}  // namespace understudy::worker
