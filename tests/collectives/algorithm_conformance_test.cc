// SPDX-License-Identifier: Apache-2.0
// One suite for all algorithms: every name of the registry x pods and groups of all shapes x kinds
// x element types x sizes. Results are compared bit by bit with the order that the algorithm
// documents, counts with its cost.
#include <cmath>
#include <mutex>
#include <set>

#include "gmock/gmock.h"

#include "configs/base/collective_algorithms.h"
#include "tests/collectives/conformance.h"
#include "tests/collectives/slices.h"

namespace understudy::collectives {
namespace {

constexpr WaitLimit kPatience{Seconds(20)};

// Whole slices, for algorithms that look at where chips stand.
std::vector<GroupShape> slices() {
  std::vector<GroupShape> all;
  for (const auto& [shape, wraps] : kSlices) {
    const bool wrapped = wraps[0] || wraps[1] || wraps[2];
    const PodLayout layout = layout_of(shape, wraps);
    all.push_back(
        {fmt::format("slice_{}x{}x{}{}", shape[0], shape[1], shape[2], wrapped ? "_wrapped" : ""),
         layout,
         {all_ranks(layout.at.size(), false)}});
  }
  return all;
}

std::vector<GroupShape> groups() {
  std::vector<GroupShape> all;
  for (const std::size_t n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16}) {
    all.push_back({fmt::format("row_of_{}", n), layout_in_a_row(n), {all_ranks(n, false)}});
  }
  const auto ranks = [](std::initializer_list<int> numbers) {
    std::vector<Rank> group;
    for (const int number : numbers) group.emplace_back(number);
    return group;
  };
  const PodLayout four = layout_of({4, 4, 1}, {true, true, false});
  all.push_back({"odd_order", four, {ranks({9, 2, 14, 5, 0})}});
  all.push_back({"box_in_odd_order", four, {ranks({6, 1, 5, 2, 10, 9})}});
  all.push_back({"strided", four, {ranks({0, 4, 8, 12}), ranks({3, 7, 11, 15})}});
  all.push_back({"columns_and_rows",
                 four,
                 {ranks({0, 1, 2, 3}), ranks({4, 8, 12}), ranks({15, 13, 14}), ranks({5})}});
  all.push_back({"shuffled", layout_of({2, 4, 1}, {}), {all_ranks(8, true)}});
  return all;
}

struct Case {
  std::string algorithm;
  GroupShape pod;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.algorithm << " on " << c.pod.name; }

class AlgorithmConformance : public testing::TestWithParam<Case> {
 protected:
  // Runs the body on all members of all groups; every call must end well.
  void run(const std::function<void(const Fabric&, const Group&)>& body) const {
    const GroupShape& pod = GetParam().pod;
    LocalPod local(pod.layout, kPatience);
    const auto errors =
        run_ranks(local, pod.layout.at.size(), [&](const Fabric& fabric, std::size_t rank) {
          const auto group = pod.group_of(Rank(static_cast<int>(rank)));
          if (group) body(fabric, *group);
        });
    for (const auto& error : errors) EXPECT_FALSE(error.has_value()) << error->text();
  }
  const Algorithm& algorithm() const { return algorithm_named(GetParam().algorithm); }
};

TEST_P(AlgorithmConformance, GivesTheDocumentedBitsForEveryKindTypeAndSize) {
  const Expectations expected(algorithm(), GetParam().pod);
  run([&](const Fabric& fabric, const Group& group) {
    Conformance(fabric, group, algorithm(), expected).run_everything();
  });
}

class ReproducibleConformance : public AlgorithmConformance {};
TEST_P(ReproducibleConformance, GivesTheFoldInGroupOrder) {
  const Expectations in_order(GetParam().pod);
  run([&](const Fabric& fabric, const Group& group) {
    Fabric reproducible = fabric;
    reproducible.reproducible = true;
    Conformance(reproducible, group, algorithm(), in_order).run_float_reductions();
  });
}

TEST_P(AlgorithmConformance, JoinsTheClocksOfAllMembers) {
  run([&](const Fabric& fabric, const Group& group) {
    std::vector<float> in(5), out(5);
    const auto report = algorithm().all_reduce(
        fabric, group, SumReducer<float>{}, bytes_of(std::as_const(in)), bytes_of(out),
        {.op = "all_reduce", .elements = 5, .emulated_seconds = 1.0 + double(group.self)});
    EXPECT_EQ(report.emulated_seconds, static_cast<double>(group.size()));
  });
}

TEST_P(AlgorithmConformance, GivesTheSameBitsWhateverTheOrderOfArrival) {
  std::map<Rank, std::vector<float>> first;  // by the group's first member
  std::mutex mutex;
  for (std::size_t round = 0; round < 3; ++round) {
    run([&](const Fabric& fabric, const Group& group) {
      const std::size_t turns = (group.self * 7 + round) % group.size() * 20;
      for (std::size_t turn = 0; turn < turns; ++turn) std::this_thread::yield();
      const auto in = operand<float>(group.self, 300);
      std::vector<float> out(in.size());
      algorithm().all_reduce(fabric, group, SumReducer<float>{}, bytes_of(in), bytes_of(out),
                             {.op = "all_reduce", .elements = in.size()});
      const std::scoped_lock lock(mutex);
      const auto [there, fresh] = first.emplace(group.members[0], out);
      EXPECT_EQ(out, there->second);
    });
  }
}

TEST_P(AlgorithmConformance, AMismatchIsAnErrorOfBothSides) {
  const GroupShape& pod = GetParam().pod;
  LocalPod local(pod.layout, kPatience);
  const auto errors =
      run_ranks(local, pod.layout.at.size(), [&](const Fabric& fabric, std::size_t rank) {
        const auto group = pod.group_of(Rank(static_cast<int>(rank)));
        if (!group || group->members[0] != pod.groups[0][0]) return;
        const std::size_t elements = group->self == 1 ? 900 : 1000;
        std::vector<float> in(elements), out(elements);
        algorithm().all_reduce(fabric, *group, SumReducer<float>{}, bytes_of(std::as_const(in)),
                               bytes_of(out),
                               {.op = "all_reduce", .element = "f32", .elements = elements});
      });
  std::string all;
  for (const auto& error : errors) all += error ? error->text() : "";
  if (pod.groups[0].size() == 1) {
    EXPECT_EQ(all, "");  // nobody to disagree with
    return;
  }
  EXPECT_THAT(all, testing::HasSubstr("collectives do not match"));
  EXPECT_THAT(all, testing::HasSubstr("all_reduce f32[900]"));
  EXPECT_THAT(all, testing::HasSubstr("all_reduce f32[1000]"));
  for (const Rank member : pod.groups[0]) {
    EXPECT_TRUE(errors[static_cast<std::size_t>(member.value)].has_value());
  }
}

// With `few`, one of each sort.
std::vector<Case> all_cases(bool few) {
  const std::set<std::string> chosen = {"row_of_1", "row_of_3", "row_of_8", "columns_and_rows",
                                        "slice_3x4x1_wrapped"};
  std::vector<Case> cases;
  const auto add = [&](std::string_view algorithm, const std::vector<GroupShape>& pods) {
    for (const GroupShape& pod : pods) {
      if (!few || chosen.contains(pod.name)) cases.push_back({std::string(algorithm), pod});
    }
  };
  for (const auto name : kCollectiveAlgorithms) {
    if (name == "mpi") continue;  // there is no MPI in one process: tests/collectives/mpi
    add(name, groups());
    if (name == "torus") add(name, slices());
  }
  return cases;
}

std::string name_of_case(const testing::TestParamInfo<Case>& made) {
  std::string name = made.param.algorithm + "_" + made.param.pod.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmConformance, testing::ValuesIn(all_cases(false)),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Registry, ReproducibleConformance, testing::ValuesIn(all_cases(true)),
                         name_of_case);

TEST(LibraryAlgorithm, IsUnsupportedWhereNoMpiIsBehindTheTransport) {
  LocalPod pod(2, kPatience);
  const auto errors = run_ranks(pod, 2, [](const Fabric& fabric, std::size_t rank) {
    std::vector<float> in(3), out(3);
    algorithm_named("mpi").all_reduce(fabric, group_of_first(2, rank), SumReducer<float>{},
                                      bytes_of(std::as_const(in)), bytes_of(out),
                                      {.op = "all_reduce"});
  });
  for (const auto& error : errors) {
    ASSERT_TRUE(error.has_value());
    EXPECT_EQ(error->kind(), ErrorKind::unsupported);
    EXPECT_THAT(error->message(), testing::HasSubstr("\"mpi\" needs MPI"));
  }
}

}  // namespace
}  // namespace understudy::collectives
