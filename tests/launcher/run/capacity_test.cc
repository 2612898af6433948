// SPDX-License-Identifier: Apache-2.0
// What does not fit a chip, or this machine, is refused with its place before anything is
// allocated.
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "configs/base/host_memory.h"
#include "launcher/run/plan_run.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Capacity : public testing::Test {
 protected:
  ~Capacity() override { fs::remove(file_); }

  // A program whose only argument has that type, per chip or over all of them.
  LoadedProgram taking(const std::string& type, const std::string& more = "") const {
    std::ofstream(file_) << "module attributes {mhlo.num_replicas = 2 : i32} {\n"
                            "func.func @main(%a: tensor<" +
                                type + ">) -> tensor<f32> {\n" + more +
                                "  %0 = stablehlo.constant dense<1.0> : tensor<f32>\n"
                                "  return %0 : tensor<f32>\n}\n}\n";
    RunOptions options;
    options.program = file_.string();
    return load_program(options);
  }

  static SliceOptions slice(const std::string& name) {
    SliceOptions options;
    options.request.slice = name;
    return options;
  }

  const fs::path file_ =
      fs::temp_directory_path() / ("understudy_capacity_" + std::to_string(::getpid()) + ".mlir");
};

// The error that `work` throws, with its exit code.
std::pair<int, std::string> failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return {exit_code_of(error.kind()), error.text()};
  }
  return {0, ""};
}

TEST_F(Capacity, ArgumentsBeyondHbmAreRefusedWithTheirPlace) {
  const LoadedProgram program = taking("10000000000xf32");
  const auto [code, text] = failure_of([&] { choose_slice(slice("v6e-4"), program); });
  EXPECT_EQ(code, 5);
  EXPECT_THAT(text,
              HasSubstr(file_.string() + ":2:17: error: argument 0, f32[10000000000]: needs "));
  EXPECT_THAT(text, HasSubstr("v6e has 32 GB of HBM"));
}

TEST_F(Capacity, ArgumentsThatFitAreNot) {
  EXPECT_EQ(choose_slice(slice("v6e-4"), taking("1000000xf32")).chips.size(), 4U);
}

TEST_F(Capacity, ArgumentsBeyondHostMemoryAreRefusedBeforeTheyAreMade) {
  const std::uint64_t elements = host_memory_bytes() / 4 + 1;
  const LoadedProgram program = taking(std::to_string(elements) + "xf32");
  const auto [code, text] = failure_of([&] {
    read_arguments(RunOptions{}, program, {Fill::Kind::random, 1});
  });
  EXPECT_EQ(code, 5);
  EXPECT_THAT(text, HasSubstr("of host memory, but this machine has"));
  EXPECT_THAT(text, HasSubstr(file_.string() + ":2:17: error: argument 0"));
}

TEST_F(Capacity, ArraysBeyondTheLimitAreNoPrograms) {
  const auto [code, text] = failure_of([&] { taking("1000000000000000000xf32"); });
  EXPECT_EQ(code, 2);
  EXPECT_THAT(text, HasSubstr(file_.string() + ":2:17: error: argument 0 is tensor<"));
  const std::string giant = "0x4000000000x4000000000xf32";
  const auto [inner, place] =
      failure_of([&] { taking("f32", "  %1 = stablehlo.iota dim = 1 : tensor<" + giant + ">\n"); });
  EXPECT_EQ(inner, 2);
  EXPECT_THAT(place, HasSubstr(":3:8: error: stablehlo.iota: result 0 is tensor<" + giant + ">"));
}

}  // namespace
}  // namespace understudy::launcher
