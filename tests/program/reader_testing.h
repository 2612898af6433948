// SPDX-License-Identifier: Apache-2.0
// What the reader's tests share: text in, module or error text out, golden files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "program/read.h"

namespace understudy::program {

std::unique_ptr<Module> parsed(std::string text);

// The error of parsing and verifying this text, or "" where it is right. The path is test.mlir.
std::string error_of(std::string text);

// A function of these lines, its arguments and result given: "func.func @main(ARGS) -> R {..}".
std::string function_of(const std::string& arguments, const std::string& result,
                        const std::string& body);

std::filesystem::path repository();

// Compares with tests/golden/program/NAME; UNDERSTUDY_UPDATE_GOLDEN=1 rewrites it.
void expect_golden(const std::string& name, const std::string& text);

// A text that is wrong, and what is wrong with it.
struct ErrorCase {
  const char* name;
  std::string text;
};
// Their error texts are those of tests/golden/program/errors/GOLDEN.
void expect_errors(const std::string& golden, const std::vector<ErrorCase>& cases);

// Files *.mlir under a folder, sorted.
std::vector<std::filesystem::path> mlir_files(const std::filesystem::path& folder);

}  // namespace understudy::program
