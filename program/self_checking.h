// SPDX-License-Identifier: Apache-2.0
// Files of self-checking programs (StableHLO's check dialect): taken apart into what is run one by
// one. Lines that start with "// -----" separate modules. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/compile.h"
#include "program/ir/source.h"

namespace understudy::program {

struct SelfCheckingProgram {
  std::string text;   // of one module; blank lines in front keep the line numbers of the file
  std::string entry;  // the function to run: takes nothing, nobody calls it, checks something
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::int64_t processes() const { return replicas * partitions; }
};

// Throws Error{input} and Error{unsupported} where a module cannot be read, Error{unsupported}
// where the file checks nothing.
std::vector<SelfCheckingProgram> self_checking_programs(const Source& source);

// The modules of a text, each with its place kept.
std::vector<std::string> split_modules(std::string_view text);

}  // namespace understudy::program
