// SPDX-License-Identifier: Apache-2.0
// Compares chains over arguments with special values with the kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/program/kernels/samples.h"
#include "tests/worker/ops/fused/same_bits.h"

namespace understudy::worker {

struct ChainOutcome {
  std::vector<Bytes> results;
  ChainCompilation chains;
};

inline ChainOutcome outcome(const program::Executable& executable,
                            const program::kernels::KernelTable& kernels, std::size_t hot,
                            unsigned seed) {
  std::vector<Bytes> arguments;
  for (const program::TensorType& type : executable.arguments) {
    arguments.push_back(
        program::kernels::sample(type.element, static_cast<std::size_t>(type.elements()), seed++));
    arguments.back().resize(arguments.back().size() + kSlack);
  }
  OneChip chip(executable, kernels, Mxu::Make::portable);
  chip.execution.chains.hot_elements = hot;
  ChainOutcome found;
  found.results = chip.run(arguments);
  found.chains = chip.execution.chains;
  return found;
}

// The bits of the kernels on every instruction set, by steps and as machine code. Returns the
// number of chains that were compiled.
inline std::uint64_t check_chains(const std::string& text, unsigned seed) {
  const program::Executable plain = compiled(text, false);
  // Numbers stay operands of the chains.
  const program::Executable fused = compiled_without(text, {"sink-broadcasts"});
  const auto wanted = outcome(plain, program::kernels::select("portable"), SIZE_MAX, seed).results;
  std::uint64_t count = 0;
  for (const auto* kernels : program::kernels::available())
    for (const std::size_t hot : {std::size_t{0}, SIZE_MAX}) {
      const ChainOutcome got = outcome(fused, *kernels, hot, seed);
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_TRUE(got.results[i] == wanted[i]) << "result " << i << ", " << kernels->isa
                                                 << (hot == 0 ? ", machine code\n" : "\n") << text;
      if (hot == 0 && ops::has_machine_code(*kernels)) {
        EXPECT_EQ(got.chains.refused, 0U) << text;
        count += got.chains.compiled;
      }
      if (hot != 0) {
        EXPECT_EQ(got.chains.compiled, 0U);
      }
    }
  return count;
}

}  // namespace understudy::worker
