// SPDX-License-Identifier: Apache-2.0
// A group seen as a power of two of *workers*, for algorithms in which distances double. Of n
// members, n - 2^floor(log2 n) pairs of neighbours at the front of the group work as one: the even
// member stands for both, the odd one only sends its operand and receives its result. Workers keep
// the order of the group. Pure.
#pragma once

#include <bit>
#include <cstddef>

namespace understudy::collectives {

// With n members and 2^k workers there are n - 2^k pairs; the first 2(n - 2^k) members are paired.
class Pairs {
 public:
  Pairs(std::size_t members, std::size_t self)
      : workers_(std::bit_floor(members)), pairs_(members - workers_), self_(self) {}

  std::size_t workers() const { return workers_; }
  std::size_t levels() const { return static_cast<std::size_t>(std::bit_width(workers_)) - 1; }
  // Steps that pairs need before and after the others' steps: 0 or 1.
  std::size_t pair_steps() const { return pairs_ > 0 ? 1 : 0; }

  // Ourselves.
  bool is_paired() const { return self_ < 2 * pairs_; }
  bool works() const { return !is_paired() || self_ % 2 == 0; }
  std::size_t partner() const { return self_ ^ 1; }  // of a paired member
  std::size_t worker() const { return is_paired() ? self_ / 2 : self_ - pairs_; }

  // The member that acts as worker w, and the number of members that it represents.
  std::size_t member(std::size_t w) const { return w < pairs_ ? 2 * w : w + pairs_; }
  std::size_t stands_for(std::size_t w) const { return w < pairs_ ? 2 : 1; }

 private:
  std::size_t workers_, pairs_, self_;
};

}  // namespace understudy::collectives
