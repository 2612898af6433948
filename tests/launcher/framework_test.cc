// SPDX-License-Identifier: Apache-2.0
// The Python of a script's command, and notes on versions of jaxlib. Starts no Python.
#include "launcher/script/framework.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "launcher/partition/partitioning.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

class PythonOf : public testing::Test {
 protected:
  PythonOf() { fs::create_directories(folder_); }
  ~PythonOf() override { fs::remove_all(folder_); }

  std::string script(const std::string& text) const {
    const std::string path = (folder_ / "pytest").string();
    std::ofstream(path) << text;
    return path;
  }

  fs::path folder_ =
      fs::temp_directory_path() / ("understudy-framework-" + std::to_string(getpid()));
};

TEST_F(PythonOf, IsTheInterpreterOfAConsoleScript) {
  EXPECT_EQ(python_of(script("#!/venv/bin/python3.11\nimport sys\n")), "/venv/bin/python3.11");
  EXPECT_EQ(python_of(script("#!/venv/bin/python -E\n")), "/venv/bin/python");
}

TEST_F(PythonOf, IsTheCommandWhereThatIsPython) {
  EXPECT_EQ(python_of("/venv/bin/python3"), "/venv/bin/python3");
  EXPECT_EQ(python_of("python"), "python");
}

TEST_F(PythonOf, IsTheNameThatEnvLooksUp) {
  EXPECT_EQ(python_of(script("#!/usr/bin/env python3\n")), "python3");
  EXPECT_EQ(python_of(script("#!/usr/bin/env -S python3.11 -E\n")), "python3.11");
}

TEST_F(PythonOf, IsNothingForOtherPrograms) {
  EXPECT_EQ(python_of(script("#!/bin/sh\nexec python3 $0\n")), "");
  EXPECT_EQ(python_of(script("#!/usr/bin/env bash\n")), "");
  EXPECT_EQ(python_of(script("import sys\n")), "");
  EXPECT_EQ(python_of(script("#!/" + std::string(1000, 'x'))), "");
  EXPECT_EQ(python_of(script("")), "");
  EXPECT_EQ(python_of((folder_ / "missing").string()), "");
}

TEST_F(PythonOf, ThePinIsReadFromTheFolderOfThePartitioner) {
  PartitionerPlaces places;
  places.folder = folder_.string();
  EXPECT_EQ(pinned_jaxlib(places), "");
  fs::create_directories(folder_ / "understudy_partitioner");
  std::ofstream(folder_ / "understudy_partitioner/requirements.txt") << "# pin\njaxlib==9.9\n";
  EXPECT_EQ(pinned_jaxlib(places), "9.9");
}

}  // namespace
}  // namespace understudy::launcher
