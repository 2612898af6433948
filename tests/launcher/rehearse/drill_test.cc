// SPDX-License-Identifier: Apache-2.0
// The table of the drill, and that a drill can fail. The drills themselves are played by
// tests/mpi/drill_test.cc.
#include "launcher/rehearse/drill.h"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>
#include <set>
#include <string>

#include "tests/configs/schema_checker.h"

namespace understudy::launcher {
namespace {

using ::testing::IsEmpty;

TEST(DrillTable, HoldsMostOfTheCatalogueAndEveryLayer) {
  std::set<std::string_view> names, ids, layers;
  for (const Drill& one : drills()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name << " is there twice";
    EXPECT_FALSE(one.about.empty() || one.words.empty()) << one.name;
    const configs::Diagnosis* const known = configs::find_diagnosis(name_of(one.diagnosis));
    ASSERT_NE(known, nullptr) << one.name << " expects " << name_of(one.diagnosis);
    layers.insert(name_of(known->layer));
    if (one.id.empty()) continue;
    ASSERT_EQ(one.id.front(), 'F') << one.name;
    const int number = std::atoi(std::string(one.id.substr(1)).c_str());
    EXPECT_TRUE(number >= 1 && number <= 72) << one.name;
    ids.insert(one.id);
  }
  EXPECT_GE(names.size(), 90u);
  EXPECT_GE(ids.size(), 59u);
  EXPECT_EQ(layers.size(), 7u);
}

// Who can be told apart by the evidence is told apart: most rows name a host.
TEST(DrillTable, ExpectsAHostWhereThereIsOne) {
  for (const Drill& one : drills()) {
    const bool of_one = one.words.find("rank=") != std::string_view::npos ||
                        one.words.find("host=") != std::string_view::npos ||
                        one.words.find("2={W}") != std::string_view::npos;
    EXPECT_TRUE(one.host || !of_one) << one.name;
  }
}

class JudgeDrill : public testing::Test {
 protected:
  JudgeDrill() {
    rung_.status = "failed";
    rung_.diagnosis = "rank-died";
    rung_.layer_of_failure = "collective";
    rung_.host = 1;
    rung_.seconds = 2;
    rung_.why = "rank 3 (host 1) was killed";
  }
  bool found() const { return judge_drill(drill_, rung_).detected; }

  Drill drill_{"killed", "F36", "a rank is killed",   DiagnosisId::rank_died,
               1,        20,    "--fault kill:rank=3"};
  configs::RungSeen rung_;
};

TEST_F(JudgeDrill, FindsWhatTheRowExpects) {
  EXPECT_TRUE(found());
  drill_.host.reset();
  EXPECT_TRUE(found());
}

TEST_F(JudgeDrill, MissesAnotherFailure) {
  rung_.diagnosis = "rank-stopped";
  EXPECT_FALSE(found());
}

TEST_F(JudgeDrill, MissesAnotherHost) {
  rung_.host = 0;
  EXPECT_FALSE(found());
  rung_.host.reset();
  EXPECT_FALSE(found());
}

TEST_F(JudgeDrill, MissesAnotherLayer) {
  rung_.layer_of_failure = "program";
  EXPECT_FALSE(found());
}

TEST_F(JudgeDrill, MissesWhatCameTooLate) {
  rung_.seconds = 21;
  EXPECT_FALSE(found());
}

TEST_F(JudgeDrill, MissesWhatNobodyTold) {
  rung_.status = "passed";
  EXPECT_FALSE(found());
  const DrillSeen seen = judge_drill(drill_, rung_);
  EXPECT_EQ(seen.message, "no failure was found");
  EXPECT_EQ(seen.expected_layer, "collective");
}

TEST_F(JudgeDrill, FindsAmongWarningsToo) {
  rung_.status = "passed";
  rung_.warnings.push_back({"straggler", "collective", "rank 2 is late", "look", 1, 2});
  EXPECT_FALSE(found());
  drill_.diagnosis = DiagnosisId::straggler;
  EXPECT_TRUE(found());
}

TEST_F(JudgeDrill, OneMissedFailsTheDrillAndOneLeftOutDoesNot) {
  const DrillSeen good = judge_drill(drill_, rung_);
  rung_.host = 0;
  const DrillSeen bad = judge_drill(drill_, rung_);
  DrillSeen absent;
  absent.name = "full-disk";
  absent.left_out = "no tmpfs can be mounted";
  EXPECT_EQ(report_of({good, absent}, 3).verdict, "passed");
  const configs::DrillReport report = report_of({good, bad, absent}, 3);
  EXPECT_EQ(report.verdict, "failed");
  EXPECT_EQ(report.detected, 1);
  EXPECT_EQ(report.faults.size(), 2u);
  EXPECT_EQ(report.left_out.at(0).why, "no tmpfs can be mounted");
  EXPECT_THAT(configs::schema_faults("drill", to_json(report)), IsEmpty());
}

}  // namespace
}  // namespace understudy::launcher
