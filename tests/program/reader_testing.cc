// SPDX-License-Identifier: Apache-2.0
#include "tests/program/reader_testing.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace understudy::program {

std::unique_ptr<Module> parsed(std::string text) {
  return parse(std::make_shared<const Source>("test.mlir", std::move(text)));
}

std::string error_of(std::string text) {
  try {
    verify(*parsed(std::move(text)));
  } catch (const Error& error) {
    return error.text();
  }
  return "";
}

std::string function_of(const std::string& arguments, const std::string& result,
                        const std::string& body) {
  return fmt::format("func.func @main({}) -> {} {{\n{}\n}}\n", arguments, result, body);
}

std::filesystem::path repository() { return UNDERSTUDY_SOURCE_DIR; }

void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = repository() / "tests/golden/program" / name;
  if (std::getenv("UNDERSTUDY_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing; UNDERSTUDY_UPDATE_GOLDEN=1 writes it";
  const std::string wanted{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, wanted) << "golden " << path;
}

void expect_errors(const std::string& golden, const std::vector<ErrorCase>& cases) {
  std::string all;
  for (const ErrorCase& each : cases) {
    const std::string error = error_of(each.text);
    EXPECT_NE(error, "") << each.name;
    all += fmt::format("== {}\n{}\n\n", each.name, error);
  }
  expect_golden("errors/" + golden, all);
}

std::vector<std::filesystem::path> mlir_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".mlir") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace understudy::program
