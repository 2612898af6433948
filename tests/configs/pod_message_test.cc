// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/pod_message.h"

#include <cstring>

#include "gtest/gtest.h"

#include "configs/base/error.h"
#include "configs/launch/message/frame.h"

namespace understudy::configs {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(Frame, ComesTogetherFromSinglesBytesAndFromMany) {
  std::vector<std::byte> stream = encode("{\"a\":1}", bytes_of("body"));
  const std::vector<std::byte> second = encode("{}");
  stream.insert(stream.end(), second.begin(), second.end());
  FrameDecoder decoder;
  std::vector<Frame> got;
  for (const std::byte& one : stream) {
    decoder.feed({&one, 1});
    while (auto frame = decoder.next()) got.push_back(std::move(*frame));
  }
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0], (Frame{"{\"a\":1}", bytes_of("body")}));
  EXPECT_EQ(got[1], (Frame{"{}", {}}));
  decoder.feed(stream);
  EXPECT_EQ(decoder.next(), got[0]);
  EXPECT_EQ(decoder.next(), got[1]);
  EXPECT_EQ(decoder.next(), std::nullopt);
}

TEST(Frame, RefusesStrangersAndGiantsBeforeItHoldsThem) {
  FrameDecoder stranger;
  stranger.feed(bytes_of("GET / HTTP/1.1\r\n"));
  EXPECT_THROW(stranger.next(), Error);
  std::vector<std::byte> giant = encode("{}");
  std::memset(giant.data() + 8, 0xff, 8);  // the length of the body
  FrameDecoder decoder;
  decoder.feed(giant);
  EXPECT_THROW(decoder.next(), Error);
}

TEST(PodMessage, GoesOutAndComesBack) {
  const PodCommand command{PodVerb::load, 7,      "x.mlir", "main", "ieee", 2,     3,
                           "ring",        {1, 2}, {3},      9,      "f32",  {2, 0}};
  EXPECT_EQ(read_command(to_json(command)), command);
  const PodAnswer answer{PodVerb::execute,  7, "check", "got 1", 4, {"tensor<i1>"},
                         {"tensor<2xf32>"}, 5};
  EXPECT_EQ(read_answer(to_json(answer)), answer);
  const PodGreeting greeting{12};
  EXPECT_EQ(read_greeting(to_json(greeting)), greeting);
}

TEST(PodMessage, RefusesUnknownWords) {
  PodCommand command;
  command.command = PodVerb::put;
  const std::string put = to_json(command);
  EXPECT_NO_THROW(read_command(put));
  std::string jump = put;
  jump.replace(jump.find("\"put\""), 5, "\"jump\"");
  EXPECT_THROW(read_command(jump), Error);
  command.command = PodVerb::load;
  command.numerics = "exact";
  EXPECT_THROW(read_command(to_json(command)), Error);
  EXPECT_THROW(read_answer("{}"), Error);
}

}  // namespace
}  // namespace understudy::configs
