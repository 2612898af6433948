// SPDX-License-Identifier: Apache-2.0
// One rank of a test that mpirun starts: PROGRAM SCENARIO. A scenario runs on the executor's
// thread, as in a worker. Prints "SCENARIO ok" at rank 0 when the checks of all ranks held, or the
// error that a rank met.
#pragma once

#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <thread>

#include "collectives/collectives.h"
#include "collectives/mpi/library.h"
#include "collectives/mpi/runtime.h"
#include "collectives/mpi/transport.h"
#include "tests/collectives/mpi/shared_status.h"

namespace understudy::collectives {

struct Pod {
  MpiTransport& transport;
  MpiLibrary& library;
  SharedStatus& statuses;
  const PodLayout& layout;
  Fabric fabric() const { return {.transport = transport, .layout = layout, .library = &library}; }
  int rank() const { return transport.rank().value; }
  int size() const { return transport.size(); }
};

using Scenarios = std::map<std::string, void (*)(const Pod&)>;

inline void expect(bool condition, const std::string& what) {
  if (!condition) throw Error(ErrorKind::check, what);
}

inline Group everybody(const Pod& pod) {
  Group group;
  for (int i = 0; i < pod.size(); ++i) group.members.push_back(Rank(i));
  group.self = static_cast<std::size_t>(pod.rank());
  return group;
}

// The values from all ranks, on all ranks.
inline std::vector<double> gather(const Pod& pod, double value) {
  std::vector<double> all(static_cast<std::size_t>(pod.size()));
  algorithm_named("ring").all_gather(pod.fabric(), everybody(pod),
                                     std::as_bytes(std::span(&value, 1)),
                                     std::as_writable_bytes(std::span(all)),
                                     {.op = "all_gather", .element = "f64", .elements = 1});
  return all;
}

// The executor's side. Errors end here: they are printed with the time the wait took.
inline bool executed(const Scenarios& scenarios, const std::string& name, const Pod& pod) {
  const auto begin = Clock::now();
  try {
    scenarios.at(name)(pod);
    // A rank whose checks failed never comes here, and then this ends in an error on the others.
    const std::vector<double> all = gather(pod, 1);
    expect(all == std::vector<double>(all.size(), 1), "the last gather differs");
    if (pod.rank() == 0) fmt::print("{} ok\n", name);
    return true;
  } catch (const Error& error) {
    const double seconds = Seconds(Clock::now() - begin).count();
    fmt::print("rank {} after {}: {}: {}\n", pod.rank(), seconds < 5 ? "less than 5 s" : "long",
               name_of(error.kind()), error.text());
    static_cast<void>(std::fflush(stdout));
    return false;
  }
}

// The wait limit is short in scenarios with "stuck" in their names.
inline int run_rank(const Scenarios& scenarios, const std::string& name) {
  MpiRuntime runtime;
  Communicator world = runtime.duplicate_world();
  const bool stuck = name.find("stuck") != std::string::npos;
  MpiTransport transport(world, WaitLimits{.no_progress = Seconds(stuck ? 1 : 30)});
  MpiLibrary library(transport, world);
  SharedStatus statuses(transport);
  transport.attach(statuses, statuses);
  const PodLayout layout = layout_in_a_row(static_cast<std::size_t>(transport.size()));
  const Pod pod{transport, library, statuses, layout};

  std::atomic<bool> ended{false};
  bool good = false;
  std::jthread executor([&] {
    good = executed(scenarios, name, pod);
    if (!good) statuses.status().abort = 1;
    ended = true;
    ring(statuses.own());
  });
  while (!ended) {
    ++statuses.status().heartbeat;
    transport.pump();
  }
  executor.join();
  if (!good) {
    // Let the others say theirs; then one after the other, as mpirun 4.1.4 sometimes crashes when
    // several ranks abort at once.
    std::this_thread::sleep_for(std::chrono::milliseconds(1500 + 700 * pod.rank()));
    MpiRuntime::abort(4);
  }
  library.free();
  world.free();
  runtime.finalize();
  return 0;
}

inline int run_scenario(const Scenarios& scenarios, std::span<char*> words) {
  if (words.size() != 2 || !scenarios.contains(words[1])) return 2;
  try {
    return run_rank(scenarios, words[1]);
  } catch (const Error& error) {
    fmt::print("{}\n", error.text());
    return 1;
  }
}

}  // namespace understudy::collectives
