// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

#include "launcher/page/html.h"
#include "launcher/page/page_frame.h"
#include "launcher/page/receipt_page.h"

namespace understudy::launcher {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;

configs::Receipt golden(const std::string& name) {
  const std::string path = UNDERSTUDY_SOURCE_DIR "/tests/golden/configs/receipt/" + name;
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return configs::read_receipt(text.str(), path);
}

// Every tag that is opened is closed, in order; but those that have no end.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  const std::size_t begin = html.find("<body>");
  const std::string body = html.substr(begin, html.find("</html>") - begin);
  const std::regex tag("<(/?)([a-z0-9]+)[^>]*?(/?)>");
  for (std::sregex_iterator it(body.begin(), body.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2];
    if ((*it)[3] == "/" || name == "br") continue;
    if ((*it)[1] != "/") {
      open.push_back(name);
    } else {
      if (open.empty() || open.back() != name) return "</" + name + "> too much";
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

TEST(Html, EscapesWhatOthersWrote) {
  EXPECT_EQ(escaped("<a href=\"x\">&</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  EXPECT_EQ(element("td", "<b>", "number"), "<td class=\"number\">&lt;b&gt;</td>");
  EXPECT_EQ(around("p", element("b", "x")), "<p><b>x</b></p>");
  HtmlTable table({"name", "#count"});
  EXPECT_TRUE(table.empty());
  table.row({"<x>", "3"}, "bad");
  EXPECT_THAT(table.html(), AllOf(HasSubstr("<th class=\"number\">count</th>"),
                                  HasSubstr("<tr class=\"bad\"><td>&lt;x&gt;</td>")));
}

// Nothing was compared or counted, but each verdict has its reason and place.
TEST(ReceiptPage, OfMetricsExplainsEachVerdict) {
  configs::Receipt receipt = golden("passed.json");
  receipt.collectives.reset();
  receipt.results.resize(1);
  receipt.results[0].metric = "local";
  receipt.results[0].metric_reason = "it was not reduced over data";
  receipt.results[0].metric_place = "step.py:5:10";
  const std::string page = receipt_page(receipt);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_THAT(page,
              AllOf(HasSubstr("<td>it was not reduced over data</td>"),
                    HasSubstr("<td>step.py:5:10</td>"), Not(HasSubstr("before the collectives"))));
}

TEST(ReceiptPage, StandsAloneAndIsWellFormed) {
  for (const char* name : {"passed.json", "failed.json"}) {
    const std::string page = receipt_page(golden(name));
    EXPECT_EQ(unbalanced(page), "") << name;
    EXPECT_THAT(page, AllOf(Not(HasSubstr("http")), Not(HasSubstr("<script")),
                            Not(HasSubstr("src=")), Not(HasSubstr("<link "))))
        << "nothing comes over the network";
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  }
}

TEST(ReceiptPage, LinksToEverySectionAndLabelsIt) {
  const std::string page = receipt_page(golden("passed.json"));
  const std::regex link("<a href=\"#([^\"]+)\">([^<]+)</a>");
  int links = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), link), end; at != end; ++at, ++links) {
    const std::string anchor = (*at)[1], title = (*at)[2];
    EXPECT_THAT(page, HasSubstr("<section id=\"" + anchor + "\" aria-labelledby=\"" + anchor +
                                "-title\"><h2 id=\"" + anchor + "-title\">" + title + "</h2>"));
  }
  EXPECT_GT(links, 5);
}

TEST(ReceiptPage, AxesHaveRoundNumbers) {
  EXPECT_THAT(ticks_of(0.132, 6), Pointwise(DoubleEq(), {0.0, 0.05, 0.1}));
  EXPECT_THAT(ticks_of(6, 6), Pointwise(DoubleEq(), {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}));
  EXPECT_THAT(ticks_of(47, 6), Pointwise(DoubleEq(), {0.0, 10.0, 20.0, 30.0, 40.0}));
}

TEST(ReceiptPage, TellsWhatTheReceiptTells) {
  const configs::Receipt passed = golden("passed.json");
  const std::string page = receipt_page(passed);
  EXPECT_THAT(page, AllOf(HasSubstr(passed.run_id), HasSubstr(passed.contract_digest),
                          HasSubstr("\">Claims</h2>"), HasSubstr("\">Compile cache</h2>"),
                          HasSubstr("\">Slice</h2>"), HasSubstr("\">Start of each chip</h2>")));
  for (const configs::CollectiveSeen& seen : *passed.collectives)
    EXPECT_THAT(page, HasSubstr(seen.kind));
  EXPECT_THAT(page, Not(HasSubstr("Restore proof"))) << "nobody gave a cold run";
  EXPECT_THAT(receipt_page(passed, passed), HasSubstr("\">Restore proof</h2>"));
}

TEST(ReceiptPage, ShowsWhoFailedFirst) {
  const configs::Receipt failed = golden("failed.json");
  const std::string page = receipt_page(failed);
  EXPECT_THAT(page, AllOf(HasSubstr("<header class=\"failed\">"), HasSubstr("class=\"message\""),
                          HasSubstr(escaped(failed.failure()->message))));
}

// A rehearsal that met its frontier, with what a page has of it.
TEST(ReceiptPage, ShowsTheLadderItsFrontierTheCanaryAndTheDrill) {
  configs::Receipt receipt = golden("passed.json");
  receipt.ladder.emplace();
  receipt.ladder->name = "<mine>";
  configs::RungSeen one, two, three;
  one.rung = "dense";
  one.status = "passed";
  one.seconds = 2;
  one.compiles = 1;
  one.checks = {{"runs", true, "3 steps"}};
  two.rung = "attention";
  two.status = "failed";
  two.seconds = 1;
  two.why = "results differ";
  two.advice = "Compare them.";
  three.rung = "expert";
  receipt.ladder->rungs = {one, two, three};
  receipt.ladder->first_passing = "dense";
  receipt.ladder->next_failing = "attention";
  receipt.restore.emplace();
  receipt.restore->verdict = "host-usable-only";
  receipt.restore->cold = {{"UncachedCompile", 1}};
  receipt.restore->restored = {{"UncachedCompile", 2}};
  configs::complete(receipt);
  configs::DrillReport drill;
  drill.verdict = "passed";
  drill.detected = 1;
  drill.faults.push_back({"rank-killed", "F36", "", true, "collective", "collective", "", "", 1, 1,
                          2.5, 20, "rank 3 was killed", ""});
  const std::string page = receipt_page(receipt, std::nullopt, drill);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_THAT(page, AllOf(HasSubstr("\">Ladder</h2>"), HasSubstr("&lt;mine&gt;"),
                          HasSubstr("<b class=\"bad\">attention</b>"), HasSubstr("results differ"),
                          HasSubstr("What to do: Compare them."), HasSubstr("1 checks")));
  EXPECT_THAT(page, AllOf(HasSubstr("\">Restored canary</h2>"), HasSubstr("host-usable-only"),
                          HasSubstr("\">Drill</h2>"), HasSubstr("rank 3 was killed"),
                          HasSubstr("rehearsal of v6e-4")));
  EXPECT_EQ(configs::read_drill_report(to_json(drill), "d").faults.size(), 1U);
}

TEST(ReceiptPage, ShowsGatesEnvironmentAndPins) {
  configs::Receipt receipt = golden("passed.json");
  receipt.launch.emplace();
  receipt.launch->profile = "steady";
  receipt.launch->env_equal_across_ranks = true;
  receipt.launch->remarks = {{"hugepages-off", "host/runtime", std::nullopt, "all off", "on!"}};
  receipt.ranks.back().gates.push_back({"live_probe", 0.5, "", "no <device>"});
  const std::string page = receipt_page(receipt);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_THAT(page, AllOf(HasSubstr("\">Gates</h2>"), HasSubstr("no &lt;device&gt;"),
                          HasSubstr("\">Environment</h2>"), HasSubstr("all off. on!"),
                          HasSubstr("\">Pins</h2>"), HasSubstr("C library")));
}

TEST(SlicePicture, HasAChipAndItsHostForEachRankAndDashesForTheRest) {
  configs::Receipt receipt;
  receipt.slice = "v6e-16";
  receipt.host_count = 4;
  receipt.ranks.resize(15);
  for (std::size_t rank = 0; rank < 15; ++rank) {
    receipt.ranks[rank].rank = static_cast<std::int64_t>(rank);
    receipt.ranks[rank].host = static_cast<std::int64_t>(rank / 4);
  }
  receipt.failures.emplace_back().rank = 5;
  const std::string svg = slice_picture(receipt);
  EXPECT_THAT(svg, AllOf(HasSubstr("class=\"box host1 failed\""), HasSubstr("host 3"),
                         HasSubstr("rank 5, host 1, chip"), HasSubstr("box absent")));
  receipt.slice = "no such slice";
  EXPECT_EQ(slice_picture(receipt), "");
}

}  // namespace
}  // namespace understudy::launcher
