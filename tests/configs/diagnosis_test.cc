// SPDX-License-Identifier: Apache-2.0
#include "configs/diagnosis.h"

#include <filesystem>
#include <regex>
#include <set>

#include "gtest/gtest.h"

#include "configs/base/file.h"

namespace understudy::configs {
namespace {

namespace fs = std::filesystem;

TEST(DiagnosisTest, NamesAreUniqueAndEachHasAdvice) {
  std::set<std::string_view> names;
  for (const Diagnosis& one : diagnoses()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_EQ(find_diagnosis(one.name), &one);
    EXPECT_TRUE(one.advice.ends_with('.')) << one.name;
    EXPECT_TRUE(std::regex_match(std::string(one.name), std::regex("[a-z0-9]+(-[a-z0-9]+)*")));
    EXPECT_TRUE(std::regex_match(std::string(one.id), std::regex("(F[0-9]+)?"))) << one.name;
  }
  EXPECT_EQ(find_diagnosis("no-such-thing"), nullptr);
}

TEST(DiagnosisTest, EveryLayerIsThere) {
  std::set<std::string_view> layers;
  for (const Diagnosis& one : diagnoses()) layers.insert(name_of(one.layer));
  EXPECT_EQ(layers, (std::set<std::string_view>{"cache", "collective", "contract", "graph/compile",
                                                "host/runtime", "memory", "program"}));
}

// Who names a failure names one of the table.
TEST(DiagnosisTest, TheSourcesNameOnlyThese) {
  const std::regex named(R"re((?:diagnosed\(|diagnosis = )\s*"([^"]*)")re");
  int seen = 0;
  for (const char* room : {"cache", "collectives", "configs", "launcher", "program", "worker"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(UNDERSTUDY_SOURCE_DIR) / room)) {
      if (entry.path().extension() != ".cc") continue;
      const std::string text = read_text_file(entry.path());
      for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at, ++seen)
        EXPECT_NE(find_diagnosis((*at)[1].str()), nullptr) << entry.path() << ": " << (*at)[1];
    }
  }
  EXPECT_GT(seen, 4);
}

}  // namespace
}  // namespace understudy::configs
