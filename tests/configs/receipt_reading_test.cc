// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>

#include "configs/base/error.h"
#include "configs/receipt/legacy.h"
#include "configs/receipt/receipt.h"
#include "configs/receipt/run_document.h"
#include "tests/configs/receipt_testing.h"
#include "tests/configs/schema_checker.h"

namespace understudy::configs {
namespace {

using ::testing::IsEmpty;

TEST(Receipt, ReadsFormatOne) {
  std::string text = to_json(passed());
  const std::string two = "understudy/receipt/2";
  text.replace(text.find(two), two.size(), "understudy/receipt/1");
  EXPECT_EQ(read_receipt(text, "r").verdict, "passed");
}

TEST(Receipt, GoesThereAndBackAndFitsItsSchema) {
  const std::string text = to_json(passed());
  EXPECT_EQ(to_json(read_receipt(text, "receipt.json")), text);
  EXPECT_THAT(schema_faults("receipt", text), IsEmpty());
  expect_golden("receipt/passed.json", text);
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

// A document of the wrong shape is not converted: the reader then names what is wrong with it.
TEST(Receipt, OfAnEarlierVersionAndTheWrongShapeIsRefused) {
  const std::string shapes[] = {R"({"chips": [1, 2], "ranks": [{}, {}]})",
                                R"({"chips": [{"probed": {"coord": 1}}], "ranks": [7]})",
                                R"({"chips": [], "failure": {}, "failures": [3]})",
                                R"({"chips": [], "failures": ["text"]})",
                                R"({"chips": [], "failure": {}, "failures": [{"id": 5}]})",
                                R"({"chips": [], "versions": {"understudy": "1", "revision": 9}})",
                                R"({"chips": [], "compile": {}, "cache": []})",
                                R"({"chips": null})",
                                R"({"chips")"};
  for (const std::string& shape : shapes) {
    EXPECT_NO_THROW((void)upgraded_receipt(shape)) << shape;
    try {
      (void)read_receipt(shape, "old.json");
      ADD_FAILURE() << shape;
    } catch (const Error& error) {
      EXPECT_NE(error.kind(), ErrorKind::internal) << shape;
    }
  }
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
