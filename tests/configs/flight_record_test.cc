// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/record/flight_record.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace understudy::configs {
namespace {

TEST(FlightRecord, KeepsTheLastSixtyFourInOrder) {
  const auto flight = std::make_unique<FlightRecord>();
  EXPECT_TRUE(flight->read().empty());
  for (std::uint64_t sequence = 1; sequence <= 100; ++sequence) {
    flight->enter(sequence, {0, sequence, 7, 8 * sequence, 4, 1000});
    if (sequence != 99) flight->done(sequence, "halving_doubling_x", 2000);
  }
  const std::vector<FlightSeen> all = flight->read();
  ASSERT_EQ(all.size(), 64U);
  EXPECT_EQ(all.front().sequence, 37U);
  EXPECT_EQ(all.back().sequence, 100U);
  EXPECT_EQ(all.back().bytes, 800U);
  EXPECT_EQ(all.back().members, 4U);
  EXPECT_EQ(all.back().algorithm, "halving_doubling") << "sixteen letters";
  EXPECT_EQ(all.back().done_ns, 2000);
  EXPECT_FALSE(all[62].done_ns);
  EXPECT_EQ(all[62].algorithm, "");
  EXPECT_EQ(name_of(all[62]), "all_reduce#99");
}

TEST(FlightRecord, TellsWhenOneWasEntered) {
  const auto flight = std::make_unique<FlightRecord>();
  EXPECT_FALSE(flight->entered(0, 1, 7));
  flight->enter(1, {0, 1, 7, 4, 2, 1000});
  flight->enter(2, {1, 1, 8, 4, 2, 1100});
  flight->enter(3, {0, 2, 7, 4, 2, 1200});
  EXPECT_EQ(flight->entered(0, 1, 7), 1000);
  EXPECT_EQ(flight->entered(1, 1, 8), 1100);
  EXPECT_EQ(flight->entered(0, 2, 7), 1200);
  EXPECT_FALSE(flight->entered(0, 2, 9)) << "another place in the program";
  EXPECT_FALSE(flight->entered(0, 3, 7)) << "not yet";
  for (std::uint64_t sequence = 4; sequence < 70; ++sequence)
    flight->enter(sequence, {2, sequence, 9, 4, 2, 1300});
  EXPECT_FALSE(flight->entered(0, 1, 7)) << "pushed out";
  flight->done(1, "ring", 5000);  // must not mark the one that took its place
  for (const FlightSeen& seen : flight->read()) EXPECT_FALSE(seen.done_ns);
}

// A reader in the middle of writing sees whole entries only: here bytes == sequence == number.
TEST(FlightRecord, ShowsNoTornEntry) {
  const auto flight = std::make_unique<FlightRecord>();
  std::atomic<bool> stop{false};
  std::jthread writer([&] {
    for (std::uint64_t sequence = 1; !stop; ++sequence)
      flight->enter(sequence, {0, sequence, static_cast<std::uint32_t>(sequence), sequence, 2,
                               static_cast<std::int64_t>(sequence)});
  });
  std::size_t seen = 0;
  while (seen < 20'000) {
    for (const FlightSeen& one : flight->read()) {
      ++seen;
      ASSERT_EQ(one.bytes, one.sequence);
      ASSERT_EQ(one.number, one.sequence);
      ASSERT_EQ(one.entered_ns, static_cast<std::int64_t>(one.sequence));
    }
  }
  stop = true;
}

TEST(FlightRecord, KnowsKindsByName) {
  for (std::size_t kind = 0; kind < kCollectiveKinds.size(); ++kind)
    EXPECT_EQ(collective_kind_of(kCollectiveKinds[kind]), kind);
  EXPECT_FALSE(collective_kind_of("all_reduces"));
}

}  // namespace
}  // namespace understudy::configs
