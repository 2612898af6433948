// SPDX-License-Identifier: Apache-2.0
// Every number of a float of 16 bits: what is stored is what was loaded, also of a NaN that
// signals; and numbers of f32 at, beside and between them are rounded as by the kernel.
#include <numeric>

#include "gtest/gtest.h"

#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

using enum ChainSource;
using Values = std::vector<std::byte>;

class ChainsOfHalves : public testing::TestWithParam<const KernelTable*> {};

TEST_P(ChainsOfHalves, StoreWhatTheyLoadAndRoundAsKernels) {
  const ChainKernels kernels = GetParam()->chains();
  constexpr std::size_t kAll = 1 << 16;
  std::vector<std::uint16_t> codes(kAll);
  std::iota(codes.begin(), codes.end(), std::uint16_t{0});
  const Values halves = bytes_of(codes);
  for (const ElementType type : {ElementType::bf16, ElementType::f16}) {
    Values got(2 * kAll);
    const ChainStep copy[] = {{kernels.load(type, dense), halves.data()},
                              {kernels.store(type), nullptr, nullptr, nullptr, got.data()},
                              {kernels.end}};
    kernels.run(copy, kAll);
    EXPECT_EQ(got, halves) << mlir_name(type);

    std::vector<std::uint32_t> wide(kAll), all;
    available().front()->convert(type, ElementType::f32)(halves.data(), wide.data(), kAll);
    const std::uint32_t unit = type == ElementType::f16 ? 1U << 13 : 1U << 16;
    for (const std::uint32_t one : wide)
      for (const std::uint32_t more : {0U, 1U, unit / 2 - 1, unit / 2, unit / 2 + 1, unit - 1})
        all.push_back(one + more);
    // Where units of f16 do not shrink any more.
    for (std::uint32_t bits = 0x33000000U - 3 * 256; all.size() % 256 != 0 || bits < 0x38800000U;
         bits += 0x1fff)
      all.push_back(bits);
    const Values in = bytes_of(all);
    Values wanted(2 * all.size()), narrow(wanted.size());
    available().front()->convert(ElementType::f32, type)(in.data(), wanted.data(), all.size());
    const ChainStep rounds[] = {{kernels.load(ElementType::f32, dense), in.data()},
                                {kernels.convert(ElementType::f32, type)},
                                {kernels.store(type), nullptr, nullptr, nullptr, narrow.data()},
                                {kernels.end}};
    kernels.run(rounds, all.size());
    EXPECT_EQ(narrow, wanted) << mlir_name(type);
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, ChainsOfHalves, testing::ValuesIn(available()),
                         [](const auto& table) { return std::string(table.param->isa); });

}  // namespace
}  // namespace understudy::program::kernels
