// SPDX-License-Identifier: Apache-2.0
#include "configs/base/unix_socket.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

#include "gtest/gtest.h"

#include "configs/base/error.h"

namespace understudy {
namespace {

class SocketTest : public testing::Test {
 protected:
  SocketTest() {
    std::string name = testing::TempDir() + "socketXXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~SocketTest() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/s"; }
  std::string folder_;
};

Deadline soon() { return Deadline::after(Seconds(5)); }

TEST_F(SocketTest, CarriesBytesBothWaysAndSaysWhenTheOtherSideCloses) {
  const Socket listening = Socket::listen(path());
  EXPECT_FALSE(listening.accept());
  Socket client = Socket::connect(path());
  const auto server = listening.accept();
  ASSERT_TRUE(server);
  const std::array<std::byte, 3> sent{std::byte{1}, std::byte{2}, std::byte{3}};
  client.send(sent, soon());
  std::array<std::byte, 8> got{};
  EXPECT_EQ(server->receive(got, soon()), 3U);
  EXPECT_EQ(got[2], std::byte{3});
  EXPECT_EQ(server->receive(got, Deadline::after(Seconds(0))), std::nullopt);
  client.close();
  EXPECT_EQ(server->receive(got, soon()), 0U);
}

TEST_F(SocketTest, GivesUpOnAReaderThatTakesNothing) {
  const Socket listening = Socket::listen(path());
  const Socket client = Socket::connect(path());
  const std::vector<std::byte> much(8 << 20);
  try {
    client.send(much, Deadline::after(Seconds(0.05)));
    FAIL() << "it took everything";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::timeout);
  }
}

TEST_F(SocketTest, RefusesPathsThatAreMissingTakenOrTooLong) {
  EXPECT_THROW(Socket::connect(path()), Error);
  const Socket listening = Socket::listen(path());
  EXPECT_THROW(Socket::listen(path()), Error);
  EXPECT_THROW(Socket::listen("/" + std::string(200, 'x')), Error);
}

}  // namespace
}  // namespace understudy
