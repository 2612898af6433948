// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/catalogue.h"

#include <gmock/gmock.h>

#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

LaunchSignature signature(const std::string& toggle, const std::string& hardware = "v6e v6e-16",
                          const std::string& code = "r1") {
  return {code, hardware, "s", "1x16/4", {{"collectives", toggle}}};
}

LaunchEnd end(const std::string& outcome) { return {"2026-01-01T00:00:00Z", outcome, ""}; }

TEST(Catalogue, ClassesGoByTheLastEndOfTheSameCode) {
  Catalogue all;
  EXPECT_EQ(class_of(all, signature("ring")), LaunchClass::unseen);
  add(all, signature("ring"), 100, {110, 90}, end("ok"));
  EXPECT_EQ(class_of(all, signature("ring")), LaunchClass::known_good);
  add(all, signature("ring"), 100, {}, end("runtime_oom"));
  EXPECT_EQ(class_of(all, signature("ring")), LaunchClass::known_bad);
  EXPECT_EQ(class_of(all, signature("ring", "v6e v6e-16", "r2")), LaunchClass::unseen);
}

TEST(Catalogue, TriesKnownGoodThenTheSmallestUnseenThenKnownBad) {
  Catalogue all;
  add(all, signature("bad"), 1, {}, end("timeout"));
  add(all, signature("good"), 900, {900}, end("ok"));
  const std::vector<Candidate> order = ordered(all, {{"bad", signature("bad"), 1},
                                                     {"large", signature("large"), 800},
                                                     {"small", signature("small"), 200},
                                                     {"good", signature("good"), 900}});
  std::vector<std::string> names;
  for (const Candidate& one : order) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("good", "small", "large", "bad"));
}

TEST(Catalogue, CorrectsAPredictionByItsNearestAndNeverAcrossHardware) {
  Catalogue all;
  add(all, signature("a"), 100, {150}, end("ok"));  // half as much again
  EXPECT_EQ(corrected(all, signature("b"), 200), 300u);
  EXPECT_EQ(corrected(all, signature("b", "v5e v5e-16"), 200), 200u);
}

TEST(Catalogue, KeepsWhatFailedBesideWhatDidNot) {
  Catalogue all;
  add(all, signature("a"), 100, {}, end("compile_oom"));
  add(all, signature("a"), 100, {90, 110, 100}, end("ok"));
  add(all, signature("a"), 100, {90, 110, 100}, end("ok"));
  const LaunchRecord& record = all.records.at(0);
  EXPECT_EQ(record.samples, 3);
  ASSERT_EQ(record.ends.size(), 2u);
  EXPECT_EQ(record.ends[0].outcome, "compile_oom");
  EXPECT_EQ(record.ends[1].outcome, "ok");
  EXPECT_EQ(record.observed_hbm->median, 100u);
  EXPECT_NEAR(*record.error_rel, 0.1, 1e-12);
}

TEST(Catalogue, ComesBackAsItWasWritten) {
  Catalogue all;
  add(all, signature("a"), 100, {90}, end("ok"));
  add(all, signature("b"), std::nullopt, {}, end("other"));
  const std::string json = to_json(all);
  EXPECT_EQ(to_json(read_catalogue(json, "c")), json);
  EXPECT_THAT(schema_faults("catalogue", json), IsEmpty());
}

}  // namespace
}  // namespace understudy::configs
