// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/record/record.h"

#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "configs/base/file.h"
#include "tests/configs/configs_testing.h"

namespace understudy::configs {
namespace {

std::vector<Observation> one_of_each() {
  Started started;
  started.pid = 12;
  started.pid_start = 1ull << 63;
  started.machine = "a \"quoted\" name\n";
  started.host = 3;
  started.contract_digest = "c";
  Compiled compiled;
  compiled.cached = true;
  compiled.wall_seconds = 0.25;
  compiled.warnings = {"one", "two"};
  compiled.cache = CacheSeen{"/c", "directory", {{"program", "p"}}, 2, 0.5, 0.25, 0.125, {0.0625}};
  Stepped stepped;
  stepped.index = 7;
  stepped.start_ns = 1'700'000'000'000'000'001;
  stepped.end_ns = 1'700'000'000'000'000'999;
  stepped.scalars = {{3, 0.1}, {4, std::numeric_limits<double>::quiet_NaN()}};
  Failed failed;
  failed.kind = FailureKind::timeout;
  failed.missing_ranks = {5};
  failed.phase = Phase::programs_allowed;
  failed.evidence = Evidence::stopped;
  return {ProcessSeen{12, 34, "m"},
          SignalSeen{15, 99, "bash", true, 1'700'000'000'000'000'001},
          started,
          ClocksSeen{{0, -1.5}},
          GateSeen{"contract checked", 0.5, "x"},
          compiled,
          stepped,
          ResultSeen{1, "d", "f32", {2, 0}, 3, 0},
          CollectiveCount{"all_reduce", "ring", 4, 4, 1000, 14, 1750},
          Arrivals{"all_reduce", 42, 8, 8, 3, 0.5, 0.25, {LateRank{2, 3, 0.125, 0.0625}}},
          MemorySeen{1, 2, 3},
          Totals{1, 2, 3, {{{"UncachedCompile", 1}}}},
          failed,
          NonFiniteSeen{42, 1, 7, true, true, false}};
}

TEST(Record, KeepsTheFlightOfItsWriter) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("3"), Rank(3));
  writer.flight().enter(1, {0, 1, 42, 512, 8, 1000});
  writer.flight().done(1, "ring", 1500);
  writer.flight().enter(2, {5, 1, 43, 4, 2, 2000});
  EXPECT_TRUE(read_record_status(folder.file("3"))->flight.empty()) << "the cheap look";
  const std::vector<FlightSeen> flight = read_record(folder.file("3"))->flight;
  ASSERT_EQ(flight.size(), 2u);
  EXPECT_EQ(flight[0].kind, "all_reduce");
  EXPECT_EQ(flight[0].algorithm, "ring");
  EXPECT_EQ(flight[0].done_ns, 1500);
  EXPECT_EQ(flight[1].kind, "collective_broadcast");
  EXPECT_EQ(flight[1].op, 43);
  EXPECT_FALSE(flight[1].done_ns);
}

TEST(Record, GivesBackWhatWasObserved) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("3"), Rank(3));
  for (const Observation& observation : one_of_each()) writer.append(observation);
  writer.status().heartbeat = 11;
  writer.status().instructions = 12;
  writer.status().step = 13;
  writer.status().op = 14;
  writer.status().waiting_for = 15;
  writer.status().phase = static_cast<std::uint32_t>(Phase::programs_allowed);
  const auto content = read_record(folder.file("3"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->rank, 3);
  EXPECT_EQ(content->heartbeat, 11u);
  EXPECT_EQ(content->instructions, 12u);
  EXPECT_EQ(content->step, 13u);
  EXPECT_EQ(content->op, 14u);
  EXPECT_EQ(content->waiting_for, 15u);
  EXPECT_FALSE(content->aborted);
  EXPECT_EQ(content->phase, Phase::programs_allowed);
  EXPECT_EQ(content->dropped, 0u);
  ASSERT_EQ(content->observations.size(), 14u);
  EXPECT_EQ(std::get<ProcessSeen>(content->observations[0]).pid_start, 34u);
  EXPECT_TRUE(std::get<SignalSeen>(content->observations[1]).from_pod);
  EXPECT_EQ(std::get<ClocksSeen>(content->observations[3]).skew_ms[1], -1.5);
  const auto& started = std::get<Started>(content->observations[2]);
  EXPECT_EQ(started.pid_start, 1ull << 63);
  EXPECT_EQ(started.machine, "a \"quoted\" name\n");
  const auto& stepped = std::get<Stepped>(content->observations[6]);
  EXPECT_EQ(stepped.end_ns, 1'700'000'000'000'000'999);
  EXPECT_EQ(stepped.scalars[0].second, 0.1);
  EXPECT_TRUE(std::isnan(stepped.scalars[1].second));
  EXPECT_EQ(std::get<CollectiveCount>(content->observations[8]).bytes_sent, 1750u);
  EXPECT_EQ(std::get<Failed>(content->observations[12]).missing_ranks[0], 5);
  EXPECT_EQ(std::get<Failed>(content->observations[12]).phase, Phase::programs_allowed);
  EXPECT_EQ(std::get<Failed>(content->observations[12]).evidence, Evidence::stopped);
}

