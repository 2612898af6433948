// SPDX-License-Identifier: Apache-2.0
// The expected results that the project keeps: their tolerances are as wide as arithmetic needs,
// each by a stated reason, and too narrow for a program that does nothing.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "gtest/gtest.h"

#include "configs/launch/manifest.h"
#include "launcher/run/compare.h"
#include "program/kernels/kernels.h"
#include "program/npy.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using program::Array;
using program::ElementType;

std::vector<fs::path> folders_below(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.path().filename() == "manifest.json") folders.push_back(entry.path().parent_path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

const fs::path kSource = UNDERSTUDY_SOURCE_DIR;

Array array_of(const configs::ManifestArray& file) {
  if (file.dtype == "bfloat16") return program::read_npy(file.path, ElementType::bf16);
  return program::read_npy(file.path);
}

double largest(const Array& array) {
  std::vector<double> wide(static_cast<std::size_t>(array.type.elements()));
  program::kernels::select("portable")
      .convert(array.type.element, ElementType::f64)(array.bytes.data(), wide.data(), wide.size());
  double most = 0;
  for (const double one : wide) most = std::max(most, std::abs(one));
  return most;
}

// How many elements of `other` are not those of `want`, and how many of them are out of tolerance.
struct Seen {
  std::int64_t differ = 0, refused = 0;
};
Seen beside(const Array& other, const Array& want, const configs::ManifestResult& expected) {
  return {compare(0, other, want, {0, 0}, expected.path).mismatches,
          compare(0, other, want, {expected.rtol, expected.atol}, expected.path).mismatches};
}

// Of what differs from the golden at all, a quarter must be out of tolerance; of bf16 weights most
// of the rest is within one rounding of where it was.
void expect_refused(const Array& other, const Array& want, const configs::ManifestResult& expected,
                    const std::string& what) {
  const Seen seen = beside(other, want, expected);
  if (seen.differ == 0) return;  // the program's right answer
  EXPECT_GE(seen.refused * 4, seen.differ)
      << expected.path << ": " << what << " differs in " << seen.differ << " elements, of which "
      << seen.refused << " are found";
}

TEST(ExpectedResults, AreNeitherZerosNorUntouchedArguments) {
  std::size_t results = 0;
  for (const fs::path& root : {kSource / "tests/programs", kSource / "configs/ladders/programs"}) {
    for (const fs::path& folder : folders_below(root)) {
      const configs::Manifest manifest = configs::read_manifest(folder.string());
      std::vector<Array> arguments;
      for (const auto& file : manifest.args) arguments.push_back(array_of(file));
      for (const configs::ManifestResult& expected : manifest.results) {
        ++results;
        const Array want = array_of(expected);
        Array zeros = want;
        std::fill(zeros.bytes.begin(), zeros.bytes.end(), std::byte{0});
        expect_refused(zeros, want, expected, "all zeros");
        for (std::size_t i = 0; i < arguments.size(); ++i) {
          if (arguments[i].type != want.type) continue;
          expect_refused(arguments[i], want, expected, fmt::format("argument {}", i));
        }
      }
    }
  }
  EXPECT_GE(results, 400U);
}

// In spacings of f32 at the largest value of a result.
struct Reason {
  const char* program;
  double near;
};
constexpr Reason kReasons[] = {
    // Sums in another order than the framework's: up to 1.5 were seen.
    {"dense_data_parallel", 32},
    {"fsdp_train_step", 32},
    {"metric_globally_reduced", 32},
    {"pod32", 32},
    {"torch_xla_all_reduce", 32},
    {"torch_xla_spmd_attention", 32},
    {"torch_xla_spmd_mlp", 32},
    // Divides by the root of the second moment, which magnifies the noise of small gradients.
    {"adamw_step", 128},
    // Computed in f32; in one pass of bf16, as a TPU does by default, up to 1500 were seen.
    {"torch_xla_ddp_mlp", 2048},
    // In bf16, a spacing of which is 65536 of f32. Sums in another order round an activation to the
    // other side now and then: weights that are near zero move by a sixteenth of the spacing at the
    // largest, the others by one spacing of their own (rtol).
    {"dense_tensor_parallel_bf16", 4096},
};

TEST(ExpectedResults, HaveTolerancesByAReason) {
  const auto folders = folders_below(kSource / "tests/programs");
  EXPECT_EQ(folders.size(), std::size(kReasons));
  for (const fs::path& folder : folders) {
    const auto* reason =
        std::find_if(std::begin(kReasons), std::end(kReasons),
                     [&](const auto& it) { return it.program == folder.filename().string(); });
    ASSERT_NE(reason, std::end(kReasons)) << folder;
    for (const auto& expected : configs::read_manifest(folder.string()).results) {
      const double spacing = std::numeric_limits<float>::epsilon();
      const double wanted = reason->near * spacing * largest(array_of(expected));
      EXPECT_NEAR(expected.atol, wanted, 0.05 * wanted) << expected.path;  // two digits are written
      EXPECT_LE(expected.rtol, expected.dtype == "bfloat16" ? 0x1p-7 : 5 * spacing);
    }
  }
}

// configs/ladders/generate.py says why each is what it is.
TEST(ExpectedResults, OfTheLadderAreComparedByTheirOwnLargestValue) {
  for (const fs::path& folder : folders_below(kSource / "configs/ladders/programs")) {
    for (const auto& expected : configs::read_manifest(folder.string()).results) {
      const double spacing = std::numeric_limits<float>::epsilon();
      // At most 256 spacings, written with two digits.
      EXPECT_LE(expected.atol, 270 * spacing * largest(array_of(expected))) << expected.path;
      EXPECT_LE(expected.rtol, 5 * spacing) << expected.path;
    }
  }
}

}  // namespace
}  // namespace understudy::launcher
