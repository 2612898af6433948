// SPDX-License-Identifier: Apache-2.0
// Parts of values, and where else their elements are: in a piece of a concatenation, in what was
// padded, in an update. For passes that compute with parts only. Thread-compatible.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "program/passes/values.h"

namespace understudy::program::passes {

// The instructions of one list that write a temporary: their positions, ascending.
using Writers = std::unordered_map<std::uint32_t, std::vector<std::size_t>>;

// The elements that one instruction reads of an array.
struct Part {
  TensorType array, type;            // of the array as it is read, of the part
  StridedCopy copy;                  // in order
  std::vector<Operand> starts = {};  // of a dynamic slice, which has no copy
  bool is_dynamic = false;
};

// The smaller box of an array that a StridedCopy, whatever it makes of it, or a DynamicSlice reads
// in order; nullopt of others.
std::optional<Part> box_of(const Instruction& slice);

// Finds the parts of values of one list of instructions.
class PartFinder {
 public:
  PartFinder(Draft& draft, const Writes& writes, const Code& code, const Writers& writers)
      : draft_(draft), writes_(writes), code_(code), writers_(writers) {}

  // The part of `array`, which has the elements of part.array, for a reader at `position`; the
  // instruction that makes it, if one is needed, goes to the end of `to`. nullopt where the array
  // would be made for the part alone.
  std::optional<Operand> find(const Operand& array, const Part& part, std::size_t position,
                              std::uint32_t op, Code& to) const;

  // Whether it is read at `position` of this list, and later, as it is at the end of the list.
  bool stays(const Buffer& read, std::size_t position) const;
  // The instruction that alone writes a value which an operand reads whole, in this list.
  const Instruction* writer_of(const Operand& read) const;

 private:
  std::optional<Operand> find_dynamic(const Operand& array, const Part& part, std::uint32_t op,
                                      Code& to) const;
  const Instruction* piece_with(const Operand& array, const Part& part, std::size_t position,
                                StridedCopy& copy) const;
  std::size_t place_of(const Instruction& instruction) const {
    return static_cast<std::size_t>(&instruction - code_.data());
  }
  Operand read(const Operand& from, const StridedCopy& copy, const Part& part, std::uint32_t op,
               Code& to) const;

  Draft& draft_;
  const Writes& writes_;
  const Code& code_;
  const Writers& writers_;
};

}  // namespace understudy::program::passes
