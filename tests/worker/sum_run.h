// SPDX-License-Identifier: Apache-2.0
// A run folder with a small program for any number of chips: result 0 is the sum over chips of each
// chip's shard (replicated), result 1 the shard times four. Chip c starts with {c + 1, 10 (c + 1)}.
#pragma once

#include <string>
#include <vector>

#include "configs/launch/run_plan.h"
#include "configs/receipt/record/record.h"
#include "tests/worker/worker_testing.h"

namespace understudy::worker {

class SumRun {
 public:
  explicit SumRun(int chips);

  // Writes plan.json with the digest of the contract that workers with this environment compute.
  void write_plan(const std::vector<std::string>& environment);
  // Empties the folder of records.
  void clear_records() const;
  configs::RecordContent record_of(int rank) const;
  template <class T>
  std::vector<T> seen_by(int rank) const {
    std::vector<T> seen;
    for (const auto& one : record_of(rank).observations) {
      if (const T* match = std::get_if<T>(&one)) seen.push_back(*match);
    }
    return seen;
  }
  std::vector<float> floats(const std::string& file) const;

  TestFolder folder;
  configs::RunPlan plan;
};

}  // namespace understudy::worker
