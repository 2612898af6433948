// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/receipt.h"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>

#include "configs/base/sha256.h"
#include "configs/receipt/diff.h"
#include "configs/receipt/run_document.h"
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
  started.program_digest = "4567";
  started.environment_digest = "89";
  started.worker_id = 0;
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
      GateSeen{"contract checked", 0.125, "0123"},
      compiled,
      step,
      CollectiveCount{"all_reduce", "ring", 4, 4, 1000, 8, 4000},
      MemorySeen{900, 800u + static_cast<std::uint64_t>(rank), 32'000'000'000},
      ResultSeen{0, "d0", "f32", {}},
      Totals{rank == 0 ? 1 : 0, 1, 40, {{{"UncachedCompile", rank == 0 ? 1 : 0}}}}};
  if (rank == 0) record.observations.emplace_back(ClocksSeen{{0, 0.5}});
  return record;
}

Provenance provenance() {
  Provenance all;
  all.pins.packages = {{"understudy", "VERSION"}, {"C library", "2.36"}};
  all.code_state.commit = std::string(40, 'a');
  all.code_state.dirty = false;
  all.hardware = {"v6e", "2x2", {false, false}, 1, 1, 4, "seed"};
  all.cache.policy = "per-host";
  all.cache.path_class = "node-local";
  all.mem = {4096, 8192, 16384};
  return all;
}

LauncherFacts facts_of(std::int64_t exit_code) {
  LauncherFacts facts;
  facts.started_at = "2026-01-31T12:00:00Z";
  facts.wall_seconds = 2.5;
  facts.exit_code = exit_code;
  facts.provenance = provenance();
  facts.results = {{0, "float32", {}, ResultComparison{1e-7, 1e-6, 2e-4, 2e-5, true}, false}};
  return facts;
}

// The same words whatever the build is called.
Receipt without_versions(Receipt receipt) {
  receipt.versions.revision = "REVISION";
  receipt.tool_version = "understudy VERSION (REVISION)";
  if (receipt.env_restore) receipt.env_restore->by = *receipt.tool_version;
  return receipt;
}

Receipt passed() {
  Receipt receipt = assemble(small_plan(), {record_of(0), record_of(1)}, facts_of(0));
  return without_versions(std::move(receipt));
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

TEST(Sha256, IsThatOfTheStandard) {
  // FIPS 180-4, examples of section B, and lengths around the padding's border.
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
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

TEST(Receipt, ReadsFormatOne) {
  std::string text = to_json(passed());
  const std::string two = "understudy/receipt/2";
  text.replace(text.find(two), two.size(), "understudy/receipt/1");
  EXPECT_EQ(read_receipt(text, "r").verdict, "passed");
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

TEST(Receipt, GoesThereAndBackAndFitsItsSchema) {
  const std::string text = to_json(passed());
  EXPECT_EQ(to_json(read_receipt(text, "receipt.json")), text);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  expect_golden("receipt/passed.json", text);
}

TEST(Receipt, SchemaIsMadeFromTheFields) {
  const std::string path = std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/schema/receipt.json";
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << receipt_schema();
  EXPECT_EQ(slurp(path), receipt_schema()) << "UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it";
}

TEST(Receipt, OfAnEarlierVersionIsReadAsOneOfToday) {
  std::string text =
      slurp(std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/golden/configs/receipt/legacy.json");
  const Receipt passed = read_receipt(text, "legacy.json");
  ASSERT_EQ(passed.ranks.size(), 2u);
  EXPECT_EQ(passed.ranks[1].last_stage, "finished");
  EXPECT_EQ(passed.ranks[1].clock_skew_ms, 0.5);
  EXPECT_EQ(passed.cache->policy, "per-host");
  EXPECT_EQ(passed.failure(), nullptr);
  EXPECT_THAT(schema_faults("receipt", to_json(passed)), IsEmpty());

  const std::string none = "\"failure\": null", notes = "\"failures\": []";
  ASSERT_NE(text.find(none), std::string::npos);
  ASSERT_NE(text.find(notes), std::string::npos);
  text.replace(text.find(notes), notes.size(), R"("failures": [
    {"id": "F36", "layer": "collective", "rank_first": 1, "message": "m", "advice": "a"},
    {"id": "F2", "layer": "cache", "rank_first": null, "message": "rung: w", "advice": ""}])");
  text.replace(text.find(none), none.size(),
               R"("failure": {"kind": "timeout", "message": "m", "rank_first": 1,
                              "missing_ranks": [1]})");
  const Receipt failed = read_receipt(text, "legacy.json");
  ASSERT_EQ(failed.failures.size(), 2u);
  ASSERT_NE(failed.failure(), nullptr);
  EXPECT_EQ(failed.failure()->kind, FailureKind::timeout);
  EXPECT_EQ(failed.failure()->id, "F36");
  EXPECT_EQ(failed.failure()->rank_first, 1);
  EXPECT_EQ(failed.failures[1].kind, std::nullopt);
  EXPECT_EQ(failed.failures[1].message, "rung: w");
  EXPECT_THAT(schema_faults("receipt", to_json(failed)), IsEmpty());
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
                                                         {"receipt/2", "receipt/3"},
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
