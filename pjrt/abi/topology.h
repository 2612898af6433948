// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of topologies and compilation without
// chips. The names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct TopologyDescriptionCreateArgs {  // slot 82
  std::size_t struct_size;
  void* extension_start;
  const char* topology_name;
  std::size_t topology_name_size;
  const NamedValue* create_options;
  std::size_t num_options;
  TopologyDescription* topology;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionCreateArgs, topology, 56);

struct TopologyDescriptionDestroyArgs {  // slot 83
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionDestroyArgs, topology, 24);

struct TopologyDescriptionPlatformNameArgs {  // slot 84
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  const char* platform_name;
  std::size_t platform_name_size;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionPlatformNameArgs, platform_name_size, 40);

struct TopologyDescriptionPlatformVersionArgs {  // slot 85
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  const char* platform_version;
  std::size_t platform_version_size;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionPlatformVersionArgs, platform_version_size, 40);

struct TopologyDescriptionGetDeviceDescriptionsArgs {  // slot 86
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  DeviceDescription* const* descriptions;
  std::size_t num_descriptions;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionGetDeviceDescriptionsArgs, num_descriptions, 40);

struct TopologyDescriptionSerializeArgs {  // slot 87
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  const char* serialized_bytes;
  std::size_t serialized_bytes_size;
  SerializedBytes* serialized_topology;
  void (*serialized_topology_deleter)(SerializedBytes*);
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionSerializeArgs, serialized_topology_deleter, 56);

struct TopologyDescriptionAttributesArgs {  // slot 88
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  const NamedValue* attributes;
  std::size_t num_attributes;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionAttributesArgs, num_attributes, 40);

struct CompileArgs {  // slot 89
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  const Program* program;
  const char* compile_options;
  std::size_t compile_options_size;
  Client* client;
  Executable* executable;
};
UNDERSTUDY_PJRT_SIZE(CompileArgs, executable, 64);

struct ClientTopologyDescriptionArgs {  // slot 95
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  TopologyDescription* topology;
};
UNDERSTUDY_PJRT_SIZE(ClientTopologyDescriptionArgs, topology, 32);

struct TopologyDescriptionDeserializeArgs {  // slot 114
  std::size_t struct_size;
  void* extension_start;
  const char* serialized_topology;
  std::size_t serialized_topology_size;
  TopologyDescription* topology;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionDeserializeArgs, topology, 40);

struct TopologyDescriptionFingerprintArgs {  // slot 133, since 0.101
  std::size_t struct_size;
  void* extension_start;
  TopologyDescription* topology;
  std::uint64_t fingerprint;
};
UNDERSTUDY_PJRT_SIZE(TopologyDescriptionFingerprintArgs, fingerprint, 32);

}  // namespace understudy::pjrt::abi
