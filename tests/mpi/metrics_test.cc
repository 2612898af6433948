// SPDX-License-Identifier: Apache-2.0
// `understudy metrics`: verdicts on programs with known answers. The first line of each program of
// tests/metrics holds the expected verdicts; tests/metrics/generate.py wrote them.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "configs/base/file.h"
#include "program/npy.h"
#include "tests/mpi/mpi_testing.h"
#include "tests/outside_folder.h"

namespace understudy::mpi_testing {
namespace {

using testing::HasSubstr;

const std::string kSource = UNDERSTUDY_SOURCE_DIR;

// Values of a key of the report, in order. The reports are ours, so their layout is known.
std::vector<std::string> values_of(const std::string& json, const std::string& key) {
  std::vector<std::string> values;
  const std::string opening = "\"" + key + "\": \"";
  for (std::size_t at = json.find(opening); at != std::string::npos;
       at = json.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size();
    values.push_back(json.substr(begin, json.find('"', begin) - begin));
  }
  return values;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::filesystem::path> programs(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kSource + folder))
    if (entry.path().extension() == ".mlir") paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

// All strings of the arrays of a key, in order.
std::vector<std::string> lists_of(const std::string& json, const std::string& key) {
  std::vector<std::string> all;
  const std::string opening = "\"" + key + "\": [";
  for (std::size_t at = json.find(opening); at != std::string::npos;
       at = json.find(opening, at + 1)) {
    std::istringstream items(
        json.substr(at + opening.size(), json.find(']', at) - at - opening.size()));
    for (std::string piece; std::getline(items, piece, '"');)
      if (std::getline(items, piece, '"')) all.push_back(piece);
  }
  return all;
}

void expect_truth(const std::string& folder, std::size_t at_least) {
  World world;
  ASSERT_GE(programs(folder).size(), at_least);
  for (const std::filesystem::path& path : programs(folder)) {
    SCOPED_TRACE(path.filename().string());
    std::string head;
    std::string second;
    std::ifstream file(path);
    std::getline(file, head);
    std::getline(file, second);
    ASSERT_TRUE(head.starts_with("// "));
    const std::size_t bar = std::min(head.find('|'), head.size());
    std::vector<std::string> patterns = words_of(head.substr(std::min(bar + 1, head.size())));
    const Ran ran = world.run({"metrics", path.string(), "--fill", "random:1", "--json"});
    EXPECT_EQ(values_of(ran.out, "verdict"), words_of(head.substr(3, bar - 3))) << ran.err;
    std::vector<std::string> found = values_of(ran.out, "pattern");
    std::ranges::sort(found);
    std::ranges::sort(patterns);
    EXPECT_EQ(found, patterns);
    // "data=0; model=1": the contributors of the partially reduced results, in order.
    if (second.starts_with("// ")) {
      EXPECT_EQ(fmt::format("{}", fmt::join(lists_of(ran.out, "contributors"), "; ")),
                second.substr(3));
    }
    const bool bad = head.find("local") != std::string::npos ||
                     head.find("luck") != std::string::npos ||
                     head.find("partially") != std::string::npos;
    EXPECT_EQ(ran.code, bad ? 1 : 0);
  }
}

TEST(Metrics, FindsTheTruthOfEveryProgram) { expect_truth("/tests/metrics", 30); }

TEST(Metrics, FindsTheTruthOfEveryStep) { expect_truth("/tests/metrics/steps", 51); }

TEST(Metrics, EqualDataAreReportedAsEqual) {
  World world;
  const Ran ran = world.run(
      {"metrics", kSource + "/tests/metrics/never_reduced.mlir", "--fill", "ones", "--json"});
  EXPECT_EQ(values_of(ran.out, "verdict"), std::vector<std::string>{"replicated_by_luck"});
  EXPECT_EQ(values_of(ran.out, "pattern"), std::vector<std::string>{"equal_shards"});
  EXPECT_EQ(ran.code, 1);
}

// Replicas carry no sharding: an argument with equal data on all replicas is taken for a parameter.
TEST(Metrics, ReplicasAreJudgedByTheirData) {
  World world;
  const std::string path =
      world.write("replicas.mlir",
                  "module attributes {mhlo.num_replicas = 2 : i32} {\n"
                  "  func.func public @main(%x: tensor<f32>) -> tensor<f32> {\n"
                  "    %0 = stablehlo.tanh %x : tensor<f32>\n"
                  "    return %0 : tensor<f32>\n  }\n}\n");
  const auto verdict = [&](float first, float second) {
    program::Array array{{program::ElementType::f32, {2}}, std::vector<std::byte>(8)};
    std::memcpy(array.bytes.data(), &first, 4);
    std::memcpy(array.bytes.data() + 4, &second, 4);
    program::write_npy(world.file("x.npy"), array);
    const Ran ran = world.run(
        {"metrics", path, "--arg", "0=" + world.file("x.npy"), "--per-replica", "--json"});
    return values_of(ran.out, "verdict");
  };
  EXPECT_EQ(verdict(1, 2), std::vector<std::string>{"local"});
  EXPECT_EQ(verdict(1, 1), std::vector<std::string>{"not_applicable"});
}

TEST(Metrics, StaticAnalysisStartsNoWorkerAndDecidesWhatItCan) {
  World world;
  const Ran good =
      world.run({"metrics", kSource + "/tests/metrics/mean_by_pmean.mlir", "--static"});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("result 0 (result): globally_reduced"));
  const Ran bad = world.run({"metrics", kSource + "/tests/metrics/wrong_axis.mlir", "--static"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out,
              HasSubstr("undecided: it may differ along data, and the program was not run"));
}

// Chips that wait for absent peers are a finding too: the run fails, the report is still written.
TEST(Metrics, ReportsACollectiveThatOnlySomeChipsReach) {
  World world;
  const Ran ran = world.run({"metrics", kSource + "/tests/golden/metrics/divergent.mlir", "--fill",
                             "random:1", "--timeout", "2"});
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("collective_on_some_chips"));
  EXPECT_THAT(ran.out, HasSubstr("dynamic: ran the program: it failed: "));
  EXPECT_EQ(world.leftovers(ran), "");
}

// The chips are well, so no rank is blamed; the exit code and the place are those of `run`.
TEST(Metrics, AProgramThatDoesNotFitIsRefusedWithItsPlace) {
  World world;
  const std::string program = world.file("large.mlir");
  write_file_atomically(
      program, std::string_view(
                   "func.func @main(%a: tensor<i8>) -> tensor<i8> {\n"
                   "  %0 = stablehlo.iota dim = 0 : tensor<1000000000000xi8>\n"
                   "  %1 = stablehlo.slice %0 [0:1] : (tensor<1000000000000xi8>) -> tensor<1xi8>\n"
                   "  %2 = stablehlo.reshape %1 : (tensor<1xi8>) -> tensor<i8>\n"
                   "  return %2 : tensor<i8>\n}\n"));
  const Ran ran = world.run({"metrics", program, "--fill", "ones"});
  EXPECT_EQ(ran.code, 5) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("RESOURCE_EXHAUSTED"));
  EXPECT_THAT(ran.err, HasSubstr("operation stablehlo.iota at "));
  EXPECT_THAT(ran.err, HasSubstr("large.mlir:2:8"));
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "failed");
  ASSERT_EQ(receipt.failures.size(), 1);
  EXPECT_EQ(receipt.failures[0].kind, configs::FailureKind::capacity);
  EXPECT_FALSE(receipt.failures[0].rank_first);
}

