// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of buffers. The
// names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct BufferDestroyArgs {  // slot 58
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferDestroyArgs, buffer, 24);

struct BufferElementTypeArgs {  // slot 59
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  BufferType type;
};
UNDERSTUDY_PJRT_SIZE(BufferElementTypeArgs, type, 28);

struct BufferDimensionsArgs {  // slot 60
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  const std::int64_t* dims;
  std::size_t num_dims;
};
UNDERSTUDY_PJRT_SIZE(BufferDimensionsArgs, num_dims, 40);

struct BufferUnpaddedDimensionsArgs {  // slot 61
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  const std::int64_t* unpadded_dims;
  std::size_t num_dims;
};
UNDERSTUDY_PJRT_SIZE(BufferUnpaddedDimensionsArgs, num_dims, 40);

struct BufferDynamicDimensionIndicesArgs {  // slot 62
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  const std::size_t* dynamic_dim_indices;
  std::size_t num_dynamic_dims;
};
UNDERSTUDY_PJRT_SIZE(BufferDynamicDimensionIndicesArgs, num_dynamic_dims, 40);

struct BufferGetMemoryLayoutArgs {  // slot 63
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  MemoryLayout layout;
};
UNDERSTUDY_PJRT_SIZE(BufferGetMemoryLayoutArgs, layout, 104);

struct BufferOnDeviceSizeInBytesArgs {  // slot 64
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  std::size_t on_device_size_in_bytes;
};
UNDERSTUDY_PJRT_SIZE(BufferOnDeviceSizeInBytesArgs, on_device_size_in_bytes, 32);

struct BufferDeviceArgs {  // slot 65
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  Device* device;
};
UNDERSTUDY_PJRT_SIZE(BufferDeviceArgs, device, 32);

struct BufferMemoryArgs {  // slot 66
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  Memory* memory;
};
UNDERSTUDY_PJRT_SIZE(BufferMemoryArgs, memory, 32);

struct BufferDeleteArgs {  // slot 67
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferDeleteArgs, buffer, 24);

struct BufferIsDeletedArgs {  // slot 68
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  bool is_deleted;
};
UNDERSTUDY_PJRT_SIZE(BufferIsDeletedArgs, is_deleted, 25);

struct BufferCopyToDeviceArgs {  // slot 69
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  Device* dst_device;
  Buffer* dst_buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferCopyToDeviceArgs, dst_buffer, 40);

struct BufferToHostBufferArgs {  // slot 70
  std::size_t struct_size;
  void* extension_start;
  Buffer* src;
  MemoryLayout* host_layout;
  void* dst;
  std::size_t dst_size;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(BufferToHostBufferArgs, event, 56);

struct BufferIsOnCpuArgs {  // slot 71
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  bool is_on_cpu;
};
UNDERSTUDY_PJRT_SIZE(BufferIsOnCpuArgs, is_on_cpu, 25);

struct BufferReadyEventArgs {  // slot 72
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(BufferReadyEventArgs, event, 32);

struct BufferUnsafePointerArgs {  // slot 73
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  std::uintptr_t buffer_pointer;
};
UNDERSTUDY_PJRT_SIZE(BufferUnsafePointerArgs, buffer_pointer, 32);

struct BufferIncreaseExternalReferenceCountArgs {  // slot 74
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferIncreaseExternalReferenceCountArgs, buffer, 24);

struct BufferDecreaseExternalReferenceCountArgs {  // slot 75
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferDecreaseExternalReferenceCountArgs, buffer, 24);

struct BufferOpaqueDeviceMemoryDataPointerArgs {  // slot 76
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  void* device_memory_ptr;
};
UNDERSTUDY_PJRT_SIZE(BufferOpaqueDeviceMemoryDataPointerArgs, device_memory_ptr, 32);

struct BufferCopyToMemoryArgs {  // slot 92
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  Memory* dst_memory;
  Buffer* dst_buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferCopyToMemoryArgs, dst_buffer, 40);

struct BufferCopyRawToHostArgs {  // slot 100
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  void* dst;
  std::int64_t offset;
  std::int64_t transfer_size;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(BufferCopyRawToHostArgs, event, 56);

struct BufferCopyRawToHostFutureArgs {  // slot 120
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  std::int64_t offset;
  std::int64_t transfer_size;
  Event* event;
  void* callback_data;
  void (*future_ready_callback)(void*);
};
UNDERSTUDY_PJRT_SIZE(BufferCopyRawToHostFutureArgs, future_ready_callback, 64);

struct BufferDonateWithControlDependencyArgs {  // slot 125
  std::size_t struct_size;
  void* extension_start;
  Buffer* buffer;
  void* callback_data;
  void (*dependency_ready_callback)(void*);
  Buffer* out_buffer;
};
UNDERSTUDY_PJRT_SIZE(BufferDonateWithControlDependencyArgs, out_buffer, 48);

}  // namespace understudy::pjrt::abi
