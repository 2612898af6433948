// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of executables. The
// names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct ExecutableDestroyArgs {  // slot 40
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
};
UNDERSTUDY_PJRT_SIZE(ExecutableDestroyArgs, executable, 24);

struct ExecutableNameArgs {  // slot 41
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  const char* executable_name;
  std::size_t executable_name_size;
};
UNDERSTUDY_PJRT_SIZE(ExecutableNameArgs, executable_name_size, 40);

struct ExecutableNumReplicasArgs {  // slot 42
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_replicas;
};
UNDERSTUDY_PJRT_SIZE(ExecutableNumReplicasArgs, num_replicas, 32);

struct ExecutableNumPartitionsArgs {  // slot 43
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_partitions;
};
UNDERSTUDY_PJRT_SIZE(ExecutableNumPartitionsArgs, num_partitions, 32);

struct ExecutableNumOutputsArgs {  // slot 44
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_outputs;
};
UNDERSTUDY_PJRT_SIZE(ExecutableNumOutputsArgs, num_outputs, 32);

struct ExecutableSizeOfGeneratedCodeInBytesArgs {  // slot 45
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::int64_t size_in_bytes;
};
UNDERSTUDY_PJRT_SIZE(ExecutableSizeOfGeneratedCodeInBytesArgs, size_in_bytes, 32);

struct ExecutableGetCostAnalysisArgs {  // slot 46
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_properties;
  const NamedValue* properties;
};
UNDERSTUDY_PJRT_SIZE(ExecutableGetCostAnalysisArgs, properties, 40);

struct ExecutableOutputMemoryKindsArgs {  // slot 47
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_outputs;
  const char* const* memory_kinds;
  const std::size_t* memory_kind_sizes;
};
UNDERSTUDY_PJRT_SIZE(ExecutableOutputMemoryKindsArgs, memory_kind_sizes, 48);

struct ExecutableOptimizedProgramArgs {  // slot 48
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  Program* program;
};
UNDERSTUDY_PJRT_SIZE(ExecutableOptimizedProgramArgs, program, 32);

struct ExecutableSerializeArgs {  // slot 49
  std::size_t struct_size;
  void* extension_start;
  const Executable* executable;
  const char* serialized_bytes;
  std::size_t serialized_bytes_size;
  SerializedBytes* serialized_executable;
  void (*serialized_executable_deleter)(SerializedBytes*);
};
UNDERSTUDY_PJRT_SIZE(ExecutableSerializeArgs, serialized_executable_deleter, 56);

struct LoadedExecutableDestroyArgs {  // slot 50
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableDestroyArgs, executable, 24);

struct LoadedExecutableGetExecutableArgs {  // slot 51
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* loaded_executable;
  Executable* executable;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableGetExecutableArgs, executable, 32);

struct LoadedExecutableAddressableDevicesArgs {  // slot 52
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  Device* const* addressable_devices;
  std::size_t num_addressable_devices;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableAddressableDevicesArgs, num_addressable_devices, 40);

struct LoadedExecutableDeleteArgs {  // slot 53
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableDeleteArgs, executable, 24);

struct LoadedExecutableIsDeletedArgs {  // slot 54
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  bool is_deleted;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableIsDeletedArgs, is_deleted, 25);

struct LoadedExecutableExecuteArgs {  // slot 55
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  ExecuteOptions* options;
  Buffer* const* const* argument_lists;
  std::size_t num_devices;
  std::size_t num_args;
  Buffer** const* output_lists;
  Event** device_complete_events;
  Device* execute_device;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableExecuteArgs, execute_device, 80);

struct ExecutableDeserializeAndLoadArgs {  // slot 56
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const char* serialized_executable;
  std::size_t serialized_executable_size;
  LoadedExecutable* loaded_executable;
  const char* overridden_serialized_compile_options;
  std::size_t overridden_serialized_compile_options_size;
};
UNDERSTUDY_PJRT_SIZE(ExecutableDeserializeAndLoadArgs, overridden_serialized_compile_options_size,
                     64);

struct LoadedExecutableFingerprintArgs {  // slot 57
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  const char* executable_fingerprint;
  std::size_t executable_fingerprint_size;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableFingerprintArgs, executable_fingerprint_size, 40);

struct ExecutableOutputElementTypesArgs {  // slot 90
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  BufferType* output_types;
  std::size_t num_output_types;
};
UNDERSTUDY_PJRT_SIZE(ExecutableOutputElementTypesArgs, num_output_types, 40);

struct ExecutableOutputDimensionsArgs {  // slot 91
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_outputs;
  const std::int64_t* dims;
  const std::size_t* dim_sizes;
};
UNDERSTUDY_PJRT_SIZE(ExecutableOutputDimensionsArgs, dim_sizes, 48);

struct ExecutableFingerprintArgs {  // slot 94
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  const char* executable_fingerprint;
  std::size_t executable_fingerprint_size;
};
UNDERSTUDY_PJRT_SIZE(ExecutableFingerprintArgs, executable_fingerprint_size, 40);

struct ExecutableGetCompiledMemoryStatsArgs {  // slot 96
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::int64_t generated_code_size_in_bytes;
  std::int64_t argument_size_in_bytes;
  std::int64_t output_size_in_bytes;
  std::int64_t alias_size_in_bytes;
  std::int64_t temp_size_in_bytes;
  std::int64_t host_generated_code_size_in_bytes;
  std::int64_t host_argument_size_in_bytes;
  std::int64_t host_output_size_in_bytes;
  std::int64_t host_alias_size_in_bytes;
  std::int64_t host_temp_size_in_bytes;
  std::int64_t peak_memory_in_bytes;
  std::int64_t total_size_in_bytes;
};
UNDERSTUDY_PJRT_SIZE(ExecutableGetCompiledMemoryStatsArgs, total_size_in_bytes, 120);

struct LoadedExecutableGetDeviceAssignmentArgs {  // slot 117
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  const char* serialized_bytes;
  std::size_t serialized_bytes_size;
  SerializedBytes* serialized_device_assignment;
  void (*serialized_device_assignment_deleter)(SerializedBytes*);
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableGetDeviceAssignmentArgs, serialized_device_assignment_deleter,
                     56);

struct ExecutableGetCompileOptionsArgs {  // slot 124
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  const char* serialized_bytes;
  std::size_t serialized_bytes_size;
  SerializedBytes* serialized_compile_options;
  void (*serialized_compile_options_deleter)(SerializedBytes*);
};
UNDERSTUDY_PJRT_SIZE(ExecutableGetCompileOptionsArgs, serialized_compile_options_deleter, 56);

struct LogicalDeviceId {
  int replica;
  int partition;
};
struct LoadedExecutableAddressableDeviceLogicalIdsArgs {  // slot 130, since 0.96
  std::size_t struct_size;
  void* extension_start;
  LoadedExecutable* executable;
  const LogicalDeviceId* addressable_device_logical_ids;
  std::size_t num_addressable_device_logical_ids;
};
UNDERSTUDY_PJRT_SIZE(LoadedExecutableAddressableDeviceLogicalIdsArgs,
                     num_addressable_device_logical_ids, 40);

struct ExecutableParameterMemoryKindsArgs {  // slot 134, since 0.102
  std::size_t struct_size;
  void* extension_start;
  Executable* executable;
  std::size_t num_parameters;
  const char* const* memory_kinds;
  const std::size_t* memory_kind_sizes;
};
UNDERSTUDY_PJRT_SIZE(ExecutableParameterMemoryKindsArgs, memory_kind_sizes, 48);

}  // namespace understudy::pjrt::abi
