// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/chip_spec.h"

#include <gmock/gmock.h>

#include "configs/base/digest.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

using ::testing::ElementsAre;

std::string source_of(const std::string& chip) {
  return slurp(std::string(UNDERSTUDY_SOURCE_DIR) + "/configs/chips/" + chip + ".json");
}

// The document of v5e with its first `from` replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = source_of("v5e");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(ChipSpec, IsEmbeddedForEveryGeneration) {
  EXPECT_THAT(chip_names(), ElementsAre("v3", "v4", "v5e", "v5p", "v6e", "v7x"));
  for (const std::string& name : chip_names()) {
    EXPECT_EQ(chip_spec(name).name, name);
    EXPECT_EQ(chip_spec(name).digest, digest_of(source_of(name))) << "the file is what is embedded";
  }
}

TEST(ChipSpec, HasTheNumbersOfTheDocuments) {
  struct Row {
    std::string name;
    std::uint64_t hbm;
    double hbm_rate, bf16, int8, link;
    std::int64_t cores, mxu, mxu_size, ports;
    std::uint64_t vmem_mib;
  };
  const Row rows[] = {
      {"v3", 32'000'000'000, 9e11, 1.4e14, 1.4e14, 2e11, 2, 2, 128, 4, 16},
      {"v4", 32'000'000'000, 1.2e12, 2.75e14, 2.75e14, 9e10, 2, 4, 128, 6, 16},
      {"v5e", 16'000'000'000, 8.1e11, 1.97e14, 3.94e14, 9e10, 1, 4, 128, 4, 128},
      {"v5p", 96'000'000'000, 2.8e12, 4.59e14, 9.18e14, 1.8e11, 2, 4, 128, 6, 64},
      {"v6e", 32'000'000'000, 1.6e12, 9.2e14, 1.84e15, 1.8e11, 1, 2, 256, 4, 128},
      {"v7x", 206'158'430'208, 7.38e12, 2.307e15, 2.307e15, 2e11, 2, 2, 256, 6, 64}};
  for (const Row& row : rows) {
    const ChipSpec& spec = chip_spec(row.name);
    EXPECT_EQ(spec.hbm_bytes, row.hbm) << row.name;
    EXPECT_EQ(spec.hbm_bytes_per_second, row.hbm_rate) << row.name;
    EXPECT_EQ(spec.bf16_flops_per_second, row.bf16) << row.name;
    EXPECT_EQ(spec.int8_ops_per_second, row.int8) << row.name;
    EXPECT_EQ(spec.ici_link_bytes_per_second, row.link) << row.name;
    EXPECT_EQ(spec.tensor_cores, row.cores) << row.name;
    EXPECT_EQ(spec.mxu_per_core, row.mxu) << row.name;
    EXPECT_EQ(spec.mxu_rows, row.mxu_size) << row.name;
    EXPECT_EQ(spec.mxu_columns, row.mxu_size) << row.name;
    EXPECT_EQ(spec.ici_ports, row.ports) << row.name;
    EXPECT_EQ(spec.vmem_bytes, row.vmem_mib << 20) << row.name;
  }
  EXPECT_FALSE(chip_spec("v3").dcn_bytes_per_second);
  EXPECT_EQ(chip_spec("v5e").dcn_bytes_per_second, 2.5e10);
}

// Notes are no source that a reader could look up.
TEST(ChipSpec, NamesPublicSourcesOrSaysThatThereIsNone) {
  for (const std::string& name : chip_names()) {
    const std::string text = source_of(name);
    EXPECT_EQ(text.find("notes"), std::string::npos) << name;
  }
}

TEST(ChipSpec, IsFoundByItsAlias) {
  EXPECT_EQ(chip_spec("v5litepod").name, "v5e");
  EXPECT_EQ(chip_spec("tpu7x").name, "v7x");
  EXPECT_EQ(chip_spec("Ironwood").name, "v7x");
}

TEST(ChipSpec, ExpandsWholeCubes) {
  const auto& v5p = chip_spec("v5p").shapes;
  EXPECT_THAT(v5p.front(), ElementsAre(2, 2, 1));
  EXPECT_THAT(v5p.back(), ElementsAre(16, 16, 24)) << "6144 chips: the largest job of one slice";
  const std::vector<std::int64_t> turned = {8, 4, 4};
  EXPECT_EQ(std::ranges::count(v5p, turned), 0) << "v5p: ascending only";
  const auto& v4 = chip_spec("v4").shapes;
  EXPECT_EQ(std::ranges::count(v4, turned), 1) << "v4: any order";
  EXPECT_THAT(v4.back(), ElementsAre(16, 16, 16));
  EXPECT_EQ(v4.size(), 4u + 64u);
  const auto& v7x = chip_spec("v7x").shapes;
  EXPECT_THAT(v7x.front(), ElementsAre(1, 1, 1));
  EXPECT_THAT(v7x.back(), ElementsAre(16, 16, 36)) << "9216 chips";
}

TEST(ChipSpec, SaysWhatChipsThereAre) {
  EXPECT_EQ(error_of([] { chip_spec("v5lite-pod"); }),
            "usage: error: unknown chip \"v5lite-pod\"; did you mean \"v5litepod\"?");
  EXPECT_EQ(error_of([] { chip_spec("h100"); }),
            "usage: error: unknown chip \"h100\" (known chips: v3, v4, v5e, v5p, v6e and v7x)");
  EXPECT_EQ(error_of([] { chip_spec("v2"); }),
            "usage: error: unknown chip \"v2\"; did you mean \"v3\", \"v4\" or \"v7\"?");
}

TEST(ChipSpec, KeepsTheTextsOfWrongDocuments) {
  const std::pair<std::string, std::string> changes[] = {
      {"16000000000", "\"16GiB\""},
      {"16000000000", "-1"},
      {"\"hbm\"", "\"hmb\""},
      {"\"bytes\"", "\"byte\""},
      {"\"source\": \"scaling-book, chapter tpus\"", "\"source\": \"\""},
      {"      \"source\": \"scaling-book, chapter tpus\",\n", ""},
      {"understudy/chip/1", "understudy/chip/2"},
      {"\"suffix_counts\": \"chips\"", "\"suffix_counts\": \"chip\""},
      {"[[1, 1], [2, 2]", "[[1, 1, 1], [2, 2]"},
      {"\"torus_ndims\": 2", "\"torus_ndims\": 4"},
      {"axis_length", "axis_lenght"},
      {"\"cubes\": null", "\"cubes\": {\"edge\": 4, \"most\": 1, \"pod\": [4, 4, 4]}"},
      {"\"length\": 16", "\"length\": null"},
      {"\"single_host_chips\": 8", "\"single_host_chips\": 0"},
  };
  std::string texts;
  for (const auto& [from, to] : changes) {
    texts += error_of([&] { read_chip_spec(changed(from, to), "my.json"); }) + "\n\n";
  }
  expect_golden("chip_spec/errors.txt", texts);
}

}  // namespace
}  // namespace understudy::configs
