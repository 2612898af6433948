// SPDX-License-Identifier: Apache-2.0
#include "configs/report/junit.h"

#include "gtest/gtest.h"

#include "configs/base/printable.h"

namespace understudy::configs {
namespace {

TEST(Junit, ACheckReportHasOneCasePerFile) {
  CheckReport report;
  report.files = {{"a.mlir", Verdict::passed, "", 1, 3},
                  {"b.mlir", Verdict::failed, "b.mlir:3: got <1> & \"2\"\nmore", 1, 0},
                  {"c.mlir", Verdict::unsupported, "stablehlo.x", 0, 0}};
  report.wall_seconds = 1.5;
  EXPECT_EQ(to_junit(report),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"1.500\">\n"
            "  <testsuite name=\"understudy check\" tests=\"3\" failures=\"1\" errors=\"0\" "
            "skipped=\"1\" time=\"1.500\">\n"
            "    <testcase name=\"a.mlir\" classname=\"understudy check\"/>\n"
            "    <testcase name=\"b.mlir\" classname=\"understudy check\">\n"
            "      <failure message=\"b.mlir:3: got &lt;1&gt; &amp; &quot;2&quot;\">"
            "b.mlir:3: got &lt;1&gt; &amp; &quot;2&quot;&#10;more</failure>\n"
            "    </testcase>\n"
            "    <testcase name=\"c.mlir\" classname=\"understudy check\">\n"
            "      <skipped message=\"stablehlo.x\">stablehlo.x</skipped>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

TEST(Junit, OnlyGloballyReducedResultsPass) {
  MetricsReport report;
  report.program = "step";
  for (const char* verdict :
       {"globally_reduced", "local", "replicated_by_luck", "undecided", "not_applicable"}) {
    ResultVerdict one;
    one.index = static_cast<std::int64_t>(report.results.size());
    one.verdict = verdict;
    one.reason = "why";
    report.results.push_back(one);
  }
  report.results[1].name = "loss";
  report.results[1].place = {"stablehlo.add", "p.mlir", 3, 5, std::nullopt};
  report.warnings = {{0, "mean of means", "uneven", std::nullopt, std::nullopt, std::nullopt}};
  const std::string text = to_junit(report);
  EXPECT_NE(text.find("tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\""), std::string::npos);
  EXPECT_NE(text.find("name=\"step: loss\""), std::string::npos) << text;
  EXPECT_NE(text.find("local: why&#10;p.mlir:3:5: stablehlo.add"), std::string::npos) << text;
  EXPECT_NE(text.find("<system-out>warning: mean of means: uneven</system-out>"),
            std::string::npos);
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(printable("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
            "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\x1b[2J\r\x07\x7f"), "\\x1b[2J\\x0d\\x07\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // CSI as a C1 control
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80"), "\\xc0\\xaf \\xed\\xa0\\x80");  // no UTF-8
  EXPECT_EQ(printable("cut \xe2\x82"), "cut \\xe2\\x82");
}

}  // namespace
}  // namespace understudy::configs
