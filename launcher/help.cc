// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <oneapi/dnnl/dnnl_version.h>
#include <string>

#include "configs/base/version.h"
#include "launcher/command_line.h"
#include "launcher/pod/subprocess.h"
#include "launcher/process/environment.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

constexpr std::string_view kEnvironment = R"(Environment:
  UNDERSTUDY_ISA    instruction set of the vector kernels: portable, avx2 or avx512
  NO_COLOR          no colours, where it is not empty
  XDG_CONFIG_HOME   profiles of your own lie in understudy/profiles/ below it
  XDG_CACHE_HOME    the compile cache lies in understudy/ below it
  XDG_STATE_HOME    receipts lie in understudy/receipts/ below it
  TMPDIR            run folders lie below it while a run lasts
  UNDERSTUDY_RECEIPT_KEEP_NEWEST, UNDERSTUDY_RECEIPT_KEEP_DAYS
                    of the receipts below XDG_STATE_HOME a run removes those that are beyond both
                    the newest so many (1000) and so many days (30)

Exit codes:
  0 done and proved   1 a comparison failed   2 usage, program or array is wrong
  3 chips disagree    4 a peer was lost       5 out of emulated memory
  70 internal error   71 the machine refused, or output could not be written
  129, 130, 143 interrupted   141 the reader of the output left)";

// "mpirun (Open MPI) 4.1.4" is the first line of what mpirun says about itself.
std::string mpi_version(const Environment& environment) {
  const std::string mpirun = find_program(environment.search_path, "mpirun");
  if (mpirun.empty()) return "none found (no mpirun in PATH)";
  const Finished finished = run_to_end({mpirun, "--version"}, Seconds(10));
  std::string line = finished.output.substr(0, finished.output.find('\n'));
  constexpr std::string_view kPrefix = "mpirun (";
  if (line.starts_with(kPrefix)) {
    line.erase(0, kPrefix.size());
    if (const std::size_t close = line.find(')'); close != std::string::npos) line.erase(close, 1);
  }
  return line.empty() ? "unknown" : fmt::format("{} ({})", line, mpirun);
}

}  // namespace

std::string help_text() {
  std::string text =
      "understudy rehearses programs for TPU pods on ordinary machines: one worker process per\n"
      "emulated chip, started by mpirun.\n\n"
      "Usage: understudy VERB [OPTION...]\n\nVerbs:\n";
  for (const Verb& verb : verbs()) text += fmt::format("  {:<14} {}\n", verb.name, verb.summary);
  text +=
      "\nOptions:\n"
      "  -h, --help     print this and stop; understudy VERB --help explains a verb\n"
      "  --version      print versions and stop\n"
      "  -v, --verbose  say more\n"
      "  -q, --quiet    say only what went wrong\n\n";
  text += kEnvironment;
  text += fmt::format("\n\nExample:\n  {}", verbs().front().example);
  return text;
}

std::string version_text(const Environment& environment) {
  std::string isas;
  for (const program::kernels::KernelTable* table : program::kernels::available())
    isas += fmt::format("{}{}", isas.empty() ? "" : ", ", table->isa);
  return fmt::format(
      "understudy {} (revision {})\nMPI: {}\ninstruction set: {} (available: {})\noneDNN: {}.{}.{}",
      version(), revision(), mpi_version(environment),
      program::kernels::select(environment.isa).isa, isas, DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR,
      DNNL_VERSION_PATCH);
}

}  // namespace understudy::launcher
