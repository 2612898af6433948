// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/partition_report.h"

#include <filesystem>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/units.h"
#include "launcher/process/console.h"
#include "program/analysis/collective_list.h"
#include "program/analysis/metric_verdict.h"
#include "program/executable/listing.h"

namespace understudy::launcher {
namespace {

std::string suffix_of(std::string_view program) {
  return program.starts_with("ML\xefR") ? ".mlirbc" : ".mlir";
}

std::string text_of_collectives(const LoadedProgram& program,
                                const program::Executable& executable) {
  const auto uses =
      program::analysis::collectives_of(*program.module, program.interface, executable);
  const char* const what = program.partition ? "collectives that XLA inserted" : "collectives";
  std::string text =
      uses.empty()
          ? "no collectives\n"
          : fmt::format("{} (count, operand bytes on each chip, mesh axes, source):\n", what) +
                program::analysis::text_of(uses);
  std::uint64_t arguments = 0;
  for (const program::Parameter& one : program.interface.arguments)
    arguments += static_cast<std::uint64_t>(one.local.bytes());
  return text + fmt::format("HBM of each chip: {}, of that {} arguments\n",
                            bytes_text(executable.hbm_bytes()), bytes_text(arguments));
}

}  // namespace

std::string collectives_text(const LoadedProgram& program) {
  return text_of_collectives(program, program::compile(*program.module, program.options));
}

std::optional<configs::PartitionSeen> partition_seen(const LoadedProgram& program) {
  if (!program.partition) return std::nullopt;
  const PartitionNote& note = *program.partition;
  configs::PartitionSeen seen{
      note.shardy ? "shardy" : "gspmd", note.version, note.cached, note.seconds, {}, note.warnings};
  const program::Executable executable = program::compile(*program.module, program.options);
  for (program::analysis::CollectiveUse& use :
       program::analysis::collectives_of(*program.module, program.interface, executable))
    seen.collectives.push_back({use.kind, use.count, use.bytes, std::move(use.axes), use.group,
                                use.in_loop, text_of(program::place_of(use.place))});
  return seen;
}

std::vector<configs::MeshAxisPlace> mesh_of(const LoadedProgram& program,
                                            const configs::Slice& slice,
                                            const std::vector<std::int64_t>& device_order) {
  std::vector<configs::MeshAxis> axes;
  for (program::analysis::Axis& axis :
       program::analysis::axes_of(*program.module, program.interface))
    axes.push_back({std::move(axis.name), axis.size, std::move(axis.coordinate)});
  return configs::mesh_in_slice(axes, slice, device_order);
}

void tell_partition(const Console& console, const LoadedProgram& program, bool details) {
  if (!program.partition) return;
  const PartitionNote& note = *program.partition;
  console.remark(
      note.cached
          ? fmt::format("note: the program is global-view; its partitioned form for {} chips is "
                        "from the cache",
                        program.interface.processes())
          : fmt::format("note: the program is global-view; XLA (jaxlib {}) partitioned it for {} "
                        "chips in {:.2f} s",
                        note.version, program.interface.processes(), note.seconds));
  for (const std::string& warning : note.warnings)
    console.failure("understudy: warning: " + warning);
  if (!details) return;
  std::string text = collectives_text(program);
  while (text.ends_with('\n')) text.pop_back();
  console.remark(text);
}

// Everything that is needed to repeat the partitioning elsewhere: the program as given, the result,
// the warnings.
void dump_program(const std::string& folder, const LoadedProgram& program) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::system, fmt::format("--dump-passes: cannot create the folder {}: {}",
                                               folder, code.message()));
  const program::Executable executable = program::compile(*program.module, program.options);
  write_file_atomically(folder + "/program" + suffix_of(program.text), program.text);
  write_file_atomically(folder + "/collectives.txt", text_of_collectives(program, executable));
  write_file_atomically(folder + "/executable.txt", program::list(executable));
  if (!program.partition) return;
  const PartitionNote& note = *program.partition;
  write_file_atomically(folder + "/given" + suffix_of(note.given), note.given);
  std::string warnings;
  for (const std::string& warning : note.warnings) warnings += warning + "\n";
  write_file_atomically(folder + "/warnings.txt", warnings);
}

}  // namespace understudy::launcher
