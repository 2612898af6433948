// SPDX-License-Identifier: Apache-2.0
// A stable merge sort for comparators that are expensive to call on one pair at a time: many merges
// run side by side, one lane each, so that every call of the comparator decides as many pairs as it
// has lanes. Long merges are cut into pieces of equal output by binary search along their diagonals
// ("merge path", Odeh et al. 2012), which gives lanes to the last levels too.
//
// Sorts places (flat element indices), not elements. Any comparator is safe, also an inconsistent
// one: no index leaves its range. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worker/chip/ops.h"
#include "worker/ops/operands.h"

namespace understudy::worker::ops {

class MergeSort {
 public:
  // The comparator's frame stays in VMEM until the instruction ends.
  MergeSort(const program::Sort& work, const Instruction& instruction, Execution& execution);

  // `places` holds lines of `size` places each; sorts each line.
  void sort(std::vector<std::int64_t>& places, std::int64_t size);

 private:
  // One merge, or a piece of one: the remaining ranges of both sides, and the next output position.
  struct Task {
    std::int64_t left = 0, left_end = 0, right = 0, right_end = 0, out = 0;
  };
  // A binary search for the point where the diagonal `diagonal` crosses the merge path: of the
  // first `diagonal` outputs, between `low` and `high` come from the left side.
  struct Search {
    std::int64_t left = 0, right = 0, diagonal = 0;
    std::int64_t low = 0, high = 0;
  };
  struct Parameter {
    const std::byte* elements = nullptr;
    std::size_t bytes = 0;
    bool is_read = true;
  };

  void merge_level(std::int64_t lines, std::int64_t size, std::int64_t width);
  void add_merge(std::int64_t low, std::int64_t middle, std::int64_t high);
  void add_pieces();
  void run_searches();
  void run_tasks();
  void run_tasks(std::size_t first, std::size_t count);
  bool advance(Task& task);
  // Fills answers_: for each i, whether places_[right_[i]] comes before places_[left_[i]].
  void compare();

  Execution& execution_;
  BodyCall before_;
  std::vector<Parameter> parameters_;  // one per input
  std::int64_t piece_ = 0;             // longest output of one task
  std::vector<std::int64_t> places_, merged_;
  std::vector<Task> merges_, tasks_;
  std::vector<Search> searches_;
  std::vector<std::size_t> active_;
  std::vector<std::int64_t> left_, right_;  // positions in places_ to compare
  std::vector<std::byte> answers_;
};

}  // namespace understudy::worker::ops
