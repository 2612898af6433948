// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/topology.h"

#include <gmock/gmock.h>
#include <set>

#include "configs/launch/joined_slices.h"
#include "configs/launch/mesh_layout.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

Slice named(const std::string& name) {
  SliceRequest request;
  request.slice = name;
  return make_slice(request);
}

Slice shaped(const std::string& chip, const std::string& topology) {
  SliceRequest request;
  request.chip = chip;
  request.topology = topology;
  return make_slice(request);
}

SliceRequest request_of(const std::string& slice, const std::string& chip,
                        const std::string& topology, std::optional<std::int64_t> hosts = {},
                        std::optional<std::int64_t> chips_per_host = {}) {
  SliceRequest request;
  request.slice = slice;
  request.chip = chip;
  request.topology = topology;
  request.hosts = hosts;
  request.chips_per_host = chips_per_host;
  return request;
}

std::vector<int> ids_of_host(const Slice& slice, int host) {
  std::vector<int> ids;
  for (const Chip& chip : slice.chips) {
    if (chip.host == HostId(host)) ids.push_back(chip.id.value);
  }
  return ids;
}

TEST(Slice, CountsCoresOrChipsAsItsGenerationDoes) {
  const std::tuple<const char*, std::size_t, std::int64_t> rows[] = {
      {"v3-8", 4, 1},           {"v4-8", 4, 1},         {"v4-16", 8, 2},
      {"v5p-8", 4, 1},          {"v5e-8", 8, 1},        {"v5e-1", 1, 1},
      {"v5litepod-16", 16, 4},  {"v6e-8", 8, 1},        {"v6e-16", 16, 4},
      {"v6e-64", 64, 16},       {"v5e-256", 256, 64},   {"v3-32", 16, 4},
      {"v3-64", 32, 8},         {"v3-2048", 1024, 256}, {"v5p-128", 64, 16},
      {"v5p-12288", 6144, 1536}};
  for (const auto& [name, chips, hosts] : rows) {
    const Slice slice = named(name);
    EXPECT_EQ(slice.chips.size(), chips) << name;
    EXPECT_EQ(slice.hosts, hosts) << name;
  }
}

