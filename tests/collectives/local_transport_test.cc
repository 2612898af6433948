// SPDX-License-Identifier: Apache-2.0
// What happens around the algorithms: groups side by side, mismatches, lost peers, permutes.
#include "collectives/local_transport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "configs/base/collective_algorithms.h"
#include "configs/launch/profile/profile.h"
#include "tests/collectives/local_ranks.h"

namespace understudy::collectives {
namespace {

constexpr WaitLimit kLong{Seconds(20)};
constexpr WaitLimit kShort{Seconds(0.1)};

Group group_of_ranks(const std::vector<int>& ranks, int self) {
  Group group;
  for (const int rank : ranks) {
    if (rank == self) group.self = group.members.size();
    group.members.push_back(Rank(rank));
  }
  return group;
}

CallReport sum(const Fabric& fabric, const Group& group, std::vector<float>& values,
               CallSite site = {.op = "all_reduce", .element = "f32", .reduction = "sum"}) {
  const std::vector<float> in = values;
  site.elements = values.size();
  return algorithm_named("ring").all_reduce(fabric, group, SumReducer<float>{}, bytes_of(in),
                                            bytes_of(values), site);
}

void expect_no_errors(const std::vector<std::optional<Error>>& errors) {
  for (const auto& error : errors) EXPECT_FALSE(error.has_value()) << error->text();
}

TEST(Collectives, GroupsWorkSideBySide) {
  LocalPod pod(8, kLong);
  expect_no_errors(run_ranks(pod, 8, [](const Fabric& fabric, std::size_t rank) {
    const int self = static_cast<int>(rank);
    const auto rows =
        self < 3 ? group_of_ranks({2, 0, 1}, self) : group_of_ranks({7, 3, 5, 4, 6}, self);
    for (int round = 0; round < 20; ++round) {
      std::vector<float> values(101, static_cast<float>(self + round));
      sum(fabric, rows, values);
      const float expected = self < 3 ? 3.0F + 3.0F * float(round) : 25.0F + 5.0F * float(round);
      EXPECT_THAT(values, testing::Each(expected));
    }
  }));
}

TEST(Collectives, GroupsMayOverlapFromCallToCall) {
  LocalPod pod(4, kLong);
  expect_no_errors(run_ranks(pod, 4, [](const Fabric& fabric, std::size_t rank) {
    const int self = static_cast<int>(rank);
    std::vector<float> values(7, 1);
    sum(fabric, self < 2 ? group_of_ranks({0, 1}, self) : group_of_ranks({3, 2}, self), values);
    sum(fabric, self % 2 == 0 ? group_of_ranks({0, 2}, self) : group_of_ranks({1, 3}, self),
        values);
    EXPECT_THAT(values, testing::Each(4.0F));
  }));
}

TEST(Collectives, AMismatchNamesBothSidesAndWhatTheyRan) {
  LocalPod pod(3, kLong);
  const auto errors = run_ranks(pod, 3, [](const Fabric& fabric, std::size_t rank) {
    std::vector<float> values(rank == 1 ? 900 : 1000);
    sum(fabric, group_of_first(3, rank), values,
        {.op = "all_reduce",
         .channel = 1,
         .element = "f32",
         .place = rank == 1 ? "op 30" : "op 29",
         .reduction = "sum"});
  });
  ASSERT_TRUE(errors[1] && errors[2]);
  EXPECT_EQ(errors[2]->kind(), ErrorKind::protocol);
  EXPECT_EQ(errors[2]->message(),
            "collectives do not match: rank 2: all_reduce f32[1000] sum, channel 1, group 0,1,2, "
            "op 29; rank 1: all_reduce f32[900] sum, channel 1, group 0,1,2, op 30");
  EXPECT_THAT(errors[1]->message(), testing::HasSubstr("rank 0: all_reduce f32[1000]"));
}

// Each field of the signature alone makes two calls differ, with the same number of bytes.
TEST(Collectives, EveryFieldOfTheSignatureCounts) {
  const CallSite ours{.op = "all_reduce", .channel = 1, .element = "f32", .reduction = "sum"};
  std::vector<CallSite> theirs(4, ours);
  theirs[0].op = "reduce_scatter";
  theirs[1].channel = 2;
  theirs[2].element = "i32";
  theirs[3].reduction = "max";
  for (const CallSite& other : theirs) {
    LocalPod pod(2, kLong);
    const auto errors = run_ranks(pod, 2, [&](const Fabric& fabric, std::size_t rank) {
      std::vector<float> values(8);
      sum(fabric, group_of_first(2, rank), values, rank == 0 ? ours : other);
    });
    ASSERT_TRUE(errors[0] || errors[1]);
    EXPECT_EQ((errors[0] ? errors[0] : errors[1])->kind(), ErrorKind::protocol);
  }
}

TEST(Collectives, DifferentPlacesAloneAreNoMismatch) {
  LocalPod pod(2, kLong);
  expect_no_errors(run_ranks(pod, 2, [](const Fabric& fabric, std::size_t rank) {
    std::vector<float> values(8, 1);
    sum(fabric, group_of_first(2, rank), values,
        {.op = "all_reduce", .place = rank == 0 ? "op 1" : "op 2"});
    EXPECT_THAT(values, testing::Each(2.0F));
  }));
}

TEST(Collectives, GroupsThatDifferBeyondTheSpeltMembersAreSaidSo) {
  MessageHeader ours, theirs;
  ours.signature = 1;
  theirs.signature = 2;
  std::string text;
  try {
    check_header(ours, 0, Rank(3), theirs, Rank(4));
  } catch (const Error& error) {
    text = error.message();
  }
  EXPECT_EQ(text, "collectives do not match: rank 3: ; rank 4:  (their groups differ)");
}

TEST(Collectives, ADeadPeerIsNamedByEverybody) {
  LocalPod pod(4, kLong);
  const auto errors = run_ranks(pod, 4, [&](const Fabric& fabric, std::size_t rank) {
    std::vector<float> values(10);
    sum(fabric, group_of_first(4, rank), values);
    if (rank == 2) return pod.declare_dead(Rank(2));
    try {
      sum(fabric, group_of_first(4, rank), values);
    } catch (const Error&) {
      EXPECT_THAT(fabric.transport.missing(), testing::ElementsAre(Rank(2)));
      throw;
    }
  });
  EXPECT_FALSE(errors[2].has_value());
  for (const std::size_t rank : {0, 1, 3}) {
    ASSERT_TRUE(errors[rank].has_value());
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::timeout);
    EXPECT_THAT(errors[rank]->message(), testing::StartsWith("all_reduce f32[10] sum, channel 0, "
                                                             "group 0,1,2,3: rank 2 is gone"));
  }
}

TEST(Collectives, APeerThatNeverComesIsNamedAfterThePatience) {
  LocalPod pod(3, kShort);
  const auto errors = run_ranks(pod, 3, [&](const Fabric& fabric, std::size_t rank) {
    std::vector<float> values(10);
    if (rank != 1) sum(fabric, group_of_first(3, rank), values);
  });
  for (const std::size_t rank : {0, 2}) {
    ASSERT_TRUE(errors[rank].has_value());
    EXPECT_EQ(errors[rank]->kind(), ErrorKind::timeout);
    EXPECT_THAT(errors[rank]->message(), testing::HasSubstr(": rank 1 made no progress for 0."));
  }
}

TEST(Transport, MessagesOfABatchMeetInTheirOrderBetweenEachPair) {
  LocalPod pod(3, kLong);
  expect_no_errors(run_ranks(pod, 3, [](const Fabric& fabric, std::size_t rank) {
    const int self = static_cast<int>(rank);
    std::vector<std::vector<int>> sent, received;
    std::vector<Outbound> out;
    std::vector<Inbound> in;
    for (const int lane : {0, 1}) {
      for (const int hop : {1, 2}) {
        const int peer = (self + hop) % 3;
        out.push_back({bytes_of(std::as_const(sent.emplace_back(2, 100 * self + 10 * peer + lane))),
                       Rank(peer)});
        in.push_back({bytes_of(received.emplace_back(2)), Rank(peer)});
      }
    }
    fabric.transport.exchange_all(out, in, Stream::collective, {}, {"batch"});
    for (std::size_t i = 0; i < in.size(); ++i) {
      const int lane = i < 2 ? 0 : 1;
      EXPECT_THAT(received[i], testing::Each(100 * in[i].from.value + 10 * self + lane));
    }
    EXPECT_EQ(fabric.transport.traffic().messages, 4U);
    EXPECT_EQ(fabric.transport.traffic().bytes, 4U * 2 * sizeof(int));
  }));
}

TEST(Transport, ABatchNamesTheOneThatIsMissingAmongMany) {
  LocalPod pod(4, kShort);
  const auto errors = run_ranks(pod, 4, [](const Fabric& fabric, std::size_t rank) {
    if (rank == 2) return;
    std::vector<std::byte> bytes(8);
    std::vector<Outbound> out;
    std::vector<Inbound> in;
    for (int peer = 0; peer < 4; ++peer) {
      if (peer == static_cast<int>(rank)) continue;
      out.push_back({std::span(bytes).first(4), Rank(peer)});
      in.push_back({std::span(bytes).last(4), Rank(peer)});
    }
    fabric.transport.exchange_all(out, in, Stream::collective, {}, {"batch"});
  });
  for (const std::size_t rank : {0, 1, 3}) {
    ASSERT_TRUE(errors[rank].has_value());
    EXPECT_THAT(errors[rank]->message(), testing::HasSubstr("batch: rank 2 made no progress"));
  }
}

TEST(Permute, ShiftsSwapsAndLeavesOut) {
  LocalPod pod(4, kLong);
  expect_no_errors(run_ranks(pod, 4, [](const Fabric& fabric, std::size_t rank) {
    const CallSite site{.op = "collective_permute", .element = "i32", .elements = 3};
    const int self = static_cast<int>(rank);
    const std::vector<std::int32_t> in(3, self);
    std::vector<std::int32_t> out(3, -1);
    const auto shifted = algorithm_named("ring").permute(
        fabric, self < 3 ? Rank(self + 1) : kNobody, self > 0 ? Rank(self - 1) : kNobody,
        bytes_of(in), bytes_of(out), site);
    EXPECT_THAT(out, testing::Each(self - 1));
    EXPECT_EQ(shifted.messages, self < 3 ? 1U : 0U);
    EXPECT_EQ(shifted.bytes, self < 3 ? 12U : 0U);

    algorithm_named("ring").permute(fabric, Rank(self ^ 1), Rank(self ^ 1), bytes_of(in),
                                    bytes_of(out), site);
    EXPECT_THAT(out, testing::Each(self ^ 1));

    const auto own = algorithm_named("ring").permute(fabric, Rank(self), Rank(self), bytes_of(in),
                                                     bytes_of(out), site);
    EXPECT_THAT(out, testing::Each(self));
    EXPECT_EQ(own.messages, 0U);
  }));
}

TEST(Registry, HasEachAlgorithmUnderItsName) {
  for (const std::string_view name : kCollectiveAlgorithms)
    EXPECT_EQ(algorithm_named(name).name(), name);
}

TEST(Registry, NamesWhatItKnows) {
  try {
    algorithm_named("rign");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(),
              "unknown collectives algorithm \"rign\"; known: auto, direct, ring, torus, mpi, "
              "hierarchical, ring-bidirectional, halving, doubling");
  }
}

}  // namespace
}  // namespace understudy::collectives
