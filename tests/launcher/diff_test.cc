// SPDX-License-Identifier: Apache-2.0
// understudy diff: dumps of one job whose hosts differ in one thing each (dumps/make_dumps.py).
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "launcher/diff/compare_sides.h"
#include "launcher/diff/diff_words.h"
#include "tests/configs/schema_checker.h"

namespace understudy::launcher {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kDumps = UNDERSTUDY_SOURCE_DIR "/tests/launcher/dumps/";

configs::DiffReport report_of(const std::vector<std::string>& paths) {
  std::vector<Side> sides;
  for (const std::string& path : paths) sides.push_back(read_side(path));
  configs::DiffReport report = Comparer(20).compare(sides);
  EXPECT_THAT(configs::schema_faults("diff", to_json(report)), IsEmpty());
  return report;
}

configs::DiffReport with_host0(const std::string& other) {
  return report_of({kDumps + "host0", kDumps + other});
}

TEST(Diff, HostsThatCompiledTheSameAreTheSame) {
  const configs::DiffReport report = with_host0("host1");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_THAT(text_of(report), HasSubstr("\nsame\n"));
}

TEST(Diff, AFlagIsNamedInOneLine) {
  const configs::DiffReport report = with_host0("flag");
  EXPECT_EQ(report.exit_code, 1);
  EXPECT_EQ(report.comparisons[0].summary,
            "flag xla_allow_excess_precision: not set in A, false in B");
}

TEST(Diff, ABatchSizeIsNamedInOneLine) {
  EXPECT_EQ(with_host0("batch").comparisons[0].summary,
            "argument 1: f32[8,6] in A, f32[16,6] in B (module jit_step, stage "
            "before_optimizations)");
}

TEST(Diff, TheOrderOfCollectivesIsNamedInOneLine) {
  const std::string summary = with_host0("order").comparisons[0].summary;
  EXPECT_THAT(summary, HasSubstr("order of collectives: all-reduce"));
  EXPECT_THAT(summary, HasSubstr("make_dumps.py:"));
}

TEST(Diff, AnInsertedOperationIsNoMoreThanThat) {
  const configs::DiffReport report = with_host0("extra");
  ASSERT_FALSE(report.comparisons[0].modules.empty());
  const configs::DiffModule& module = report.comparisons[0].modules[0];
  EXPECT_EQ(module.changed + module.only_in_a, 0);
  EXPECT_GT(module.only_in_b, 0);
  // What XLA laid out otherwise because of it has another type, and nothing else.
  for (const configs::DiffCollective& each : module.collectives) EXPECT_EQ(each.kind, "types");
  EXPECT_EQ(module.operations.back().b->op, "call");
  EXPECT_EQ(module.operations.back().b->path, "make_dumps.py");
  EXPECT_THAT(module.later_stages,
              ElementsAre("spmd-partitioner.after_spmd-partitioning.before_control-dep-rewriter"));
}

TEST(Diff, TheOddHostOfManyIsNamed) {
  const configs::DiffReport report =
      report_of({kDumps + "host0", kDumps + "batch", kDumps + "host1"});
  EXPECT_TRUE(report.majority);
  EXPECT_THAT(report.groups[0].paths, ElementsAre(kDumps + "host0", kDumps + "host1"));
  EXPECT_THAT(text_of(report), HasSubstr("odd: " + kDumps + "batch: argument 1: f32[8,6] in A"));
}

TEST(Diff, ATieHasNoMajority) {
  const configs::DiffReport report =
      report_of({kDumps + "host0", kDumps + "batch", kDumps + "order"});
  EXPECT_FALSE(report.majority);
  EXPECT_THAT(text_of(report), HasSubstr("no majority: 3 groups of different programs"));
}

TEST(Diff, ModulesOfOneSideOnlyAreNamed) {
  const std::string folder = testing::TempDir() + "/diff_test_" + std::to_string(::getpid());
  std::filesystem::copy(kDumps + "host0", folder, std::filesystem::copy_options::recursive);
  std::filesystem::copy(folder + "/module_0000.jit_step.before_optimizations.txt",
                        folder + "/module_0007.jit_eval.before_optimizations.txt");
  const configs::DiffReport report = report_of({kDumps + "host0", folder});
  EXPECT_THAT(report.comparisons[0].only_in_b, ElementsAre("module jit_eval"));
  EXPECT_EQ(report.comparisons[0].summary, "only in B: module jit_eval");
  std::filesystem::remove_all(folder);
}

TEST(Diff, AFileAgainstAFolderIsRefused) {
  EXPECT_THROW(
      report_of({kDumps + "host0", kDumps + "host0/module_0000.jit_step.before_optimizations.txt"}),
      Error);
  EXPECT_THROW(read_side(kDumps + "nowhere"), Error);
  EXPECT_THROW(read_side(UNDERSTUDY_SOURCE_DIR "/docs"), Error);
}

TEST(DumpName, TakesModuleAndStageApart) {
  DumpName name;
  ASSERT_TRUE(
      parse_dump_name("module_0029.jit_gv.0001.spmd-partitioner.after_spmd-partitioning."
                      "before_cse.txt",
                      name));
  EXPECT_EQ(name.module, "jit_gv");
  EXPECT_EQ(name.stage, "spmd-partitioner.after_spmd-partitioning.before_cse");
  EXPECT_EQ(name.number, 1);
  ASSERT_TRUE(parse_dump_name("module_0001.SyncTensorsGraph.42.before_optimizations.hlo.pb", name));
  EXPECT_EQ(name.module, "SyncTensorsGraph.42");
  EXPECT_TRUE(name.is_proto);
  ASSERT_TRUE(parse_dump_name("module_0001.jit_f.cpu_after_optimizations.txt", name));
  EXPECT_EQ(name.stage, "cpu_after_optimizations");
  EXPECT_FALSE(
      parse_dump_name("module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt", name));
  EXPECT_FALSE(parse_dump_name("notes.txt", name));
}

TEST(Flags, WhereAHostDumpsDoesNotCount) {
  EXPECT_THAT(flags_in("xla_dump_to: \"a\"\nxla_x: 1\nxla_y: \"b\"\nxla_y: \"c\"\n"),
              ElementsAre(std::pair<const std::string, std::string>("xla_x", "1"),
                          std::pair<const std::string, std::string>("xla_y", "\"b\", \"c\"")));
}

}  // namespace
}  // namespace understudy::launcher