// The table in jax/docs/multi_process.md, "v5litepod-16".
TEST(Slice, GroupsChipsByHostAsJaxDoes) {
  const Slice slice = named("v5litepod-16");
  EXPECT_EQ(slice.name, "v5e-16");
  EXPECT_THAT(ids_of_host(slice, 0), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(ids_of_host(slice, 1), ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(ids_of_host(slice, 2), ElementsAre(8, 9, 12, 13));
  EXPECT_THAT(ids_of_host(slice, 3), ElementsAre(10, 11, 14, 15));
  EXPECT_THAT(slice.by_id(ChipId(14)).at, ElementsAre(2, 3, 0));
  EXPECT_EQ(slice.by_id(ChipId(14)).rank, Rank(14));
  EXPECT_EQ(slice.by_id(ChipId(4)).rank, Rank(2));
}

TEST(Slice, HasHostsOfTwoByTwoByOneInThreeDimensions) {
  const Slice slice = named("v4-32");  // 2x2x4
  EXPECT_THAT(slice.shape, ElementsAre(2, 2, 4));
  EXPECT_THAT(slice.host_shape, ElementsAre(2, 2, 1));
  EXPECT_EQ(slice.hosts, 4);
  EXPECT_THAT(ids_of_host(slice, 3), ElementsAre(12, 13, 14, 15));
}

TEST(Slice, WrapsByTheRuleOfItsGeneration) {
  const std::pair<Slice, std::array<bool, 3>> rows[] = {
      {named("v5e-64"), {false, false, false}},
      {named("v6e-128"), {false, true, false}},  // 8x16
      {named("v5e-256"), {true, true, false}},
      {named("v4-32"), {false, false, false}},  // 2x2x4: not even the axis of 4
      {named("v4-128"), {true, true, true}},
      {named("v5p-256"), {true, true, true}},
      {named("v3-1024"), {false, false, false}},  // 16x32
      {named("v3-2048"), {true, true, false}}};
  for (const auto& [slice, wraps] : rows) EXPECT_EQ(slice.wraps, wraps) << slice.name;
}

TEST(Slice, LinksNeighboursOnce) {
  EXPECT_EQ(named("v5e-1").links().size(), 0u);
  EXPECT_EQ(named("v5e-16").links().size(), 24u);
  EXPECT_EQ(named("v5e-256").links().size(), 512u);
  EXPECT_EQ(named("v4-128").links().size(), 192u);
  const std::vector<Link> links = named("v6e-128").links();  // 8x16, y wraps
  EXPECT_EQ(links.size(), 7u * 16u + 8u * 16u);
  std::set<std::pair<int, int>> seen;
  for (const Link& link : links) {
    EXPECT_TRUE(seen.insert(std::minmax(link.from.value, link.to.value)).second);
    if (link.wraps) {
      EXPECT_EQ(link.from.value - link.to.value, 8 * 15);
    }
  }
}

TEST(Slice, IsFoundByShape) {
  EXPECT_EQ(shaped("v5e", "4x4").name, "v5e-16");
  EXPECT_EQ(shaped("v4", "8x4x4").name, "v4-256");
  EXPECT_THAT(shaped("v4", "8x4x4").shape, ElementsAre(8, 4, 4));
  EXPECT_THAT(named("v4-256").shape, ElementsAre(4, 4, 8));
  EXPECT_THAT(named("v4-512").shape, ElementsAre(4, 8, 8)) << "more compact than 4x4x16";
}

TEST(Slice, TakesAnotherNumberOfHosts) {
  SliceRequest request;
  request.slice = "v6e-8";
  request.hosts = 2;
  EXPECT_EQ(make_slice(request).hosts, 2);
  EXPECT_THAT(ids_of_host(make_slice(request), 1), ElementsAre(4, 5, 6, 7));
  request.hosts = 8;
  EXPECT_THAT(ids_of_host(make_slice(request), 5), ElementsAre(5));
  request.hosts = 4;
  EXPECT_THAT(make_slice(request).host_shape, ElementsAre(1, 2, 1));
  request.hosts.reset();
  request.chips_per_host = 4;
  EXPECT_EQ(make_slice(request).hosts, 2);
  request.slice = "v6e-16";
  request.chips_per_host = 8;
  EXPECT_THAT(make_slice(request).host_shape, ElementsAre(2, 4, 1));
  EXPECT_EQ(make_slice(request).machines(), 2);
}

TEST(Slice, KnowsItsPhysicalMachines) {
  EXPECT_EQ(named("v5e-256").hosts, 64);
  EXPECT_EQ(named("v5e-256").machines(), 32);
  EXPECT_EQ(named("v6e-4").machines(), 1);
  EXPECT_EQ(named("v5p-16").machines(), 2);
}

TEST(Slice, NumbersEveryChipOnceWhateverItIs) {
  for (const std::string& name : slice_names()) {
    const Slice slice = named(name);
    if (slice.chips.size() > 1024) continue;
    EXPECT_EQ(slice.name, name);
    std::set<std::int32_t> ids;
    for (std::size_t i = 0; i < slice.chips.size(); ++i) {
      const Chip& chip = slice.chips[i];
      ids.insert(chip.id.value);
      EXPECT_EQ(chip.rank.value, static_cast<int>(i));
      EXPECT_EQ(chip.host.value, static_cast<std::int64_t>(i) / slice.chips_per_host()) << name;
    }
    EXPECT_EQ(ids.size(), slice.chips.size()) << name;
    EXPECT_EQ(*ids.rbegin(), static_cast<int>(slice.chips.size()) - 1) << name;
  }
}

TEST(SliceFor, GivesTheSmallestThatHoldsTheChips) {
  EXPECT_EQ(slice_for("v6e", 1).name, "v6e-1");
  EXPECT_EQ(slice_for("v6e", 3).name, "v6e-4");
  EXPECT_EQ(slice_for("v6e", 5).name, "v6e-8");
  EXPECT_EQ(slice_for("v5p", 5).name, "v5p-16");
  EXPECT_EQ(error_of([] { slice_for("v6e", 257); }),
            "usage: error: no slice of v6e has 257 chips; the largest is v6e-256");
}

TEST(SliceNames, AreAllOfThem) {
  EXPECT_THAT(slice_names(), IsSupersetOf({"v3-8", "v4-8", "v5e-1", "v5p-8", "v6e-256"}));
  EXPECT_EQ(slice_names().front(), "v3-8");
  EXPECT_EQ(std::ranges::count(slice_names(), "v4-512"), 1);
}

TEST(Slice, UsesASpecOfTheUsersOwn) {
  SliceRequest request;
  request.slice = "v6e-8";
  request.spec = chip_spec("v6e");
  request.spec->hbm_bytes = 1000;
  EXPECT_EQ(make_slice(request).chip.hbm_bytes, 1000u);
  request.slice = "v5e-8";
  EXPECT_EQ(make_slice(request).chip.hbm_bytes, 16'000'000'000u) << "the spec is not meant";
}

TEST(Slice, KeepsTheTextsOfItsComplaints) {
  std::string texts;
  const auto add = [&](const SliceRequest& request) {
    texts += error_of([&] { make_slice(request); }) + "\n";
  };
  for (const char* name : {"v6e-12", "v6e-512", "v6e-0", "v6e-", "v6e", "v6e-8x", "v3-9", "v5p-12",
                           "v5x-8", "tpu-8", "2xv5e-16", "", "v6e-99999999999999999999"}) {
    SliceRequest request;
    request.slice = name;
    add(request);
  }
  for (const char* topology : {"4x5", "4x", "4x4x4", "axb", "4", "16x32", "0x4"}) {
    SliceRequest request;
    request.chip = "v5e";
    request.topology = topology;
    add(request);
  }
  add(request_of("", "v5p", "8x4x4"));
  add(request_of("", "v5e", ""));
  add(request_of("v5e-8", "v5e", ""));
  add(request_of("v6e-8", "", "", 3));
  add(request_of("v6e-8", "", "", 0));
  add(request_of("v6e-8", "", "", {}, 5));
  add(request_of("v6e-8", "", "", 4, 4));
  expect_golden("topology/errors.txt", texts);
}

TEST(Describe, ShowsChipsHostsAndLinks) {
  expect_golden("topology/v6e-16.txt", describe_text(named("v6e-16"), {}));
  expect_golden("topology/v6e-16.json", describe_json(named("v6e-16"), {}));
  expect_golden("topology/v3-8.txt", describe_text(named("v3-8"), {}));
  expect_golden("topology/v5p-128.txt", describe_text(named("v5p-128"), {}));
  expect_golden("topology/v5e-1.txt", describe_text(named("v5e-1"), {}));
  SliceRequest joined;
  joined.slice = "2xv6e-8";
  joined.hosts = 2;  // of each slice
  expect_golden("topology/2xv6e-8.txt", describe_text(make_joined(joined), {}));
  expect_golden("topology/2xv6e-8.json", describe_json(make_joined(joined), {}));
}

}  // namespace
}  // namespace understudy::configs
