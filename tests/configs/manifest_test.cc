// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/manifest.h"

#include <gmock/gmock.h>

#include "configs/base/file.h"
#include "tests/configs/configs_testing.h"
#include "tests/outside_folder.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kManifest =
    R"({"name": "step", "about": "a step", "rung": "dense", "devices": 8,
 "mesh": {"data": 4, "model": 2},
 "args": [{"file": "arg0.npy", "dtype": "float32", "shape": [8, 4, 2],
           "spec": ["data", null, ["model"]]}],
 "results": [{"file": "out0.npy", "dtype": "bfloat16", "shape": [], "spec": [],
              "rtol": 0.0002, "atol": 0}]}
)";

Manifest manifest_of(const TemporaryFolder& folder, const std::string& text) {
  write_file_atomically(folder.file("manifest.json"), text);
  return read_manifest(folder.path());
}

TEST(Manifest, SaysWhatAProgramNeedsAndGives) {
  const TemporaryFolder folder;
  const Manifest manifest = manifest_of(folder, kManifest);
  EXPECT_EQ(manifest.name, "step");
  EXPECT_EQ(manifest.rung, "dense");
  EXPECT_EQ(manifest.devices, 8);
  EXPECT_FALSE(manifest.replicas);
  EXPECT_THAT(manifest.mesh, ElementsAre(Pair("data", 4), Pair("model", 2)));
  ASSERT_EQ(manifest.args.size(), 1u);
  EXPECT_EQ(manifest.args[0].path, folder.file("arg0.npy"));
  EXPECT_THAT(manifest.args[0].shape, ElementsAre(8, 4, 2));
  EXPECT_THAT(manifest.args[0].spec,
              ElementsAre(ElementsAre("data"), IsEmpty(), ElementsAre("model")));
  EXPECT_EQ(manifest.results[0].dtype, "bfloat16");
  EXPECT_EQ(manifest.results[0].rtol, 0.0002);
  EXPECT_EQ(manifest.results[0].atol, 0);
}

TEST(Manifest, SaysHowManyStepsItsResultsAreOf) {
  const TemporaryFolder folder;
  const Manifest one = manifest_of(folder, kManifest);
  EXPECT_EQ(one.steps, 1);
  EXPECT_THAT(one.carry, IsEmpty());
  const Manifest manifest =
      manifest_of(folder, R"({"name": "t", "devices": 4, "args": [], "results": [], "steps": 20,
  "carry": [[0, 1], [2, 0]], "step_programs": [[1, "b.mlir"], [7, "c.mlir"]]})");
  EXPECT_EQ(manifest.steps, 20);
  EXPECT_THAT(manifest.carry, ElementsAre(Pair(0, 1), Pair(2, 0)));
  EXPECT_THAT(manifest.step_programs,
              ElementsAre(Pair(1, folder.file("b.mlir")), Pair(7, folder.file("c.mlir"))));
  EXPECT_EQ(error_of([&] {
              manifest_of(folder, R"({"name": "t", "devices": 4, "args": [], "results": [],
  "step_programs": [[0, "b.mlir"]]})");
            }),
            "config: " + folder.file("manifest.json") +
                ":2:20: error: /step_programs: step 0 always runs the program of the folder\n" +
                "  \"step_programs\": [[0, \"b.mlir\"]]}\n                   ^");
}

TEST(Manifest, KnowsReplicas) {
  const TemporaryFolder folder;
  const Manifest manifest =
      manifest_of(folder, R"({"name": "t", "rung": null, "devices": 4, "replicas": 4, "results": [],
  "args": [{"file": "a", "dtype": "float32", "shape": [4], "per_replica": true}]})");
  EXPECT_EQ(manifest.replicas, 4);
  EXPECT_FALSE(manifest.rung);
  EXPECT_TRUE(manifest.args[0].per_replica);
}

TEST(Manifest, KeepsTheTextsOfItsComplaints) {
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> changes[] = {{"\"devices\"", "\"device\""},
                                                         {"\"devices\": 8", "\"devices\": 0"},
                                                         {"\"dtype\"", "\"dtpye\""},
                                                         {"[8, 4, 2]", "[8, 4.5, 2]"},
                                                         {"\"data\", null", "\"dat\", null"},
                                                         {"[\"model\"]]", "[\"model\"], null]"},
                                                         {"\"atol\": 0", "\"atol\": -1"},
                                                         {", \"atol\": 0", ""},
                                                         {"\"arg0.npy\"", "\"\""}};
  std::string texts;
  for (const auto& [from, to] : changes) {
    std::string text = kManifest;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::string error = error_of([&] { manifest_of(folder, text); });
    for (std::size_t i = error.find(folder.path()); i != std::string::npos;
         i = error.find(folder.path())) {
      error.replace(i, folder.path().size(), "FOLDER");
    }
    texts += error + "\n\n";
  }
  expect_golden("manifest/errors.txt", texts);
  EXPECT_EQ(error_of([] { read_manifest("/nowhere"); }),
            "input: error: cannot read /nowhere/manifest.json: No such file or directory");
}

TEST(Manifest, ReadsThoseOfTheSharedPrograms) {
  const std::string absent = why_outside_is_absent("programs");
  if (!absent.empty()) GTEST_SKIP() << absent;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(outside_folder() / "programs")) {
    if (!std::filesystem::exists(entry.path() / "manifest.json")) continue;
    const Manifest manifest = read_manifest(entry.path().string());
    EXPECT_EQ(manifest.name, entry.path().filename().string());
    EXPECT_FALSE(manifest.results.empty()) << manifest.name;
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace understudy::configs
