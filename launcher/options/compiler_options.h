// SPDX-License-Identifier: Apache-2.0
// Options of verbs that compile a program: passes that are switched off, and the folder that takes
// the code after each pass. Call from the main thread.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}
namespace understudy::program {
class Module;
struct CompileOptions;
}  // namespace understudy::program

namespace understudy::launcher {

struct CompilerOptions {
  std::vector<std::string> disabled_passes;
  bool poison = false;
  std::string dump_passes;  // folder; empty: no dump
};

void declare_compiler(CLI::App& app, CompilerOptions& options);

// Compiles once and writes the code after each pass to FOLDER/NN-PASS.txt, NN from 00 in the order
// of the passes. *Throws* Error{system} where a file cannot be written.
void dump_passes(const program::Module& module, program::CompileOptions options,
                 const std::string& folder);

}  // namespace understudy::launcher
