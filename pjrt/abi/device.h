// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of devices and memories. The
// names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct DeviceDescriptionIdArgs {  // slot 23
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  int id;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionIdArgs, id, 28);

struct DeviceDescriptionProcessIndexArgs {  // slot 24
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  int process_index;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionProcessIndexArgs, process_index, 28);

struct DeviceDescriptionAttributesArgs {  // slot 25
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  std::size_t num_attributes;
  const NamedValue* attributes;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionAttributesArgs, attributes, 40);

struct DeviceDescriptionKindArgs {  // slot 26
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  const char* device_kind;
  std::size_t device_kind_size;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionKindArgs, device_kind_size, 40);

struct DeviceDescriptionDebugStringArgs {  // slot 27
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  const char* debug_string;
  std::size_t debug_string_size;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionDebugStringArgs, debug_string_size, 40);

struct DeviceDescriptionToStringArgs {  // slot 28
  std::size_t struct_size;
  void* extension_start;
  DeviceDescription* device_description;
  const char* to_string;
  std::size_t to_string_size;
};
UNDERSTUDY_PJRT_SIZE(DeviceDescriptionToStringArgs, to_string_size, 40);

struct DeviceGetDescriptionArgs {  // slot 29
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  DeviceDescription* device_description;
};
UNDERSTUDY_PJRT_SIZE(DeviceGetDescriptionArgs, device_description, 32);

struct DeviceIsAddressableArgs {  // slot 30
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  bool is_addressable;
};
UNDERSTUDY_PJRT_SIZE(DeviceIsAddressableArgs, is_addressable, 25);

struct DeviceLocalHardwareIdArgs {  // slot 31
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  int local_hardware_id;
};
UNDERSTUDY_PJRT_SIZE(DeviceLocalHardwareIdArgs, local_hardware_id, 28);

struct DeviceAddressableMemoriesArgs {  // slot 32
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  Memory* const* memories;
  std::size_t num_memories;
};
UNDERSTUDY_PJRT_SIZE(DeviceAddressableMemoriesArgs, num_memories, 40);

struct DeviceDefaultMemoryArgs {  // slot 33
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  Memory* memory;
};
UNDERSTUDY_PJRT_SIZE(DeviceDefaultMemoryArgs, memory, 32);

struct DeviceMemoryStatsArgs {  // slot 34
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  std::int64_t bytes_in_use;
  std::int64_t peak_bytes_in_use;
  bool peak_bytes_in_use_is_set;
  std::int64_t num_allocs;
  bool num_allocs_is_set;
  std::int64_t largest_alloc_size;
  bool largest_alloc_size_is_set;
  std::int64_t bytes_limit;
  bool bytes_limit_is_set;
  std::int64_t bytes_reserved;
  bool bytes_reserved_is_set;
  std::int64_t peak_bytes_reserved;
  bool peak_bytes_reserved_is_set;
  std::int64_t bytes_reservable_limit;
  bool bytes_reservable_limit_is_set;
  std::int64_t largest_free_block_bytes;
  bool largest_free_block_bytes_is_set;
  std::int64_t pool_bytes;
  bool pool_bytes_is_set;
  std::int64_t peak_pool_bytes;
  bool peak_pool_bytes_is_set;
};
UNDERSTUDY_PJRT_SIZE(DeviceMemoryStatsArgs, peak_pool_bytes_is_set, 185);

struct MemoryIdArgs {  // slot 35
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  int id;
};
UNDERSTUDY_PJRT_SIZE(MemoryIdArgs, id, 28);

struct MemoryKindArgs {  // slot 36
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  const char* kind;
  std::size_t kind_size;
};
UNDERSTUDY_PJRT_SIZE(MemoryKindArgs, kind_size, 40);

struct MemoryDebugStringArgs {  // slot 37
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  const char* debug_string;
  std::size_t debug_string_size;
};
UNDERSTUDY_PJRT_SIZE(MemoryDebugStringArgs, debug_string_size, 40);

struct MemoryToStringArgs {  // slot 38
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  const char* to_string;
  std::size_t to_string_size;
};
UNDERSTUDY_PJRT_SIZE(MemoryToStringArgs, to_string_size, 40);

struct MemoryAddressableByDevicesArgs {  // slot 39
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  Device* const* devices;
  std::size_t num_devices;
};
UNDERSTUDY_PJRT_SIZE(MemoryAddressableByDevicesArgs, num_devices, 40);

struct MemoryKindIdArgs {  // slot 97
  std::size_t struct_size;
  void* extension_start;
  Memory* memory;
  int kind_id;
};
UNDERSTUDY_PJRT_SIZE(MemoryKindIdArgs, kind_id, 28);

struct DeviceCreateAsyncTrackingEventArgs {  // slot 122
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  const char* description;
  std::size_t description_size;
  AsyncTrackingEvent* event;
};
UNDERSTUDY_PJRT_SIZE(DeviceCreateAsyncTrackingEventArgs, event, 48);

struct AsyncTrackingEventDestroyArgs {  // slot 123
  std::size_t struct_size;
  void* extension_start;
  AsyncTrackingEvent* event;
};
UNDERSTUDY_PJRT_SIZE(AsyncTrackingEventDestroyArgs, event, 24);

struct DeviceClearMemoryStatsArgs {  // slot 135, since 0.106
  std::size_t struct_size;
  void* extension_start;
  Device* device;
};
UNDERSTUDY_PJRT_SIZE(DeviceClearMemoryStatsArgs, device, 24);

struct DeviceGetAttributesArgs {  // slot 128, since 0.92
  std::size_t struct_size;
  void* extension_start;
  Device* device;
  const NamedValue* attributes;
  std::size_t num_attributes;
  void* device_attributes;
  void (*attributes_deleter)(void*);
};
UNDERSTUDY_PJRT_SIZE(DeviceGetAttributesArgs, attributes_deleter, 56);

}  // namespace understudy::pjrt::abi
