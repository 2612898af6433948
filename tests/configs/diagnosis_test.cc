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

// Who names a failure takes an enumerator, which the compiler checks: no statement gives text.
TEST(DiagnosisTest, NoSourceSpellsAName) {
  const std::regex statement(R"re((?:diagnosed\(|diagnosis = )"[^"]+")re");
  for (const auto& [path, text] : sources())
    for (std::sregex_iterator at(text.begin(), text.end(), statement), end; at != end; ++at)
      ADD_FAILURE() << path << ": " << at->str();
}

TEST(DiagnosisTest, EachIsGivenBySomeSource) {
  const auto texts = sources();
  for (const Diagnosis& one : diagnoses()) {
    std::string id = "DiagnosisId::" + std::string(one.name);
    std::ranges::replace(id, '-', '_');
    const std::regex use(id + "\\b");
    EXPECT_TRUE(std::ranges::any_of(texts, [&](const auto& it) {
      return std::regex_search(it.second, use);
    })) << one.name;
  }
}

}  // namespace
}  // namespace understudy::configs
