// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/judge_rung.h"

#include <gmock/gmock.h>

namespace understudy::launcher {
namespace {

using configs::RankSeen;
using configs::RungSeen;
using ::testing::HasSubstr;

// A run of three steps on two chips without anything wrong.
RunReport good() {
  RunReport run;
  run.receipt_path = "r.json";
  configs::Receipt& receipt = run.receipt;
  receipt.chip_count = 2;
  receipt.executes = 6;
  receipt.compiles = 1;
  receipt.counters = std::map<std::string, std::int64_t>{{"CachedCompile", 1}};
  receipt.hbm_peak_bytes = {100'000, 100'100, 1'000'000};
  for (std::int64_t step = 0; step < 3; ++step)
    receipt.steps.push_back({step, 0.001, std::nullopt, {}});
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    RankSeen chip;
    chip.rank = rank;
    chip.host = rank;
    chip.late_programs = chip.late_compiles = 0;
    chip.totals = configs::Totals{1, 3, 9, std::map<std::string, std::int64_t>{}};
    receipt.ranks.push_back(chip);
  }
  configs::ResultReceipt result;
  result.digest = "feed";
  result.distinct_values = 1;
  receipt.results.push_back(result);
  return run;
}

RungEvidence evidence(RunReport run) {
  RungEvidence all;
  all.runs.push_back(std::move(run));
  all.algorithms = {"auto"};
  return all;
}

RungSeen judged(const RungEvidence& evidence) {
  configs::Rung rung;
  rung.name = "dense";
  return judge_rung(rung, evidence);
}

void expect_failure(const RungSeen& seen, const std::string& layer, const std::string& diagnosis,
                    const std::string& why) {
  EXPECT_EQ(seen.status, "failed");
  EXPECT_EQ(seen.layer_of_failure, layer);
  EXPECT_EQ(seen.diagnosis, diagnosis);
  EXPECT_THAT(seen.why.value_or(""), HasSubstr(why));
  EXPECT_FALSE(seen.advice.value_or("").empty());
  ASSERT_FALSE(seen.checks.empty());
  EXPECT_FALSE(seen.checks.back().holds);
}

TEST(JudgeRung, PassesWithItsFigures) {
  const RungSeen seen = judged(evidence(good()));
  EXPECT_EQ(seen.status, "passed");
  EXPECT_EQ(seen.steps, 3);
  EXPECT_EQ(seen.chips, 2);
  EXPECT_EQ(seen.compiles, 1);
  EXPECT_EQ(seen.loads, 1);
  EXPECT_EQ(seen.late_programs, 0);
  EXPECT_EQ(seen.fallbacks, 0);
  EXPECT_EQ(seen.hbm_observed, 100'100u);
  for (const configs::RungCheck& check : seen.checks) EXPECT_TRUE(check.holds) << check.name;
}

TEST(JudgeRung, NamesWhatWasRefusedBeforeItRan) {
  RungEvidence refused;
  refused.refused = Error(ErrorKind::system, "no mpirun in PATH");
  expect_failure(judged(refused), "host/runtime", "machine-refused", "no mpirun");
  refused.refused = Error(ErrorKind::check, "x").diagnosed("recompiles");
  expect_failure(judged(refused), "graph/compile", "recompiles", "x");
}

TEST(JudgeRung, TakesOverTheFailureOfARun) {
  RunReport run = good();
  configs::ReceiptFailure failure;
  failure.kind = configs::FailureKind::timeout;
  failure.diagnosis = "rank-died";
  failure.rank = 3;
  failure.host = 1;
  failure.message = "rank 3 (host 1) was killed";
  run.outcome.failure = failure;
  run.exit_code = 4;
  const RungSeen seen = judged(evidence(run));
  expect_failure(seen, "collective", "rank-died", "was killed");
  EXPECT_EQ(seen.code, "F36");
  EXPECT_EQ(seen.rank, 3);
  EXPECT_EQ(seen.host, 1);
}

TEST(JudgeRung, SeesFallbacksToTheHost) {
  RunReport run = good();
  (*run.receipt.ranks[1].totals->counters)["aten::sort"] = 3;
  const RungSeen seen = judged(evidence(run));
  expect_failure(seen, "graph/compile", "host-fallback", "aten::sort 3 times");
  EXPECT_EQ(seen.host, 1);
}

TEST(JudgeRung, SeesProgramsThatComeLate) {
  RunReport run = good();
  run.receipt.ranks[0].late_programs = 2;
  run.receipt.ranks[0].late_compiles = 1;
  run.difference = "stablehlo.constant attributes: 1 and 2";
  const RungSeen seen = judged(evidence(run));
  expect_failure(seen, "graph/compile", "recompiles", "2 more programs and compiled 1 of them");
  EXPECT_THAT(*seen.why, HasSubstr("stablehlo.constant attributes: 1 and 2"));
}

TEST(JudgeRung, SeesStepsThatNobodyRan) {
  RunReport run = good();
  run.receipt.executes = 5;
  expect_failure(judged(evidence(run)), "program", "nothing-executed", "5 launches");
}

TEST(JudgeRung, SeesResultsThatDiffer) {
  RunReport run = good();
  Comparison bad;
  bad.mismatches = 4;
  bad.place = "[1, 2]";
  bad.got = "3";
  bad.want = "5";
  run.comparisons.push_back(bad);
  configs::ReceiptFailure failure;
  failure.kind = configs::FailureKind::check;
  failure.phase = "comparison";
  failure.message = "1 of 1 results differ from the expected results";
  run.outcome.failure = failure;
  run.exit_code = 1;
  expect_failure(judged(evidence(run)), "program", "results-differ",
                 "4 elements, most at [1, 2]: got 3, expected 5");
}

TEST(JudgeRung, SeesReplicasThatDisagree) {
  RunReport run = good();
  run.receipt.results[0].distinct_values = 2;
  expect_failure(judged(evidence(run)), "program", "replicated-values-differ",
                 "2 different values");
}

TEST(JudgeRung, SeesMetricsThatAreLocal) {
  RungEvidence all = evidence(good());
  configs::MetricsReport report;
  configs::ResultVerdict loss;
  loss.index = 3;
  loss.name = "loss";
  loss.verdict = "local";
  loss.reason = "it was not reduced over data";
  loss.axes = {"data"};
  loss.evidence = {{"static", "followed it", "may differ", false}};
  report.results = {loss};
  report.exit_code = 1;
  all.metrics = report;
  expect_failure(judged(all), "program", "metric-not-global",
                 "result 3 (loss): local: it was not reduced over data");
  const auto metrics = metrics_of_rung(configs::Rung{}, all);
  ASSERT_EQ(metrics.size(), 1u);
  EXPECT_EQ(metrics[0].verdict, "local");
  EXPECT_EQ(metrics[0].probes.at("static"), false);
}

TEST(JudgeRung, SeesMemoryThatIsNotAsPlanned) {
  RunReport run = good();
  run.receipt.hbm_peak_bytes = {1'000'000, 2'000'000, 9'000'000};
  expect_failure(judged(evidence(run)), "memory", "hbm-not-as-planned", "2 MB observed");
  // A little more is the arena's granularity.
  run.receipt.hbm_peak_bytes = {1'000'000, 1'100'000, 9'000'000};
  EXPECT_EQ(judged(evidence(run)).status, "passed");
}

// A chip alone is its host's; what all do is the program's.
TEST(JudgeRung, NamesTheChipThatAloneUsesMore) {
  RunReport run = good();
  run.receipt.hbm_peak_bytes = {1'000'000, 3'000'000, 9'000'000};
  run.receipt.ranks.push_back(run.receipt.ranks.back());
  run.receipt.ranks.back().rank = 2;
  for (RankSeen& chip : run.receipt.ranks)
    chip.memory =
        configs::MemorySeen{1'000'000, chip.rank == 1 ? 3'000'000U : 1'000'000U, 9'000'000};
  EXPECT_EQ(judged(evidence(run)).host, 1);
  for (RankSeen& chip : run.receipt.ranks) chip.memory->hbm_observed = 3'000'000;
  EXPECT_EQ(judged(evidence(run)).host, std::nullopt);
}

TEST(JudgeRung, SeesAlgorithmsThatDisagree) {
  RungEvidence all = evidence(good());
  all.runs.push_back(good());
  all.algorithms = {"direct", "ring"};
  EXPECT_EQ(judged(all).status, "passed");
  all.runs[1].receipt.results[0].digest = "beef";
  expect_failure(judged(all), "collective", "algorithms-disagree",
                 "result 0 differs between ring and direct");
}

}  // namespace
}  // namespace understudy::launcher
