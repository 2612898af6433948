// SPDX-License-Identifier: Apache-2.0
#include "collectives/schedule_runner.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Uninitialised memory: all of it is written before it is read.
class RawBuffer {
 public:
  std::span<std::byte> of_size(std::size_t bytes) {
    if (bytes > size_) {
      // Grows only: a runner lives for one call, whose largest message is known after few steps.
      bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
      size_ = bytes;
    }
    return {bytes_.get(), bytes};
  }

 private:
  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
};

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

// The buffers of one call, by Space, and the memory that its messages need.
class Runner {
 public:
  Runner(Call& call, const Schedule& schedule, const Reducer* reducer,
         std::span<const std::byte> in, std::span<std::byte> out)
      : call_(call), reducer_(reducer) {
    const std::size_t unit = reducer == nullptr ? 1 : reducer->element_bytes();
    const std::size_t wide = reducer == nullptr ? 0 : reducer->accumulator_bytes();
    // By Space: operand, result, partials, scratch.
    units_ = {unit, unit, wide, unit};
    // If accumulators are as wide as elements and there are as many results as operands, partials
    // are folded in the result buffer: no extra memory, and the final copy disappears (move() skips
    // it).
    const std::span<std::byte> partials = wide == unit && in.size() == out.size()
                                              ? out
                                              : partial_buffer_.of_size(in.size() / unit * wide);
    const auto scratch = scratch_buffer_.of_size(schedule.scratch_items * unit);
    writable_ = {std::span<std::byte>(), out, partials, scratch};
    readable_ = {in, out, partials, scratch};
  }

  void move(std::span<const Move> moves) {
    for (const Move& one : moves) move(one);
  }

  // A step without messages for this member makes no call: the peers have nothing for it either.
  void step(const Step& step) {
    move(step.before);
    if (step.sends.empty() && step.receives.empty()) return;
    stage(step);
    call_.exchange_all(outbound_, inbound_);
    for (std::size_t i = 0; i < step.receives.size(); ++i) {
      if (staged_[i]) take(step.receives[i], inbound_[i].bytes.data());
    }
  }

 private:
  std::size_t unit(Space space) const { return units_[static_cast<std::size_t>(space)]; }

  // Where items of a buffer lie.
  template <class Byte>
  std::span<Byte> within(const std::array<std::span<Byte>, 4>& spaces, Space space,
                         Range range) const {
    const std::span<Byte> whole = spaces[static_cast<std::size_t>(space)];
    // A schedule that leaves its buffers is a bug of its maker.
    UNDERSTUDY_ASSERT((range.begin + range.count) * unit(space) <= whole.size());
    return whole.subspan(range.begin * unit(space), range.count * unit(space));
  }
  std::span<const std::byte> at(Space space, Range range) const {
    return within(readable_, space, range);
  }
  std::span<std::byte> target(Space space, Range range) const {
    return within(writable_, space, range);
  }

  void move(const Move& move) {
    const auto from = at(move.from, {move.from_begin, move.count});
    const auto to = target(move.to, {move.to_begin, move.count});
    // Equal addresses: partials and result share memory.
    if (from.empty() || from.data() == to.data()) return;
    // Into partials widens, out of partials narrows; everything else has equal units.
    if (move.from != Space::partials && move.to == Space::partials) {
      reducer_->widen(from.data(), to.data(), move.count);
    } else if (move.from == Space::partials && move.to != Space::partials) {
      reducer_->narrow(from.data(), to.data(), move.count);
    } else {
      std::memcpy(to.data(), from.data(), from.size());
    }
  }

  // Chooses the memory of each message of a step. A message of one range is sent from, or received
  // into, its final place. Staging memory is used for several ranges, for items that are to be
  // folded, and for a receive that would overwrite a message that is still being sent.
  void stage(const Step& step) {
    std::size_t bytes = 0;
    for (const Message& message : step.sends) bytes += bytes_of(message);
    for (const Message& message : step.receives) bytes += bytes_of(message);
    // One allocation per step, divided among its messages.
    std::span<std::byte> room = staging_.of_size(bytes);
    const auto next = [&room](std::size_t size) {
      const auto piece = room.first(size);
      room = room.subspan(size);
      return piece;
    };
    outbound_.clear();
    for (const Message& message : step.sends) {
      const Rank to = call_.rank_of(message.peer);
      // A message of one range is sent from where it is.
      if (message.ranges.size() <= 1) {
        outbound_.push_back({first_of(message), to});
      } else {
        outbound_.push_back({pack(message, next(bytes_of(message))), to});
      }
    }
    inbound_.clear();
    staged_.clear();
    for (const Message& message : step.receives) {
      staged_.push_back(must_be_staged(message));
      inbound_.push_back({staged_.back() ? next(bytes_of(message)) : first_target(message),
                          call_.rank_of(message.peer)});
    }
  }

  std::size_t bytes_of(const Message& message) const {
    return items_in(message.ranges) * unit(message.space);
  }

  static Range first_range(const Message& message) {
    return message.ranges.empty() ? Range{} : message.ranges.front();
  }
  std::span<const std::byte> first_of(const Message& message) const {
    return at(message.space, first_range(message));
  }
  std::span<std::byte> first_target(const Message& message) const {
    return target(message.space, first_range(message));
  }

  std::span<const std::byte> pack(const Message& message, std::span<std::byte> to) const {
    std::byte* next = to.data();
    for (const Range& range : message.ranges) {
      const auto bytes = at(message.space, range);
      // Ranges in their order: the receiver unpacks them in the same one.
      std::memcpy(next, bytes.data(), bytes.size());
      next += bytes.size();
    }
    return to;
  }

  // The schedule promises that a message is read before the step writes; with both in flight at the
  // same time, an overlap would break that promise.
  bool must_be_staged(const Message& message) const {
    if (message.action != Action::store || message.ranges.size() > 1) return true;
    return std::any_of(outbound_.begin(), outbound_.end(), [&](const Outbound& sent) {
      return overlap(sent.bytes, first_of(message));
    });
  }

  void take(const Message& message, const std::byte* arrived) const {
    for (const Range& range : message.ranges) {
      const auto ours = target(message.space, range);
      if (message.action == Action::store) {
        std::memcpy(ours.data(), arrived, ours.size());
      } else {
        UNDERSTUDY_ASSERT(message.space == Space::partials);
        // The order of the operands is part of the schedule: it decides the bits of a float sum.
        const bool left = message.action == Action::fold_left;
        reducer_->merge(left ? arrived : ours.data(), left ? ours.data() : arrived, ours.data(),
                        range.count);
      }
      arrived += ours.size();
    }
  }

  Call& call_;
  const Reducer* reducer_;
  std::array<std::size_t, 4> units_{};  // bytes of an item, by space; so are the buffers
  std::array<std::span<std::byte>, 4> writable_;
  std::array<std::span<const std::byte>, 4> readable_;
  RawBuffer partial_buffer_, scratch_buffer_, staging_;
  std::vector<Outbound> outbound_;
  std::vector<Inbound> inbound_;
  std::vector<bool> staged_;  // by receive
};

}  // namespace

void run_schedule(Call& call, const Schedule& schedule, const Reducer* reducer,
                  std::span<const std::byte> in, std::span<std::byte> out) {
  Runner runner(call, schedule, reducer, in, out);
  // A member of a schedule always runs all steps, even empty ones: their number is the same for
  // all.
  for (const Step& step : schedule.steps) runner.step(step);
  runner.move(schedule.after);
}

}  // namespace understudy::collectives
