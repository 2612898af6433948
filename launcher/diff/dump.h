// SPDX-License-Identifier: Apache-2.0
// One side of a comparison: a program file, or a folder that XLA dumped into (--xla_dump_to).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir/source.h"

namespace understudy::launcher {

// module_0029.jit_step.0001.spmd-partitioner.after_spmd-partitioning.before_cse.txt is stage
// "spmd-partitioner.after_spmd-partitioning.before_cse" of module "jit_step". Numbers are left out,
// as they depend on what else a process compiled.
struct DumpName {
  std::string module, stage;
  int number = -1;  // of the pass: the order of stages; before_optimizations is -1
  bool is_proto = false;
  bool is_flags = false;  // .debug_options
};
// False where the name is none that XLA gives to HLO or to its options.
bool parse_dump_name(std::string_view file_name, DumpName& out);

// One stage of one module. Modules of one name are told apart by their order.
struct DumpStage {
  std::string module, stage;
  int number = -1;
  std::string text_path, proto_path;  // empty: there is none
  // The proto where `proto` is set and there is one: it has all constants.
  const std::string& path(bool proto) const;
};

struct Side {
  std::string path;
  bool is_folder = false;
  std::vector<DumpStage> stages;  // of a file one, without names
  // By module: flags that are not at their default, but for those that say where to dump.
  std::map<std::string, std::map<std::string, std::string>> flags;
};

// Throws Error{input} for a missing path or a folder without HLO.
Side read_side(const std::string& path);

// "key: value" lines of a DebugOptions message as text; a repeated key has all its values.
std::map<std::string, std::string> flags_in(std::string_view text);

}  // namespace understudy::launcher
