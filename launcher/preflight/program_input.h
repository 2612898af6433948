// SPDX-License-Identifier: Apache-2.0
// A program of a pre-flight as understudy reads it, and as the compiler gets it. Call from the main
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "launcher/options/run_options.h"
#include "launcher/preflight/compare_collectives.h"
#include "program/executable/memory_plan.h"

namespace understudy::launcher {

// What understudy makes of the program.
struct OurView {
  std::string digest;
  program::MemoryPlan memory;  // of one chip
  CollectiveSide collectives;
  // Of a global-view program: what the partitioner inserted, by kind.
  std::optional<std::map<std::string, std::int64_t>> partitioner;
};

struct ProgramInput {
  std::string path;
  std::string bytes, format;  // for the compiler: "mlir" or "hlo"
  std::string text;           // of the user's file, for source lines; empty: it is binary
  std::int64_t replicas = 1, partitions = 1;
  std::vector<std::int64_t> device_order;  // rank of each process; empty: its own number
  bool shardy = true;
  std::vector<bool> propagate_to_parameters, propagate_to_output;
  std::optional<OurView> ours;     // nullopt: understudy cannot run it
  std::vector<std::string> notes;  // why
  std::int64_t processes() const { return replicas * partitions; }
};

// *Throws* Error{input} for a file that cannot be read; a program that understudy cannot run is
// still given to the compiler.
ProgramInput read_input(const RunOptions& options);

}  // namespace understudy::launcher
