// SPDX-License-Identifier: Apache-2.0
#include "launcher/options/compiler_options.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/compile.h"
#include "program/passes/pass_list.h"

namespace understudy::launcher {

void declare_compiler(CLI::App& app, CompilerOptions& options) {
  std::vector<std::string_view> names;
  for (const auto& row : program::passes::pass_list()) names.push_back(row.name);
  app.add_option("--disable-pass", options.disabled_passes,
                 fmt::format("compile without this pass; repeatable: {}", fmt::join(names, ", ")))
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option(
         "--dump-passes", options.dump_passes,
         "write the program that the chips run, its collectives, and the code after each pass")
      ->type_name("DIR");
}

void dump_passes(const program::Module& module, program::CompileOptions options,
                 const std::string& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::system, fmt::format("--dump-passes: {}: {}", folder, code.message()));
  int number = 0;
  options.after_pass = [&](std::string_view pass, const std::string& listing) {
    write_file_atomically(fmt::format("{}/{:02}-{}.txt", folder, number++, pass), listing);
  };
  // The result is not used: the compile is repeated for its listings.
  program::compile(module, options);
}

}  // namespace understudy::launcher
