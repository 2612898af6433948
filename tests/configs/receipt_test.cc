// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include "configs/run_document.h"
#include "tests/configs/plan_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Records = std::vector<std::optional<RecordContent>>;

RecordContent record_of(std::int64_t rank) {
  Started started;
  started.pid = 100 + rank;
  started.pid_start = 5;
  started.machine = "laptop";
  started.cpu = "a CPU";
  started.isa = "avx2";
  started.mxu = "oneDNN";
  started.mpi = "Open MPI 4.1.4";
  started.version = "VERSION";
  started.revision = "REVISION";
  started.contract_digest = "0123";
  Compiled compiled;
  compiled.cached = rank != 0;
  compiled.wall_seconds = 0.5 + 0.25 * static_cast<double>(rank);
  compiled.compile_seconds = rank == 0 ? 0.5 : 0;
  compiled.key = "k";
  compiled.policy = "per-host";
  compiled.program_digest = "feed";
  Stepped step;
  step.start_ns = 1'000'000'000 + 100'000'000 * rank;
  step.end_ns = 1'600'000'000 + 150'000'000 * rank;
  if (rank == 0) step.scalars = {{0, 0.5}};
  RecordContent record;
  record.rank = rank;
  record.instructions = 40;
  record.phase = Phase::finished;
  record.observations = {
      started,
      GatePassed{"contract checked", 0.125, "0123"},
      compiled,
      step,
      CollectiveCount{"all_reduce", "ring", 4, 4, 1000, 8, 4000},
      MemorySeen{900, 800u + static_cast<std::uint64_t>(rank), 32'000'000'000},
      ResultSeen{0, "d0", "f32", {}},
      Totals{rank == 0 ? 1 : 0, 1, 40, {{{"UncachedCompile", rank == 0 ? 1 : 0}}}}};
  return record;
}

LauncherFacts facts_of(std::int64_t exit_code) {
  LauncherFacts facts;
  facts.started_at = "2026-01-31T12:00:00Z";
  facts.wall_seconds = 2.5;
  facts.exit_code = exit_code;
  facts.results = {{0, "float32", {}, ResultComparison{1e-7, 1e-6, 2e-4, 2e-5, true}, false}};
  return facts;
}

Receipt passed() {
  Receipt receipt = assemble(small_plan(), {record_of(0), record_of(1)}, facts_of(0));
  receipt.versions.understudy = "VERSION";
  receipt.versions.revision = "REVISION";
  return receipt;
}

TEST(Receipt, AddsUpWhatAllChipsTold) {
  const Receipt receipt = passed();
  EXPECT_EQ(receipt.verdict, "passed");
  EXPECT_EQ(receipt.contract_agreed, true);
  EXPECT_EQ(receipt.compiles, 1);
  EXPECT_EQ(receipt.executes, 2);
  EXPECT_EQ(receipt.hbm_peak_bytes.observed, 801u);
  ASSERT_EQ(receipt.steps.size(), 1u);
  EXPECT_DOUBLE_EQ(receipt.steps[0].wall_seconds, 0.65) << "last start 1.1 s, last end 1.75 s";
  EXPECT_FALSE(receipt.steps[0].emulated_seconds);
  ASSERT_EQ(receipt.collectives.size(), 1u);
  EXPECT_EQ(receipt.collectives[0].messages_sent_per_chip, 8u);
  EXPECT_EQ(receipt.collectives[0].bytes_sent, 8000u);
  EXPECT_EQ(receipt.collectives[0].count, 4);
  ASSERT_TRUE(receipt.compile);
  EXPECT_FALSE(receipt.compile->cached) << "chip 0 compiled";
  EXPECT_EQ(receipt.compile->wall_seconds, 0.75);
  EXPECT_EQ(receipt.results[0].digest, "d0");
  EXPECT_EQ(receipt.results[0].distinct_values, 1);
  EXPECT_THAT(receipt.hosts[0].ranks, ElementsAre(0, 1));
  EXPECT_THAT(receipt.hosts[0].machines, ElementsAre("laptop"));
}

TEST(Receipt, CountsDifferentValuesOfAResultThatShouldBeOne) {
  RecordContent other = record_of(1);
  other.observations[6] = ResultSeen{0, "d1", "f32", {}};
  const Receipt receipt = assemble(small_plan(), {record_of(0), other}, facts_of(0));
  EXPECT_EQ(receipt.results[0].distinct_values, 2);
  EXPECT_THAT(run_document(receipt, ""), ::testing::HasSubstr("\"distinct_values\": 2"));
  EXPECT_THAT(run_document(passed(), ""), ::testing::Not(::testing::HasSubstr("distinct_values")));
}

TEST(Receipt, DoesNotCallTilesDifferentValues) {
  RunPlan plan = small_plan();
  plan.results = {{"f32", {2}, {"r0", "r1"}, {0, 1}, false}};
  RecordContent other = record_of(1);
  other.observations[6] = ResultSeen{0, "d1", "f32", {2}};
  const Receipt one = assemble(plan, {record_of(0), other}, facts_of(0));
  EXPECT_EQ(one.results[0].distinct_values, 1);
  const Receipt two = assemble(plan, {record_of(0), record_of(1)}, facts_of(0));
  EXPECT_NE(one.results[0].digest, two.results[0].digest);
}

TEST(Receipt, LeavesUnknownWhatNotEveryChipTold) {
  const Receipt receipt = assemble(small_plan(), {record_of(0), std::nullopt}, facts_of(4));
  EXPECT_EQ(receipt.verdict, "failed");
  EXPECT_FALSE(receipt.contract_agreed);
  EXPECT_FALSE(receipt.compiles);
  EXPECT_FALSE(receipt.executes);
  EXPECT_FALSE(receipt.hosts[0].compiles);
  EXPECT_TRUE(receipt.steps.empty()) << "not every chip finished it";
  EXPECT_FALSE(receipt.results[0].digest);
  EXPECT_FALSE(receipt.results[0].distinct_values);
  EXPECT_FALSE(receipt.chips[1].phase);
  EXPECT_FALSE(receipt.chips[1].instructions);
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
  EXPECT_THAT(schema_faults("run", run_document(receipt, "")), IsEmpty());
}

TEST(Receipt, SeesThatContractsDiffer) {
  RecordContent other = record_of(1);
  std::get<Started>(other.observations[0]).contract_digest = "9999";
  const Receipt receipt = assemble(small_plan(), {record_of(0), other}, facts_of(3));
  EXPECT_EQ(receipt.contract_agreed, false);
  EXPECT_THAT(receipt.hosts[0].contract_digests, ElementsAre("0123", "9999"));
}

TEST(Receipt, OfAFailureNamesRankHostPhaseAndOp) {
  Failed waited;
  waited.kind = "timeout";
  waited.message = "all_reduce: rank 1 is missing";
  waited.phase = "programs allowed";
  waited.op = "stablehlo.all_reduce";
  waited.missing_ranks = {1};
  waited.evidence = "no_progress";
  RecordContent zero = record_of(0);
  zero.observations.push_back(waited);
  LauncherFacts facts = facts_of(4);
  facts.failure.emplace();
  facts.failure->kind = waited.kind;
  facts.failure->rank = 0;
  facts.failure->host = 0;
  facts.failure->phase = waited.phase;
  facts.failure->op = waited.op;
  facts.failure->message = waited.message;
  facts.failure->missing_ranks = {1};
  facts.failure->place = "step.mlir:12:10";
  facts.failure->first_to_die = 1;
  Receipt receipt = assemble(small_plan(), {zero, std::nullopt}, facts);
  receipt.versions.understudy = "VERSION";
  receipt.versions.revision = "REVISION";
  expect_golden("receipt/failed.json", to_json(receipt));
  expect_golden("run_document/failed.json", run_document(receipt, "/r/receipt.json"));
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
  EXPECT_THAT(schema_faults("run", run_document(receipt, "/r/receipt.json")), IsEmpty());
}

// Two groups ran one place, each told by its own first member.
TEST(Receipt, MergesWhoCameLate) {
  RecordContent zero = record_of(0), one = record_of(1);
  zero.observations.push_back(
      Arrivals{"all_reduce", 3, 4, 4, 10, 0.5, 0.25, {{2, 9, 0.25, 0.125}, {0, 1, 0.5, 0.5}}});
  one.observations.push_back(
      Arrivals{"all_reduce", 3, 4, 2, 5, 0.25, 0.5, {{1, 5, 0.125, 0.0625}}});
  zero.observations.push_back(Arrivals{"all_gather", 7, 8, 8, 1, 1, 1, {{2, 1, 1, 1}}});
  LauncherFacts facts = facts_of(0);
  facts.place_of = [](std::int64_t, std::int64_t op) {
    return op == 3 ? std::optional<std::string>("p.mlir:4:5") : std::nullopt;
  };
  const Receipt receipt = assemble(small_plan(), {zero, one}, facts);
  ASSERT_TRUE(receipt.stragglers);
  ASSERT_EQ(receipt.stragglers->sites.size(), 2u);
  const ArrivalsSeen& site = receipt.stragglers->sites[0];
  EXPECT_EQ(site.place, "p.mlir:4:5");
  EXPECT_EQ(site.times, 15);
  EXPECT_EQ(site.compared, 2) << "the fewest";
  EXPECT_EQ(site.spread_seconds, 0.75);
  EXPECT_EQ(site.spread_max_seconds, 0.5);
  ASSERT_EQ(site.last.size(), 3u);
  EXPECT_EQ(site.last[0].rank, 2) << "most often first";
  EXPECT_FALSE(receipt.stragglers->sites[1].place);
  ASSERT_EQ(receipt.stragglers->ranks.size(), 3u);
  EXPECT_EQ(receipt.stragglers->ranks[0].rank, 2) << "who cost most";
  EXPECT_EQ(receipt.stragglers->ranks[0].behind_seconds, 1.25);
  EXPECT_EQ(receipt.stragglers->ranks[0].behind_max_seconds, 1);
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
}

TEST(Receipt, HoldsTheFlightOfEveryChipOnlyWhenTheRunFailed) {
  RecordContent zero = record_of(0);
  zero.flight.push_back({2, "all_reduce", 2, 42, 512, 8, "", 1000, std::nullopt});
  EXPECT_FALSE(assemble(small_plan(), {zero, record_of(1)}, facts_of(0)).chips[0].flight);
  const Receipt failed = assemble(small_plan(), {zero, std::nullopt}, facts_of(4));
  ASSERT_TRUE(failed.chips[0].flight);
  EXPECT_EQ(failed.chips[0].flight->at(0).number, 2u);
  EXPECT_FALSE(failed.chips[1].flight) << "there is no record";
  EXPECT_THAT(schema_faults("receipt", to_json(failed)), IsEmpty());
  EXPECT_EQ(to_json(read_receipt(to_json(failed), "r")), to_json(failed));
}

TEST(Receipt, GoesThereAndBackAndFitsItsSchema) {
  const std::string text = to_json(passed());
  EXPECT_EQ(to_json(read_receipt(text, "receipt.json")), text);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  expect_golden("receipt/passed.json", text);
}

TEST(Receipt, KeepsALossThatIsNoNumber) {
  RecordContent zero = record_of(0);
  std::get<Stepped>(zero.observations[3]).scalars[0].second =
      std::numeric_limits<double>::quiet_NaN();
  const Receipt receipt = assemble(small_plan(), {zero, record_of(1)}, facts_of(1));
  const std::string text = to_json(receipt);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  EXPECT_TRUE(std::isnan(read_receipt(text, "r").steps[0].scalars[0].second));
  EXPECT_THAT(schema_faults("run", run_document(receipt, "x")), IsEmpty());
}

TEST(Receipt, KeepsTheTextsOfItsComplaints) {
  std::string texts;
  const std::pair<std::string, std::string> changes[] = {{"\"passed\"", "\"past\""},
                                                         {"\"verdict\"", "\"verdikt\""},
                                                         {"receipt/1", "receipt/2"},
                                                         {"\"cached\": false", "\"cached\": 0"}};
  for (const auto& [from, to] : changes) {
    std::string text = to_json(passed());
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    texts += error_of([&] { read_receipt(text, "receipt.json"); }) + "\n\n";
  }
  expect_golden("receipt/errors.txt", texts);
}

TEST(RunDocument, HasStableKeys) {
  const std::string text = run_document(passed(), "/state/receipts/1.json");
  EXPECT_THAT(schema_faults("run", text), IsEmpty());
  expect_golden("run_document/passed.json", text);
}

}  // namespace
}  // namespace understudy::configs
