// SPDX-License-Identifier: Apache-2.0
// The form of code between lowering and planning: temporaries are numbered but not placed yet
// (Buffer{temporary, id, byte offset inside it}). Arguments, results, constants and frames are
// final. A value; thread-compatible. Equivalents: a HloModule after buffer naming, before
// xla::BufferAssignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::program::passes {

struct Draft {
  Code code;
  std::vector<std::uint64_t> bytes;  // of each temporary, by id
  std::vector<std::byte> constants;
  // Of the interface: arguments and results in host memory, ascending.
  std::vector<std::uint32_t> host_arguments = {}, host_results = {};
  std::vector<bool> in_host = {};  // of each temporary, by id; empty: none is
  Numerics numerics = Numerics::tpu;
  bool donates = false;  // some arguments give their memory to results
};

// A temporary that nothing uses yet, as an operand.
Operand new_temporary(Draft& draft, const TensorType& type);

// Appends bytes to the constants, on a cache line; returns their place.
std::uint64_t append_constant(Draft& draft, std::span<const std::byte> bytes);

// A new constant scalar whose bits are 0, as an operand.
Operand new_zero(Draft& draft, ElementType element);

// Removes the marked instructions of a list, in one pass. *Requires*: a mark for each.
void remove_marked(Code& code, const std::vector<bool>& marked);

// The same, with the instructions of `instead` before each place. *Requires*: a list for each.
void replace_marked(Code& code, std::vector<Code>& instead, const std::vector<bool>& marked);

enum class Access : std::uint8_t { read, write };

struct BufferHash {
  std::size_t operator()(const Buffer& buffer) const {
    const std::uint64_t name =
        std::uint64_t{buffer.index} << 3 | static_cast<std::uint64_t>(buffer.space);
    return std::hash<std::uint64_t>{}(name * 0x9e3779b97f4a7c15U ^ buffer.offset);
  }
};
// The whole buffer of an operand: two operands can overlap only if these are equal.
inline Buffer whole_of(const Buffer& buffer) { return {buffer.space, buffer.index, 0}; }

// Calls `visit` for each operand of an instruction, nested codes and bodies included: inputs first,
// then nested operands (a loop's condition, predicate, body), outputs last. The carried values of a
// While are visited as read and, last, as written; a visitor that may change operands sees them
// once, as written.
using OperandVisitor = std::function<void(Operand&, Access)>;
void visit_operands(Instruction& instruction, const OperandVisitor& visit);
void visit_operands(const Instruction& instruction,
                    const std::function<void(const Operand&, Access)>& visit);

// The bodies (reducers, comparators, maps) of an instruction; nullptr where there is none.
std::vector<Body*> bodies_of(Instruction& instruction);
std::vector<const Body*> bodies_of(const Instruction& instruction);

// A copy of whole, equal-sized, dense buffers: what coalesce() may remove.
bool is_whole_copy(const Instruction& instruction);

// Element i of the output depends on element i of each input alone, so the output may share an
// input's buffer.
bool is_lane_by_lane(const Work& work);

// True where output `output` may take the very buffer of input `input`: element by element from
// equal places (or an update of it). Only a Fused has several outputs.
bool may_run_in_place(const Instruction& instruction, std::size_t input, std::size_t output = 0);

// Records which buffers a set of instructions read and write, and finds those that a later
// instruction depends on.
class Touched {
 public:
  using Owner = std::size_t;

  void add(const Instruction& instruction, Owner owner);
  // The owners of the instructions whose result `later` reads, or whose operand or result it
  // overwrites; unordered, possibly repeated. Forgets those accesses: each conflict is reported
  // once. The cost is the number of operands of `later` plus the size of the answer.
  std::vector<Owner> take_met_by(const Instruction& later);

 private:
  using Owners = std::unordered_map<Buffer, std::vector<Owner>, BufferHash>;
  Owners read_, written_;
};

// True if `later` reads a result of `earlier`, or overwrites an operand or result of it.
bool depends(const Instruction& later, const Instruction& earlier);

// Whether an instruction in [from, to) of a list writes to what a buffer is part of.
bool is_written(const Buffer& buffer, const Code& code, std::size_t from, std::size_t to);

// Collectives, transfers, checks, assertions, and what holds such.
bool holds_effect(const Instruction& instruction);

// ---- the passes; their order is in pass_list.cc ------------------------------------------------

// Removes instructions whose results are never read. Effects (collectives, transfers, checks,
// assertions) and the code that contains them stay.
void eliminate_dead_code(Draft& draft);

// Lets sorts keep only the first elements of each line where no others are read: selections.
void shorten_sorts(Draft& draft);

// Takes parts of arrays before the element-wise work of which nothing else is read.
void crop_early(Draft& draft);

// Convolves dilated inputs without their zeros.
void split_dilations(Draft& draft);

// Computes dots without sums as broadcasts and a multiplication.
void multiply_outer_products(Draft& draft);

// Broadcasts the results of element-wise work and of reductions instead of their operands.
void sink_broadcasts(Draft& draft);

// Computes element-wise work on small constants, and copies of them.
void fold_constants(Draft& draft);

// Rounds operands of dots that a loop does not change before it.
void round_invariants(Draft& draft);

// Leaves out integer arithmetic and selections that change nothing.
void simplify_algebra(Draft& draft);

// Removes instructions that compute what an earlier one has computed.
void merge_common_subexpressions(Draft& draft);

// Moves what a loop computes from unchanged values before the loop.
void hoist_invariants(Draft& draft);

// Makes transposes of the operands and results of dots part of them.
void fold_transposes(Draft& draft);

// Replaces a copy by its source where neither changes afterwards: what loops carry unchanged.
void forward_copies(Draft& draft);

// Makes additive scatters into zeros that are added to an array scatters onto that array.
void sink_scatters(Draft& draft);

// Makes copies of what only copies wrote copies from the sources of those.
void compose_copies(Draft& draft);

// Lets the producer of a copied value write where the copy would put it: results of the program,
// carried values of loops, results of branches.
void coalesce_copies(Draft& draft);

// Removes fills of arrays that a loop overwrites before anything reads them.
void remove_overwritten(Draft& draft);

// Combines small independent all_reduces into one instruction.
void combine_all_reduces(Draft& draft);

// Lets reductions in f32 read bf16 and f16 instead of copies in f32, which are then not made.
void widen_in_reductions(Draft& draft);

// Makes a row of repeated groups once, and repeats that.
void split_repeats(Draft& draft);

// Reduces a few columns of element-wise work on broadcasts column by column.
void unroll_reductions(Draft& draft);

// Fuses element-wise chains, broadcasts and reductions of rows into loops over tiles.
void fuse_elementwise(Draft& draft);

// Lets what is copied to a contiguous part of an array be computed there.
void place_pieces(Draft& draft);

// Splits collectives into an entry and an end, as far apart as dependences allow.
void overlap_collectives(Draft& draft);

// Lets instructions read slices, and write updates, where they lie in their arrays.
void locate_slices(Draft& draft);

// Whether the code, nested lists included, moves anything between chip and host.
bool moves_to_host(const Code& code);

// Finds the temporaries that lie in host memory: what moves there, and what is made of it without
// computing.
void find_host_memory(Draft& draft);

// Places temporaries by liveness and rewrites every operand. `poison`: adds an instruction at the
// end of each life that overwrites the temporary.
struct Scratch {
  std::uint64_t bytes = 0;       // in HBM
  std::uint64_t host_bytes = 0;  // in host memory
};
Scratch place_temporaries(Draft& draft, bool poison = false);

}  // namespace understudy::program::passes
