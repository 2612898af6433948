// SPDX-License-Identifier: Apache-2.0
// One suite for all algorithms: every name of the registry x group sizes x operand sizes. Results
// are compared bit by bit with a fold in the order that the algorithm documents.
#include <cmath>
#include <mutex>
#include <numeric>

#include "gtest/gtest.h"

#include "collectives/chunks.h"
#include "collectives/cost.h"
#include "tests/collectives/local_ranks.h"

namespace understudy::collectives {
namespace {

constexpr Patience kPatience{Seconds(20)};
constexpr std::size_t kSizes[] = {0, 1, 2, 13, 1000, 4096 + 1};

struct Case {
  std::string algorithm;
  std::size_t members;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.algorithm << "_" << c.members; }

class AlgorithmConformance : public testing::TestWithParam<Case> {
 protected:
  const Algorithm& algorithm() const { return algorithm_named(GetParam().algorithm); }
  std::size_t n() const { return GetParam().members; }

  // Runs the body on n threads; every call must end well.
  void run(const std::function<void(const Fabric&, const Group&)>& body) const {
    LocalPod pod(static_cast<int>(n()), kPatience);
    const auto errors = run_ranks(pod, n(), [&](const Fabric& fabric, std::size_t rank) {
      body(fabric, group_of_first(n(), rank));
    });
    for (const auto& error : errors) EXPECT_FALSE(error.has_value()) << error->text();
  }
  // The report, the transport and the cost model must agree.
  void expect_cost(const CallReport& report, const Transport& transport, std::string_view op,
                   const Shape& shape) const {
    const Cost cost = cost_of(GetParam().algorithm, op, shape);
    EXPECT_EQ(report.messages, cost.messages);
    EXPECT_EQ(report.bytes, cost.bytes);
    EXPECT_EQ(transport.traffic().messages, cost.messages);
    EXPECT_EQ(transport.traffic().bytes, cost.bytes);
    EXPECT_EQ(report.algorithm, algorithm().name());
  }
};

template <class T>
std::vector<T> operand(std::size_t rank, std::size_t elements) {
  std::vector<T> values(elements);
  for (std::size_t i = 0; i < elements; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      values[i] = std::sin(static_cast<float>(rank * 7919 + i)) * 1000.0F;  // sums that round
    } else {
      values[i] = static_cast<T>(rank * 31 + i * 17 + 5);
    }
  }
  return values;
}
std::vector<std::uint16_t> bf16_operand(std::size_t rank, std::size_t elements) {
  std::vector<std::uint16_t> bits;
  for (const float value : operand<float>(rank, elements))
    bits.push_back(Bf16Sum::to_narrow(value));
  return bits;
}

// docs/collectives.md: chunk k starts at member k+1 and ends at member k.
template <class T, class A>
std::vector<T> folded_around(const std::vector<std::vector<T>>& operands) {
  using Sum = SumReducer<T, A>;
  const Chunks chunks{operands[0].size(), operands.size()};
  std::vector<T> result(operands[0].size());
  for (std::size_t k = 0; k < operands.size(); ++k) {
    for (std::size_t i = chunks.begin(k); i < chunks.begin(k) + chunks.size(k); ++i) {
      A sum = Sum::to_wide(operands[(k + 1) % operands.size()][i]);
      for (std::size_t m = 2; m <= operands.size(); ++m) {
        sum = static_cast<A>(sum + Sum::to_wide(operands[(k + m) % operands.size()][i]));
      }
      result[i] = Sum::to_narrow(sum);
    }
  }
  return result;
}

template <class T, class A>
void all_reduce_case(const AlgorithmConformance&, const Algorithm& algorithm, const Fabric& fabric,
                     const Group& group, const std::vector<std::vector<T>>& operands,
                     CallReport& report) {
  const auto& mine = operands[group.self];
  std::vector<T> out(mine.size(), T{99});
  const CallSite site{.op = "all_reduce", .element = "x", .elements = mine.size()};
  report =
      algorithm.all_reduce(fabric, group, SumReducer<T, A>{}, bytes_of(mine), bytes_of(out), site);
  const auto expected = folded_around<T, A>(operands);
  ASSERT_EQ(out.size(), expected.size());
  if (!out.empty()) {
    EXPECT_EQ(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)), 0);
  }
}

template <class T>
std::vector<std::vector<T>> operands_of(std::size_t n, std::size_t elements) {
  std::vector<std::vector<T>> all;
  for (std::size_t rank = 0; rank < n; ++rank) all.push_back(operand<T>(rank, elements));
  return all;
}

TEST_P(AlgorithmConformance, AllReduceFoldsFloatsInTheDocumentedOrder) {
  for (const std::size_t elements : kSizes) {
    const auto operands = operands_of<float>(n(), elements);
    run([&](const Fabric& fabric, const Group& group) {
      CallReport report;
      all_reduce_case<float, float>(*this, algorithm(), fabric, group, operands, report);
      expect_cost(report, fabric.transport, "all_reduce", {n(), group.self, elements, 4, 4});
      if (elements % n() == 0) {
        EXPECT_EQ(report.messages, 2 * (n() - 1));
        EXPECT_EQ(report.bytes, 2 * elements * 4 * (n() - 1) / n());
      }
    });
  }
}

TEST_P(AlgorithmConformance, AllReduceOfIntegersIsExact) {
  for (const std::size_t elements : kSizes) {
    const auto operands = operands_of<std::int32_t>(n(), elements);
    run([&](const Fabric& fabric, const Group& group) {
      CallReport report;
      all_reduce_case<std::int32_t, std::int32_t>(*this, algorithm(), fabric, group, operands,
                                                  report);
    });
  }
}

