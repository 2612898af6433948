// SPDX-License-Identifier: Apache-2.0
// What the passes between lowering and planning work on: code whose temporaries are numbered, not
// placed yet (Buffer{temporary, id, byte offset inside it}). Arguments, results, constants and
// frames are final. A value; thread-compatible. Equivalents: a HloModule after buffer naming,
// before xla::BufferAssignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::program::passes {

struct Draft {
  Code code;
  std::vector<std::uint64_t> bytes;  // of each temporary, by id
  std::vector<std::byte> constants;
};

enum class Access : std::uint8_t { read, write };

struct BufferHash {
  std::size_t operator()(const Buffer& buffer) const {
    const std::uint64_t name =
        std::uint64_t{buffer.index} << 3 | static_cast<std::uint64_t>(buffer.space);
    return std::hash<std::uint64_t>{}(name * 0x9e3779b97f4a7c15U ^ buffer.offset);
  }
};
// What two operands have in common that may meet: one buffer, at any offset.
inline Buffer whole_of(const Buffer& buffer) { return {buffer.space, buffer.index, 0}; }

// Calls `visit` for each operand of an instruction, nested codes and bodies included: inputs first,
// then what lies inside (a loop's condition, predicate, body), outputs last. The carried values of
// a While are seen as read and, last, as written.
using OperandVisitor = std::function<void(Operand&, Access)>;
void visit_operands(Instruction& instruction, const OperandVisitor& visit);
void visit_operands(const Instruction& instruction,
                    const std::function<void(const Operand&, Access)>& visit);

// The bodies (reducers, comparators, maps) of an instruction; nullptr where there is none.
std::vector<Body*> bodies_of(Instruction& instruction);
std::vector<const Body*> bodies_of(const Instruction& instruction);

// A copy of whole, equal-sized, dense buffers: what coalesce() may remove.
bool is_whole_copy(const Instruction& instruction);

// True where output 0 may take the very buffer of input `input`: element by element from equal
// places (or an update of it).
bool may_run_in_place(const Instruction& instruction, std::size_t input);

// Which buffers some instructions read and write, by whom; what comes later is asked whom it meets.
class Touched {
 public:
  using Owner = std::size_t;

  void add(const Instruction& instruction, Owner owner);
  // The owners of those instructions of which `later` looks at a result, or changes an operand or a
  // result; in no order, perhaps repeated. Forgets what they did to these buffers: they are done
  // with. Costs as much as `later` has operands and the answer has owners.
  std::vector<Owner> take_met_by(const Instruction& later);

 private:
  using Owners = std::unordered_map<Buffer, std::vector<Owner>, BufferHash>;
  Owners read_, written_;
};

// True where `later` looks at a result of `earlier`, or changes an operand or a result of it.
bool depends(const Instruction& later, const Instruction& earlier);

// Collectives, transfers, checks, assertions, and what holds such.
bool holds_effect(const Instruction& instruction);

// ---- the passes, in the order of compile.cc ---------------------------------------------------

// Removes instructions whose results nobody reads; what has effects (collectives, transfers,
// checks, assertions) and what holds it stays.
void eliminate_dead_code(Draft& draft);

// Lets the producer of a copied value write where the copy would put it: results of the program,
// carried values of loops, results of branches.
void coalesce_copies(Draft& draft);

// Makes one instruction of small all_reduces that do not wait for each other.
void combine_all_reduces(Draft& draft);

// Cuts collectives into an entry and an end, as far apart as what they touch allows.
void overlap_collectives(Draft& draft);

// Places temporaries by liveness and rewrites every operand; returns the bytes of the scratch.
std::uint64_t place_temporaries(Draft& draft);

}  // namespace understudy::program::passes
