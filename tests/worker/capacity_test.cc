// SPDX-License-Identifier: Apache-2.0
#include "worker/hbm/capacity.h"

#include <gmock/gmock.h>

#include "configs/base/units.h"

namespace understudy::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CapacityTest : public testing::Test {
 protected:
  CapacityTest() {
    executable_.arguments = {{program::ElementType::f32, {256}}};  // 1 KiB
    executable_.results = {{program::ElementType::f32, {128}}};
    executable_.temporary_bytes = 512;
  }
  alignas(64) std::array<std::byte, 4096> arena_{};
  program::Executable executable_;
};

TEST_F(CapacityTest, PrintsSizesAsXlaDoes) {
  EXPECT_EQ(xla_size(17), "17B");
  EXPECT_EQ(xla_size(8 * kMiB), "8.00M");
  EXPECT_EQ(xla_size(kGiB + kGiB / 2), "1.50G");
}

TEST_F(CapacityTest, APlanThatFitsIsAccepted) {
  Hbm hbm(arena_);
  check_plan_fits(executable_, hbm);
  hbm.limit(2048);
  check_plan_fits(executable_, hbm);
}

TEST_F(CapacityTest, APlanThatNeverFitsIsRefusedWithItsLargestBuffers) {
  Hbm hbm(arena_);
  hbm.limit(1024);
  try {
    check_plan_fits(executable_, hbm);
    FAIL() << "it should not fit";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::capacity);
    EXPECT_EQ(error.diagnosis(), "hbm-exceeded-at-compile");
    EXPECT_EQ(error.message(),
              "RESOURCE_EXHAUSTED: XLA:TPU compile permanent error. Ran out of memory in memory "
              "space hbm. Used 5.00K of 4.00K hbm. Exceeded hbm capacity by 1.00K.");
    EXPECT_THAT(
        error.notes(),
        ElementsAre("Total hbm usage >= 5.00K: reserved 3.00K, program 512B, arguments 1.00K",
                    "Output size 512B; shares 0B with arguments",
                    "Program hbm requirement 512B: code 0B, HLO temp 512B",
                    "Largest program allocations in hbm:\n"
                    "  1. Size: 1.00K; argument 0; Shape: tensor<256xf32>; Allocation type: "
                    "argument\n"
                    "  2. Size: 512B; result 0; Shape: tensor<128xf32>; Allocation type: "
                    "result\n"
                    "  3. Size: 0B; code; Allocation type: code",
                    HasSubstr("try: ")));
  }
}

// Sums of giant sizes do not wrap to something that fits.
TEST_F(CapacityTest, GiantPlansDoNotFit) {
  Hbm hbm(arena_);
  executable_.arguments.assign(4, {program::ElementType::i8, {std::int64_t{1} << 62}});
  EXPECT_EQ(executable_.hbm_bytes(), UINT64_MAX);
  EXPECT_THROW(check_plan_fits(executable_, hbm), Error);
}

TEST_F(CapacityTest, TheLargestTemporaryNamesItsOperation) {
  const auto making = [](std::uint32_t op, std::int64_t size) {
    program::Instruction instruction;
    instruction.outputs = {
        {{program::Space::temporary, 0, 0}, {program::ElementType::f32, {size}}}};
    instruction.op = op;
    return instruction;
  };
  program::While loop;
  loop.body = {making(7, 4)};
  program::Instruction around = making(6, 1);
  around.work = std::move(loop);
  EXPECT_EQ(largest_op({making(3, 2), around, making(9, 3)}), 7U);
  EXPECT_EQ(largest_op({}), std::nullopt);
}

TEST_F(CapacityTest, ExistingBuffersMayLeaveTooLittleForAProgram) {
  Hbm hbm(arena_);
  hbm.allocate(4000, "buffers of an earlier program");
  try {
    static_cast<void>(reserve_for_program(hbm, 512, "temporaries"));
    FAIL() << "there is no room";
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnosis(), "program-does-not-load");
    EXPECT_THAT(error.message(), HasSubstr("Attempting to reserve 512B for its temporaries. That "
                                           "was not possible. There are 64B free, 0B reserved."));
    EXPECT_THAT(error.notes(), ElementsAre(HasSubstr("buffers of an earlier program")));
  }
}

TEST_F(CapacityTest, ReservedMemoryIsNotUsable) {
  Hbm hbm(arena_);
  hbm.limit(1000);
  EXPECT_EQ(hbm.capacity(), 960u);  // whole blocks of 64 bytes
  EXPECT_EQ(hbm.reserved(), 3136u);
  EXPECT_EQ(hbm.peak(), 0u);
  EXPECT_THROW(hbm.allocate(1000, "a buffer"), Error);
  EXPECT_EQ(hbm.allocate(960, "a buffer"), arena_.data());
}

}  // namespace
}  // namespace understudy::worker
