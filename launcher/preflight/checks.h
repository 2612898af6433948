// SPDX-License-Identifier: Apache-2.0
// The single checks of a pre-flight: flags, topology, one program. Each fills its part of the
// document; an error of the compiler's process is said there, and the next check goes on. Call from
// the main thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/launch/topology.h"
#include "configs/receipt/preflight/preflight.h"
#include "launcher/options/run_options.h"
#include "launcher/preflight/compiler.h"

namespace understudy::launcher {

// Options of the compiler for one program: name and value.
using CompilerSettings = std::vector<std::pair<std::string, std::string>>;

struct FlagCheck {
  std::vector<configs::PreflightFlag> flags;
  CompilerFlags accepted;  // for the compiles
  CompilerSettings accepted_settings;
};
// First all flags together; one by one only if the library refuses some.
FlagCheck check_flags(TpuCompiler& compiler, const CompilerFlags& flags,
                      const CompilerSettings& settings);

// A topology of the library, and its device of each rank of the slice, slice after slice.
struct TopologySeen {
  configs::CompilerRequest request;  // the parts that choose the topology
  configs::CompilerAnswer answer;
  std::vector<std::int64_t> devices;
};
// `slices`: how many of them are joined. *Throws* the errors of the compiler's process; a refusal
// is in the answer.
TopologySeen topology_of(TpuCompiler& compiler, const configs::Slice& slice, std::int64_t slices);
// Does not throw: a compiler that fails gives the status "not checked".
configs::PreflightTopology check_topology(TpuCompiler& compiler, const configs::Slice& slice,
                                          std::int64_t slices);
// Pure: what differs from the launch contract, each with its reason where it is known.
std::vector<configs::PreflightDifference> differences_of(const configs::Slice& slice,
                                                         std::int64_t slices,
                                                         const configs::CompilerAnswer& answer);

// One program of a pre-flight.
struct ProgramCase {
  std::string name;
  RunOptions options;  // `program` and everything that settles it
};
struct ProgramSeen {
  configs::PreflightProgram program;
  std::string scheduled;  // HloModuleProto; empty: none
};
// Does not throw: a program that cannot be read or compiled has the status and words of its
// failure.
ProgramSeen check_program(TpuCompiler& compiler, const ProgramCase& one,
                          const configs::Slice& slice, std::int64_t slices,
                          const CompilerSettings& settings);

}  // namespace understudy::launcher
