// SPDX-License-Identifier: Apache-2.0
// Compares a program's loops as machine code with the same program run instruction by instruction,
// on the kernels of each instruction set of this machine.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "program/compile.h"
#include "program/executable/listing.h"
#include "program/kernels/kernels.h"
#include "program/read.h"
#include "tests/worker/one_chip.h"
#include "worker/ops/machine_code/machine_code.h"

namespace understudy::worker {

inline program::Executable compiled_program(const std::string& text) {
  const auto source = std::make_shared<const program::Source>("test.mlir", text);
  return program::compile(*program::parse(source), {});
}

struct MachineOutcome {
  std::vector<Bytes> results;
  std::uint64_t instructions = 0;
  bool operator==(const MachineOutcome&) const = default;
};

template <class Run>
MachineOutcome outcome_of(const program::Executable& executable,
                          const program::kernels::KernelTable& kernels, const Run& run) {
  OneChip chip(executable, kernels);
  configs::StatusCell status;
  chip.execution.status = &status;
  MachineOutcome outcome;
  outcome.results = run(chip);
  outcome.instructions = status.instructions;
  EXPECT_EQ(status.loops[0].op, 0U);
  EXPECT_EQ(status.loops[1].op, 0U);
  return outcome;
}

// `loops`: how many of them are machine code, where there is any; nullopt: any number.
inline void expect_same_bits(const program::Executable& executable,
                             const std::vector<Bytes>& arguments,
                             std::optional<std::size_t> loops) {
  for (const program::kernels::KernelTable* kernels : program::kernels::available()) {
    if (loops) {
      EXPECT_EQ(ops::bind(executable, *kernels).machine_loops,
                ops::makes_machine_code(*kernels) ? *loops : 0)
          << kernels->isa << "\n"
          << list(executable);
    }
    const MachineOutcome plain = outcome_of(
        executable, *kernels, [&](OneChip& chip) { return chip.run_plainly(arguments); });
    const MachineOutcome machine =
        outcome_of(executable, *kernels, [&](OneChip& chip) { return chip.run(arguments); });
    EXPECT_EQ(machine.instructions, plain.instructions);
    EXPECT_TRUE(machine == plain) << kernels->isa << "\n" << list(executable);
  }
}

// The bytes of numbers of any type, kSlack more, and the same for bit patterns.
template <class T>
Bytes argument_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T) + kSlack);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size() * sizeof(T));
  return bytes;
}

// Values at the edges of a type: signed zeros, denormals, infinities, NaNs with payloads and signs,
// both ends of integers, small numbers, and numbers at the edges of other types.
std::vector<std::uint64_t> special_patterns(program::ElementType type);
// One element each, as an argument.
Bytes patterns_argument(program::ElementType type, const std::vector<std::uint64_t>& patterns);

}  // namespace understudy::worker