TEST(Metrics, TheExplanationNamesAxisPlaceAndEvidence) {
  World world;
  const Ran ran =
      world.run({"metrics", kSource + "/tests/metrics/wrong_axis.mlir", "--fill", "random:1"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("result 0 (result): local: it was not reduced over data"));
  EXPECT_THAT(ran.out, HasSubstr("missing reduction over data after"));
  EXPECT_THAT(ran.out, HasSubstr("stablehlo.reduce"));
  EXPECT_THAT(ran.out, HasSubstr("some changes affect only some chips"));
  EXPECT_EQ(world.leftovers(ran), "");
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.verdict, "failed");
  EXPECT_EQ(receipt.chip_count, 8);
  EXPECT_EQ(receipt.results.at(0).metric, "local");
  EXPECT_EQ(receipt.results.at(0).tile_of, std::vector<std::int64_t>(8, 0));
}

// The check of `run` for results that are read before their reduction.
TEST(Metrics, ARunReportsResultsThatAreReadBeforeTheirReduction) {
  World world;
  const Ran ran = world.run({"run", kSource + "/tests/metrics/local_logged_instead_of_reduced.mlir",
                             "--fill", "random:1", "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  const configs::Receipt receipt = world.receipt(ran);
  EXPECT_EQ(receipt.results.at(0).read_before_reduction, true);
  EXPECT_EQ(receipt.results.at(1).read_before_reduction, false);
  EXPECT_EQ(receipt.results.at(0).distinct_values, 4);
  EXPECT_EQ(receipt.results.at(1).distinct_values, 1);
  EXPECT_THAT(ran.out, HasSubstr("\"read_before_reduction\": true"));
}

// The shared programs, with the verdicts that their readme states.
TEST(Metrics, JudgesTheSharedPrograms) {
  const std::string absent = why_outside_is_absent("programs");
  if (!absent.empty()) GTEST_SKIP() << absent;
  World world;
  const std::string good = "globally_reduced", bad = "local", own = "not_applicable";
  const std::vector<std::pair<std::string, std::vector<std::string>>> known = {
      {"metric_globally_reduced", {good, good}},
      {"metric_left_local", {bad, bad}},
      {"metric_reduced_over_wrong_axis", {bad, bad}},
      {"torch_xla_ddp_mlp", {good, good, good, good}},
      {"torch_xla_attention_eval", {own, good, good}},
      {"adamw_step", {good, good, good, good}},
      {"dense_data_parallel", {good, good, good, good}},
      {"dense_tensor_parallel_bf16", {good, good, good}},
      {"fsdp_train_step", {own, own, good}},
      {"expert_train_step", {good, own, own, good}},
      {"recurrent_train_step", {good, good, good, good, good}},
      // Its gradient of "scale" is never reduced over "model".
      {"attention_train_step", {bad, good, good, good, good, good}},
      {"ring_attention", {own}},
  };
  for (const auto& [name, verdicts] : known) {
    const Ran ran =
        world.run({"metrics", (outside_folder() / "programs" / name).string(), "--json"});
    EXPECT_EQ(values_of(ran.out, "verdict"), verdicts) << name << ran.err;
  }
}

}  // namespace
}  // namespace understudy::mpi_testing
