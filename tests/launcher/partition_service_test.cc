// SPDX-License-Identifier: Apache-2.0
// The partitioner of host processes: one helper and one answer for the same question of several
// hosts, errors that keep their kind, and connections that end early. A small script takes the
// place of the Python that has jaxlib.
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/partition/service.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// Answers a program with its process id and the number of the question; refuses "bad".
constexpr const char* kHelper = R"(#!/usr/bin/env python3
import json, os, struct, sys
def send(header, payload=b""):
    text = json.dumps(header).encode()
    os.write(1, struct.pack("<IQ", len(text), len(payload)) + text + payload)
send({"protocol": 1, "jaxlib": "9.9", "python": "3", "error": ""})
count = 0
while True:
    head = os.read(0, 12)
    if not head: sys.exit(0)
    h, p = struct.unpack("<IQ", head)
    data = b""
    while len(data) < h + p: data += os.read(0, h + p - len(data))
    count += 1
    if data[h:] == b"bad": send({"error": "no", "kind": "xla"})
    else: send({"error": "", "warnings": ["costly"]}, b"%d/%d" % (os.getpid(), count))
)";

class PartitionServiceTest : public testing::Test {
 protected:
  PartitionServiceTest() {
    fs::create_directories(folder_ / "understudy_partitioner");
    std::ofstream(folder_ / "understudy_partitioner/requirements.txt") << "\njaxlib==9.9\n";
    places_.folder = folder_.string();
    places_.python = (folder_ / "python").string();
    std::ofstream(places_.python) << kHelper;
    EXPECT_EQ(::chmod(places_.python.c_str(), 0755), 0);
    cache_.folder = (folder_ / "cache").string();
    cache_.policy = "off";
    service_.emplace(path(), places_, cache_,
                     [this](const std::string& text) { remarks_.push_back(text); });
  }
  ~PartitionServiceTest() override {
    service_.reset();
    fs::remove_all(folder_);
  }

  std::string path() const { return (folder_ / "partition.sock").string(); }

  configs::Frame ask(std::int64_t host, const std::string& program) const {
    const Deadline deadline = Deadline::after(Seconds(30));
    configs::PartitionQuestion question;
    question.host = host;
    question.partitions = 2;
    const Socket socket = Socket::connect(path());
    socket.send(configs::encode(configs::to_json(question), std::as_bytes(std::span(program))),
                deadline);
    std::array<std::byte, 4096> piece;
    configs::FrameDecoder decoder;
    while (const auto got = socket.receive(piece, deadline)) {
      if (*got == 0) break;
      decoder.feed(std::span(piece).first(*got));
      if (auto frame = decoder.next()) return std::move(*frame);
    }
    ADD_FAILURE() << "no answer";
    return {};
  }

  static std::string body_of(const configs::Frame& frame) {
    return {reinterpret_cast<const char*>(frame.body.data()), frame.body.size()};
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("understudy_service_" + std::to_string(::getpid()));
  PartitionerPlaces places_;
  CacheChoice cache_;
  std::vector<std::string> remarks_;
  std::optional<PartitionService> service_;
};

TEST_F(PartitionServiceTest, HostsWithOneQuestionShareOneAnswer) {
  const configs::Frame first = ask(0, "module {}"), second = ask(1, "module {}");
  EXPECT_FALSE(configs::read_partition_reply(first.head).cached);
  EXPECT_TRUE(configs::read_partition_reply(second.head).cached);
  EXPECT_EQ(body_of(first), body_of(second));
  // Another program: the same process, a new question.
  const std::string other = body_of(ask(1, "module @other {}"));
  EXPECT_EQ(other, body_of(first).substr(0, body_of(first).find('/')) + "/2");
  service_.reset();
  EXPECT_THAT(remarks_, ElementsAre("warning: XLA's partitioner: costly",
                                    "warning: XLA's partitioner: costly"));
}

TEST_F(PartitionServiceTest, ErrorsKeepTheirKindAndTheNextProgramIsServed) {
  const configs::PartitionReply reply = configs::read_partition_reply(ask(0, "bad").head);
  EXPECT_EQ(reply.error_kind, "unsupported");
  EXPECT_THAT(reply.error, testing::HasSubstr("XLA cannot partition the program: no"));
  EXPECT_THAT(reply.notes, ElementsAre("XLA: no"));
  EXPECT_EQ(configs::read_partition_reply(ask(0, "module {}").head).error_kind, "");
}

TEST_F(PartitionServiceTest, StrangersAndEarlyEndsDoNotMatter) {
  {
    const Socket gone = Socket::connect(path());
    const Socket stranger = Socket::connect(path());
    const std::string words = "GET / HTTP/1.1\r\n\r\n";
    stranger.send(std::as_bytes(std::span(words)), Deadline::after(Seconds(5)));
  }
  EXPECT_EQ(configs::read_partition_reply(ask(0, "module {}").head).error_kind, "");
}

}  // namespace
}  // namespace understudy::launcher