TEST_P(AlgorithmConformance, AllReduceOfBf16RoundsOnce) {
  for (const std::size_t elements : kSizes) {
    std::vector<std::vector<std::uint16_t>> operands;
    for (std::size_t rank = 0; rank < n(); ++rank) operands.push_back(bf16_operand(rank, elements));
    run([&](const Fabric& fabric, const Group& group) {
      CallReport report;
      all_reduce_case<std::uint16_t, float>(*this, algorithm(), fabric, group, operands, report);
      expect_cost(report, fabric.transport, "all_reduce", {n(), group.self, elements, 2, 4});
    });
  }
}

TEST_P(AlgorithmConformance, AllGatherKeepsGroupOrder) {
  for (const std::size_t elements : kSizes) {
    std::vector<float> expected;
    for (const auto& block : operands_of<float>(n(), elements)) {
      expected.insert(expected.end(), block.begin(), block.end());
    }
    run([&](const Fabric& fabric, const Group& group) {
      const auto in = operand<float>(group.self, elements);
      std::vector<float> out(elements * n());
      const auto report =
          algorithm().all_gather(fabric, group, bytes_of(in), bytes_of(out),
                                 {.op = "all_gather", .element = "f32", .elements = elements});
      EXPECT_EQ(out, expected);
      expect_cost(report, fabric.transport, "all_gather", {n(), group.self, elements, 4, 4});
    });
  }
}

TEST_P(AlgorithmConformance, ReduceScatterGivesEachMemberItsBlock) {
  for (const std::size_t block : kSizes) {
    const auto operands = operands_of<float>(n(), block * n());
    const auto expected = folded_around<float, float>(operands);
    run([&](const Fabric& fabric, const Group& group) {
      std::vector<float> out(block);
      const auto report = algorithm().reduce_scatter(
          fabric, group, SumReducer<float>{}, bytes_of(operands[group.self]), bytes_of(out),
          {.op = "reduce_scatter", .element = "f32", .elements = block * n()});
      const auto begin = expected.begin() + static_cast<std::ptrdiff_t>(group.self * block);
      EXPECT_TRUE(std::equal(out.begin(), out.end(), begin));
      expect_cost(report, fabric.transport, "reduce_scatter", {n(), group.self, block * n(), 4, 4});
    });
  }
}

TEST_P(AlgorithmConformance, AllToAllTransposesBlocks) {
  for (const std::size_t block : kSizes) {
    const auto operands = operands_of<std::int32_t>(n(), block * n());
    run([&](const Fabric& fabric, const Group& group) {
      std::vector<std::int32_t> out(block * n());
      const auto report =
          algorithm().all_to_all(fabric, group, bytes_of(operands[group.self]), bytes_of(out),
                                 {.op = "all_to_all", .element = "i32", .elements = block * n()});
      for (std::size_t from = 0; from < n(); ++from) {
        for (std::size_t i = 0; i < block; ++i) {
          ASSERT_EQ(out[from * block + i], operands[from][group.self * block + i]);
        }
      }
      expect_cost(report, fabric.transport, "all_to_all", {n(), group.self, block * n(), 4, 4});
    });
  }
}

TEST_P(AlgorithmConformance, BroadcastReachesEverybodyFromEveryRoot) {
  constexpr std::size_t kThreeSegments = 150'001;
  std::vector<std::pair<std::size_t, std::size_t>> cases = {{kThreeSegments, n() / 2}};
  for (std::size_t root = 0; root < n(); ++root) cases.insert(cases.end(), {{0, root}, {3, root}});
  for (const auto& [elements, root] : cases) {
    const auto expected = operand<float>(root, elements);
    run([&, elements = elements, root = root](const Fabric& fabric, const Group& group) {
      const auto in = operand<float>(group.self, elements);
      std::vector<float> out(elements);
      const auto report =
          algorithm().broadcast(fabric, group, root, bytes_of(in), bytes_of(out),
                                {.op = "broadcast", .element = "f32", .elements = elements});
      EXPECT_EQ(out, expected);
      expect_cost(report, fabric.transport, "broadcast", {n(), group.self, elements, 4, 4, root});
    });
  }
}

TEST_P(AlgorithmConformance, GivesTheSameBitsWhateverTheOrderOfArrival) {
  const auto operands = operands_of<float>(n(), 1000);
  std::vector<float> first;
  std::mutex mutex;
  for (int round = 0; round < 3; ++round) {
    run([&](const Fabric& fabric, const Group& group) {
      for (std::size_t turn = 0; turn < group.self * 50; ++turn) std::this_thread::yield();
      std::vector<float> out(1000);
      algorithm().all_reduce(fabric, group, SumReducer<float>{}, bytes_of(operands[group.self]),
                             bytes_of(out), {.op = "all_reduce", .elements = 1000});
      const std::scoped_lock lock(mutex);
      if (first.empty()) first = out;
      EXPECT_EQ(out, first);
    });
  }
}

TEST_P(AlgorithmConformance, JoinsTheClocksOfAllMembers) {
  run([&](const Fabric& fabric, const Group& group) {
    std::vector<float> in(5), out(5);
    const auto report = algorithm().all_reduce(
        fabric, group, SumReducer<float>{}, bytes_of(std::as_const(in)), bytes_of(out),
        {.op = "all_reduce", .elements = 5, .emulated_seconds = 1.0 + double(group.self)});
    EXPECT_EQ(report.emulated_seconds, static_cast<double>(n()));
  });
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const std::string_view name : {"ring"}) {  // the direct path: direct_test.cc
    for (const std::size_t n : {1, 2, 3, 4, 5, 7, 8}) cases.push_back({std::string(name), n});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmConformance, testing::ValuesIn(all_cases()),
                         [](const auto& made) {
                           return made.param.algorithm + "_" + std::to_string(made.param.members);
                         });

}  // namespace
}  // namespace understudy::collectives
