// SPDX-License-Identifier: Apache-2.0
// Every kernel of every table gives the bits of the portable one.
#include <cstring>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "tests/program/kernels/samples.h"

namespace understudy::program::kernels {
namespace {

constexpr std::size_t kMargin = 32;  // bytes after the output that must stay untouched
constexpr auto kUntouched = std::byte{0xa5};
const std::size_t kSizes[] = {0, 1, 15, 16, 17, 97, 1000};

class SameBits : public testing::TestWithParam<const KernelTable*> {
 protected:
  static std::vector<std::byte> room(std::size_t bytes) {
    return std::vector<std::byte>(bytes + kMargin, kUntouched);
  }
  static const KernelTable& portable() { return *available().front(); }
};

TEST_P(SameBits, InUnaryKernels) {
  int kernels = 0;
  for (const ElementType type : all_types()) {
    for (int op = 0; op <= static_cast<int>(UnaryOp::square); ++op) {
      const auto ours = GetParam()->unary(static_cast<UnaryOp>(op), type);
      const auto wanted = portable().unary(static_cast<UnaryOp>(op), type);
      ASSERT_EQ(ours == nullptr, wanted == nullptr);
      if (ours == nullptr) continue;
      ++kernels;
      for (const std::size_t n : kSizes) {
        const auto in = sample(type, n, 1);
        auto a = room(n * 16);
        auto b = room(n * 16);
        ours(in.data(), a.data(), n);
        wanted(in.data(), b.data(), n);
        ASSERT_EQ(a, b) << "op " << op << " of " << mlir_name(type) << " at " << n;
        ASSERT_EQ(a.back(), kUntouched);
      }
    }
  }
  EXPECT_GT(kernels, 600);
}

TEST_P(SameBits, InBinaryKernels) {
  int kernels = 0;
  for (const ElementType type : all_types()) {
    for (int op = 0; op <= static_cast<int>(BinaryOp::zeta); ++op) {
      const auto ours = GetParam()->binary(static_cast<BinaryOp>(op), type);
      const auto wanted = portable().binary(static_cast<BinaryOp>(op), type);
      ASSERT_EQ(ours == nullptr, wanted == nullptr);
      if (ours == nullptr) continue;
      ++kernels;
      for (const std::size_t n : kSizes) {
        const auto x = sample(type, n, 2);
        const auto y = sample(type, n, 3);
        auto a = room(n * 16);
        auto b = room(n * 16);
        ours(x.data(), y.data(), a.data(), n);
        wanted(x.data(), y.data(), b.data(), n);
        ASSERT_EQ(a, b) << "op " << op << " of " << mlir_name(type) << " at " << n;
      }
    }
  }
  EXPECT_GT(kernels, 300);
}

TEST_P(SameBits, InComparisons) {
  for (const ElementType type : all_types()) {
    for (int direction = 0; direction <= static_cast<int>(Direction::lt); ++direction) {
      for (const bool total : {false, true}) {
        const auto ours = GetParam()->compare(static_cast<Direction>(direction), total, type);
        const auto wanted = portable().compare(static_cast<Direction>(direction), total, type);
        ASSERT_EQ(ours == nullptr, wanted == nullptr);
        if (ours == nullptr) continue;
        for (const std::size_t n : kSizes) {
          const auto x = sample(type, n, 4);
          const auto y = sample(type, n, 5);
          auto a = room(n);
          auto b = room(n);
          ours(x.data(), y.data(), a.data(), n);
          wanted(x.data(), y.data(), b.data(), n);
          ASSERT_EQ(a, b) << "direction " << direction << " of " << mlir_name(type);
        }
      }
    }
  }
}

TEST_P(SameBits, InConversionsBetweenAllPairs) {
  for (const ElementType from : all_types()) {
    for (const ElementType to : all_types()) {
      const auto ours = GetParam()->convert(from, to);
      const auto wanted = portable().convert(from, to);
      ASSERT_NE(ours, nullptr) << mlir_name(from) << " to " << mlir_name(to);
      ASSERT_NE(wanted, nullptr);
      for (const std::size_t n : kSizes) {
        const auto in = sample(from, n, 6);
        auto a = room(n * byte_size(to));
        auto b = room(n * byte_size(to));
        ours(in.data(), a.data(), n);
        wanted(in.data(), b.data(), n);
        ASSERT_EQ(a, b) << mlir_name(from) << " to " << mlir_name(to) << " at " << n;
      }
    }
  }
}

TEST_P(SameBits, InReductions) {
  for (const ElementType type : all_types()) {
    const ElementType wide = accumulator_type(type);
    for (int r = 0; r <= static_cast<int>(last_of(Reduction{})); ++r) {
      const auto reduction = static_cast<Reduction>(r);
      const auto ours = GetParam()->fold(reduction, type);
      const auto wanted = portable().fold(reduction, type);
      ASSERT_EQ(ours == nullptr, wanted == nullptr);
      ASSERT_EQ(ours == nullptr, GetParam()->accumulate(reduction, type) == nullptr);
      if (ours == nullptr) continue;
      for (const std::size_t n : kSizes) {
        const auto in = sample(type, n, 7);
        auto a = sample(wide, 1, 8);
        auto b = a;
        ours(in.data(), n, a.data());
        wanted(in.data(), n, b.data());
        ASSERT_EQ(a, b) << "reduction " << r << " of " << mlir_name(type) << " at " << n;
        const auto left = sample(wide, n, 9);
        auto c = room(n * byte_size(wide));
        auto d = room(n * byte_size(wide));
        GetParam()->accumulate(reduction, type)(left.data(), in.data(), c.data(), n);
        portable().accumulate(reduction, type)(left.data(), in.data(), d.data(), n);
        ASSERT_EQ(c, d) << "reduction " << r << " of " << mlir_name(type) << " at " << n;
      }
    }
  }
}

// Many operands at once are the same steps as one after the other.
TEST_P(SameBits, InReductionsOfManyOperands) {
  for (const ElementType type : all_types()) {
    const ElementType wide = accumulator_type(type);
    for (int r = 1; r <= static_cast<int>(last_of(Reduction{})); ++r) {
      const auto reduction = static_cast<Reduction>(r);
      const auto all = GetParam()->accumulate_all(reduction, type);
      const auto step = portable().accumulate(reduction, type);
      if (all == nullptr) continue;
      ASSERT_NE(step, nullptr);
      for (const std::size_t n : kSizes) {
        std::vector<std::vector<std::byte>> operands;
        std::vector<const void*> places;
        for (std::uint32_t k = 0; k < 5; ++k) operands.push_back(sample(type, n, 20 + k));
        for (const auto& operand : operands) places.push_back(operand.data());
        auto together = room(n * byte_size(wide)), chain = room(n * byte_size(wide));
        all(places.data(), places.size(), together.data(), n);
        portable().convert(type, wide)(operands[0].data(), chain.data(), n);
        for (std::size_t k = 1; k < operands.size(); ++k) {
          step(chain.data(), operands[k].data(), chain.data(), n);
        }
        ASSERT_EQ(together, chain) << "reduction " << r << " of " << mlir_name(type) << " at " << n;
      }
    }
  }
}

TEST_P(SameBits, InSelections) {
  for (const ElementType type : {ElementType::i8, ElementType::bf16, ElementType::f32,
                                 ElementType::f64, ElementType::c128}) {
    for (const std::size_t n : kSizes) {
      const auto pred = sample(ElementType::pred, n, 10);
      const auto x = sample(type, n, 11);
      const auto y = sample(type, n, 12);
      const std::size_t bytes = byte_size(type);
      auto out = room(n * bytes);
      GetParam()->select(bytes)(pred.data(), x.data(), y.data(), out.data(), n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto& from = pred[i] != std::byte{0} ? x : y;
        ASSERT_EQ(std::memcmp(out.data() + i * bytes, from.data() + i * bytes, bytes), 0);
      }
      ASSERT_EQ(out[n * bytes], kUntouched);
    }
  }
}

// Every code of f16, NaN among others, and f32 of all exponents and around every rounding.
TEST_P(SameBits, InConversionsOfF16) {
  constexpr std::size_t kCodes = 1 << 16;
  std::vector<std::uint16_t> codes(kCodes);
  for (std::size_t i = 0; i < kCodes; ++i) codes[i] = static_cast<std::uint16_t>(i);
  std::vector<std::uint32_t> wide(kCodes), wanted(kCodes);
  GetParam()->convert(ElementType::f16, ElementType::f32)(codes.data(), wide.data(), kCodes);
  portable().convert(ElementType::f16, ElementType::f32)(codes.data(), wanted.data(), kCodes);
  EXPECT_EQ(wide, wanted);
  for (const std::uint32_t low : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU}) {
    std::vector<std::uint32_t> values(kCodes);
    for (std::uint32_t i = 0; i < kCodes; ++i) values[i] = (i << 16) + (i % 5 << 13) + low;
    std::vector<std::uint16_t> narrow(kCodes), rounded(kCodes);
    GetParam()->convert(ElementType::f32, ElementType::f16)(values.data(), narrow.data(), kCodes);
    portable().convert(ElementType::f32, ElementType::f16)(values.data(), rounded.data(), kCodes);
    EXPECT_EQ(narrow, rounded) << low;
  }
}

TEST_P(SameBits, WhenTheOutputIsAnInput) {
  auto in_place = sample(ElementType::bf16, 1000, 13);
  const auto x = in_place;
  std::vector<std::byte> apart(x.size());
  GetParam()->unary(UnaryOp::tanh, ElementType::bf16)(x.data(), apart.data(), 1000);
  GetParam()->unary(UnaryOp::tanh, ElementType::bf16)(in_place.data(), in_place.data(), 1000);
  EXPECT_EQ(in_place, apart);
}

INSTANTIATE_TEST_SUITE_P(EveryTable, SameBits, testing::ValuesIn(available()),
                         [](const auto& chosen) { return std::string(chosen.param->isa); });

TEST(SelectKernels, TakesTheWidestUnlessOneIsNamed) {
  EXPECT_EQ(&select(""), available().back());
  EXPECT_EQ(select("portable").isa, std::string("portable"));
}

TEST(SelectKernels, NamesWhatThisMachineHas) {
  try {
    select("sse9");
    FAIL() << "an unknown name was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message().rfind(
                  "UNDERSTUDY_ISA=sse9: not available on this machine; available: portable", 0),
              0U);
  }
}

