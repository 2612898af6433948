// SPDX-License-Identifier: Apache-2.0
// An algorithm as data: what one member of a group does in a collective, step by step. Pure
// functions make schedules (algorithms/), schedule_runner carries them out over a Transport, cost
// counts them, tests run them on strings. No schedule knows bytes or ranks: it speaks of *items*
// (elements of a reduction, bytes elsewhere) and of *places* in the group. Values.
// Equivalent: an MSCCL program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "collectives/chunks.h"
#include "collectives/fabric.h"

namespace understudy::collectives {

enum class Kind : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast };
inline constexpr std::size_t kKinds = 5;
std::string_view name_of(Kind kind);  // "all_reduce"
bool reduces(Kind kind);

// One member's part of a collective that is to be scheduled.
struct Task {
  Kind kind = Kind::all_reduce;
  std::size_t members = 1;
  std::size_t self = 0;
  std::size_t items = 0;  // of the operand: one member's block for all_gather, else the whole input
  std::size_t root = 0;   // of broadcast
  // Where the members stand, for algorithms that ask; may be null and empty.
  const PodLayout* layout = nullptr;
  std::span<const Rank> ranks = {};

  // Items of one member's block, where the kind has blocks.
  std::size_t block() const { return kind == Kind::all_gather ? items : items / members; }
};

// The buffers of a member.
enum class Space : std::uint8_t {
  operand,   // elements of the input; never written
  result,    // elements of the output
  partials,  // accumulators, as many as the operand has elements; in reductions only
  scratch,   // elements, Schedule::scratch_items of them
};

// Items one after the other in a buffer.
struct Range {
  std::size_t begin = 0;
  std::size_t count = 0;
  bool operator==(const Range&) const = default;
};
using Ranges = std::vector<Range>;         // in the order in which a message carries them
void append(Ranges& ranges, Range range);  // joins adjacent ranges, skips empty ones
std::size_t items_in(std::span<const Range> ranges);

// What happens to received items. In a fold, `left` means that they are the left operand and ours
// the right one.
enum class Action : std::uint8_t { store, fold_left, fold_right };

struct Message {
  std::size_t peer = 0;  // place in the group
  Space space = Space::result;
  Ranges ranges = {};             // may be empty: the message is then a header alone
  Action action = Action::store;  // of a received message; folds are of partials
};

// A copy inside one member: operand to partials widens, partials to result narrows. In an
// all_reduce, partials and result may be the same memory: a result may only be written where the
// partial of the same item is not needed any more.
struct Move {
  Space from = Space::operand;
  std::size_t from_begin = 0;
  Space to = Space::result;
  std::size_t to_begin = 0;
  std::size_t count = 0;
};

// First the moves in their order, then all messages at once, then what arrived is folded in the
// order of `receives`. The k-th message from p to q in a step of p is the k-th from p in the same
// step of q. No two receives store to the same item; a message is read before the step writes.
struct Step {
  std::vector<Move> before = {};
  std::vector<Message> sends = {}, receives = {};
};

// What one member does. The schedules of all members of a call have the same number of steps.
struct Schedule {
  std::string_view algorithm;  // what this is, if one algorithm replaces another
  std::size_t scratch_items = 0;
  std::vector<Step> steps = {};  // as many for every member; a member may have nothing to do in one
  std::vector<Move> after = {};

  // Grows where needed. The moves of step `steps.size()` are `after`.
  Step& step(std::size_t number);
};

using Maker = Schedule (*)(const Task&);

// Makers for one member's moves that are the same whatever the algorithm.
Move widen_all(const Task& task);
// The one member of a group of one: the operand is the result.
Schedule alone(const Task& task, std::string_view algorithm);

}  // namespace understudy::collectives
