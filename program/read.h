// SPDX-License-Identifier: Apache-2.0
// The doors of the reader: source in, verified module out; module in, text out. Pure functions.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "program/ir/ir.h"
#include "program/ir/source.h"

namespace understudy::program {

// Reads StableHLO: text (pretty and generic forms), a portable artifact where the bytes begin as
// MLIR bytecode does, or a raw file of jax.export.Exported.serialize(), which embeds one. All give
// the same module. HLO text and protos (HloProto, HloModuleProto, HloSnapshot) are converted to
// StableHLO. Throws Error{input} at the first mistake and for a file that is something else,
// Error{unsupported} for bytecode that is no portable artifact or newer than the reader, and for
// HLO that has no equivalent.
std::unique_ptr<Module> parse(std::shared_ptr<const Source> source);

// Checks every operation against its rules (operand count and types, attributes, result types,
// regions, terminators), calls against functions. Throws Error{input} at the first violation.
void verify(const Module& module);

// One line "path:line:column: NAME: reason" for each operation understudy cannot run; empty if
// none. Private functions that nothing calls do not count.
struct Unsupported {
  Location location;
  std::string what;
  std::string advice = {};  // what to do instead; empty where nothing is known
};
std::vector<Unsupported> unsupported_operations(const Module& module);

// Text that parse() reads back to an equal module.
std::string print(const Module& module);

// Deep comparison but for locations, value names and module sources; empty if equal, else the first
// difference in words. For tests of round trips.
std::string first_difference(const Module& a, const Module& b);

// parse + verify: for programs that may still be settled or partitioned. Throws what they throw,
// and Error{input} for a file without a function.
std::unique_ptr<Module> read_verified(std::shared_ptr<const Source> source);
// Throws Error{unsupported} that lists all of unsupported_operations() in its notes.
void refuse_unsupported(const Module& module);
// Both.
std::unique_ptr<Module> read_program(std::shared_ptr<const Source> source);
std::unique_ptr<Module> read_program(const std::string& path);

}  // namespace understudy::program
