// SPDX-License-Identifier: Apache-2.0
#include "worker/pod_host_source.h"

#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

class PodHostSourceTest : public testing::Test {
 protected:
  // A command about a program or a buffer of that name.
  void send(configs::PodVerb verb, std::uint64_t name) {
    configs::PodCommand command;
    command.command = verb;
    command.program = command.buffer = name;
    command.numerics = "tpu";
    host_->send(configs::encode(to_json(command)), Deadline::after(Seconds(10)));
  }
  // The answer to a loaded program.
  void answer(const Command& command) {
    program::Executable loaded;
    source_.answer(command, {.loaded = &loaded});
  }

  TestFolder folder_;
  configs::RecordWriter record_{folder_.file("record"), Rank(0)};
  WorkerStatus worker_status_{record_};
  Segment segment_ = Segment::create(4096);
  Socket listener_ = Socket::listen(folder_.file("socket"));
  PodHostSource source_{folder_.file("socket"), Rank(0), worker_status_};
  std::optional<Socket> host_ = listener_.accept();
};

TEST_F(PodHostSourceTest, BytesFromTheHostCountAsProgress) {
  worker_status_.attach(segment_.header());
  send(configs::PodVerb::free, 3);
  const auto command = source_.next();
  ASSERT_TRUE(command.has_value());
  EXPECT_EQ(std::get<FreeBuffer>(*command).buffer, 3U);
  EXPECT_EQ(segment_.header().other_progress, 1U);
}

TEST_F(PodHostSourceTest, ProgramNamesAreCheckedBeforeExecution) {
  send(configs::PodVerb::unload, 1);
  EXPECT_EQ(error_of([&] { source_.next(); }), "protocol: error: program 1 is not loaded");
  send(configs::PodVerb::load, 1);
  answer(*source_.next());
  send(configs::PodVerb::load, 1);
  EXPECT_EQ(error_of([&] { source_.next(); }), "protocol: error: program 1 is already loaded");
}

}  // namespace
}  // namespace understudy::worker
