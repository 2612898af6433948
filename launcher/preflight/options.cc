// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <string>

#include "launcher/options/ranges.h"
#include "launcher/preflight/preflight.h"

namespace understudy::launcher {

void declare_choice(CLI::App& app, CompilerChoice& choice, bool with_files) {
  app.add_option("--libtpu", choice.libtpu,
                 "libtpu.so to ask (TPU_LIBRARY_PATH, else an installed wheel)")
      ->type_name("PATH");
  app.add_option("--compile-timeout", choice.compile_timeout,
                 "time limit of one compile of the TPU compiler (600)")
      ->type_name("SECONDS")
      ->check(more_than_zero());
  app.add_option("--compile-memory", choice.memory_bytes,
                 "limit of the TPU compiler's memory in bytes (3/4 of the machine's)")
      ->type_name("N")
      ->check(at_least(1));
  app.add_option("--compiler-option", choice.settings,
                 "option of the TPU compiler for every program "
                 "(xla_tpu_scoped_vmem_limit_kib=16384); repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  if (!with_files) return;
  app.add_option("--dump", choice.dump,
                 "write the scheduled program (HLO proto) to FILE, and its table to FILE.json; of "
                 "several programs into the folder FILE")
      ->type_name("FILE");
  app.add_option("--libtpu-log", choice.log, "write all that the library prints to FILE")
      ->type_name("FILE");
}

}  // namespace understudy::launcher
