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

// The arena of a large memory: reserved, not touched, as the allocator keeps its lists elsewhere.
constexpr std::uint64_t kPage = 4096;
std::span<std::byte> large_arena(std::uint64_t bytes) {
  return {reinterpret_cast<std::byte*>(kPage), bytes};
}

// Each of some large buffers begins elsewhere in its page, within its room.
TEST(Hbm, LargeBuffersBeginAtDifferentPlacesInTheirPages) {
  const std::span arena = large_arena(Hbm::kLeastWithGaps);
  Hbm hbm(arena);
  std::vector<std::uint64_t> starts;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::byte* const at = hbm.allocate(4 * kPage, "large");
    const auto start = static_cast<std::uint64_t>(at - arena.data());
    EXPECT_GE(start, i * (4 * kPage + Hbm::kRoom));
    EXPECT_LE(start, i * (4 * kPage + Hbm::kRoom) + Hbm::kRoom);
    for (const std::uint64_t other : starts) EXPECT_NE(start % kPage, other % kPage);
    starts.push_back(start);
  }
  EXPECT_EQ(hbm.used(), 12 * kPage);
  for (const std::uint64_t start : starts) hbm.free(arena.data() + start);
  EXPECT_EQ(hbm.allocate(Hbm::kLeastWithGaps, "all"), arena.data());
}

TEST(Hbm, ASmallMemoryHasNoGaps) {
  const std::span arena = large_arena(Hbm::kLeastWithGaps - kPage);
  Hbm hbm(arena);
  for (std::uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(hbm.allocate(4 * kPage, "large"), arena.data() + i * 4 * kPage);
}

// Buffers of later steps fit the places that earlier ones had, also those of two neighbours.
TEST(Hbm, CarriedBuffersStayWhereTheFirstStepsWere) {
  const std::span arena = large_arena(Hbm::kLeastWithGaps);
  Hbm hbm(arena);
  constexpr std::uint64_t kBytes = 16 * kPage;
  std::vector<std::byte*> arguments = {hbm.allocate(kBytes, "a"), hbm.allocate(kBytes, "b")};
  hbm.allocate(kBytes, "code");
  for (int step = 0; step < 12; ++step) {
    const std::vector<std::byte*> results = {hbm.allocate(kBytes, "c"), hbm.allocate(kBytes, "d")};
    for (const std::byte* const result : results)
      EXPECT_LE(result + kBytes, arena.data() + 5 * (kBytes + Hbm::kRoom)) << step;
    for (const std::byte* const argument : arguments) hbm.free(argument);
    arguments = results;
  }
}

// Where only the bytes are left, they are enough.
TEST(Hbm, TheLastBufferNeedsNoRoom) {
  const std::span arena = large_arena(Hbm::kLeastWithGaps);
  Hbm hbm(arena);
  hbm.allocate(kPage, "a");
  hbm.allocate(Hbm::kLeastWithGaps - kPage - Hbm::kRoom, "all that is left");
  EXPECT_EQ(hbm.used(), Hbm::kLeastWithGaps - Hbm::kRoom);
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
