// SPDX-License-Identifier: Apache-2.0
// Whatever bytes come: a module, or an error of the user's kind.
#include <gtest/gtest.h>

#include "tests/program/hlo/hlo_testing.h"
#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

std::string bytes_of(const std::string& name) {
  return std::string(Source::read((repository() / "tests/program/hlo" / name).string())->text());
}

TEST(HloHostile, MutantsOfTextAndProtoNeverCrash) {
  std::mt19937 random(20261123);
  int refused = 0, read = 0;
  for (const char* name : {"collectives.hlo.txt", "collectives.hlo.pb", "control.hlo.txt",
                           "control.hlo.pb", "literals.hlo.pb", "optimised.hlo.txt"}) {
    SCOPED_TRACE(name);
    const std::string whole = bytes_of(name);
    for (int round = 0; round < 250; ++round)
      (outcome_of(mutant_of(whole, random)).empty() ? read : refused) += 1;
  }
  EXPECT_GT(refused, 500);
  EXPECT_GT(read, 10);
}

TEST(HloHostile, EveryTruncationOfAProtoIsAnErrorWithItsPlace) {
  const std::string whole = bytes_of("global_view.hlo.pb");
  for (std::size_t size = 16; size < whole.size(); size += 7) {
    const std::string text = outcome_of(whole.substr(0, size));
    EXPECT_NE(text.find("x.hlo"), std::string::npos) << "cut at " << size << ": " << text;
  }
}

// A literal whose shape says more elements than memory holds; a group list of more ids than chips.
TEST(HloHostile, SizesThatAreTooLarge) {
  for (const char* entry : {"ROOT r = f32[4000000000,4000000000,4000000000] constant({1})",
                            "x = f32[4] parameter(0)\nROOT r = f32[4] all-gather(x), "
                            "replica_groups=[1,9000000000]<=[9000000000]",
                            "x = f32[9223372036854775807,2] parameter(0)\nROOT r = "
                            "f32[9223372036854775807,2] negate(x)",
                            "ROOT r = f32[99999999999999999999] parameter(0)"}) {
    const std::string text = outcome_of(std::string("HloModule m\nENTRY e {\n") + entry + "\n}\n");
    (void)text;  // an error or a module that is refused when it is compiled; not a crash
  }
}

}  // namespace
}  // namespace understudy::program
