// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/memory_check.h"

#include <gmock/gmock.h>

namespace understudy::configs {
namespace {

using ::testing::HasSubstr;

// 10,000 bytes in 3 regions; three pages hold data.
MemorySeen good() { return {10'000, 12'288, 1'000'000, 10'048, 0, 3, 4096}; }

TEST(MemoryCheck, AcceptsUpToAPageForEachRegion) {
  MemorySeen seen = good();
  EXPECT_EQ(memory_complaint(seen), std::nullopt);
  seen.hbm_predicted = 12'288;
  EXPECT_EQ(memory_complaint(seen), std::nullopt);
  seen.hbm_observed = 12'288 + 2 * 4096;
  EXPECT_EQ(memory_complaint(seen), std::nullopt);
}

TEST(MemoryCheck, SeesAPredictionThatIsTooLarge) {
  MemorySeen seen = good();
  seen.hbm_predicted = 12'289;
  EXPECT_EQ(memory_complaint(seen),
            "the prediction of the HBM peak is too large: 12289 bytes predicted, 0 of them written "
            "only by branches, but 12288 bytes of pages are populated");
  // Branches that did not run wrote nothing.
  seen.hbm_conditional = 1;
  EXPECT_EQ(memory_complaint(seen), std::nullopt);
}

TEST(MemoryCheck, SeesAPredictionThatIsTooSmall) {
  MemorySeen seen = good();
  seen.hbm_observed = 24'576;
  EXPECT_EQ(memory_complaint(seen),
            "the prediction of the HBM peak is too small: 10000 bytes predicted for 3 regions, but "
            "24576 bytes of pages are populated, at least 2288 more than predicted");
}

// Memory that nobody writes populates no page.
TEST(MemoryCheck, SeesAllocationsThatWereNotPredicted) {
  MemorySeen seen = good();
  seen.hbm_allocated = 20'000;
  EXPECT_THAT(memory_complaint(seen).value_or(""),
              HasSubstr("more HBM was allocated than predicted: 10000 bytes in 3 regions "
                        "predicted, 20000 allocated"));
}

TEST(MemoryCheck, NeedsCountedPages) {
  MemorySeen seen = good();
  seen.hbm_observed = 1;
  seen.page_bytes.reset();
  EXPECT_EQ(memory_complaint(seen), std::nullopt);
}

}  // namespace
}  // namespace understudy::configs
