// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/chip_message.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

using testing::ElementsAre;

std::span<const std::byte> body(const std::vector<std::byte>& message) {
  return std::span(message).subspan(4);
}

TEST(ChipMessage, KeepsEveryFieldOfALoad) {
  const ChipLoad load{7, 64, 1, {2, 0}, std::string("\0binary", 7), "jit_f"};
  const auto bytes = encode(ChipCommand(load));
  const auto read = std::get<ChipLoad>(read_chip_command(body(bytes)));
  EXPECT_EQ(read.program, 7U);
  EXPECT_EQ(read.constants_bytes, 64U);
  EXPECT_EQ(read.process, 1);
  EXPECT_THAT(read.ranks, ElementsAre(2, 0));
  EXPECT_EQ(read.archive, load.archive);
  EXPECT_EQ(read.name, "jit_f");
}

TEST(ChipMessage, KeepsLaunchesAndNews) {
  const auto launch = encode(ChipCommand(ChipLaunch{1, 9, 64, 128, 256, {1, 2}, {3}}));
  EXPECT_THAT(std::get<ChipLaunch>(read_chip_command(body(launch))).arguments, ElementsAre(1, 2));
  const auto news = encode(ChipNews(ChipRequest{9, 3, true, 64, 8}));
  EXPECT_TRUE(std::get<ChipRequest>(read_chip_news(body(news))).sends);
}

TEST(ChipMessage, RefusesEveryCutAndEveryAddedByte) {
  std::vector<std::byte> bytes = encode(ChipCommand(ChipLaunch{1, 9, 64, 128, 256, {1, 2}, {3}}));
  for (std::size_t size = 4; size < bytes.size(); ++size)
    EXPECT_THROW(read_chip_command(std::span(bytes).first(size).subspan(4)), Error) << size;
  bytes.push_back(std::byte{0});
  EXPECT_THROW(read_chip_command(body(bytes)), Error);
}

TEST(MessageCutter, CutsMessagesHoweverTheyArrive) {
  std::vector<std::byte> stream;
  for (std::uint64_t program = 1; program <= 3; ++program) {
    const auto one = encode(ChipCommand(ChipUnload{program}));
    stream.insert(stream.end(), one.begin(), one.end());
  }
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    MessageCutter cutter;
    std::vector<std::uint64_t> seen;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      cutter.feed(std::span(stream).subspan(at, std::min(step, stream.size() - at)));
      while (const auto message = cutter.next())
        seen.push_back(std::get<ChipUnload>(read_chip_command(*message)).program);
    }
    EXPECT_THAT(seen, ElementsAre(1, 2, 3)) << step;
  }
}

}  // namespace
}  // namespace understudy::configs
