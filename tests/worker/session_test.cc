// SPDX-License-Identifier: Apache-2.0
// Whole runs in pods of threads: plan, gates, cache, launches, collectives, results, records.
#include "worker/session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <stop_token>
#include <thread>

#include "configs/base/file.h"
#include "configs/receipt/memory_check.h"
#include "tests/worker/sum_run.h"

namespace understudy::worker {
namespace {

using configs::Phase;
using testing::Each;
using testing::HasSubstr;

// Reads the data of a failure record, as the main thread may at any time. The thread sanitizer's
// verdict on it is half of the test.
class Onlooker {
 public:
  explicit Onlooker(const Session& session)
      : thread_([&session](const std::stop_token& end) {
          Phase last = Phase::started;
          while (!end.stop_requested()) {
            const Phase phase = session.reached();
            EXPECT_GE(phase, last);
            last = phase;
            const std::string op = session.op_name(0);
            EXPECT_TRUE(op.empty() || op.starts_with("stablehlo.") || op.starts_with("sdy.")) << op;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
          }
        }) {}

 private:
  std::jthread thread_;
};

class SessionTest : public testing::Test {
 protected:
  void write_plan() { run_.write_plan(read_process_environment().environment); }

  std::vector<std::string> run() {
    run_.clear_records();
    return run_pod(kChips, [this](const collectives::Fabric& fabric) {
      collectives::Transport& transport = fabric.transport;
      const Rank rank = transport.rank();
      configs::RecordWriter record(run_.folder.file(fmt::format("records/{}", rank.value)), rank);
      WorkerStatus worker_status(record);
      Session session(
          {transport, record, worker_status, run_.folder.path(), "threads", Clock::now(), nullptr});
      const Onlooker onlooker(session);
      session.run();
      worker_status.beat();
      worker_status.enter(Phase::finished);
    });
  }

  SumRun run_{kChips};
  configs::RunPlan& plan_ = run_.plan;
};

TEST_F(SessionTest, ReducesOverAllChipsAndWritesTheResults) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_EQ(run_.floats("sum"), (std::vector<float>{10, 100}));
  EXPECT_EQ(run_.floats("p2"), (std::vector<float>{12, 120}));
}

TEST_F(SessionTest, RecordsGatesCompilesCollectivesMemoryAndResults) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  std::set<std::string> digests;
  for (int rank = 0; rank < kChips; ++rank) {
    EXPECT_EQ(run_.record_of(rank).phase, Phase::finished);
    EXPECT_EQ(run_.seen_by<configs::GateSeen>(rank).size(), 8U);
    const auto started = run_.seen_by<configs::Started>(rank).at(0);
    EXPECT_EQ(started.contract_digest, plan_.contract_digest);
    const auto compiled = run_.seen_by<configs::Compiled>(rank).at(0);
    EXPECT_EQ(compiled.cached, rank != 0);
    EXPECT_EQ(compiled.program_digest, plan_.program_digest);
    const auto count = run_.seen_by<configs::CollectiveCount>(rank).at(0);
    EXPECT_EQ(count.kind, "all_reduce");
    EXPECT_EQ(count.algorithm, "ring");
    EXPECT_EQ(count.count, 1);
    EXPECT_EQ(count.bytes, 8U);
    EXPECT_EQ(count.messages_sent, 2U * (kChips - 1));
    const auto memory = run_.seen_by<configs::MemorySeen>(rank).at(0);
    EXPECT_LE(memory.hbm_predicted, memory.hbm_observed);
    EXPECT_LT(memory.hbm_observed, memory.hbm_predicted + *memory.hbm_regions * *memory.page_bytes);
    EXPECT_EQ(run_.seen_by<configs::Totals>(rank).at(0).executes, 1);
    EXPECT_EQ(run_.seen_by<configs::Totals>(rank).at(0).compiles, rank == 0 ? 1 : 0);
    digests.insert(run_.seen_by<configs::ResultSeen>(rank).at(0).digest);
  }
  EXPECT_EQ(digests.size(), 1U);
}

// The pages are counted by the kernel, so a wrong prediction contradicts them.
TEST_F(SessionTest, AWrongPredictionOfMemoryIsSeen) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  const auto seen = run_.seen_by<configs::MemorySeen>(0).at(0);
  EXPECT_EQ(configs::memory_complaint(seen), std::nullopt);
  configs::MemorySeen large = seen;
  large.hbm_predicted += *seen.page_bytes;
  EXPECT_THAT(configs::memory_complaint(large).value_or(""),
              HasSubstr("the prediction of the HBM peak is too large"));
  // One region less hides at most one page.
  configs::MemorySeen small = seen;
  small.hbm_predicted = 0;
  small.hbm_regions = 1;
  EXPECT_THAT(configs::memory_complaint(small).value_or(""),
              HasSubstr("the prediction of the HBM peak is too small"));
}

TEST_F(SessionTest, SecondRunCompilesNothing) {
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_THAT(run(), Each(""));
  for (int rank = 0; rank < kChips; ++rank) {
    EXPECT_TRUE(run_.seen_by<configs::Compiled>(rank).at(0).cached);
    EXPECT_EQ(run_.seen_by<configs::Totals>(rank).at(0).compiles, 0);
  }
}

TEST_F(SessionTest, CarriesProductsThroughTheSteps) {
  plan_.steps = 3;
  plan_.carry = {{1, 0}};
  write_plan();
  EXPECT_THAT(run(), Each(""));
  EXPECT_EQ(run_.floats("p0"), (std::vector<float>{64, 640}));
  EXPECT_EQ(run_.floats("sum"), (std::vector<float>{160, 1600}));
  const auto steps = run_.seen_by<configs::Stepped>(1);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[2].index, 2);
  EXPECT_LE(steps[0].start_ns, steps[0].end_ns);
  EXPECT_LE(steps[0].end_ns, steps[1].start_ns);
}

TEST_F(SessionTest, AnotherContractIsAProtocolErrorThatNamesWho) {
  write_plan();
  plan_.contract_sections.at(4).second = "0123";
  write_file_atomically(run_.folder.file("plan.json"), configs::to_json(plan_));
  for (const std::string& error : run()) {
    EXPECT_THAT(error, HasSubstr("the launch contract differs between ranks: rank 0 (host 0, "
                                 "machine "));
    EXPECT_THAT(error, HasSubstr("section program differs from the launcher's"));
  }
  EXPECT_EQ(run_.record_of(0).phase, Phase::started);
}

TEST_F(SessionTest, TooFewWorkersAreAProtocolError) {
  plan_.chips = plan_.partitions = 8;
  plan_.host_of.assign(8, HostId(0));
  plan_.coordinates.assign(8, {0, 0, 0});
  for (auto* array : {&plan_.arguments[0], &plan_.results[0], &plan_.results[1]}) {
    array->tile_of.resize(8);
  }
  write_plan();
  EXPECT_THAT(run(), Each("error: the plan needs 8 chips, but 4 workers started"));
}

TEST_F(SessionTest, MoreThanTheHbmHoldsIsAnErrorInXlasWords) {
  plan_.hbm_bytes = 128;
  write_plan();
  EXPECT_THAT(run()[0], HasSubstr("RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of "
                                  "memory in memory space hbm. Used "));
}

}  // namespace
}  // namespace understudy::worker
