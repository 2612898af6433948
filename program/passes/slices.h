// SPDX-License-Identifier: Apache-2.0
// The arrays behind slices that are used in place. A value; thread-compatible.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "program/passes/draft.h"

namespace understudy::program::passes {

// Which array a slice is part of, for passes that walk over code in order: every access to a slice
// is one to its array.
class SliceArrays {
 public:
  // Remembers the array of a LocateSlice; nothing for other work.
  void note(const Instruction& instruction) {
    if (!std::holds_alternative<LocateSlice>(instruction.work)) return;
    // A slice of a slice is part of the same array.
    arrays_[instruction.outputs[0].at.index] = whole_of(array_of(instruction.inputs[0].at));
  }
  // The array of a slice; every other buffer is returned as it is. *Requires*: noted before.
  Buffer array_of(const Buffer& buffer) const {
    return buffer.space == Space::slice ? arrays_.at(buffer.index) : buffer;
  }

 private:
  std::unordered_map<std::uint32_t, Buffer> arrays_;
};

}  // namespace understudy::program::passes
