// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/receipt/claims.h"
#include "configs/receipt/preflight/preflight.h"
#include "launcher/page/receipt_page.h"
#include "launcher/preflight/preflight.h"

namespace understudy::configs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Preflight good() {
  Preflight one;
  one.libtpu = PreflightLibrary{"/x/libtpu.so", "0.0.42.1", "b", "id", "0.112", "--libtpu"};
  one.slice = "v6e-16";
  one.flags = {{"LIBTPU_INIT_ARGS", "--xla_a=1", "accepted", ""}};
  one.topology = PreflightTopology{};
  one.topology->name = "v6e:4x4";
  one.topology->status = "agrees";
  PreflightProgram program;
  program.name = "dense";
  program.status = "compiles";
  program.memory = PreflightMemory{};
  program.memory->arguments = 6'000'000'000;
  program.memory->temporaries = 2'000'000'000;
  program.memory->total = 8'000'000'000;
  program.memory->hbm = 16'000'000'000;
  program.collectives = {{"all-reduce", 2, 64, "{{0,1}}", "Ring", "train.py:3", false, false}};
  program.comparison = {{"all-reduce", 2, 2, 64, 64, std::nullopt, "same", ""}};
  one.programs = {program};
  judge(one);
  return one;
}

TEST(PreflightDocument, IsReadBackAndKnownByItsSchema) {
  const std::string text = to_json(good());
  EXPECT_EQ(to_json(read_preflight(text, "x")), text);
  EXPECT_TRUE(is_preflight(text, "x"));
  EXPECT_FALSE(is_preflight("{\"schema\": \"understudy/receipt/2\"}", "x"));
  EXPECT_FALSE(is_preflight("[1]", "x"));
}

TEST(PreflightClaim, FailsForARefusalAndIsNotShownForWhatWasNotAnswered) {
  EXPECT_EQ(good().claim, "proven");
  Preflight one = good();
  one.flags[0].status = "refused";
  one.flags[0].words = "Unknown command line flag";
  judge(one);
  EXPECT_EQ(one.claim, "failed");
  EXPECT_EQ(one.why, "flag --xla_a=1: Unknown command line flag");
  one = good();
  one.programs[0].status = "failed";
  one.programs[0].words = "no answer";
  judge(one);
  EXPECT_EQ(one.claim, "not shown");
  one = good();
  one.programs[0].memory->total = 17'000'000'000;
  judge(one);
  EXPECT_EQ(one.claim, "failed");
  EXPECT_THAT(one.why, HasSubstr("needs 17 GB of 16 GB"));
  one = good();
  one.topology->differences = {{"hosts", "4", "2", ""}};
  judge(one);
  EXPECT_EQ(one.claim, "failed");
  one.topology->differences[0].why = "a reason";
  judge(one);
  EXPECT_EQ(one.claim, "proven");
  one = good();
  one.libtpu.reset();
  judge(one);
  EXPECT_EQ(one.claim, "not shown");
}

TEST(PreflightChanges, NameWhatAnotherLibraryChanged) {
  EXPECT_TRUE(changes_between(good(), good()).empty());
  Preflight now = good();
  now.libtpu->version = "0.0.43";
  now.programs[0].memory->total = 9'000'000'000;
  now.programs[0].collectives[0].algorithm = "Pincer";
  const auto changes = changes_between(good(), now);
  const auto named = [&](const char* what) {
    return std::ranges::find(changes, what, &PreflightChange::what) != changes.end();
  };
  EXPECT_TRUE(named("libtpu"));
  EXPECT_TRUE(named("program dense: memory"));
  EXPECT_TRUE(named("program dense: all-reduce by Ring"));
  EXPECT_TRUE(named("program dense: all-reduce by Pincer"));
  EXPECT_EQ(changes.size(), 4U);
  EXPECT_THAT(launcher::changes_text(changes), HasSubstr("then: 8 GB\n    now:  9 GB"));
  EXPECT_EQ(launcher::changes_text({}), "both pre-flights are the same");
}

TEST(PreflightClaim, IsAClaimOfTheReceiptThatLeavesTheOthersAlone) {
  Receipt receipt;
  receipt.ladder = LadderSeen{};
  RungSeen preflight, dense;
  preflight.rung = "preflight";
  preflight.status = "failed";
  preflight.layer_of_failure = "graph/compile";
  dense.rung = "dense";
  dense.status = "passed";
  receipt.ladder->rungs = {preflight, dense};
  receipt.ladder->first_passing = "dense";
  receipt.preflight = good();
  receipt.preflight->claim = "failed";
  const auto claims = claims_in(receipt);
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->tpu_compiler, "failed");
  EXPECT_EQ(claims->compile, "proven");
  EXPECT_EQ(claims->model, "proven");
  receipt.preflight.reset();
  EXPECT_FALSE(claims_in(receipt)->tpu_compiler);
}

TEST(PreflightPage, ShowsMemoryAsABarAndCollectivesAsATable) {
  Receipt receipt;
  EXPECT_EQ(launcher::preflight_section(receipt), "");
  receipt.preflight = good();
  const std::string html = launcher::preflight_section(receipt);
  // 6 and 2 of 16 GB.
  EXPECT_THAT(html, HasSubstr("fill-arguments\" style=\"width: 37.50%\""));
  EXPECT_THAT(html, HasSubstr("fill-temporaries\" style=\"width: 12.50%\""));
  EXPECT_THAT(html, HasSubstr(" of 16 GB, 50.0 %"));
  EXPECT_THAT(html, HasSubstr("train.py:3"));
  EXPECT_THAT(html, HasSubstr("Ring"));
  receipt.preflight->programs[0].name = "<script>";
  EXPECT_THAT(launcher::preflight_section(receipt), Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace understudy::configs
