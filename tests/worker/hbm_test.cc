// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/hbm.h"

#include <gtest/gtest.h>
#include <vector>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

struct Block64 {
  alignas(64) std::byte bytes[64];
};

class HbmTest : public testing::Test {
 protected:
  std::vector<Block64> arena_{16};  // 1024 bytes
  Hbm hbm_{std::as_writable_bytes(std::span(arena_))};
  std::ptrdiff_t offset(const std::byte* place) const { return place - arena_[0].bytes; }
};

TEST_F(HbmTest, PlacesBuffersOneAfterTheOtherAtMultiplesOf64) {
  EXPECT_EQ(offset(hbm_.allocate(1, "a")), 0);
  EXPECT_EQ(offset(hbm_.allocate(65, "b")), 64);
  EXPECT_EQ(offset(hbm_.allocate(0, "c")), 192);
  EXPECT_EQ(offset(hbm_.allocate(64, "d")), 256);
  EXPECT_EQ(hbm_.used(), 320U);
}

// Each of some large buffers begins elsewhere in its page, and small ones fill the gaps.
TEST(Hbm, LargeBuffersBeginAtDifferentPlacesInTheirPages) {
  constexpr std::uint64_t kPage = 4096;
  // Reserved, not touched: the allocator keeps its lists elsewhere.
  const std::span arena(reinterpret_cast<std::byte*>(kPage), Hbm::kLeastWithGaps);
  Hbm hbm(arena);
  std::vector<std::uint64_t> starts;
  std::uint64_t bytes = 0;
  for (int i = 0; i < 4; ++i) {
    const std::byte* const at = hbm.allocate(4 * kPage, "large");
    const auto start = static_cast<std::uint64_t>(at - arena.data());
    EXPECT_GE(start, bytes);
    EXPECT_LE(start, bytes + kPage * 3 / 4);
    bytes = start + 4 * kPage;
    for (const std::uint64_t other : starts) EXPECT_NE(start % kPage, other % kPage);
    starts.push_back(start);
  }
  EXPECT_EQ(hbm.used(), 16 * kPage);
  EXPECT_LT(hbm.allocate(64, "small"), arena.data() + bytes);
}

TEST(Hbm, ASmallMemoryHasNoGaps) {
  constexpr std::uint64_t kPage = 4096;
  const std::span arena(reinterpret_cast<std::byte*>(kPage), Hbm::kLeastWithGaps - kPage);
  Hbm hbm(arena);
  for (std::uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(hbm.allocate(4 * kPage, "large"), arena.data() + i * 4 * kPage);
}

// A freed place is taken again as it is.
TEST(Hbm, AGapDoesNotMoveWhatComesBack) {
  const std::span arena(reinterpret_cast<std::byte*>(4096), Hbm::kLeastWithGaps);
  Hbm hbm(arena);
  hbm.allocate(8192, "a");
  std::byte* const b = hbm.allocate(8192, "b");
  hbm.allocate(8192, "c");
  hbm.free(b);
  std::byte* const again = hbm.allocate(8192, "b");
  EXPECT_LE(again, b);
  EXPECT_GT(again, b - 4096);
}

TEST_F(HbmTest, TakesTheSmallestHoleThatFits) {
  std::byte* a = hbm_.allocate(128, "a");
  hbm_.allocate(64, "b");
  std::byte* c = hbm_.allocate(64, "c");
  hbm_.allocate(64, "d");
  hbm_.free(a);
  hbm_.free(c);
  EXPECT_EQ(hbm_.allocate(64, "e"), c);
  EXPECT_EQ(hbm_.allocate(64, "f"), a);
  EXPECT_EQ(hbm_.allocate(64, "g"), a + 64);
  EXPECT_EQ(offset(hbm_.allocate(128, "h")), 320);
}

TEST_F(HbmTest, JoinsFreedNeighboursOnBothSides) {
  std::byte* a = hbm_.allocate(320, "a");
  std::byte* b = hbm_.allocate(320, "b");
  std::byte* c = hbm_.allocate(384, "c");
  hbm_.free(a);
  hbm_.free(c);
  hbm_.free(b);
  EXPECT_EQ(hbm_.used(), 0U);
  EXPECT_EQ(hbm_.allocate(1024, "all"), a);
}

TEST_F(HbmTest, RemembersThePeak) {
  std::byte* a = hbm_.allocate(512, "a");
  hbm_.free(a);
  hbm_.allocate(64, "b");
  EXPECT_EQ(hbm_.used(), 64U);
  EXPECT_EQ(hbm_.peak(), 512U);
  EXPECT_EQ(hbm_.capacity(), 1024U);
}

TEST_F(HbmTest, ListsTheLargestBuffersWhenExhausted) {
  hbm_.allocate(64, "constants");
  hbm_.allocate(512, "argument 1");
  hbm_.allocate(100, "result 0");
  hbm_.allocate(1, "argument 0");
  EXPECT_EQ(error_of([&] { hbm_.allocate(400, "temporaries"); }),
            "capacity: error: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 400 bytes "
            "for temporaries: 768 of 1024 bytes of HBM are in use, the largest free block has 256\n"
            "note: 512 bytes are held by argument 1\n"
            "note: 128 bytes are held by result 0\n"
            "note: 64 bytes are held by constants");
}

TEST_F(HbmTest, RefusesSizesNearTheLargestNumber) {
  EXPECT_THROW(hbm_.allocate(UINT64_MAX, "x"), Error);
  EXPECT_THROW(hbm_.allocate(1025, "x"), Error);
}

TEST(Hbm, NeverTouchesTheArena) {
  std::vector<Block64> arena(4);
  for (auto& block : arena) block.bytes[0] = std::byte{7};
  Hbm hbm(std::as_writable_bytes(std::span(arena)));
  hbm.free(hbm.allocate(256, "a"));
  for (const auto& block : arena) EXPECT_EQ(block.bytes[0], std::byte{7});
}

}  // namespace
}  // namespace understudy::worker
