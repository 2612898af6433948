// SPDX-License-Identifier: Apache-2.0
#include "worker/commander.h"

#include <deque>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A fixed list of commands. Failures are kept, and the worker goes on.
class Script final : public CommandSource {
 public:
  explicit Script(std::deque<Command> commands) : commands_(std::move(commands)) {}
  std::optional<Command> next() override {
    if (commands_.empty()) return std::nullopt;
    Command command = std::move(commands_.front());
    commands_.pop_front();
    return command;
  }
  void deliver(const GetBuffer&, const program::TensorType&, std::span<const std::byte>) override {}
  void answer(const Command&, const Answer& answer) override {
    told.push_back(answer.error == nullptr ? "" : answer.error->message());
  }

  std::vector<std::string> told;

 private:
  std::deque<Command> commands_;
};

LoadProgram load(ProgramName name, const std::string& body) {
  LoadProgram command;
  command.program = name;
  command.text = std::make_shared<const std::string>(
      "module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
      "  func.func public @main() -> tensor<f32> {\n" +
      body + "    return %0 : tensor<f32>\n  }\n}\n");
  command.path = "m.mlir";
  return command;
}

LoadProgram scalar(ProgramName name, double value = 1) {
  return load(name, fmt::format("    %0 = stablehlo.constant dense<{:e}> : tensor<f32>\n", value));
}

// Returns the last of enough constants to fill an HBM of 1 KiB.
LoadProgram large(ProgramName name) {
  std::vector<int> numbers(512);
  std::iota(numbers.begin(), numbers.end(), 1);
  return load(name, fmt::format(R"(
    %c = stablehlo.constant dense<[{}.0]> : tensor<512xf32>
    %s = stablehlo.slice %c [511:512] : (tensor<512xf32>) -> tensor<1xf32>
    %0 = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
)",
                                fmt::join(numbers, ".0, ")));
}

class CommanderTest : public testing::Test {
 protected:
  // The answer to each command.
  std::vector<std::string> obey(std::deque<Command> commands) {
    Script script(std::move(commands));
    const auto errors = run_pod(1, [&](const collectives::Fabric& fabric) {
      configs::RecordWriter record(folder_.file("record"), Rank(0));
      WorkerStatus worker_status(record);
      Gates gates(record, Clock::now());
      for (auto gate = configs::Phase::contract_checked; gate <= configs::Phase::tensors_allowed;
           gate = static_cast<configs::Phase>(static_cast<std::uint32_t>(gate) + 1))
        gates.pass(gate, "");
      const auto& kernels = program::kernels::select("");
      const Segment segment = Segment::create(1024);
      Chip chip(segment.hbm(), 1 << 16, std::make_unique<Mxu>(kernels), kernels);
      Commander commander({chip, fabric.transport, fabric, record, worker_status, gates, at_work_,
                           cache_, "chip", "digest"});
      commander.obey(script);
      used_ = chip.hbm.used();
    });
    EXPECT_THAT(errors, ElementsAre(""));
    return script.told;
  }

  std::vector<std::string> warnings() {
    std::vector<std::string> all;
    const auto record = configs::read_record(folder_.file("record"));
    for (const auto& one : record.value().observations)
      if (const auto* compiled = std::get_if<configs::Compiled>(&one))
        all.insert(all.end(), compiled->warnings.begin(), compiled->warnings.end());
    return all;
  }

  TestFolder folder_;
  ProgramAtWork at_work_;
  cache::CacheRequest cache_ = [this] {
    cache::CacheRequest request;
    request.directory = folder_.file("cache");
    request.policy = "off";
    return request;
  }();
  std::uint64_t used_ = 0;
};

TEST_F(CommanderTest, AProgramWhoseConstantsDoNotFitIsNotLoaded) {
  EXPECT_THAT(obey({large(1), scalar(1), Execute{1, {}, {7}}, FreeBuffer{7}, UnloadProgram{1}}),
              ElementsAre(HasSubstr("RESOURCE_EXHAUSTED"), "", "", "", ""));
  EXPECT_EQ(used_, 0U);
}

TEST_F(CommanderTest, AProgramIsLoadedOnceUnderItsName) {
  EXPECT_THAT(obey({scalar(1), scalar(1, 2), UnloadProgram{1}, scalar(1, 2)}),
              ElementsAre("", HasSubstr("!programs_.contains"), "", ""));
}

TEST_F(CommanderTest, NamesOperationsOfWhatItLaunchedLast) {
  EXPECT_EQ(at_work_.op_name(0), "");
  obey({scalar(1), Execute{1, {}, {7}}, UnloadProgram{1}});
  EXPECT_EQ(at_work_.op_name(0), "stablehlo.constant");
  EXPECT_EQ(at_work_.op_name(-1), "");
  EXPECT_EQ(at_work_.op_name(100), "");
}

TEST_F(CommanderTest, ReportsCacheThrashing) {
  cache_.policy = "shared";
  cache_.max_bytes = 1;
  obey({scalar(1), UnloadProgram{1}, scalar(2, 2), UnloadProgram{2}, scalar(1)});
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("the cache thrashes")));
}

TEST_F(CommanderTest, ACacheThatHoldsItsProgramsDoesNotThrash) {
  cache_.policy = "shared";
  cache_.max_bytes = 1 << 30;
  obey({scalar(1), UnloadProgram{1}, scalar(2, 2), UnloadProgram{2}, scalar(1)});
  EXPECT_THAT(warnings(), IsEmpty());
}

}  // namespace
}  // namespace understudy::worker
