// SPDX-License-Identifier: Apache-2.0
// Traces are read back with an independent walk over their fields; JAX reads them in
// test_single_host.py.
#include "pjrt/core/launch_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

using testing::ElementsAre;

std::vector<std::string_view> all(std::string_view message, std::uint32_t number) {
  std::vector<std::string_view> found;
  for (const ProtoField& field : proto_fields(message))
    if (field.number == number) found.push_back(field.bytes);
  return found;
}

std::uint64_t value(std::string_view message, std::uint32_t number) {
  for (const ProtoField& field : proto_fields(message))
    if (field.number == number) return field.value;
  return 0;
}

TEST(LaunchTrace, HasAPlaneForEachChipAndANameForEachProgram) {
  LaunchTrace trace;
  trace.add({0, "before", 1, 2});
  trace.start();
  trace.add({3, "jit_step", 1000, 1500});
  trace.add({0, "jit_init", 900, 950});
  trace.add({3, "jit_eval", 2000, 2001});
  trace.add({3, "jit_step", 3000, 3400});
  trace.stop();
  trace.add({0, "after", 4000, 5000});
  const std::string space = trace.take_xspace();
  const auto planes = all(space, 1);
  ASSERT_EQ(planes.size(), 2U);
  EXPECT_THAT(all(planes[0], 2), ElementsAre("/device:TPU:0"));
  EXPECT_THAT(all(planes[1], 2), ElementsAre("/device:TPU:3"));
  const auto lines = all(planes[1], 3);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(all(lines[0], 2), ElementsAre("XLA Modules"));
  EXPECT_EQ(value(lines[0], 3), 1000U);
  const auto events = all(lines[0], 4);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(value(events[0], 1), value(events[2], 1));  // one program, one name
  EXPECT_NE(value(events[0], 1), value(events[1], 1));
  EXPECT_EQ(value(events[2], 2), 2'000'000U);  // ps after the start of the line
  EXPECT_EQ(value(events[2], 3), 400'000U);
  EXPECT_EQ(all(planes[1], 4).size(), 2U);
  EXPECT_EQ(trace.take_xspace(), "");
}

TEST(LaunchTrace, SaysHowManyLaunchesItDropped) {
  LaunchTrace trace;
  trace.start();
  for (std::size_t i = 0; i < LaunchTrace::kMostEvents + 2; ++i) trace.add({0, "jit_f", 1, 2});
  EXPECT_THAT(trace.take_xspace(), testing::HasSubstr("2 later launches are not in this trace"));
}

TEST(LaunchTrace, StartForgetsWhatWasRecorded) {
  LaunchTrace trace;
  trace.start();
  trace.add({0, "jit_f", 1, 2});
  trace.start();
  EXPECT_EQ(trace.take_xspace(), "");
}

}  // namespace
}  // namespace understudy::pjrt
