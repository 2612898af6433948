// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/diagnosis.h"

#include <algorithm>
#include <filesystem>
#include <map>
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
  EXPECT_EQ(layers,
            (std::set<std::string_view>{"cache", "collective", "contract", "graph/compile",
                                        "host memory", "host/runtime", "memory", "program"}));
}

// The sources of all rooms but for the table itself, by path.
std::map<fs::path, std::string> sources() {
  std::map<fs::path, std::string> texts;
  for (const char* room : {"cache", "collectives", "configs", "launcher", "program", "worker"})
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(UNDERSTUDY_SOURCE_DIR) / room))
      if (entry.path().extension() == ".cc" && entry.path().filename() != "diagnosis.cc")
        texts[entry.path()] = read_text_file(entry.path());
  return texts;
}

// Who names a failure names one of the table: every name in every statement that gives one.
TEST(DiagnosisTest, TheSourcesNameOnlyThese) {
  const std::regex statement(R"re((?:diagnosed\(|diagnosis = )([^;]*);)re");
  const std::regex name(R"re("([a-z0-9]+(?:-[a-z0-9]+)*)")re");
  int seen = 0;
  for (const auto& [path, text] : sources())
    for (std::sregex_iterator at(text.begin(), text.end(), statement), end; at != end; ++at) {
      const std::string words = (*at)[1];
      for (std::sregex_iterator one(words.begin(), words.end(), name); one != end; ++one, ++seen)
        EXPECT_NE(find_diagnosis((*one)[1].str()), nullptr) << path << ": " << (*one)[1];
    }
  EXPECT_GE(seen, 20);
}

// Other statements take theirs from tables and variables: a name of the table that no source gives
// was misspelt there, or is given by nobody.
TEST(DiagnosisTest, EachIsGivenBySomeSource) {
  const auto texts = sources();
  for (const Diagnosis& one : diagnoses()) {
    const std::string name = '"' + std::string(one.name) + '"';
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const auto& it) {
      return it.second.find(name) != std::string::npos;
    })) << one.name;
  }
}

}  // namespace
}  // namespace understudy::configs
