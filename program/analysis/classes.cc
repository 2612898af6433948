// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/classes.h"

#include <numeric>
#include <unordered_map>
#include <utility>

namespace understudy::program::analysis {

// Labels are renumbered by first appearance, so equal relations have equal label vectors.
Classes Classes::of(const std::vector<std::int64_t>& labels) {
  std::unordered_map<std::int64_t, std::uint32_t> numbers;
  auto fresh = std::make_shared<std::vector<std::uint32_t>>();
  fresh->reserve(labels.size());
  for (const std::int64_t label : labels)
    fresh->push_back(
        numbers.try_emplace(label, static_cast<std::uint32_t>(numbers.size())).first->second);
  return {std::move(fresh), numbers.size()};
}

Classes Classes::uniform(std::size_t processes) {
  return of(std::vector<std::int64_t>(processes, 0));
}

Classes Classes::distinct(std::size_t processes) {
  std::vector<std::int64_t> labels(processes);
  std::iota(labels.begin(), labels.end(), 0);
  return of(labels);
}

// The coarsest relation finer than both: the label of a process is the pair of its labels. Pairs
// are encoded as a * size + b, which is unique as labels are below size.
Classes Classes::meet(const Classes& other) const {
  // The cheap cases first: most values are uniform or share the vector of their operand.
  if (is_uniform() || labels_ == other.labels_) return other;
  if (other.is_uniform()) return *this;
  std::vector<std::int64_t> pairs(size());
  for (std::size_t i = 0; i < size(); ++i)
    pairs[i] = static_cast<std::int64_t>((*this)[i]) * static_cast<std::int64_t>(size()) +
               static_cast<std::int64_t>(other[i]);
  const Classes both = of(pairs);
  // Labels are shared where they can be: a program has many values and few ways to differ.
  // As fine as one side means equal to it, so its vector can be shared.
  if (both.count_ == count_) return *this;
  return both.count_ == other.count_ ? other : both;
}

// If meeting with this relation does not split `other`, every pair equal in `other` is equal here.
bool Classes::at_least_as_equal_as(const Classes& other) const {
  return meet(other).count() == other.count();
}

bool Classes::operator==(const Classes& other) const {
  // The same vector, or another one with equal labels: of() numbers them canonically.
  return labels_ == other.labels_ || *labels_ == *other.labels_;
}

}  // namespace understudy::program::analysis
