// SPDX-License-Identifier: Apache-2.0
// Candidates of a launch over several launches: the order that the catalogue gives them, what is
// started again, what never is.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "tests/mpi/mpi_testing.h"

namespace understudy::mpi_testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Calibration : public testing::Test {
 protected:
  // Of a ladder of one rung; attempts as "setting class outcome".
  std::vector<std::string> launch(const std::string& program, const std::string& candidates,
                                  const std::string& fault = "") {
    const std::string file = world_.write(
        "ladder.json", fmt::format(R"({{"schema": "understudy/ladder/1", "name": "mine", "rungs": [
          {{"name": "only", "program": "{}/configs/ladders/programs/{}/4", "metrics": "off"}}]}})",
                                   UNDERSTUDY_SOURCE_DIR, program));
    std::vector<std::string> words = {"rehearse", "--slice",     "v6e-4",
                                      "--ladder", file,          "--cache-policy",
                                      "off",      "--catalogue", world_.file("catalogue.json")};
    for (const char name : candidates) {
      words.emplace_back("--candidate");
      words.push_back(name == 'r'   ? "collectives=ring"
                      : name == 'd' ? "collectives=direct"
                                    : "collectives=torus");
    }
    if (!fault.empty()) words.insert(words.end(), {"--fault", fault});
    const Ran ran = world_.run(words);
    receipt_ = world_.receipt(ran);
    std::vector<std::string> all;
    for (const configs::AttemptSeen& one : receipt_.ladder.value().attempts)
      all.push_back(fmt::format("{} {} {}", one.setting.substr(one.setting.find('=') + 1),
                                one.launch_class, one.outcome));
    return all;
  }

  World world_;
  configs::Receipt receipt_;
};

TEST_F(Calibration, TriesWhatWasGoodFirstAndWhatWasBadLast) {
  // A host that fails is started again once, and the next setting is tried.
  EXPECT_THAT(launch("dense", "rd", "chip-locked:host=0"),
              ElementsAre("ring unseen other", "direct unseen other"));
  ASSERT_EQ(receipt_.ladder->rungs.at(0).retries.size(), 1u);
  EXPECT_THAT(receipt_.ladder->rungs[0].retries[0], HasSubstr("already in use"));
  EXPECT_EQ(receipt_.failure()->layer, "host/runtime");
  // The two are known to be bad now: the new one comes first, and is enough.
  EXPECT_THAT(launch("dense", "rdt"), ElementsAre("torus unseen ok"));
  EXPECT_THAT(launch("dense", "rdt"), ElementsAre("torus known-good ok"));
  // Bad ones are tried where there is nothing else.
  EXPECT_THAT(launch("dense", "r"), ElementsAre("ring known-bad ok"));
}

TEST_F(Calibration, NeverStartsAGraphOrAProgramAgain) {
  EXPECT_THAT(launch("adamw_baked", "rd"), ElementsAre("ring unseen other"));
  EXPECT_EQ(receipt_.failure()->layer, "graph/compile");
  EXPECT_TRUE(receipt_.ladder->rungs.at(0).retries.empty());
}

}  // namespace
}  // namespace understudy::mpi_testing
