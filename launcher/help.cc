// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <oneapi/dnnl/dnnl_version.h>
#include <string>

#include "configs/base/version.h"
#include "launcher/command_json.h"
#include "launcher/command_line.h"
#include "launcher/process/environment.h"
#include "launcher/process/subprocess.h"
#include "program/kernels/kernels.h"

namespace understudy::launcher {
namespace {

constexpr std::string_view kEnvironment = R"(Environment:
  UNDERSTUDY_ISA    instruction set of the vector kernels: portable, avx2 or avx512
  NO_COLOR          disables colours if it is set and not empty
  XDG_CONFIG_HOME   user profiles are read from understudy/profiles/ in this folder
  XDG_CACHE_HOME    the compile cache is understudy/ in this folder
  XDG_STATE_HOME    receipts are written to understudy/receipts/ in this folder
  TMPDIR            folder for temporary run folders
  UNDERSTUDY_RECEIPT_KEEP_NEWEST, UNDERSTUDY_RECEIPT_KEEP_DAYS
                    each run removes receipts from XDG_STATE_HOME that are neither among the
                    newest N (default 1000) nor younger than N days (default 30)

Exit codes:
  0   success                       1   a check or comparison failed
  2   invalid usage or input        3   hosts or chips disagree
  4   a rank was lost, or timeout   5   out of emulated memory
  70  internal error                71  system error, or output could not be written
  129, 130, 143  interrupted        141 the reader of the output closed the pipe)";

// The first line of `mpirun --version` is "mpirun (Open MPI) 4.1.4"; returns "Open MPI 4.1.4
// (path)".
std::string mpi_version(const Environment& environment) {
  const std::string mpirun = find_program(environment.search_path, "mpirun");
  if (mpirun.empty()) return "none found (no mpirun in PATH)";
  // A broken MPI installation may hang, so even this call has a time limit.
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
      "  -h, --help     print this help and exit; understudy VERB --help explains a verb\n"
      "  --version      print version information and exit\n"
      "  -v, --verbose  print more messages\n"
      "  -q, --quiet    print only errors and warnings, and what was asked for\n"
      "  --json         print one JSON document, also for errors (docs/formats.md)\n\n";
  text += kEnvironment;
  text += fmt::format("\n\nExample:\n  {}", verbs().front().example);
  return text;
}

configs::VersionDocument version_document(const Environment& environment) {
  configs::VersionDocument document;
  document.version = version();
  document.revision = revision();
  document.mpi = mpi_version(environment);
  document.isa = program::kernels::select(environment.isa).isa;
  for (const program::kernels::KernelTable* table : program::kernels::available())
    document.available_isas.emplace_back(table->isa);
  document.onednn =
      fmt::format("{}.{}.{}", DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH);
  return document;
}

std::string version_text(const Environment& environment) {
  const configs::VersionDocument seen = version_document(environment);
  return fmt::format(
      "understudy {} (revision {})\nMPI: {}\ninstruction set: {} (available: {})\noneDNN: {}",
      seen.version, seen.revision, seen.mpi, seen.isa, fmt::join(seen.available_isas, ", "),
      seen.onednn);
}

}  // namespace understudy::launcher
