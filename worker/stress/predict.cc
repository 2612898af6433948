// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/predict.h"

#include <algorithm>
#include <thread>

#include "cache/stand_in.h"
#include "configs/base/cache_policy.h"

namespace understudy::worker {
namespace {

// Three: the median needs an odd number, and each probe costs one entry.
constexpr std::int64_t kProbes = 3;
// Mean delay of a process that polls for an entry: half of the longest pause.
constexpr Seconds kPoll{0.01};

struct Costs {
  Seconds write{
      0};  // of the compiling process, besides the compile: look, lease, write, sync, rename
  Seconds read{0};  // of a process that loads
};

// Runs one process alone, in a folder of its own next to the others', without the compile. Returns
// the median of a few runs.
Costs measure(const StressSetup& setup) {
  StressSetup alone = setup;
  alone.directory = setup.directory + "/alone";
  // per_host without a lock takes the shortest path through the cache: one writer, nobody to wait
  // for.
  alone.discipline = {std::string(cache_policy(CachePolicyId::per_host).name), "none"};
  cache::FileFaults faults = setup.faults.mount;
  faults.delay = Seconds(setup.plan.file_delay_seconds);
  // Faults of rate and visibility act on many processes at once; the formula below adds them.
  faults.reads_per_second = 0;
  faults.invisible_for = faults.remembers_absence = Seconds(0);
  cache::FaultyFileSystem files(faults);
  cache::CacheRequest request = request_of(alone, contender_at(alone, 0));
  request.files = &files;
  Costs costs;
  // The same keys twice: the first pass misses and writes, the second one loads.
  for (Seconds* const cost : {&costs.write, &costs.read}) {
    cache::CompileCache cache(request);
    std::vector<double> seconds;
    for (std::int64_t key = 0; key < kProbes; ++key)
      seconds.push_back(cache
                            .obtain(cache::stand_in_parts(key),
                                    [&] { return cache::stand_in(key, setup.plan.entry_bytes); })
                            .wall_seconds);
    std::sort(seconds.begin(), seconds.end());
    *cost = Seconds(seconds[seconds.size() / 2]);
  }
  return costs;
}

}  // namespace

std::vector<std::pair<std::string, double>> predict_safe(const StressSetup& setup,
                                                         double mean_compile_seconds) {
  const Costs costs = measure(setup);
  // Contended compiles are slower than planned on few cores; the measured mean accounts for that.
  const Seconds compile(std::max(setup.plan.compile_seconds, mean_compile_seconds));
  const auto keys = static_cast<double>(setup.plan.keys);
  const auto hosts = static_cast<double>(setup.plan.hosts);
  const auto cores = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
  // Loads of one key run beside the compile of the next, as far as the cores of this machine go.
  const Seconds loads =
      costs.read * std::max(1.0, (static_cast<double>(setup.plan.processes) - hosts) / cores);
  const Seconds key = std::max(compile + costs.write, loads);
  // After the last key nothing compiles, so its load is not hidden.
  const Seconds last = kPoll + loads;
  const auto& mount = setup.faults.mount;
  // All leaders of one machine sync to the same disk, one after the other.
  const Seconds syncs = costs.write * std::max(0.0, hosts / cores - 1);
  const Seconds per_host = (key + syncs) * keys + last + mount.first_touch;
  // One writer serves all hosts through the mount: others see its entries only after
  // `invisible_for`.
  const Seconds single = key * keys + last + mount.first_touch + mount.invisible_for;
  const auto named = [](CachePolicyId id, Seconds cost) {
    return std::pair(std::string(cache_policy(id).name), cost.count());
  };
  return {named(CachePolicyId::per_host, per_host), named(CachePolicyId::single_writer, single)};
}

}  // namespace understudy::worker
