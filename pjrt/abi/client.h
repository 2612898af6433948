// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of the client. The
// names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct ClientCreateArgs {  // slot 10
  std::size_t struct_size;
  void* extension_start;
  const NamedValue* create_options;
  std::size_t num_options;
  KeyValueGet kv_get_callback;
  void* kv_get_user_arg;
  KeyValuePut kv_put_callback;
  void* kv_put_user_arg;
  Client* client;
  KeyValueTryGet kv_try_get_callback;
  void* kv_try_get_user_arg;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateArgs, kv_try_get_user_arg, 88);

struct ClientDestroyArgs {  // slot 11
  std::size_t struct_size;
  void* extension_start;
  Client* client;
};
UNDERSTUDY_PJRT_SIZE(ClientDestroyArgs, client, 24);

struct ClientPlatformNameArgs {  // slot 12
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const char* platform_name;
  std::size_t platform_name_size;
};
UNDERSTUDY_PJRT_SIZE(ClientPlatformNameArgs, platform_name_size, 40);

struct ClientProcessIndexArgs {  // slot 13
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  int process_index;
};
UNDERSTUDY_PJRT_SIZE(ClientProcessIndexArgs, process_index, 28);

struct ClientPlatformVersionArgs {  // slot 14
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const char* platform_version;
  std::size_t platform_version_size;
};
UNDERSTUDY_PJRT_SIZE(ClientPlatformVersionArgs, platform_version_size, 40);

struct ClientDevicesArgs {  // slot 15
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  Device* const* devices;
  std::size_t num_devices;
};
UNDERSTUDY_PJRT_SIZE(ClientDevicesArgs, num_devices, 40);

struct ClientAddressableDevicesArgs {  // slot 16
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  Device* const* addressable_devices;
  std::size_t num_addressable_devices;
};
UNDERSTUDY_PJRT_SIZE(ClientAddressableDevicesArgs, num_addressable_devices, 40);

struct ClientLookupDeviceArgs {  // slot 17
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  int id;
  Device* device;
};
UNDERSTUDY_PJRT_SIZE(ClientLookupDeviceArgs, device, 40);

struct ClientLookupAddressableDeviceArgs {  // slot 18
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  int local_hardware_id;
  Device* addressable_device;
};
UNDERSTUDY_PJRT_SIZE(ClientLookupAddressableDeviceArgs, addressable_device, 40);

struct ClientAddressableMemoriesArgs {  // slot 19
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  Memory* const* addressable_memories;
  std::size_t num_addressable_memories;
};
UNDERSTUDY_PJRT_SIZE(ClientAddressableMemoriesArgs, num_addressable_memories, 40);

struct ClientCompileArgs {  // slot 20
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const Program* program;
  const char* compile_options;
  std::size_t compile_options_size;
  LoadedExecutable* executable;
};
UNDERSTUDY_PJRT_SIZE(ClientCompileArgs, executable, 56);

struct ClientDefaultDeviceAssignmentArgs {  // slot 21
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  int num_replicas;
  int num_partitions;
  std::size_t default_assignment_size;
  int* default_assignment;
};
UNDERSTUDY_PJRT_SIZE(ClientDefaultDeviceAssignmentArgs, default_assignment, 48);

struct ClientBufferFromHostBufferArgs {  // slot 22
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const void* data;
  BufferType type;
  const std::int64_t* dims;
  std::size_t num_dims;
  const std::int64_t* byte_strides;
  std::size_t num_byte_strides;
  HostBufferSemantics host_buffer_semantics;
  Device* device;
  Memory* memory;
  MemoryLayout* device_layout;
  Event* done_with_host_buffer;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(ClientBufferFromHostBufferArgs, buffer, 120);

struct ClientCreateViewOfDeviceBufferArgs {  // slot 93
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  void* device_buffer_ptr;
  const std::int64_t* dims;
  std::size_t num_dims;
  BufferType element_type;
  MemoryLayout* layout;
  Device* device;
  void (*on_delete_callback)(void*, void*);
  void* on_delete_callback_arg;
  std::intptr_t stream;
  Buffer* buffer;
  Memory* memory;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateViewOfDeviceBufferArgs, memory, 112);

struct ClientCreateBuffersForAsyncHostToDeviceArgs {  // slot 103
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  ShapeSpec* shape_specs;
  std::size_t num_shape_specs;
  MemoryLayout** device_layouts;
  std::size_t num_device_layouts;
  Memory* memory;
  AsyncTransfer* transfer_manager;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateBuffersForAsyncHostToDeviceArgs, transfer_manager, 72);

struct ClientDmaMapArgs {  // slot 110
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  void* data;
  std::size_t size;
};
UNDERSTUDY_PJRT_SIZE(ClientDmaMapArgs, size, 40);

struct ClientDmaUnmapArgs {  // slot 111
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  void* data;
};
UNDERSTUDY_PJRT_SIZE(ClientDmaUnmapArgs, data, 32);

struct ClientCreateUninitializedBufferArgs {  // slot 112
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  const std::int64_t* shape_dims;
  std::size_t shape_num_dims;
  BufferType shape_element_type;
  MemoryLayout* shape_layout;
  Device* device;
  Memory* memory;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateUninitializedBufferArgs, buffer, 80);

struct ClientUpdateGlobalProcessInfoArgs {  // slot 113
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  ProcessInfo* process_infos;
  std::size_t num_process_infos;
};
UNDERSTUDY_PJRT_SIZE(ClientUpdateGlobalProcessInfoArgs, num_process_infos, 40);

struct ClientCreateAliasBufferArgs {  // slot 115
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  Memory* memory;
  const std::int64_t* shape_dims;
  std::size_t shape_num_dims;
  BufferType shape_element_type;
  MemoryLayout* shape_layout;
  Buffer* alias_buffer;
  AliasFulfilment* fulfill_alias_buffer_cb;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateAliasBufferArgs, fulfill_alias_buffer_cb, 80);

struct ClientFulfillAliasBufferArgs {  // slot 116
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  Buffer* buffer;
  ErrorCode status_code;
  const char* error_message;
  std::size_t error_message_size;
  AliasFulfilment* fulfill_alias_buffer_cb;
};
UNDERSTUDY_PJRT_SIZE(ClientFulfillAliasBufferArgs, fulfill_alias_buffer_cb, 64);

struct ClientCreateErrorBufferArgs {  // slot 118
  std::size_t struct_size;
  void* extension_start;
  Client* client;
  ErrorCode error_code;
  const char* error_message;
  std::size_t error_message_size;
  const std::int64_t* shape_dims;
  std::size_t shape_num_dims;
  BufferType shape_element_type;
  MemoryLayout* shape_layout;
  Memory* memory;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(ClientCreateErrorBufferArgs, buffer, 96);

}  // namespace understudy::pjrt::abi
