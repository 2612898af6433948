// SPDX-License-Identifier: Apache-2.0
// Places temporaries by liveness, as xla::BufferAssignment does. Instructions are numbered in
// program order, nested code included. Each temporary lives from its first to its last access, and
// longer where a loop comes back to it. A best-fit free list then hands out aligned offsets in
// order of first access, and an element-wise instruction takes over the buffer of an operand that
// dies in it.
// Every step is deterministic.
#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include "configs/base/error.h"
#include "program/ir/sizes.h"
#include "program/passes/draft.h"
#include "program/passes/poison.h"

namespace understudy::program::passes {

namespace {

// One cache line, and the width of an AVX-512 register: no two temporaries share a line.
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint32_t kNever = UINT32_MAX;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;  // offsets must not wrap

// Positions are those of Liveness::now_, not indices into one list: nested code has positions too.
struct Interval {
  std::uint32_t first = kNever;
  std::uint32_t last = 0;
  std::uint32_t takes_over = kNever;  // the temporary whose buffer this one may continue in
};

class Liveness {
 public:
  explicit Liveness(std::size_t temporaries) : intervals_(temporaries) {}

  std::vector<Interval> run(const Code& code) {
    walk(code);
    offer_in_place();
    return std::move(intervals_);
  }

 private:
  struct Loop {
    std::uint32_t begin;
    std::vector<std::uint32_t> outer;  // temporaries from before the loop, read or written in it
  };
  struct Offer {
    std::uint32_t position, out, input;
  };

  void walk(const Code& code) {
    for (const Instruction& instruction : code) visit(instruction);
  }

  // A While reads its carried buffers before the first test of the condition, and its body writes
  // them last, so they are touched on both sides. Extra positions (++now_) separate the phases: a
  // temporary of the condition must not share a position with one of the body.
  void visit(const Instruction& instruction) {
    const std::uint32_t position = ++now_;
    for (const Operand& input : instruction.inputs) touch(input);
    if (const auto* loop = std::get_if<While>(&instruction.work)) {
      for (const Operand& carried : instruction.outputs) touch(carried);
      loops_.push_back({++now_, {}});
      walk(loop->condition);
      ++now_;
      // A pass that moves or replaces what makes the predicate must rename it here too.
      UNDERSTUDY_ASSERT(is_made(loop->predicate));
      touch(loop->predicate);
      walk(loop->body);
      for (const Operand& carried : instruction.outputs) touch(carried);
      leave_loop();
    } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
      for (const Code& nested : branch->branches) walk(nested);
      ++now_;
    } else {
      const auto touch_any = [&](const Operand& operand, Access) { touch(operand); };
      for (const Body* body : bodies_of(instruction)) {
        for (const Instruction& inner : body->code) visit_operands(inner, touch_any);
        for (const Operand& result : body->results) touch(result);
      }
      remember_offers(instruction, position);
    }
    for (const Operand& output : instruction.outputs) touch(output);
  }

  bool is_made(const Operand& operand) const {
    return operand.at.space != Space::temporary || intervals_[operand.at.index].first != kNever;
  }

  void touch(const Operand& operand) {
    if (operand.at.space != Space::temporary) return;
    Interval& interval = intervals_[operand.at.index];
    if (interval.first == kNever) interval.first = now_;
    interval.last = std::max(interval.last, now_);
    // The temporary is older than some loop around this access. The next iteration will access
    // it again, so it must live to the end of the outermost such loop.
    const auto loop = std::ranges::upper_bound(loops_, interval.first, {}, &Loop::begin);
    if (loop != loops_.end()) loop->outer.push_back(operand.at.index);
  }

  // leave_loop() runs after every access of the loop, so one assignment extends each of its outer
  // temporaries to the end.
  void leave_loop() {
    ++now_;
    const Loop loop = std::move(loops_.back());
    loops_.pop_back();
    for (const std::uint32_t id : loop.outer) intervals_[id].last = now_;
  }

  // Whether the input dies here is known only after the whole walk, so candidates are noted now
  // and decided in offer_in_place(). Offsets other than 0 are parts of a larger temporary, whose
  // remainder may still be in use.
  void remember_offers(const Instruction& instruction, std::uint32_t position) {
    const bool is_fused = std::holds_alternative<Fused>(instruction.work);
    if (instruction.outputs.size() != 1 && !is_fused) return;
    for (std::size_t o = 0; o < instruction.outputs.size(); ++o) {
      const Operand& out = instruction.outputs[o];
      if (out.at.space != Space::temporary || out.at.offset != 0) continue;
      for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
        const Operand& in = instruction.inputs[i];
        if (in.at.space == Space::temporary && in.at.offset == 0 && in.at.index != out.at.index &&
            is_alone(instruction, i) && may_run_in_place(instruction, i, o))
          offers_.push_back({position, out.at.index, in.at.index});
      }
    }
  }

  // Requires that no other input reads the same temporary at another offset or shape: element i
  // of the output could be written before that input's element i is read. A dynamic_update_slice
  // copies a whole block and a scatter writes anywhere, so even an equal range is refused there.
  static bool is_alone(const Instruction& instruction, std::size_t input) {
    const Operand& in = instruction.inputs[input];
    const bool any_overlap = std::holds_alternative<DynamicUpdateSlice>(instruction.work) ||
                             std::holds_alternative<Scatter>(instruction.work);
    for (std::size_t i = 0; i < instruction.inputs.size(); ++i) {
      const Operand& other = instruction.inputs[i];
      if (i == input || other.at.space != in.at.space || other.at.index != in.at.index) continue;
      if (any_overlap || other.at.offset != in.at.offset || other.type.shape != in.type.shape)
        return false;
    }
    return true;
  }

  // The first offer wins: an output has one buffer.
  void offer_in_place() {
    for (const Offer& offer : offers_) {
      Interval& out = intervals_[offer.out];
      if (out.takes_over == kNever && out.first == offer.position &&
          intervals_[offer.input].last == offer.position)
        out.takes_over = offer.input;
    }
  }

  std::vector<Interval> intervals_;
  std::vector<Loop> loops_;
  std::vector<Offer> offers_;
  std::uint32_t now_ = 0;
};

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
    if (intervals[id].first != kNever && bytes[id] > 0) order.push_back(id);
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
    if (previous != kNever && !taken_over[previous] && bytes[previous] == bytes[id]) {
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
  auto intervals = Liveness(draft.bytes.size()).run(draft.code);
  const auto in_host = [&](std::uint32_t id) {
    return !draft.in_host.empty() && draft.in_host[id];
  };
  // Each memory is placed as if the temporaries of the other had no bytes.
  std::vector<std::uint64_t> bytes = draft.bytes, host_bytes(draft.bytes.size(), 0);
  for (std::uint32_t id = 0; id < intervals.size(); ++id) {
    if (const auto previous = intervals[id].takes_over;
        previous != kNever && in_host(previous) != in_host(id))
      intervals[id].takes_over = kNever;
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
      if (intervals[id].first == kNever || draft.bytes[id] == 0 || where.taken_over[id]) continue;
      const Buffer at{in_host(id) ? Space::host : Space::temporary, 0, where.offsets[id]};
      deaths.emplace(intervals[id].last,
                     Operand{at, {ElementType::ui8, {static_cast<std::int64_t>(draft.bytes[id])}}});
    }
    poison_dead(draft.code, std::move(deaths));
  }
  return {placement.end, host.end};
}

}  // namespace understudy::program::passes
