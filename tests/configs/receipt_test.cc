// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/receipt.h"

#include <gmock/gmock.h>

#include "configs/base/sha256.h"
#include "configs/receipt/diff.h"
#include "configs/receipt/run_document.h"
#include "tests/configs/receipt_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  ASSERT_TRUE(receipt.collectives);
  ASSERT_EQ(receipt.collectives->size(), 1u);
  EXPECT_EQ((*receipt.collectives)[0].messages_sent_per_chip, 8u);
  EXPECT_EQ((*receipt.collectives)[0].bytes_sent, 8000u);
  EXPECT_EQ((*receipt.collectives)[0].count, 4);
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

TEST(Receipt, TellsWhatItStandsOn) {
  const Receipt receipt = passed();
  ASSERT_TRUE(receipt.pins && receipt.env_restore && receipt.code_state && receipt.gates);
  EXPECT_EQ(receipt.pins->packages.back().name, "MPI") << "as the workers found it";
  EXPECT_EQ(receipt.env_restore->method, "pin set");
  EXPECT_EQ(receipt.env_restore->steps_sha256,
            sha256_of("understudy=VERSION\nC library=2.36\nMPI=Open MPI 4.1.4\n"));
  EXPECT_EQ(receipt.code_state->tree_sha256_per_rank_equal, true);
  EXPECT_EQ(receipt.claims->compile, "not shown") << "no chip came past that gate";
  EXPECT_FALSE(receipt.gates->env_before_import.holds);
  EXPECT_EQ(receipt.durability->at("quota"), "recheck");
  EXPECT_EQ(receipt.durability->at("pins"), "keep");
  EXPECT_THAT(receipt.failures, IsEmpty());
  ASSERT_EQ(receipt.ranks.size(), 2u);
  EXPECT_EQ(receipt.ranks.at(1).clock_skew_ms, 0.5) << "as rank 0 measured it";
  EXPECT_EQ(receipt.ranks.at(1).last_stage, "finished");
}

