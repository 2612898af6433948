// SPDX-License-Identifier: Apache-2.0
// Runs of a program with changed shards, on a pod that has loaded it, and what each change shows.
// Thread-compatible; call from the thread that commands the pod.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "launcher/metrics/probe.h"
#include "launcher/metrics/probe_data.h"

namespace understudy::launcher {

class ProbeRuns {
 public:
  // Both outlive this object.
  ProbeRuns(PodClient& pod, const ProbeTask& task)
      : pod_(pod), task_(task), processes_(task.interface.processes()) {}

  ResultValues run(const ArgumentTiles& tiles);
  // Runs with the shard `seen.shard` of `start` replaced by changed data of the shard `from`.
  ResultValues run_changed(const Influence& seen, const ArgumentTiles& start, std::size_t from,
                           Change change);
  // The same with the data of a shard of `source`, unchanged.
  ResultValues run_replaced(const Influence& seen, const ArgumentTiles& start,
                            const ArgumentTiles& source, std::size_t from);

  // Adds what a run shows of result i beside a run without the change. Compares bits, not values:
  // any effect of a change counts, however small.
  void look(std::size_t i, const ResultValues& base, const ResultValues& values,
            Influence::Seen& seen) const;
  // On how many chips result i differs. What overflows is left out, as a product with zero makes
  // NaN of it.
  std::int64_t chips_that_show(std::size_t i, const ResultValues& base,
                               const ResultValues& values) const;

  // Whether several chips should hold the same part of a result.
  bool is_shared(std::size_t result) const {
    return processes_ > 1 && shares(task_.interface.results[result], 0, processes_ - 1);
  }
  const ProbeTask& task() const { return task_; }
  std::int64_t processes() const { return processes_; }
  std::int64_t changed_runs() const { return changed_runs_; }

 private:
  std::size_t tile(const program::analysis::ArgumentGroup& group, std::size_t argument,
                   std::size_t shard) const;
  void put(const program::analysis::ArgumentGroup& group, std::size_t argument, std::size_t shard,
           const Bytes& bytes, ArgumentTiles& tiles) const;
  bool overflowed(std::size_t i, const Bytes& before, const Bytes& after) const;

  PodClient& pod_;
  const ProbeTask& task_;
  std::int64_t processes_;
  std::int64_t changed_runs_ = 0;
  std::uint64_t next_ = 1;
};

}  // namespace understudy::launcher
