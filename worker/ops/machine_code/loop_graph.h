// SPDX-License-Identifier: Apache-2.0
// A loop of bound code (worker/chip/bound_code.h) as machine code sees it: steps over single
// elements, whose operands are slots, that is, places with a type, or constants. Plain values; made
// by loop_reader.h, completed by loop_places.h, written as machine code by loop_writer.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "program/ir/kinds.h"
#include "worker/chip/bound_code.h"

namespace understudy::worker::ops::machine {

// How an element is held in a register.
enum class Kind : std::uint8_t { byte, half, word, quad, f32, f64 };

// nullopt: elements of the type stay in memory.
std::optional<Kind> kind_of(program::ElementType type);
std::size_t bytes_of(Kind kind);
inline bool is_float(Kind kind) { return kind == Kind::f32 || kind == Kind::f64; }

// Bytes of a space.
struct Range {
  BoundPlace place;
  std::size_t bytes = 0;

  bool overlaps(const Range& other) const {
    return place.base == other.place.base && place.offset < other.place.offset + other.bytes &&
           other.place.offset < place.offset + bytes;
  }
  bool holds(const Range& other) const {
    return place.base == other.place.base && place.offset <= other.place.offset &&
           other.place.offset + other.bytes <= place.offset + bytes;
  }
};

// One element at a fixed place. It is kept in a register, and its memory is out of date while the
// loop runs, unless one of the first two flags says otherwise.
struct Slot {
  BoundPlace place;
  Kind kind = Kind::word;
  bool in_memory = false;       // has no register: part of an array with a moving index, or of
                                // bytes that are also used as elements of another kind
  bool stored_at_once = false;  // each new value is stored, as a called step reads it
  bool is_written = false;
  bool is_needed = false;  // between segments: read before it is written, or stored at the exit
  bool leaves = false;     // stored at the exit

  Range range() const { return {place, bytes_of(kind)}; }
};

// An operand: a slot, or a constant of the executable.
struct Value {
  static constexpr int kConstant = -1;
  int slot = kConstant;
  std::uint64_t bits = 0;  // of a constant
  bool is_constant() const { return slot == kConstant; }
};

class Emitter;
struct Simple;
using Emit = void (*)(Emitter& emitter, const Simple& step);

// One instruction over one element.
struct Simple {
  enum class Role : std::uint8_t { plain, compare, select, both };  // both: of two preds
  Emit emit = nullptr;
  Role role = Role::plain;
  bool is_postponed = false;  // a comparison that is made where it is read (loop_compares.h)
  program::Direction direction = program::Direction::eq;
  program::ElementType from = program::ElementType::i32;  // of the inputs that are not preds
  program::ElementType to = program::ElementType::i32;
  std::array<Value, 3> in{};
  std::size_t inputs = 0;
  int out = 0;
  std::size_t steps = 1;  // that take as long to make machine code of
};

// A step that has no machine code: its function is called.
struct Call {
  std::size_t number = 0;  // in LoopGraph::calls
  std::vector<Range> reads, writes;
  std::vector<int> results;  // the slots in `writes`
};

// Elements of a window of an array at a moving place; StableHLO clamps each start.
struct WindowStart {
  Value value;
  program::ElementType type = program::ElementType::i32;
  std::int64_t most = 0;
  std::int64_t stride = 0;  // in bytes
};
struct Window {
  bool is_update = false;
  Range array;
  Kind kind = Kind::word;
  std::vector<WindowStart> starts;
  std::vector<Value> elements;  // dense
};

// Blocks are numbers in LoopGraph::blocks.
struct Loop {
  std::size_t condition = 0, body = 0;
  Value predicate;
  std::uint32_t op = 0;  // of the instruction
};
struct Branch {
  Value index;
  program::ElementType type = program::ElementType::i32;
  std::vector<std::size_t> blocks;
};

using Part = std::variant<Simple, Call, Window, Loop, Branch>;

struct Block {
  std::vector<Part> parts;
  std::uint64_t instructions = 0;  // that end in its own steps
  std::uint32_t op = 0;            // of its first step
};

// A step that is called, with the addresses of the launch.
struct Called {
  const BoundSteps* list = nullptr;
  std::size_t number = 0;
};

struct LoopGraph {
  std::vector<Slot> slots;
  std::vector<Block> blocks;
  std::vector<Called> calls;
  std::vector<Range> outputs;  // what the program reads after the loop
  Loop loop;
  std::size_t simple_steps = 0;
};

}  // namespace understudy::worker::ops::machine
