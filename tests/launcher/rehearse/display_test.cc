// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/display.h"

#include <algorithm>
#include <gmock/gmock.h>

namespace understudy::launcher {
namespace {

using State = DisplayRung::State;

DisplayRung rung(const std::string& name, State state, double seconds, const std::string& told) {
  DisplayRung one;
  one.name = name;
  one.adds = "something new";
  one.state = state;
  one.seconds = seconds;
  one.told = told;
  return one;
}

std::vector<DisplayRung> climb() {
  std::vector<DisplayRung> rungs = {rung("dense", State::passed, 1.25, "3 steps, as expected"),
                                    rung("attention", State::running, 0.5, ""),
                                    rung("hybrid", State::waiting, 0, "")};
  rungs[1].progress = {"ring", 1, 4};
  return rungs;
}

TEST(Display, DrawsTheClimbInAscii) {
  EXPECT_EQ(picture("rehearsing v6e-8", climb(), 1.75, 0, {}),
            "rehearsing v6e-8\n"
            "\n"
            " + dense            1.2 s  3 steps, as expected\n"
            " | attention        0.5 s  ====............  ring: step 2 of 4\n"
            " . hybrid                  something new\n"
            "\n"
            " =====...........  1 of 3 rungs, 1.8 s\n");
}

TEST(Display, TurnsItsWheelAndUsesUnicodeWhereTheLocaleHasIt) {
  const DisplayLook look{false, true, 80};
  EXPECT_THAT(picture("t", climb(), 0, 0, look), testing::HasSubstr(" ✔ dense"));
  EXPECT_THAT(picture("t", climb(), 0, 0, look), testing::HasSubstr("━━━━╌"));
  EXPECT_NE(picture("t", climb(), 0, 0, look), picture("t", climb(), 0, 1, look));
}

TEST(Display, NeverIsWiderThanItsWindow) {
  std::vector<DisplayRung> rungs = climb();
  rungs[0].told = std::string(200, 'x');
  rungs[2].adds = std::string(200, 'y');
  const std::string text = picture("title", rungs, 0, 0, {false, false, 60});
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 60u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(Display, ColoursOnlyWhereItMay) {
  EXPECT_EQ(picture("t", climb(), 0, 0, {}).find('\x1b'), std::string::npos);
  EXPECT_NE(picture("t", climb(), 0, 0, {true, false, 80}).find("\x1b[32m+"), std::string::npos);
}

TEST(Display, KeepsLongNamesInTheirColumn) {
  std::vector<DisplayRung> rungs = climb();
  rungs[1].name = "a-rung-with-a-very-long-name-indeed";
  DisplayLook look{false, false, 60};
  look.names = names_width(rungs);
  EXPECT_EQ(look.names, 24u);
  const std::string text = picture("t", rungs, 0, 0, look);
  EXPECT_THAT(text, testing::HasSubstr(" | a-rung-with-a-very-lon..   0.5 s  "));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 60u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(Display, NeverIsHigherThanItsWindow) {
  std::vector<DisplayRung> rungs;
  for (int i = 0; i < 40; ++i)
    rungs.push_back(rung("r" + std::to_string(i), i < 20 ? State::passed : State::waiting, 1, "x"));
  DisplayLook look{false, false, 80};
  look.height = 15;
  const std::string text = picture("t", rungs, 0, 0, look);
  EXPECT_EQ(std::ranges::count(text, '\n'), 14);  // the cursor stands in the last line
  EXPECT_THAT(text, testing::HasSubstr(" . r20 "));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(" r2 ")));
  EXPECT_THAT(text, testing::HasSubstr("20 of 40 rungs"));
}

TEST(Display, FoldsWhatIsOverAtWords) {
  EXPECT_EQ(folded_from_column("one two three four five six seven", 4, 30),
            "one two three four five\n    six seven");
  EXPECT_EQ(folded_from_column("one two three", 4, 0), "one two three");  // a file
  EXPECT_EQ(rung_line(rung("dense", State::passed, 1, "one two three four five six seven"),
                      {false, false, 50}),
            " + dense            1.0 s  one two three four five\n"
            "                           six seven");
}

TEST(Display, TellsALayerAndAReasonOfWhatFailed) {
  configs::RungSeen seen;
  seen.status = "failed";
  seen.layer_of_failure = "collective";
  seen.why = "rank 3 (host 0) was killed";
  EXPECT_EQ(told_of(seen), "collective: rank 3 (host 0) was killed");
}

}  // namespace
}  // namespace understudy::launcher
