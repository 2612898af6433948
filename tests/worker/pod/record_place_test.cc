// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/record_place.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

namespace fs = std::filesystem;

TEST(RecordPlace, IsTheRunFolderWhereItIsThere) {
  const TestFolder folder;
  fs::create_directory(folder.file("records"));
  const RecordPlace place(folder.path(), Rank(3));
  EXPECT_EQ(place.path(), folder.file("records/3"));
  EXPECT_FALSE(place.is_elsewhere());
}

TEST(RecordPlace, IsAFolderOfItsOwnElsewhereAndLeavesNothing) {
  std::string path;
  {
    const RecordPlace place("/nowhere/run", Rank(3));
    EXPECT_TRUE(place.is_elsewhere());
    path = place.path();
    EXPECT_TRUE(fs::is_directory(fs::path(path).parent_path()));
  }
  EXPECT_FALSE(fs::exists(fs::path(path).parent_path().parent_path()));
}

TEST(RecordPlace, RecordsOfOtherMachinesReachTheRunFolder) {
  const TestFolder folder;
  fs::create_directory(folder.file("records"));
  const auto errors = run_pod(3, [&](const collectives::Fabric& fabric) {
    collectives::Transport& transport = fabric.transport;
    const bool remote = transport.rank() == Rank(2);
    const RecordPlace place(remote ? "/nowhere/run" : folder.path(), transport.rank());
    configs::RecordWriter record(place.path(), transport.rank());
    record.append(configs::Totals{1, 2, transport.rank().value});
    ControlChannel control_channel(transport);
    forward_record(control_channel, place, record, folder.path());
  });
  for (const std::string& error : errors) EXPECT_EQ(error, "");
  for (int rank = 0; rank < 3; ++rank) {
    const auto content = configs::read_record(folder.file("records/" + std::to_string(rank)));
    ASSERT_TRUE(content) << rank;
    EXPECT_EQ(content->rank, rank);
    EXPECT_EQ(std::get<configs::Totals>(content->observations.at(0)).instructions, rank);
  }
}

}  // namespace
}  // namespace understudy::worker
