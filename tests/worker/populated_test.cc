// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/populated.h"

#include <cstring>
#include <gtest/gtest.h>

#include "worker/pod/segment.h"

namespace understudy::worker {
namespace {

constexpr std::uint64_t kHbm = 1 << 24;

TEST(Populated, CountsThePagesThatWereTouched) {
  const Segment segment = Segment::create(kHbm);
  const auto offset = static_cast<std::uint64_t>(segment.hbm().data() - segment.all().data());
  const auto seen = [&] { return populated_in(segment.descriptor(), offset, kHbm).value(); };
  const std::uint64_t page = seen().page_bytes;
  EXPECT_EQ(seen().bytes, 0U);
  // The header and the board are outside of the range.
  segment.header().other_progress = 1;
  EXPECT_EQ(seen().bytes, 0U);
  segment.hbm()[3 * page + 5] = std::byte{1};
  EXPECT_EQ(seen().bytes, page);
  std::memset(segment.hbm().data() + 10 * page - 1, 0, 2);  // two pages, of zeros
  EXPECT_EQ(seen().bytes, 3 * page);
  segment.hbm().back() = std::byte{1};
  EXPECT_EQ(seen().bytes, 4 * page);
}

TEST(Populated, IsUnknownWithoutAFile) { EXPECT_FALSE(populated_in(-1, 0, kHbm)); }

}  // namespace
}  // namespace understudy::worker
