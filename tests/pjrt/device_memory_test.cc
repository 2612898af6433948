// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/device_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "configs/base/error.h"

namespace understudy::pjrt {
namespace {

constexpr std::uint64_t kPage = 4096;

// A memory object with one page of something else in front of HBM.
std::shared_ptr<DeviceMemory> memory_of(std::uint64_t pages, std::uint64_t usable_from = 0) {
  const int descriptor = ::memfd_create("test-hbm", MFD_CLOEXEC);
  EXPECT_EQ(::ftruncate(descriptor, static_cast<off_t>((pages + 1) * kPage)), 0);
  return std::make_shared<DeviceMemory>(descriptor, kPage, pages * kPage, usable_from,
                                        pages * kPage - usable_from);
}

TEST(DeviceMemory, GivesBlocksBackWithTheirLastReference) {
  const auto memory = memory_of(4);
  BlockRef block = memory->allocate(kPage, "a");
  const BlockRef second = block;
  block.reset();
  EXPECT_EQ(memory->used(), kPage);
  EXPECT_THROW((void)memory->allocate(4 * kPage, "b"), Error);
}

TEST(DeviceMemory, CountsTheReadersOfABlock) {
  const auto memory = memory_of(4);
  BlockRef block = memory->allocate(kPage, "a");
  BlockRef reader = DeviceMemory::Block::reader(block);
  const BlockRef same = reader;
  reader.reset();
  EXPECT_TRUE(block->is_read());
  EXPECT_EQ(same->start(), block->start());
  block.reset();
  EXPECT_EQ(memory->used(), kPage);  // a reader keeps the memory
}

TEST(DeviceMemory, IsNotReadAfterTheLastReader) {
  const auto memory = memory_of(4);
  const BlockRef block = memory->allocate(kPage, "a");
  { const BlockRef reader = DeviceMemory::Block::reader(block); }
  EXPECT_FALSE(block->is_read());
}

TEST(DeviceMemory, NamesPlacesFromTheStartOfHbm) {
  const auto memory = memory_of(4, 2 * kPage);
  EXPECT_EQ(memory->allocate(kPage, "a")->at(), 2 * kPage);
  EXPECT_EQ(memory->stats().limit, static_cast<std::int64_t>(2 * kPage));
}

TEST(DeviceMemory, CountsThePeakUntilItIsCleared) {
  const auto memory = memory_of(4);
  (void)memory->allocate(3 * kPage, "a");
  const BlockRef one = memory->allocate(kPage, "b");
  EXPECT_EQ(memory->stats().peak, static_cast<std::int64_t>(3 * kPage));
  EXPECT_EQ(memory->stats().in_use, static_cast<std::int64_t>(kPage));
  EXPECT_EQ(memory->stats().allocations, 2);
  memory->clear_stats();
  EXPECT_EQ(memory->stats().peak, static_cast<std::int64_t>(kPage));
  EXPECT_EQ(memory->stats().largest, 0);
  EXPECT_EQ(memory->stats().allocations, 0);
  (void)memory->allocate(2 * kPage, "c");
  EXPECT_EQ(memory->stats().peak, static_cast<std::int64_t>(3 * kPage));
  EXPECT_EQ(memory->stats().largest, static_cast<std::int64_t>(2 * kPage));
  EXPECT_EQ(memory->stats().allocations, 1);
}

}  // namespace
}  // namespace understudy::pjrt
