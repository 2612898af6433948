// SPDX-License-Identifier: Apache-2.0
// A rehearsal of four hosts that have only a network in common: names, addresses and shared memory
// of their own. Skipped aloud where no network namespaces can be made.
#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <vector>

#include "configs/json_reader.h"
#include "tests/mpi/mpi_testing.h"
#include "tests/mpi/net_hosts.h"

namespace understudy::mpi_testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kHosts = 4, kSlots = 2;

std::string rung(const std::string& name, const std::string& more) {
  return fmt::format(R"({{"name": "{}", "program": "{}/configs/ladders/programs/{}/8"{}}})", name,
                     UNDERSTUDY_SOURCE_DIR, name, more);
}

std::vector<std::string> rehearsal(const World& world, const NetHosts& hosts,
                                   const std::string& rungs, const std::vector<std::string>& more) {
  const std::string file = world.write(
      "ladder.json",
      fmt::format(R"({{"schema": "understudy/ladder/1", "name": "mine", "rungs": [{}]}})", rungs));
  std::vector<std::string> words = {"rehearse", "--slice", "v6e-8", "--ladder", file};
  for (const std::string& word : hosts.options(kSlots)) words.push_back(word);
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(FourHosts, ClimbOverANetwork) {
  World world;
  const NetHosts hosts(world, kHosts);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  world.through(hosts.on_first());
  const Ran ran = world.run(
      rehearsal(world, hosts,
                rung("dense", R"(, "metrics": "static")") + "," +
                    rung("communication",
                         R"(, "metrics": "static", "algorithms": ["direct", "ring", "torus"])") +
                    "," + rung("hybrid", R"(, "metrics": "off")"),
                {"--json"}));
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const auto said = configs::JsonReader::parse(ran.out, "stdout");
  EXPECT_EQ(said.at("verdict").text(), "passed");
  EXPECT_EQ(said.at("restore").at("verdict").text(), "proven");
  const configs::Receipt receipt = world.receipt(ran);
  ASSERT_THAT(receipt.hosts, SizeIs(kHosts));
  for (int host = 0; host < kHosts; ++host)
    EXPECT_EQ(receipt.hosts[static_cast<std::size_t>(host)].machines,
              std::vector<std::string>{hosts.name(static_cast<char>('a' + host))});
  EXPECT_EQ(receipt.contract_agreed, true);
  EXPECT_EQ(world.leftovers(ran), "");
}

}  // namespace
}  // namespace understudy::mpi_testing
