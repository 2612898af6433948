// SPDX-License-Identifier: Apache-2.0
// Questions about compiled programs, and their serialized form.
#include "pjrt/core/compile/executable.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "pjrt/abi/executable.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/compile/serialized_bytes.h"
#include "pjrt/core/loaded_executable.h"

namespace understudy::pjrt {
namespace {

void destroy(abi::ExecutableDestroyArgs& args) { delete args.executable; }
void name(abi::ExecutableNameArgs& args) {
  give_text(args.executable->compiled().name, args.executable_name, args.executable_name_size);
}
void num_replicas(abi::ExecutableNumReplicasArgs& args) {
  args.num_replicas = static_cast<std::size_t>(args.executable->compiled().replicas);
}
void num_partitions(abi::ExecutableNumPartitionsArgs& args) {
  args.num_partitions = static_cast<std::size_t>(args.executable->compiled().partitions);
}
void num_outputs(abi::ExecutableNumOutputsArgs& args) {
  args.num_outputs = args.executable->compiled().results.size();
}
// The archive is the code proper, the image holds constants: together what a chip is sent.
void code_size(abi::ExecutableSizeOfGeneratedCodeInBytesArgs& args) {
  const Compiled& compiled = args.executable->compiled();
  args.size_in_bytes = static_cast<std::int64_t>(compiled.archive.size() + compiled.image.size());
}
void cost_analysis(abi::ExecutableGetCostAnalysisArgs& args) {
  args.num_properties = args.executable->cost().size();
  args.properties = args.executable->cost().data();
}
void output_memory_kinds(abi::ExecutableOutputMemoryKindsArgs& args) {
  const TextList& kinds = args.executable->result_memories();
  args.num_outputs = kinds.texts.size();
  args.memory_kinds = kinds.texts.data();
  args.memory_kind_sizes = kinds.sizes.data();
}
void parameter_memory_kinds(abi::ExecutableParameterMemoryKindsArgs& args) {
  const TextList& kinds = args.executable->argument_memories();
  args.num_parameters = kinds.texts.size();
  args.memory_kinds = kinds.texts.data();
  args.memory_kind_sizes = kinds.sizes.data();
}
void output_element_types(abi::ExecutableOutputElementTypesArgs& args) {
  // The C API declares the field without const; callers only read it.
  args.output_types = const_cast<abi::BufferType*>(args.executable->result_types().data());
  args.num_output_types = args.executable->result_types().size();
}
void output_dimensions(abi::ExecutableOutputDimensionsArgs& args) {
  args.num_outputs = args.executable->result_ndims().size();
  args.dims = args.executable->result_dims().data();
  args.dim_sizes = args.executable->result_ndims().data();
}
void fingerprint(abi::ExecutableFingerprintArgs& args) {
  give_text(args.executable->compiled().fingerprint, args.executable_fingerprint,
            args.executable_fingerprint_size);
}

// Asked twice: for the size, then for the bytes.
void optimized_program(abi::ExecutableOptimizedProgramArgs& args) {
  const std::string& code = args.executable->chip_program();
  const std::string& format = args.executable->compiled().format;
  abi::Program& program = *args.program;
  program.format = format.data();
  program.format_size = format.size();
  if (program.code != nullptr)
    // At most what the caller made room for; the true size below tells it if that was too little.
    std::memcpy(program.code, code.data(), std::min(program.code_size, code.size()));
  program.code_size = code.size();
}

std::int64_t bytes_of(const std::vector<CompiledParameter>& parameters, bool host) {
  std::int64_t bytes = 0;
  for (const CompiledParameter& one : parameters)
    if ((one.memory != MemoryKind::device) == host) bytes += one.type.bytes();
  return bytes;
}

// Callers of other versions have shorter or longer structs: write what is there and no more.
void memory_stats(abi::ExecutableGetCompiledMemoryStatsArgs& args) {
  const Compiled& compiled = args.executable->compiled();
  args.generated_code_size_in_bytes = static_cast<std::int64_t>(compiled.image.size());
  args.argument_size_in_bytes = bytes_of(compiled.arguments, false);
  args.output_size_in_bytes = bytes_of(compiled.results, false);
  // Aliased bytes are part of the argument size and of the output size.
  args.alias_size_in_bytes = 0;
  for (const program::Donation& one : compiled.donations)
    args.alias_size_in_bytes += compiled.results[one.result].type.bytes();
  args.temp_size_in_bytes = static_cast<std::int64_t>(compiled.temporary_bytes);
  args.host_generated_code_size_in_bytes = 0;
  args.host_argument_size_in_bytes = bytes_of(compiled.arguments, true);
  args.host_output_size_in_bytes = bytes_of(compiled.results, true);
  args.host_alias_size_in_bytes = 0;
  args.host_temp_size_in_bytes = static_cast<std::int64_t>(compiled.host_temporary_bytes);
  if (UNDERSTUDY_PJRT_HAS(args, peak_memory_in_bytes))
    args.peak_memory_in_bytes = static_cast<std::int64_t>(compiled.hbm_bytes);
  if (UNDERSTUDY_PJRT_HAS(args, total_size_in_bytes))
    args.total_size_in_bytes = static_cast<std::int64_t>(compiled.hbm_bytes);
  // Fields of later versions: total_allocation, indefinite_allocations, peak_unpadded_heap.
  auto* const end = reinterpret_cast<char*>(&args) + sizeof args;
  if (args.struct_size > sizeof args) std::memset(end, 0, args.struct_size - sizeof args);
}

void serialize_executable(abi::ExecutableSerializeArgs& args) {
  give_bytes(serialize(args.executable->compiled()), args.serialized_bytes,
             args.serialized_bytes_size, args.serialized_executable,
             args.serialized_executable_deleter);
}
void compile_options(abi::ExecutableGetCompileOptionsArgs& args) {
  give_bytes(args.executable->compiled().options.bytes, args.serialized_bytes,
             args.serialized_bytes_size, args.serialized_compile_options,
             args.serialized_compile_options_deleter);
}

// The options given now have the device assignment of now; without one, that of then holds.
void deserialize_and_load(abi::ExecutableDeserializeAndLoadArgs& args) {
  CompiledRef compiled = deserialize({args.serialized_executable, args.serialized_executable_size});
  if (UNDERSTUDY_PJRT_HAS(args, overridden_serialized_compile_options_size) &&
      args.overridden_serialized_compile_options_size > 0) {
    Compiled changed = *compiled;
    changed.options = read_compile_options({args.overridden_serialized_compile_options,
                                            args.overridden_serialized_compile_options_size});
    if (changed.options.devices.empty()) changed.options = compiled->options;
    compiled = std::make_shared<const Compiled>(std::move(changed));
  }
  args.loaded_executable = new LoadedExecutable(*args.client, std::move(compiled));
}

}  // namespace

void add_executable(abi::Api& api) {
  using enum abi::Slot;
  set<destroy>(api, Executable_Destroy);
  set<name>(api, Executable_Name);
  set<num_replicas>(api, Executable_NumReplicas);
  set<num_partitions>(api, Executable_NumPartitions);
  set<num_outputs>(api, Executable_NumOutputs);
  set<code_size>(api, Executable_SizeOfGeneratedCodeInBytes);
  set<cost_analysis>(api, Executable_GetCostAnalysis);
  set<output_memory_kinds>(api, Executable_OutputMemoryKinds);
  set<parameter_memory_kinds>(api, Executable_ParameterMemoryKinds);
  set<output_element_types>(api, Executable_OutputElementTypes);
  set<output_dimensions>(api, Executable_OutputDimensions);
  set<fingerprint>(api, Executable_Fingerprint);
  set<optimized_program>(api, Executable_OptimizedProgram);
  set<memory_stats>(api, Executable_GetCompiledMemoryStats);
  set<serialize_executable>(api, Executable_Serialize);
  set<compile_options>(api, Executable_GetCompileOptions);
  set<deserialize_and_load>(api, Executable_DeserializeAndLoad);
}

}  // namespace understudy::pjrt
