// SPDX-License-Identifier: Apache-2.0
// Which instructions run together as one Fused loop: the first half of the pass fuse.cc. Plain
// values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// The space of a fused loop. columns == 0: a flat run of `rows` elements, not divided yet.
// divisible: any divisor of `columns` will do as well. whole: a flat run that is all elements of a
// loop, never one for each row.
struct LoopSpace {
  std::int64_t rows = 0, columns = 0;
  bool divisible = false, whole = false;
  std::int64_t elements() const { return columns == 0 ? rows : rows * columns; }
  bool operator==(const LoopSpace&) const = default;
};

// The space in which an instruction could be a step; nullopt where it cannot.
std::optional<LoopSpace> loop_space_of(const Instruction& instruction);

// How an operand of a step follows the loop. `columns`: each tile reads it at other places than its
// own. `apart`: each tile writes elements of an output that are some elements apart.
enum class Follows : std::uint8_t { loop, columns, nothing, apart, end };
// Of input `index` of an instruction with a loop space. `loop`: like the output, or one per row.
Follows follows(const Instruction& instruction, std::size_t index);
// Over dimensions of size 1, a Reduce combines the initial value with each element: the function;
// nullopt for any other.
std::optional<BinaryOp> combining_function(const Instruction& instruction);
// The space of a Reduce with a kernel.
std::optional<LoopSpace> reduction_space(const Instruction& instruction);
// Into how many blocks a Reduce with a space divides the rows of its loop, each of which becomes
// one row; nullopt where it reduces along rows.
std::optional<std::int64_t> row_blocks(const Instruction& instruction);
// Of an output. `end`: complete only after several tiles, so that no step may read it.
Follows output_follows(const Instruction& instruction);

// A copy that repeats each element of its input (`false`: the whole input) along a new dimension.
bool is_row_spread(const StridedCopy& copy);
bool is_column_spread(const StridedCopy& copy);
// Such a StridedCopy of all of its input, which then follows the loop.
bool spreads_rows(const Instruction& copy);
bool spreads_columns(const Instruction& copy);
// A copy that writes_apart(), large enough to be a step of a loop.
bool is_apart(const Instruction& instruction);
// Whether a copy makes a dense array of rows of its input at regular places: repeated along some
// dimensions, or parts of longer rows (views.cc).
bool is_row_view(const Instruction& instruction);
// The space of a TakeElements whose lines are long enough.
std::optional<LoopSpace> take_space(const Instruction& instruction);
// The space of a Gather of whole rows by one number each, and the same work as elements at indices
// of a loop with that space, one index for each row.
std::optional<LoopSpace> row_gather_space(const Instruction& instruction);
TakeElements take_of_rows(const Instruction& gather, const LoopSpace& space);
// The same work with a last dimension of `columns` elements. *Requires*: they divide the present
// one, or the operand does not move along them.
TakeElements with_columns(const TakeElements& take, std::int64_t columns);
// The same copy with a last dimension of `columns` elements. *Requires*: they divide the present
// one.
StridedCopy with_columns(const StridedCopy& copy, std::int64_t columns);

// Instructions to run as one loop, at the place of the last one.
constexpr std::size_t kMostMembers = 256;
struct FusionGroup {
  std::vector<std::size_t> members;  // positions in the list, ascending
  LoopSpace space;
};

// Whether a loop of one member is quicker than its kernel: those of f16 go through f32 in memory,
// and machine code counts bits by instructions that not every CPU has, rounds to bf16 in fewer, and
// reads functions of bf16 from tables.
bool is_quick_alone(const Instruction& instruction);

// The groups of one list, with at least two members each but for such. Members are moved down to
// the last one of their group; nothing in between depends on them. `bytes`: Draft::bytes.
std::vector<FusionGroup> fusion_groups(const Code& code, const std::vector<std::uint64_t>& bytes);

// One space that serves both, if there is one.
std::optional<LoopSpace> joined_space(const LoopSpace& a, const LoopSpace& b);

// Moves element-wise members whose results only one later group reads into that group, where less
// is read and written so (late_members.cc). *Requires*: the groups of `code`.
void move_to_readers(const Code& code, std::vector<FusionGroup>& groups);

// Makes a Join of the copies and fills that write one temporary, where steps of loops read it
// element by element (joins.cc).
void join_copies(Draft& draft);
// Makes copies to places apart of padding between the elements of what a loop computes
// (apart.cc).
void pad_by_copies(Draft& draft);
// Makes copies again of each Join that is in no loop.
void split_joins(Draft& draft);

// Gives each element-wise user of a filled constant a fill of its own (sink_constants.cc).
void sink_constants(Draft& draft);

// Makes steps of real and imaginary parts of those of complex<f32> that have such
// (complex_parts.cc). `values`: how many numbers of values are in use. Inputs of the loop may be
// added.
void split_complex(Fused& work, std::vector<Operand>& inputs, std::uint64_t& values);

// Makes one step of equal ones. Values of the tile are numbered, not placed.
void merge_equal_steps(Fused& work);

// Lets steps write outputs of the loop directly instead of values that are copied there
// (results.cc). Values are still numbered.
void write_results_directly(Fused& work, const std::vector<Operand>& inputs,
                            const std::vector<Operand>& outputs);

// Elements at indices that need no other such one come one after the other, behind what they need.
// *Requires*: as place_tile_values().
void group_takes(Fused& work, std::uint64_t values);

// The last part of building a loop: gives the values of the tile, whose operands hold their
// numbers below `values` as offsets, places in the tile, and sets frame_bytes (places.cc).
void place_tile_values(Fused& work, std::uint64_t values);

}  // namespace understudy::program::passes
