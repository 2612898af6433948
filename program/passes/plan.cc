// SPDX-License-Identifier: Apache-2.0
// Places temporaries by liveness (liveness.h), as xla::BufferAssignment does. A best-fit free list
// hands out aligned offsets in order of first access, and an element-wise instruction takes over
// the buffer of an operand that dies in it. Every step is deterministic.
#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "configs/base/error.h"
#include "program/ir/sizes.h"
#include "program/passes/draft.h"
#include "program/passes/liveness.h"
#include "program/passes/poison.h"

namespace understudy::program::passes {

namespace {

// One cache line, and the width of an AVX-512 register: no two temporaries share a line.
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;  // offsets must not wrap

// Best fit over free blocks, coalesced with their neighbours when given back. Two indices of the
// same blocks: by size (best fit; ties go to the lowest offset) and by offset (to find neighbours).
class FreeList {
 public:
  // A block of the smallest sufficient size is split. Otherwise the space grows, starting inside
  // a free block at its end if there is one, so that a large temporary does not strand it.
  std::uint64_t take(std::uint64_t bytes) {
    const auto fit = by_size_.lower_bound({bytes, 0});
    if (fit != by_size_.end()) {
      const auto [size, offset] = *fit;
      remove(offset, size);
      if (size > bytes) add(offset + bytes, size - bytes);
      return offset;
    }
    std::uint64_t offset = end_;
    if (!by_offset_.empty()) {  // grow the free block at the very end rather than leave it
      const auto [last, size] = *by_offset_.rbegin();
      if (last + size == end_) {
        offset = last;
        remove(last, size);
      }
    }
    end_ = sum_of_bytes(offset, bytes);
    if (end_ > kMostBytes)
      throw Error(ErrorKind::capacity, "the program's temporaries need more than 2^62 bytes");
    return offset;
  }

  // Joins the block with free neighbours on both sides: no two free blocks are adjacent.
  void give(std::uint64_t offset, std::uint64_t bytes) {
    auto after = by_offset_.lower_bound(offset);
    if (after != by_offset_.end() && after->first == offset + bytes) {
      const auto [next, size] = *after;
      remove(next, size);
      bytes += size;
      after = by_offset_.lower_bound(offset);
    }
    if (after != by_offset_.begin()) {
      const auto [before, size] = *std::prev(after);
      if (before + size == offset) {
        remove(before, size);
        offset = before;
        bytes += size;
      }
    }
    add(offset, bytes);
  }

  std::uint64_t end() const { return end_; }

 private:
  void add(std::uint64_t offset, std::uint64_t size) {
    by_offset_.emplace(offset, size);
    by_size_.emplace(size, offset);
  }
  void remove(std::uint64_t offset, std::uint64_t size) {
    by_offset_.erase(offset);
    by_size_.erase({size, offset});
  }

  std::map<std::uint64_t, std::uint64_t> by_offset_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
  std::uint64_t end_ = 0;
};

struct Placement {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  std::vector<bool> taken_over;  // by another temporary, which owns the bytes from then on
};

Placement place(const std::vector<Interval>& intervals, const std::vector<std::uint64_t>& bytes) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t id = 0; id < intervals.size(); ++id)
    if (intervals[id].first != Interval::kNever && bytes[id] > 0) order.push_back(id);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t id) { return intervals[id].first; });
  using Death = std::pair<std::uint32_t, std::uint32_t>;  // position, temporary
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths;
  std::vector<bool> taken_over(intervals.size(), false);
  const auto size_of = [&](std::uint32_t id) {
    return (bytes[id] + kAlignment - 1) / kAlignment * kAlignment;
  };
  FreeList space;
  Placement placement{std::vector<std::uint64_t>(intervals.size(), 0), 0, {}};
  for (const std::uint32_t id : order) {
    // Strictly before: an operand that dies in the instruction that creates `id` is still read
    // by it, and may share its buffer only by an explicit take-over.
    for (; !deaths.empty() && deaths.top().first < intervals[id].first; deaths.pop())
      if (const auto dead = deaths.top().second; !taken_over[dead])
        space.give(placement.offsets[dead], size_of(dead));
    // A buffer is taken over once. The heir then owns it: the former owner frees nothing.
    const std::uint32_t previous = intervals[id].takes_over;
    if (previous != Interval::kNever && !taken_over[previous] && bytes[previous] == bytes[id]) {
      taken_over[previous] = true;
      placement.offsets[id] = placement.offsets[previous];
    } else {
      placement.offsets[id] = space.take(size_of(id));
    }
    deaths.emplace(intervals[id].last, id);
  }
  placement.end = space.end();
  placement.taken_over = std::move(taken_over);
  return placement;
}

}  // namespace

Scratch place_temporaries(Draft& draft, bool poison) {
  auto intervals = live_intervals(draft.code, draft.bytes.size());
  const auto in_host = [&](std::uint32_t id) {
    return !draft.in_host.empty() && draft.in_host[id];
  };
  // Each memory is placed as if the temporaries of the other had no bytes.
  std::vector<std::uint64_t> bytes = draft.bytes, host_bytes(draft.bytes.size(), 0);
  for (std::uint32_t id = 0; id < intervals.size(); ++id) {
    if (const auto previous = intervals[id].takes_over;
        previous != Interval::kNever && in_host(previous) != in_host(id))
      intervals[id].takes_over = Interval::kNever;
    if (in_host(id)) std::swap(bytes[id], host_bytes[id]);
  }
  const Placement placement = place(intervals, bytes), host = place(intervals, host_bytes);
  // From here on all temporaries are one space (index 0), and an operand's offset inside its
  // temporary becomes an offset in that space.
  for (Instruction& instruction : draft.code)
    visit_operands(instruction, [&](Operand& operand, Access) {
      if (operand.at.space != Space::temporary) return;
      const bool host_side = in_host(operand.at.index);
      operand.at.offset += (host_side ? host : placement).offsets[operand.at.index];
      if (host_side) operand.at.space = Space::host;
      operand.at.index = 0;
    });
  if (poison) {
    Deaths deaths;
    for (std::uint32_t id = 0; id < intervals.size(); ++id) {
      const Placement& where = in_host(id) ? host : placement;
      if (intervals[id].first == Interval::kNever || draft.bytes[id] == 0 || where.taken_over[id])
        continue;
      const Buffer at{in_host(id) ? Space::host : Space::temporary, 0, where.offsets[id]};
      deaths.emplace(intervals[id].last,
                     Operand{at, {ElementType::ui8, {static_cast<std::int64_t>(draft.bytes[id])}}});
    }
    poison_dead(draft.code, std::move(deaths));
  }
  return {placement.end, host.end};
}

}  // namespace understudy::program::passes
