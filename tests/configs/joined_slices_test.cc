// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/joined_slices.h"

#include <gmock/gmock.h>

#include "configs/launch/inputs.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;

SliceRequest request_of(const std::string& name, std::optional<std::int64_t> hosts = {}) {
  SliceRequest request;
  request.slice = name;
  request.hosts = hosts;
  return request;
}

TEST(JoinedSlices, AreCountedInFrontOfTheName) {
  for (const auto& [text, count, left] :
       {std::tuple("2xv5e-16", 2, "v5e-16"), std::tuple("12xv4-8", 12, "v4-8"),
        std::tuple("v5e-16", 1, "v5e-16"), std::tuple("0xv4-8", 1, "0xv4-8"),
        std::tuple("2x", 2, ""), std::tuple("", 1, "")}) {
    std::string name = text;
    EXPECT_EQ(take_joined(name), count) << text;
    EXPECT_EQ(name, left);
  }
  EXPECT_EQ(joined_name(2, "v5e-16"), "2xv5e-16");
  EXPECT_EQ(joined_name(1, "v5e-16"), "v5e-16");
}

TEST(JoinedSlices, FollowEachOtherInRanksAndHosts) {
  const Slice one = make_slice(request_of("v6e-8", 2));
  const Slice two = make_joined(request_of("2xv6e-8", 2));
  EXPECT_EQ(two.name, "v6e-8");
  EXPECT_EQ(two.slices, 2);
  EXPECT_EQ(two.hosts, 4) << "two of each slice";
  EXPECT_EQ(two.chips_per_host(), one.chips_per_host());
  EXPECT_EQ(two.machines(), 2 * one.machines());
  ASSERT_EQ(two.chips.size(), 2 * one.chips.size());
  for (std::size_t i = 0; i < two.chips.size(); ++i) {
    const Chip& chip = two.chips[i];
    const Chip& like = one.chips[i % one.chips.size()];
    EXPECT_EQ(chip.rank.value, static_cast<int>(i));
    EXPECT_EQ(chip.at, like.at) << "in its own slice";
    EXPECT_EQ(chip.host.value, like.host.value + (i < one.chips.size() ? 0 : 2));
    EXPECT_EQ(&two.by_id(chip.id), &chip) << "an id of its own";
  }
}

TEST(JoinedSlices, AreAsManyAsNameAndNumberSay) {
  EXPECT_EQ(make_joined(request_of("v6e-4")).slices, 1);
  EXPECT_EQ(make_joined(request_of("v6e-4"), 3).slices, 3);
  EXPECT_EQ(error_of([] { make_joined(request_of("v6e-4"), 0); }),
            "usage: error: cannot join 0 slices v6e-4: expected 1 to 250000");
  EXPECT_EQ(error_of([] { make_joined(request_of("250001xv6e-4")); }),
            "usage: error: cannot join 250001 slices v6e-4: expected 1 to 250000");
  EXPECT_EQ(error_of([] { make_joined(request_of("v6e-4"), INT64_MIN); }),
            "usage: error: cannot join -9223372036854775808 slices v6e-4: expected 1 to 250000");
}

TEST(JoinedSlices, GiveInputsOfAllHosts) {
  const LaunchInputs inputs = inputs_of(make_joined(request_of("2xv6e-8", 2)), Profile{}, 16);
  EXPECT_THAT(inputs.host_names,
              ElementsAre("v6e-8-s0-0", "v6e-8-s0-1", "v6e-8-s1-0", "v6e-8-s1-1"));
  EXPECT_EQ(inputs.slice, "v6e-8");
  EXPECT_EQ(inputs.coordinator, "v6e-8-s0-0");
  EXPECT_EQ(inputs.hosts_per_slice(), 2);
  EXPECT_EQ(inputs.slice_of(1), 0);
  EXPECT_EQ(inputs.slice_of(2), 1);
  for (int rank = 0; rank < 8; ++rank)
    EXPECT_EQ(coordinates_of(inputs, Rank(rank)), coordinates_of(inputs, Rank(rank + 8)));
  EXPECT_EQ(read_launch_inputs(to_json(inputs), "x"), inputs);
}

TEST(JoinedSlices, RefuseInputsWhoseHostsDoNotDivide) {
  LaunchInputs inputs = inputs_of(make_joined(request_of("2xv6e-8", 2)), Profile{}, 16);
  inputs.host_names.pop_back();
  EXPECT_THAT(error_of([&] { read_launch_inputs(to_json(inputs), "x"); }),
              ::testing::HasSubstr("/host_names: expected as many hosts in each of 2 slices"));
  inputs.slices = 0;
  EXPECT_THAT(error_of([&] { read_launch_inputs(to_json(inputs), "x"); }),
              ::testing::HasSubstr("/slices: expected a positive whole number"));
}

}  // namespace
}  // namespace understudy::configs
