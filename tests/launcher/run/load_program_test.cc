// SPDX-License-Identifier: Apache-2.0
// A program is a file of text, a portable artifact, or a folder that holds one of them.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "launcher/run/plan_run.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

class LoadProgram : public testing::Test {
 protected:
  LoadProgram() {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "manifest.json")
        << R"({"name": "control", "devices": 1, "args": [], "results": []})";
  }
  ~LoadProgram() override { fs::remove_all(folder_); }

  void add(const std::string& from, const std::string& as) const {
    fs::copy_file(fs::path(UNDERSTUDY_SOURCE_DIR) / "tests/program/bytecode" / from, folder_ / as);
  }
  LoadedProgram load(const std::string& path) const {
    RunOptions options;
    options.program = path;
    return load_program(options);
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("understudy_load_" + std::to_string(::getpid()));
};

TEST_F(LoadProgram, TakesTheArtifactOfAFolderWithoutText) {
  add("control.1.17.0.mlirbc", "program.mlirbc");
  EXPECT_EQ(load(folder_.string()).path, (folder_ / "program.mlirbc").string());
}

TEST_F(LoadProgram, PrefersTextToTheArtifactBesideIt) {
  add("control.1.17.0.mlirbc", "program.mlirbc");
  add("control.mlir", "program.mlir");
  EXPECT_EQ(load(folder_.string()).path, (folder_ / "program.mlir").string());
}

TEST_F(LoadProgram, GivesTextAndArtifactOneDigest) {
  add("control.0.9.0.mlirbc", "step.bc");
  add("control.mlir", "step.mlir");
  const LoadedProgram artifact = load((folder_ / "step.bc").string());
  EXPECT_EQ(artifact.digest, load((folder_ / "step.mlir").string()).digest);
  EXPECT_EQ(artifact.interface.results.size(), 2u);
}

}  // namespace
}  // namespace understudy::launcher
