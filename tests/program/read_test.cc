// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/program/reader_testing.h"

namespace understudy::program {
namespace {

TEST(ReadProgram, NamesEveryOperationThatCannotRun) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("understudy_unsupported_" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(path) << "func.func @main(%t: !stablehlo.token) {\n"
                         "  stablehlo.custom_call @Elsewhere(%t) : (!stablehlo.token) -> ()\n"
                         "  stablehlo.custom_call @Nowhere() : () -> ()\n  return\n}\n";
  try {
    read_program(path.string());
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(error.message(), "stablehlo.custom_call @Elsewhere is not supported");
    ASSERT_EQ(error.notes().size(), 1u);
    EXPECT_EQ(error.notes()[0],
              path.string() + ":3:3: stablehlo.custom_call @Nowhere is not supported");
  }
  std::filesystem::remove(path);
}

TEST(ReadProgram, RefusesMissingFilesAndFolders) {
  const auto message = [](const std::string& path) {
    try {
      read_program(path);
    } catch (const Error& error) {
      return error.text();
    }
    return std::string();
  };
  EXPECT_EQ(message("/nowhere/a.mlir"), "/nowhere/a.mlir: error: no such file");
  EXPECT_EQ(message("/"), "/: error: is a folder, not a file");
  EXPECT_EQ(message("/dev/zero"),
            "/dev/zero: error: cannot be read: not a regular file (FIFO, socket or "
            "device)");
}

// 12 GB that nobody wrote: refused by its size, none of it is read.
TEST(ReadProgram, RefusesAFileBeyondTheLimitWithItsSize) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("understudy_sparse_" + std::to_string(::getpid()) + ".mlir");
  std::ofstream(path) << "";
  std::filesystem::resize_file(path, 12'000'000'000);
  try {
    read_program(path.string());
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.message(), "has 12000000000 bytes; a program may have at most 1073741824");
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace understudy::program
