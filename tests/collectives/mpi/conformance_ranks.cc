// SPDX-License-Identifier: Apache-2.0
// One rank of the conformance suite over MPI, and of the faults that the library's own collectives
// must turn into sentences; mpirun starts eight of them: mpi_conformance_ranks SCENARIO.
#include <csignal>
#include <numeric>

#include "configs/base/collective_algorithms.h"
#include "tests/collectives/conformance.h"
#include "tests/collectives/mpi/ranks.h"
#include "tests/collectives/slices.h"

namespace understudy::collectives {
namespace {

std::vector<GroupShape> shapes_of_eight() {
  const auto ranks = [](std::initializer_list<int> numbers) {
    std::vector<Rank> group;
    for (const int number : numbers) group.emplace_back(number);
    return group;
  };
  const PodLayout layout = layout_of({2, 4, 1}, {false, true, false});
  return {{"whole", layout, {all_ranks(8, false)}},
          {"odd_order", layout, {ranks({6, 1, 5, 2, 7})}},
          {"rows_and_pair", layout, {ranks({0, 2, 4, 6}), ranks({5, 3, 1}), ranks({7})}},
          {"strided", layout, {ranks({0, 4}), ranks({1, 5}), ranks({2, 6}), ranks({3, 7})}}};
}

void conform(const Pod& pod, std::string_view name) {
  const Algorithm& algorithm = algorithm_named(name);
  for (const GroupShape& shape : shapes_of_eight()) {
    const auto group = shape.group_of(Rank(pod.rank()));
    if (!group) continue;
    Fabric fabric{.transport = pod.transport, .layout = shape.layout, .library = &pod.library};
    const auto begin = Clock::now();
    Conformance(fabric, *group, algorithm, Expectations(algorithm, shape)).run_everything();
    fabric.reproducible = true;
    Conformance(fabric, *group, algorithm, Expectations(shape)).run_float_reductions();
    if (pod.rank() == 0) {
      fmt::print("{} on {}: {:.2f} s\n", name, shape.name, Seconds(Clock::now() - begin).count());
    }
  }
}

// Expectations of any rank that failed were printed by it.
void conformance(const Pod& pod) {
  for (const std::string_view name : kCollectiveAlgorithms) conform(pod, name);
  const auto failed = gather(pod, testing::UnitTest::GetInstance()->Failed() ? 1 : 0);
  expect(std::accumulate(failed.begin(), failed.end(), 0.0) == 0, "see above");
}

void sum_by_mpi(const Pod& pod, std::size_t elements) {
  std::vector<float> in(elements, 1), out(elements);
  algorithm_named("mpi").all_reduce(
      pod.fabric(), everybody(pod), SumReducer<float>{}, bytes_of(std::as_const(in)), bytes_of(out),
      {.op = "all_reduce", .element = "f32", .elements = elements, .reduction = "sum"});
  expect(out == std::vector<float>(elements, static_cast<float>(pod.size())), "the sum differs");
}

void mismatch(const Pod& pod) { sum_by_mpi(pod, pod.rank() == 5 ? 900 : 1000); }

// Rank 5 ends between two collectives.
void killed(const Pod& pod) {
  sum_by_mpi(pod, 1000);
  if (pod.rank() == 5) expect(raise(SIGKILL) == 0, "raise");
  sum_by_mpi(pod, 1000);
}

// Rank 5 lives, but never starts what all have agreed on: only the library could know.
void stuck(const Pod& pod) {
  if (pod.rank() == 5) std::this_thread::sleep_for(std::chrono::seconds(20));
  std::vector<float> in(1000, 1), out(1000);
  pod.library.all_reduce(everybody(pod), SumReducer<float>{}, bytes_of(std::as_const(in)),
                         bytes_of(out), {"all_reduce by the library"});
}

const Scenarios& scenarios() {
  static const Scenarios table{
      {"conformance", conformance}, {"mismatch", mismatch}, {"killed", killed}, {"stuck", stuck}};
  return table;
}

}  // namespace
}  // namespace understudy::collectives

int main(int argc, char** argv) {
  using namespace understudy;
  return collectives::run_scenario(collectives::scenarios(), std::span(argv, argv + argc));
}
