// SPDX-License-Identifier: Apache-2.0
// Programs that tests/judge/draw.py draws by a fixed seed agree with what JAX computes; programs
// that once differed still agree.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "program/npy.h"
#include "tests/judge/in_process.h"
#include "tests/worker/worker_testing.h"

namespace understudy::judge {
namespace {

constexpr const char* kHere = UNDERSTUDY_SOURCE_DIR "/tests/judge";

struct Tally {
  std::size_t programs = 0, refused = 0;
  std::vector<Verdict> differing;
};

Tally judge_folder(const std::string& folder) {
  Tally tally;
  for (const std::string& one : folders_in(folder)) {
    const Verdict verdict = run_in_process(one);
    ++tally.programs;
    if (verdict.kind == Verdict::Kind::differs) tally.differing.push_back(verdict);
    if (verdict.kind != Verdict::Kind::refused) continue;
    ++tally.refused;
    fmt::print("refused: {}: {}\n", verdict.name, verdict.why);
  }
  return tally;
}

// At most `refused` of the programs of a folder may be ones that understudy declines.
void expect_agreement(const std::string& folder, std::size_t at_least, std::size_t refused) {
  const Tally tally = judge_folder(folder);
  EXPECT_GE(tally.programs, at_least);
  EXPECT_LE(tally.refused, refused);
  for (const Verdict& verdict : tally.differing)
    ADD_FAILURE() << verdict.name << ": " << verdict.why;
}

// The folder of the drawn programs; empty where drawing failed. `python` has JAX.
std::string draw(const worker::TestFolder& folder, const std::string& python,
                 const std::string& options) {
  const std::string programs = folder.file("programs");
  const std::string command =
      fmt::format("{} {}/draw.py --out {} {}", python, kHere, programs, options);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return programs;
}

const char* python_with_jax() { return std::getenv("UNDERSTUDY_TEST_PYTHON"); }
constexpr const char* kNoJax = "UNDERSTUDY_TEST_PYTHON names no Python with JAX";

void draw_and_judge(int count, const std::string& options, std::size_t refused) {
  const char* const python = python_with_jax();
  if (python == nullptr) GTEST_SKIP() << kNoJax;
  const worker::TestFolder folder;
  // JAX itself takes all but a few of what is drawn.
  expect_agreement(draw(folder, python, fmt::format("--count {} {}", count, options)),
                   static_cast<std::size_t>(count * 9 / 10), refused);
}

TEST(Judge, DrawnProgramsAgreeWithJax) { draw_and_judge(160, "--seed 2026", 4); }

TEST(Judge, DrawnProgramsOfSeveralChipsAgreeWithJax) {
  draw_and_judge(40, "--seed 2026 --sharded", 0);
}

// The same programs as HLO, which XLA has made of them.
TEST(Judge, DrawnProgramsAgreeAsHloText) { draw_and_judge(45, "--seed 2027 --format hlo-text", 3); }

TEST(Judge, DrawnProgramsAgreeAsHloProto) {
  draw_and_judge(45, "--seed 2028 --format hlo-proto", 3);
}

TEST(Judge, DrawnProgramsOfSeveralChipsAgreeAsHlo) {
  draw_and_judge(20, "--seed 2029 --sharded --format hlo-text", 0);
}

// XLA partitions them; expected are the results without shardings. XLA's partitioner changes what a
// few programs compute, as JAX on its own devices shows: those must agree with JAX there.
TEST(Judge, DrawnGlobalViewProgramsAgreeWithJax) {
  constexpr int kCount = 160, kRefused = 3, kChangedByXla = 7;
  const char* const python = python_with_jax();
  if (python == nullptr) GTEST_SKIP() << kNoJax;
  const std::string options = "--seed 2026 --global-view --count";
  const worker::TestFolder folder;
  const Tally tally = judge_folder(draw(folder, python, fmt::format("{} {}", options, kCount)));
  EXPECT_GE(tally.programs, kCount * 9 / 10);
  EXPECT_LE(tally.refused, kRefused);
  EXPECT_LE(tally.differing.size(), kChangedByXla);
  std::string indexes;
  for (const Verdict& verdict : tally.differing) {
    fmt::print("other than without shardings: {}: {}\n", verdict.name, verdict.why);
    indexes += verdict.name.substr(verdict.name.rfind('_') + 1) + ",";
  }
  if (indexes.empty()) return;
  const worker::TestFolder again;
  expect_agreement(
      draw(again, python, fmt::format("{} 0 --indexes {} --expected sharded", options, indexes)),
      tally.differing.size(), 0);
}

TEST(Judge, FoundProgramsHold) { expect_agreement(std::string(kHere) + "/found", 1, 0); }

TEST(Judge, NoticesAWrongBit) {
  const std::vector<std::string> found = folders_in(std::string(kHere) + "/found");
  ASSERT_FALSE(found.empty());
  const worker::TestFolder folder;
  const std::string copy = folder.file("wrong");
  std::filesystem::copy(found[0], copy, std::filesystem::copy_options::recursive);
  ASSERT_EQ(run_in_process(copy).kind, Verdict::Kind::agrees);
  std::fstream file(copy + "/out0.npy", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-1, std::ios::end);
  const auto at = file.tellp();
  file.seekg(at);
  const int last = file.get();
  file.seekp(at);
  file.put(static_cast<char>(last ^ 1));
  file.close();
  const Verdict verdict = run_in_process(copy);
  EXPECT_EQ(verdict.kind, Verdict::Kind::differs);
  EXPECT_NE(verdict.why.find("result 0"), std::string::npos) << verdict.why;
}

// A result of two chips that is declared to be the same on both. `of_chip` is its value on a chip.
std::string two_chips_that_return(const std::string& of_chip) {
  return fmt::format(R"(
module attributes {{mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32}} {{
  sdy.mesh @mesh = <["data"=2]>
  func.func public @main(%arg0: tensor<2xui32>) -> tensor<1xui32> {{
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{{"data"}}]>] out_shardings=[<@mesh, [{{}}]>] manual_axes={{"data"}} (%arg1: tensor<1xui32>) {{
      {}
      sdy.return %result : tensor<1xui32>
    }} : (tensor<2xui32>) -> tensor<1xui32>
    return %0 : tensor<1xui32>
  }}
}}
)",
                     of_chip);
}

