// SPDX-License-Identifier: Apache-2.0
// The table of scheduled programs, on kept outputs of the TPU compiler (libtpu 0.0.42.1):
// scheduled/step_v6e.hlo.txt is a training step of two layers over 4 x 2 chips, matmul_v5e.hlo.txt
// a product of 4096 x 4096 matrices in bf16.
#include "program/hlo/schedule.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/hlo/hlo.h"

namespace understudy::program::hlo {
namespace {

HloModule read(const std::string& name) {
  const auto source = Source::read(UNDERSTUDY_SOURCE_DIR "/tests/program/hlo/scheduled/" + name);
  return is_text(source->text()) ? read_text(source) : read_proto(*source);
}

const ScheduledInstruction& row_named(const Schedule& schedule, const std::string& name) {
  const auto found = std::ranges::find(schedule.rows, name, &ScheduledInstruction::name);
  if (found == schedule.rows.end()) throw std::runtime_error("no instruction " + name);
  return *found;
}

TEST(Schedule, TellsTheCyclesThatTheCompilerEstimates) {
  const HloModule module = read("matmul_v5e.hlo.txt");
  const Schedule schedule = schedule_of(module);
  EXPECT_TRUE(schedule.scheduled);
  // 722 us at 1.5 GHz; the peak rate of the chip gives 698 us.
  EXPECT_EQ(schedule.cycles, 1'083'068);
}

TEST(Schedule, FindsCollectivesWithAlgorithmGroupsBytesAndTheUsersLine) {
  const HloModule module = read("step_v6e.hlo.txt");
  const Schedule schedule = schedule_of(module);
  const ScheduledInstruction& ring = row_named(schedule, "all-reduce.4");
  EXPECT_EQ(ring.collective, "all-reduce");
  EXPECT_EQ(ring.algorithm, "RotatedPincerEmitter, UniDirection1DRingStrategy");
  EXPECT_EQ(ring.groups, (Rows{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(ring.operand_bytes, 2U * 1024 * 1024 * 2);  // two operands of bf16
  EXPECT_EQ(ring.memory_space, 1);                      // VMEM
  EXPECT_EQ(ring.op_name, "jit(step)/transpose(jvp())/dot_general");
  ASSERT_TRUE(ring.location.source != nullptr);
  const SourcePlace place = ring.location.source->place(ring.location.offset);
  EXPECT_EQ(place.path, "train.py");
  EXPECT_EQ(place.line, 11U);
  // Groups that are written as a mesh.
  EXPECT_EQ(row_named(schedule, "all-reduce.3").groups, (Rows{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(row_named(schedule, "all-reduce.3").algorithm, "SinglePhaseRingSumEmitter");
}

TEST(Schedule, PairsAsynchronousInstructions) {
  const HloModule module = read("step_v6e.hlo.txt");
  const Schedule schedule = schedule_of(module);
  const ScheduledInstruction& start = row_named(schedule, "copy-start.1");
  ASSERT_TRUE(start.partner);
  EXPECT_EQ(schedule.rows[*start.partner].name, "copy-done.1");
  const ScheduledInstruction& done = schedule.rows[*start.partner];
  ASSERT_TRUE(done.partner);
  EXPECT_EQ(schedule.rows[*done.partner].name, "copy-start.1");
  EXPECT_EQ(done.memory_space, 1);
  // Every start has its end behind it.
  for (std::size_t i = 0; i < schedule.rows.size(); ++i)
    if (schedule.rows[i].opcode.ends_with("-start")) {
      ASSERT_TRUE(schedule.rows[i].partner) << schedule.rows[i].name;
      EXPECT_GT(*schedule.rows[i].partner, i);
    }
}

// A proto lists the instructions of a computation in some order of dependence, and the schedule
// beside them.
TEST(Schedule, TakesTheOrderOfAProtoFromItsSchedule) {
  const HloModule module = read("dense_data_parallel_v6e.hlo.pb");
  ASSERT_EQ(module.schedule.size(), module.computations.size());
  const Schedule schedule = schedule_of(module);
  EXPECT_TRUE(schedule.scheduled);
  EXPECT_GT(schedule.cycles, 0);
  EXPECT_FALSE(module.schedule[module.entry].empty());
  EXPECT_FALSE(std::ranges::is_sorted(module.schedule[module.entry]));
  const auto reductions =
      std::ranges::count(schedule.rows, "all-reduce", &ScheduledInstruction::collective);
  EXPECT_GT(reductions, 0);
}

TEST(Schedule, FindsACollectiveInsideAnAsynchronousComputation) {
  const auto source = std::make_shared<const Source>("x.hlo.txt", R"(HloModule m, is_scheduled=true
%wrapped (p: f32[8]) -> f32[16] {
  %p = f32[8]{0} parameter(0)
  ROOT %gather = f32[16]{0} all-gather(%p), channel_id=1, replica_groups={{0,1}},
    dimensions={0}, use_global_device_ids=true
}
ENTRY %main (a: f32[8]) -> f32[16] {
  %a = f32[8]{0} parameter(0)
  %start = ((f32[8]{0}), f32[16]{0}, s32[]) async-start(%a), calls=%wrapped
  ROOT %done = f32[16]{0} async-done(%start)
}
)");
  const HloModule module = read_text(source);
  const Schedule schedule = schedule_of(module);
  ASSERT_EQ(schedule.rows.size(), 2U);
  EXPECT_EQ(schedule.rows[0].collective, "all-gather");
  EXPECT_EQ(schedule.rows[0].operand_bytes, 32U);
  EXPECT_EQ(schedule.rows[0].partner, 1U);
  EXPECT_EQ(schedule.rows[1].collective, "");  // counted once
}

TEST(Schedule, ReadsValuesOfABackendConfig) {
  EXPECT_EQ(config_value(R"({"a":"1","b":2,"c":[3]})", "a"), "1");
  EXPECT_EQ(config_value(R"({"a":"1","b":2,"c":[3]})", "b"), "2");
  EXPECT_EQ(config_value(R"({"text":"\"b\":7","b":2})", "b"), "2");  // not inside a value
  EXPECT_EQ(config_value(R"({"a":"1"})", "b"), "");
  EXPECT_EQ(config_value("", "b"), "");
}

}  // namespace
}  // namespace understudy::program::hlo