TEST(Identity, IsNeutralForEveryReduction) {
  for (const ElementType type : all_types()) {
    if (type == ElementType::f8e8m0fnu) continue;  // has no zero
    for (int r = 1; r <= static_cast<int>(last_of(Reduction{})); ++r) {
      const auto reduction = static_cast<Reduction>(r);
      const auto combine = table().accumulate(reduction, type);
      if (combine == nullptr || accumulator_type(type) != type) continue;
      if (is_complex(type) && reduction == Reduction::product) continue;  // 0 * inf is NaN
      const auto x = sample(type, 64, 14);
      for (std::size_t i = 0; i < 64; ++i) {
        const std::size_t bytes = byte_size(type);
        std::vector<std::byte> neutral(bytes);
        write_identity(reduction, type, neutral.data());
        std::vector<std::byte> out(bytes);
        combine(neutral.data(), x.data() + i * bytes, out.data(), 1);
        std::uint8_t same = 0;
        table().compare(Direction::eq, false, type)(out.data(), x.data() + i * bytes, &same, 1);
        std::uint8_t itself = 0;
        const std::byte* at = x.data() + i * bytes;
        table().compare(Direction::eq, false, type)(at, at, &itself, 1);
        EXPECT_EQ(same, itself) << mlir_name(type) << " reduction " << r;
      }
    }
  }
}

}  // namespace
}  // namespace understudy::program::kernels
