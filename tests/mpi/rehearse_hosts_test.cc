// SPDX-License-Identifier: Apache-2.0
// A rehearsal of four hosts that share only a network: each has a name, addresses and shared memory
// of its own. Skipped with a message where network namespaces are not available.
#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "configs/json/reader.h"
#include "tests/mpi/mpi_testing.h"
#include "tests/mpi/net_hosts.h"

namespace understudy::mpi_testing {
namespace {

using ::testing::SizeIs;

constexpr int kHosts = 4, kSlots = 2;

TEST(FourHosts, ClimbTheShippedLadderOverANetwork) {
  World world;
  const NetHosts hosts(world, kHosts);
  if (!hosts.missing().empty()) GTEST_SKIP() << hosts.missing();
  world.through(hosts.on_first());
  std::vector<std::string> words = {"rehearse", "--slice", "v6e-8", "--json"};
  for (const std::string& word : hosts.options(kSlots)) words.push_back(word);
  const Ran ran = world.run(words);
  ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  const auto said = configs::JsonReader::parse(ran.out, "stdout");
  EXPECT_THAT(said.at("rungs").items(), SizeIs(8));
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
