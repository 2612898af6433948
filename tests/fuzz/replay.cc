// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target over every file of its corpus, and over each file cut short, without a fuzzer:
// an input that once crashed stays a test, and the target cannot rot.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace understudy {
namespace {

TEST(FuzzCorpus, EveryInputIsReadOrRefused) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(UNDERSTUDY_CORPUS)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    EXPECT_EQ(LLVMFuzzerTestOneInput(data, bytes.size()), 0);
    // A copy of exactly this size lets the address sanitizer see a step beyond the end.
    const std::vector<std::uint8_t> half(data, data + bytes.size() / 2);
    EXPECT_EQ(LLVMFuzzerTestOneInput(half.data(), half.size()), 0);
    ++files;
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace understudy