TEST(Receipt, SaysHowAGlobalViewProgramWasPartitionedAndWhereItsMeshLies) {
  RunPlan plan = small_plan();
  plan.device_order = {1, 0};
  LauncherFacts facts = facts_of(0);
  facts.partition = PartitionSeen{"gspmd", "0.10.2", true, 0.25, {}, {"a.py:3:1: replicated"}};
  facts.partition->collectives.push_back(
      {"all_reduce", 2, 64, {"data", "model"}, 4, true, "a.py:7:2"});
  facts.mesh = {{"data", 2, {"x"}, 1, 1}};
  const Receipt receipt = assemble(plan, {record_of(0), record_of(1)}, facts);
  const std::string text = to_json(receipt);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  EXPECT_THAT(schema_faults("run", run_document(receipt, "")), IsEmpty());
  const Receipt again = read_receipt(text, "r");
  EXPECT_EQ(again.program.device_order, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(again.partition->collectives.at(0).axes, (std::vector<std::string>{"data", "model"}));
  EXPECT_EQ(again.mesh->at(0).ici_axes, std::vector<std::string>{"x"});
  // Programs of a chip have no such part.
  EXPECT_FALSE(passed().partition);
  EXPECT_FALSE(passed().program.device_order);
}

TEST(Receipt, SaysOfAScriptThatItRestoresTheEnvironment) {
  LauncherFacts facts = facts_of(0);
  facts.provenance->pins.setup_script = "/a/setup.sh";
  facts.provenance->pins.script_sha256 = sha256_of("script");
  const Receipt receipt = assemble(small_plan(), {record_of(0), record_of(1)}, facts);
  EXPECT_EQ(receipt.env_restore->method, "setup script");
  EXPECT_EQ(receipt.env_restore->steps_sha256, sha256_of("script"));
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
}

TEST(Receipt, SeesWhatChipsFoundInTheirOwnEnvironmentAndProgram) {
  RunPlan plan = small_plan();
  plan.contract_sections.emplace_back("environment", "89");
  LauncherFacts facts = facts_of(0);
  facts.launch.emplace();
  EXPECT_EQ(assemble(plan, {record_of(0), record_of(1)}, facts).launch->env_equal_across_ranks,
            true);
  EXPECT_EQ(assemble(plan, {record_of(0), std::nullopt}, facts).launch->env_equal_across_ranks,
            std::nullopt);
  RecordContent other = record_of(1);
  std::get<Started>(other.observations[0]).environment_digest = "x";
  std::get<Started>(other.observations[0]).program_digest = "y";
  const Receipt receipt = assemble(plan, {record_of(0), other}, facts);
  EXPECT_EQ(receipt.launch->env_equal_across_ranks, false);
  EXPECT_EQ(receipt.code_state->tree_sha256_per_rank_equal, false);
}

TEST(Receipt, HoldsTheGateThatWasNotPassedWithItsTime) {
  RecordContent other = record_of(1);
  other.observations.insert(other.observations.begin() + 2,
                            GateSeen{"environment frozen", 0.25, "", "JAX_FOO changed"});
  LauncherFacts facts = facts_of(3);
  facts.failure.emplace();
  facts.failure->kind = FailureKind::protocol;
  facts.failure->rank = 1;
  facts.failure->message = "JAX_FOO changed";
  facts.failure->diagnosis = "environment-changed";
  facts.failure->layer = "contract";
  facts.failure->advice = "set it before";
  const Receipt receipt = assemble(small_plan(), {record_of(0), other}, facts);
  EXPECT_EQ(receipt.ranks[1].gates.back().failed, "JAX_FOO changed");
  EXPECT_EQ(receipt.ranks[1].gates.back().seconds, 0.25);
  EXPECT_EQ(receipt.gates->env_before_import.holds, false);
  EXPECT_EQ(receipt.gates->env_before_import.evidence, "rank 1, after 0.250 s: JAX_FOO changed");
  ASSERT_EQ(receipt.failures.size(), 1u);
  EXPECT_EQ(receipt.failures.front().id, "F13");
  EXPECT_EQ(receipt.failures.front().rank_first, 1);
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
  EXPECT_EQ(to_json(read_receipt(to_json(receipt), "r")), to_json(receipt));
}

TEST(ReceiptDiff, TellsWhatDiffersButForWhatEveryRunHasAnew) {
  const Receipt one = passed();
  Receipt other = one;
  other.run_id = "another";
  other.wall_seconds = 99;
  other.steps[0].wall_seconds = 7;
  other.ranks[1].started->pid = 5;
  EXPECT_TRUE(differences_of(one, other).empty());
  other.mem->premapped_bytes = 8192;
  other.pins->packages.front().version = "2";
  other.code_state.reset();
  const auto found = differences_of(one, other);
  ASSERT_EQ(found.size(), 6u);
  EXPECT_EQ(found[0].field, "/code_state");
  EXPECT_EQ(found[0].restored, "null");
  EXPECT_EQ(found[1].field, "/code_state/commit");
  EXPECT_EQ(found[1].restored, std::nullopt) << "it is not there";
  EXPECT_EQ(found[4].field, "/mem/premapped_bytes");
  EXPECT_EQ(found[4].cold, "4096");
  EXPECT_EQ(found[5].field, "/pins/packages/0/version");
  EXPECT_TRUE(matches("/steps/3/wall_seconds", "/steps/*/wall_seconds"));
  EXPECT_TRUE(matches("/stragglers/clock", "/stragglers"));
  EXPECT_FALSE(matches("/steps/3", "/steps/*/wall_seconds"));
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
  EXPECT_FALSE(receipt.ranks[1].last_stage);
  EXPECT_FALSE(receipt.ranks[1].instructions);
  EXPECT_THAT(schema_faults("receipt", to_json(receipt)), IsEmpty());
  EXPECT_THAT(schema_faults("run", run_document(receipt, "")), IsEmpty());
}

// After a kill nobody knows what had been run: null, and never "none".
TEST(Receipt, WhatNobodyCameToTellIsUnknown) {
  RecordContent killed = record_of(1);
  std::erase_if(killed.observations, [](const Observation& seen) {
    return std::holds_alternative<Totals>(seen) || std::holds_alternative<CollectiveCount>(seen);
  });
  const Receipt receipt = assemble(small_plan(), {record_of(0), killed}, facts_of(4));
  EXPECT_FALSE(receipt.collectives);
  EXPECT_FALSE(receipt.ranks[1].collectives);
  EXPECT_TRUE(receipt.ranks[0].collectives);
  EXPECT_FALSE(receipt.cache->writer_ranks);
  EXPECT_FALSE(receipt.compiles);
  const std::string text = to_json(receipt);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  EXPECT_FALSE(read_receipt(text, "r").collectives);
  EXPECT_THAT(schema_faults("run", run_document(receipt, "x")), IsEmpty());
}

TEST(Receipt, ClocksThatNobodyComparedAreUnknown) {
  RecordContent zero = record_of(0);
  zero.observations.pop_back();
  const Receipt receipt = assemble(small_plan(), {zero, record_of(1)}, facts_of(0));
  EXPECT_FALSE(receipt.ranks.at(0).clock_skew_ms);
  EXPECT_FALSE(receipt.ranks.at(1).clock_skew_ms);
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
  waited.kind = FailureKind::timeout;
  waited.message = "all_reduce: rank 1 is missing";
  waited.phase = Phase::programs_allowed;
  waited.op = "stablehlo.all_reduce";
  waited.missing_ranks = {1};
  waited.evidence = Evidence::no_progress;
  RecordContent zero = record_of(0);
  zero.observations.push_back(waited);
  LauncherFacts facts = facts_of(4);
  facts.failure.emplace();
  facts.failure->kind = waited.kind;
  facts.failure->rank = 0;
  facts.failure->host = 0;
  facts.failure->phase = name_of(waited.phase);
  facts.failure->op = waited.op;
  facts.failure->message = waited.message;
  facts.failure->missing_ranks = {1};
  facts.failure->place = "step.mlir:12:10";
  facts.failure->rank_first = 1;
  const Receipt receipt = without_versions(assemble(small_plan(), {zero, std::nullopt}, facts));
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
  EXPECT_FALSE(assemble(small_plan(), {zero, record_of(1)}, facts_of(0)).ranks[0].flight);
  const Receipt failed = assemble(small_plan(), {zero, std::nullopt}, facts_of(4));
  ASSERT_TRUE(failed.ranks[0].flight);
  EXPECT_EQ(failed.ranks[0].flight->at(0).number, 2u);
  EXPECT_FALSE(failed.ranks[1].flight) << "there is no record";
  EXPECT_THAT(schema_faults("receipt", to_json(failed)), IsEmpty());
  EXPECT_EQ(to_json(read_receipt(to_json(failed), "r")), to_json(failed));
}

}  // namespace
}  // namespace understudy::configs
