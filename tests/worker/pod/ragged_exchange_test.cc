// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/ragged_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "tests/worker/worker_testing.h"

namespace understudy::worker {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

using Sizes = std::vector<std::int64_t>;

// The input of one chip; a row is one byte.
struct Member {
  std::string in;
  Sizes input_offsets, send_sizes, output_offsets, recv_sizes;
  std::string out;
};

// Runs two chips; `out` holds what each received. Returns the error of each.
std::vector<std::string> exchange(std::vector<Member>& members) {
  return run_pod(static_cast<int>(members.size()), [&](const collectives::Fabric& fabric) {
    collectives::Group group{{Rank(0), Rank(1)}};
    group.self = static_cast<std::size_t>(fabric.transport.rank().value);
    Member& self = members[group.self];
    ragged_exchange(collectives::algorithm_named("ring"), fabric, group,
                    {1, self.input_offsets, self.send_sizes, self.output_offsets, self.recv_sizes},
                    std::as_bytes(std::span(self.in)), std::as_writable_bytes(std::span(self.out)),
                    {.op = "ragged_all_to_all", .element = "i8"});
  });
}

// Two slices for each peer.
std::vector<Member> good_pair() {
  return {{"abcdef", {0, 1, 3, 4}, {1, 2, 1, 2}, {0, 4, 0, 1}, {1, 2, 2, 1}, "......"},
          {"uvwxyz", {0, 2, 3, 4}, {2, 1, 1, 1}, {1, 3, 3, 4}, {1, 2, 1, 1}, "......"}};
}

TEST(RaggedExchange, EverySliceComesToItsPlace) {
  std::vector<Member> members = good_pair();
  EXPECT_THAT(exchange(members), Each(""));
  EXPECT_EQ(members[0].out, "auvwbc");
  EXPECT_EQ(members[1].out, "defxy.");
}

TEST(RaggedExchange, WhatAChipSendsToItselfMustBeAnnouncedToo) {
  for (const std::int64_t announced : {1, 3}) {
    std::vector<Member> members = good_pair();
    members[0].recv_sizes[1] = announced;
    EXPECT_THAT(exchange(members)[0],
                HasSubstr("a peer sent 2 rows, recv_sizes expects " + std::to_string(announced)));
  }
}

TEST(RaggedExchange, SlicesOfAPeerMustEachBeAsLongAsAnnounced) {
  std::vector<Member> members = good_pair();
  members[0].recv_sizes = {1, 2, 1, 2};  // three rows, as they are sent
  EXPECT_THAT(exchange(members)[0], HasSubstr("a peer sent 2 rows, recv_sizes expects 1"));
}

TEST(RaggedExchange, AnAnnouncedSizeThatNoOutputHoldsTakesNoMemory) {
  for (const std::int64_t rows : {std::int64_t{7}, std::int64_t{1} << 60,
                                  std::numeric_limits<std::int64_t>::max(), std::int64_t{-1}}) {
    std::vector<Member> members = good_pair();
    members[1].recv_sizes[0] = rows;
    EXPECT_THAT(
        exchange(members)[1],
        HasSubstr(std::to_string(rows) + " rows from row 0 on exceed the 6 rows of the output"));
  }
}

TEST(RaggedExchange, RowsWithoutBytesGoNowhere) {
  const auto errors = run_pod(1, [&](const collectives::Fabric& fabric) {
    const Sizes offset{2}, size{3};
    ragged_exchange(collectives::algorithm_named("ring"), fabric, {{Rank(0)}},
                    {0, offset, size, offset, size}, {}, {}, {.op = "ragged_all_to_all"});
  });
  EXPECT_THAT(errors, ElementsAre(""));
}

}  // namespace
}  // namespace understudy::worker
