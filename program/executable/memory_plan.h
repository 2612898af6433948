// SPDX-License-Identifier: Apache-2.0
// What one launch of an executable needs of a chip's memory, known before it runs, and the image of
// its code that a chip holds in HBM beside its data. Pure functions. Equivalents:
// xla::CompiledMemoryStats, the sections of a TPU program in HBM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/executable/executable.h"

namespace understudy::program {

// In bytes. Sums saturate: shapes of a program may add up to more than 64 bits.
struct MemoryPlan {
  std::uint64_t arguments = 0, results = 0;
  std::uint64_t temporaries = 0;
  std::uint64_t constants = 0;
  std::uint64_t instructions = 0;  // of their image
  // Of the temporaries, those that only code in branches and loops writes: a launch that takes
  // another branch leaves them untouched.
  std::uint64_t conditional = 0;
  std::uint64_t donated = 0;  // of results that reuse the memory of arguments
  std::uint64_t host = 0;     // arguments, results and temporaries in host memory, in no other sum
  // Arguments, results, code, temporaries in HBM: each is allocated once.
  std::uint64_t regions = 0;

  std::uint64_t code() const;  // constants + instructions
  std::uint64_t hbm() const;   // the peak
};
MemoryPlan memory_plan(const Executable& executable);

// What is in HBM for a loaded executable: its constants (Space::constant starts here), then each
// instruction with its operands and attributes. The size is plan.code().
std::vector<std::byte> image_of(const Executable& executable);

// The bytes of the instructions in the image.
std::uint64_t instruction_bytes(const Code& code);

}  // namespace understudy::program
