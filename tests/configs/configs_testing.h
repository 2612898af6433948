// SPDX-License-Identifier: Apache-2.0
// What the tests of configs share: a folder of their own, texts of errors, golden files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "configs/base/error.h"

namespace understudy::configs {

// A new folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "configs.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// "kind: whole text" of the Error that `body` throws, or "nothing was thrown".
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return fmt::format("{}: {}", name_of(error.kind()), error.text());
  }
  return "nothing was thrown";
}

inline std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Compares with tests/golden/configs/<name>; UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it.
inline void expect_golden(const std::string& name, const std::string& got) {
  const std::string path = std::string(UNDERSTUDY_SOURCE_DIR) + "/tests/golden/configs/" + name;
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << got;
    return;
  }
  EXPECT_EQ(slurp(path), got) << "golden file " << path;
}

}  // namespace understudy::configs
