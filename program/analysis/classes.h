// SPDX-License-Identifier: Apache-2.0
// An equivalence relation over processes: two processes in one class surely hold the same bits of a
// value; of processes in different classes nothing is known. Stored as one label per process.
// Values, cheap to copy. Equivalent: the replication analysis of XLA (HloReplicationAnalysis).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace understudy::program::analysis {

class Classes {
 public:
  static Classes uniform(std::size_t processes);   // all equal
  static Classes distinct(std::size_t processes);  // nothing known
  // Processes with equal labels are in one class.
  static Classes of(const std::vector<std::int64_t>& labels);

  std::size_t size() const { return labels_->size(); }
  bool is_uniform() const { return count_ == 1; }
  std::size_t count() const { return count_; }
  std::uint32_t operator[](std::size_t process) const { return (*labels_)[process]; }
  bool same(std::size_t a, std::size_t b) const { return (*labels_)[a] == (*labels_)[b]; }
  // The classes of a function of two values: equal where both are equal.
  Classes meet(const Classes& other) const;
  // True if every pair that is equal in `other` is equal here.
  bool at_least_as_equal_as(const Classes& other) const;
  bool operator==(const Classes& other) const;

 private:
  Classes(std::shared_ptr<const std::vector<std::uint32_t>> labels, std::size_t count)
      : labels_(std::move(labels)), count_(count) {}
  std::shared_ptr<const std::vector<std::uint32_t>> labels_;  // numbered by first appearance
  std::size_t count_ = 1;
};

}  // namespace understudy::program::analysis
