// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of chunked and asynchronous transfers
// to chips. The names of the fields are those of the API; the assertions guard offsets and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct CopyToDeviceStreamDestroyArgs {  // slot 77
  std::size_t struct_size;
  void* extension_start;
  CopyToDeviceStream* stream;
};
UNDERSTUDY_PJRT_SIZE(CopyToDeviceStreamDestroyArgs, stream, 24);

struct CopyToDeviceStreamAddChunkArgs {  // slot 78
  std::size_t struct_size;
  void* extension_start;
  CopyToDeviceStream* stream;
  Chunk* chunk;
  Event* transfer_complete;
};
UNDERSTUDY_PJRT_SIZE(CopyToDeviceStreamAddChunkArgs, transfer_complete, 40);

struct CopyToDeviceStreamTotalBytesArgs {  // slot 79
  std::size_t struct_size;
  void* extension_start;
  CopyToDeviceStream* stream;
  std::int64_t total_bytes;
};
UNDERSTUDY_PJRT_SIZE(CopyToDeviceStreamTotalBytesArgs, total_bytes, 32);

struct CopyToDeviceStreamGranuleSizeArgs {  // slot 80
  std::size_t struct_size;
  void* extension_start;
  CopyToDeviceStream* stream;
  std::int64_t granule_size_in_bytes;
};
UNDERSTUDY_PJRT_SIZE(CopyToDeviceStreamGranuleSizeArgs, granule_size_in_bytes, 32);

struct CopyToDeviceStreamCurrentBytesArgs {  // slot 81
  std::size_t struct_size;
  void* extension_start;
  CopyToDeviceStream* stream;
  std::int64_t current_bytes;
};
UNDERSTUDY_PJRT_SIZE(CopyToDeviceStreamCurrentBytesArgs, current_bytes, 32);

struct AsyncHostToDeviceTransferManagerDestroyArgs {  // slot 101
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerDestroyArgs, transfer_manager, 24);

struct AsyncHostToDeviceTransferManagerTransferDataArgs {  // slot 102
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  int buffer_index;
  const void* data;
  std::int64_t offset;
  std::int64_t transfer_size;
  bool is_last_transfer;
  Event* done_with_h2d_transfer;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerTransferDataArgs, done_with_h2d_transfer, 72);

struct AsyncHostToDeviceTransferManagerRetrieveBufferArgs {  // slot 104
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  int buffer_index;
  Buffer* buffer_out;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerRetrieveBufferArgs, buffer_out, 40);

struct AsyncHostToDeviceTransferManagerDeviceArgs {  // slot 105
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  Device* device_out;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerDeviceArgs, device_out, 32);

struct AsyncHostToDeviceTransferManagerBufferCountArgs {  // slot 106
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  std::size_t buffer_count;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerBufferCountArgs, buffer_count, 32);

struct AsyncHostToDeviceTransferManagerBufferSizeArgs {  // slot 107
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  int buffer_index;
  std::size_t buffer_size;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerBufferSizeArgs, buffer_size, 40);

struct AsyncHostToDeviceTransferManagerSetBufferErrorArgs {  // slot 108
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  int buffer_index;
  ErrorCode error_code;
  const char* error_message;
  std::size_t error_message_size;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerSetBufferErrorArgs, error_message_size, 48);

struct AsyncHostToDeviceTransferManagerAddMetadataArgs {  // slot 109
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  const NamedValue* transfer_metadata;
  std::size_t num_metadata;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerAddMetadataArgs, num_metadata, 40);

struct AsyncHostToDeviceTransferManagerTransferLiteralArgs {  // slot 119
  std::size_t struct_size;
  void* extension_start;
  AsyncTransfer* transfer_manager;
  int buffer_index;
  const void* data;
  const std::int64_t* shape_dims;
  std::size_t shape_num_dims;
  BufferType shape_element_type;
  MemoryLayout* shape_layout;
  Event* done_with_h2d_transfer;
};
UNDERSTUDY_PJRT_SIZE(AsyncHostToDeviceTransferManagerTransferLiteralArgs, done_with_h2d_transfer,
                     80);

}  // namespace understudy::pjrt::abi