TEST(Record, StatusIsReadWithoutTheObservations) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_record_status(folder.file("0")));
  RecordWriter writer(folder.file("0"), Rank(0));
  for (const Observation& observation : one_of_each()) writer.append(observation);
  writer.status().abort = 1;
  EXPECT_TRUE(read_record_status(folder.file("0"))->aborted);
  EXPECT_TRUE(read_record_status(folder.file("0"))->observations.empty());
}

TEST(Record, IsNothingWhereThereIsNoFileAndAnErrorWhereItIsAnother) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_record(folder.file("0")));
  write_file_atomically(folder.file("x"), std::string(5000, 'x'));
  EXPECT_EQ(error_of([&] { read_record(folder.file("x")); }),
            "internal: error: " + folder.file("x") + " is not a valid run record: wrong magic");
  write_file_atomically(folder.file("y"), "USRECORD");
  EXPECT_FALSE(read_record(folder.file("y"))) << "its header is not there yet";
}

TEST(Record, DoesNotReplaceAnotherRecord) {
  const TemporaryFolder folder;
  const RecordWriter writer(folder.file("0"), Rank(0));
  EXPECT_EQ(error_of([&] { RecordWriter(folder.file("0"), Rank(0)); }),
            "system: error: cannot create " + folder.file("0") + ": File exists");
}

// A writer that died between writing a line and counting it leaves a part behind `used`.
TEST(Record, LeavesOutALineHalfWritten) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("0"), Rank(0));
  writer.append(GateSeen{"a", 1, ""});
  {
    std::ofstream file(folder.file("0"), std::ios::app | std::ios::binary);
    file << "{\"seen\":\"gate\",\"ga";
  }
  const auto content = read_record(folder.file("0"));
  ASSERT_EQ(content->observations.size(), 1u);
  writer.append(GateSeen{"b", 2, ""});
  EXPECT_EQ(std::get<GateSeen>(read_record(folder.file("0"))->observations.at(1)).gate, "b");
}

TEST(Record, CountsWhatNoLongerFitsAndStillTakesAFailure) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("0"), Rank(0));
  const std::string detail(1000, 'x');
  for (int i = 0; i < 1200; ++i) writer.append(GateSeen{"g", 0, detail});
  Failed failed;
  failed.kind = FailureKind::capacity;
  failed.message = std::string(1'000'000, 'm');
  failed.missing_ranks.assign(100'000, 7);
  writer.append(failed);
  const auto content = read_record(folder.file("0"));
  EXPECT_GT(content->dropped, 200u);
  EXPECT_EQ(content->dropped + content->observations.size(), 1201u);
  const auto& kept = std::get<Failed>(content->observations.back());
  EXPECT_EQ(kept.kind, FailureKind::capacity);
  EXPECT_THAT(kept.message, ::testing::EndsWith("m ..."));
}

TEST(Record, CanBeForwardedAsBytes) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("0"), Rank(5));
  for (const Observation& observation : one_of_each()) writer.append(observation);
  writer.status().step = 4;
  const std::vector<std::byte> bytes = writer.bytes();
  EXPECT_LT(bytes.size(), 16u * 1024u) << "only what was written";
  write_file_atomically(folder.file("copy"), bytes);
  const auto copy = read_record(folder.file("copy"));
  EXPECT_EQ(copy->rank, 5);
  EXPECT_EQ(copy->step, 4u);
  EXPECT_EQ(copy->observations.size(), 14u);
}

TEST(Record, KeepsLinesOfSeveralThreadsApart) {
  const TemporaryFolder folder;
  RecordWriter writer(folder.file("0"), Rank(0));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&writer] {
      for (int i = 0; i < 100; ++i) writer.append(GateSeen{"g", 1.0 * i, "d"});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read_record(folder.file("0"))->observations.size(), 400u);
}

TEST(Record, SurvivesTheKillOfItsWriter) {
  const TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    RecordWriter writer(folder.file("9"), Rank(9));
    writer.append(GateSeen{"contract checked", 1, ""});
    writer.status().instructions = 77;
    writer.status().op = 5;
    const char byte = 'r';
    if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
    for (std::int64_t i = 0;; ++i) {
      writer.append(Stepped{i, 0, 0, {}});
      writer.status().step = static_cast<std::uint64_t>(i);
    }
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ::close(ready[0]);
  ::close(ready[1]);
  const auto content = read_record(folder.file("9"));
  ASSERT_TRUE(content);
  EXPECT_EQ(content->rank, 9);
  EXPECT_EQ(content->instructions, 77u);
  EXPECT_EQ(content->op, 5u);
  ASSERT_FALSE(content->observations.empty());
  EXPECT_EQ(std::get<GateSeen>(content->observations[0]).gate, "contract checked");
  for (std::size_t i = 1; i < content->observations.size(); ++i) {
    EXPECT_EQ(std::get<Stepped>(content->observations[i]).index, static_cast<int>(i) - 1);
  }
}

TEST(Phase, HasANameForEach) {
  EXPECT_EQ(name_of(Phase::started), "started");
  EXPECT_EQ(name_of(Phase::spmd_enabled), "SPMD enabled");
  EXPECT_EQ(name_of(Phase::failed), "failed");
}

}  // namespace
}  // namespace understudy::configs