Verdict judge_two_chips(const std::string& of_chip) {
  const worker::TestFolder folder;
  std::ofstream(folder.file("program.mlir")) << two_chips_that_return(of_chip);
  std::ofstream(folder.file("manifest.json")) << R"({
    "name": "two_chips", "about": "", "devices": 2,
    "args": [{"file": "arg0.npy", "dtype": "uint32", "shape": [2]}],
    "results": [{"file": "out0.npy", "dtype": "uint32", "shape": [1], "rtol": 0, "atol": 0}]})";
  const auto write = [&](const std::string& name, std::vector<std::uint32_t> values) {
    program::Array array{{program::ElementType::ui32, {static_cast<std::int64_t>(values.size())}},
                         {}};
    const auto bytes = std::as_bytes(std::span(values));
    array.bytes.assign(bytes.begin(), bytes.end());
    program::write_npy(folder.file(name), array);
  };
  write("arg0.npy", {7, 8});
  write("out0.npy", {7});
  return run_in_process(folder.path());
}

TEST(Judge, NoticesAChipWhoseCopyOfATileDiffers) {
  const Verdict equal = judge_two_chips("%result = stablehlo.constant dense<7> : tensor<1xui32>");
  EXPECT_EQ(equal.kind, Verdict::Kind::agrees) << equal.why;
  // Chip 0 has what is expected, chip 1 has not.
  const Verdict other =
      judge_two_chips("%result = stablehlo.optimization_barrier %arg1 : tensor<1xui32>");
  EXPECT_EQ(other.kind, Verdict::Kind::differs);
  EXPECT_NE(other.why.find("result 0: chips 0 and 1 hold the same tile and differ in it"),
            std::string::npos)
      << other.why;
}

}  // namespace
}  // namespace understudy::judge
