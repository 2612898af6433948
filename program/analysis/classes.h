// SPDX-License-Identifier: Apache-2.0
// Which processes of a program surely hold the same bits of a value: an equivalence relation over
// processes, as labels. Two processes with one label hold equal values; of two labels nothing is
// known. Values, cheap to copy.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace understudy::program::analysis {

class Classes {
 public:
  static Classes uniform(std::size_t processes);   // all equal
  static Classes distinct(std::size_t processes);  // nothing known
  // Equal labels, equal values.
  static Classes of(const std::vector<std::int64_t>& labels);

  std::size_t size() const { return labels_->size(); }
  bool is_uniform() const { return count_ == 1; }
  std::size_t count() const { return count_; }
  std::uint32_t operator[](std::size_t process) const { return (*labels_)[process]; }
  bool same(std::size_t a, std::size_t b) const { return (*labels_)[a] == (*labels_)[b]; }
  // Equal where both are equal: what a function of two values is.
  Classes meet(const Classes& other) const;
  // Every pair that is equal in `other` is equal here.
  bool at_least_as_equal_as(const Classes& other) const;
  bool operator==(const Classes& other) const;

 private:
  Classes(std::shared_ptr<const std::vector<std::uint32_t>> labels, std::size_t count)
      : labels_(std::move(labels)), count_(count) {}
  std::shared_ptr<const std::vector<std::uint32_t>> labels_;  // numbered by first appearance
  std::size_t count_ = 1;
};

}  // namespace understudy::program::analysis
