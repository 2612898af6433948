// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/buffer.h"

#include <utility>

#include "pjrt/abi/buffer.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/element_types.h"
#include "pjrt/core/memory/strided_copy.h"

namespace understudy::pjrt {
namespace {

// Launches and copies in flight hold the storage, not the buffer, so it may go at any time.
void destroy(abi::BufferDestroyArgs& args) { delete args.buffer; }
void element_type(abi::BufferElementTypeArgs& args) {
  args.type = buffer_type_of(args.buffer->type().element);
}
void dimensions(abi::BufferDimensionsArgs& args) {
  args.dims = args.buffer->type().shape.data();
  args.num_dims = args.buffer->type().shape.size();
}
// Emulated HBM stores arrays without the padding of TPU tiles.
void unpadded_dimensions(abi::BufferUnpaddedDimensionsArgs& args) {
  args.unpadded_dims = args.buffer->type().shape.data();
  args.num_dims = args.buffer->type().shape.size();
}
void dynamic_dimensions(abi::BufferDynamicDimensionIndicesArgs& args) {
  args.dynamic_dim_indices = nullptr;
  args.num_dynamic_dims = 0;
}
// The dimensions from the fastest to the slowest.
void memory_layout(abi::BufferGetMemoryLayoutArgs& args) {
  // The caller keeps the pointer as long as the buffer, so the list must outlive the call: of
  // row-major arrays one static list, of which each number of dimensions is a suffix.
  constexpr std::size_t kMost = 64;  // dimensions
  static const std::vector<std::int64_t> kDown = [] {
    std::vector<std::int64_t> down;
    for (std::size_t i = kMost; i > 0; --i) down.push_back(static_cast<std::int64_t>(i - 1));
    return down;
  }();
  const std::size_t count = args.buffer->type().shape.size();
  if (count > kMost) throw Refusal(abi::kUnimplemented, "layouts of more than 64 dimensions");
  args.layout = {};
  // The size that PJRT_STRUCT_SIZE of the C API computes: up to the last named field, `type`.
  args.layout.struct_size = offsetof(abi::MemoryLayout, type) + sizeof args.layout.type;
  args.layout.type = abi::kTiled;
  args.layout.tiled.struct_size = sizeof args.layout.tiled;
  const LayoutRef& layout = args.buffer->layout();
  args.layout.tiled.minor_to_major =
      layout == nullptr ? kDown.data() + (kMost - count) : layout->minor_to_major().data();
  args.layout.tiled.minor_to_major_size = count;
}
void on_device_size(abi::BufferOnDeviceSizeInBytesArgs& args) {
  args.on_device_size_in_bytes = args.buffer->bytes();
}
void device(abi::BufferDeviceArgs& args) { args.device = &args.buffer->device(); }
void memory(abi::BufferMemoryArgs& args) { args.memory = &args.buffer->memory(); }
void free_memory(abi::BufferDeleteArgs& args) { args.buffer->free(); }
void is_deleted(abi::BufferIsDeletedArgs& args) { args.is_deleted = args.buffer->is_deleted(); }
// Frameworks read the memory of arrays "on CPU" without asking; ours may only be copied.
void is_on_cpu(abi::BufferIsOnCpuArgs& args) { args.is_on_cpu = false; }
void ready_event(abi::BufferReadyEventArgs& args) { args.event = new Event(args.buffer->ready()); }

// Without a layout on the host the array keeps the one that it has.
std::vector<std::int64_t> strides_of(const abi::MemoryLayout* layout, const Buffer& buffer) {
  const program::TensorType& type = buffer.type();
  const std::size_t element = program::byte_size(type.element);
  if (layout == nullptr)
    return buffer.layout() == nullptr
               ? std::vector<std::int64_t>()
               : strides_of_layout(type.shape, buffer.layout()->minor_to_major(), element);
  if (layout->type == abi::kStrides)
    return {layout->strides.byte_strides,
            layout->strides.byte_strides + layout->strides.num_byte_strides};
  if (layout->tiled.num_tiles > 0) throw Refusal(abi::kUnimplemented, "tiled layouts on the host");
  return strides_of_layout(
      type.shape, {layout->tiled.minor_to_major, layout->tiled.minor_to_major_size}, element);
}

// Python's interpreter lock may be held here: nothing is awaited.
void to_host_buffer(abi::BufferToHostBufferArgs& args) {
  const Buffer& buffer = *args.src;
  // The C API asks twice: without a destination only for the size.
  if (args.dst == nullptr) {
    args.dst_size = buffer.bytes();
    return;
  }
  if (args.dst_size < buffer.bytes())
    throw Refusal(abi::kInvalidArgument, "the host buffer has " + std::to_string(args.dst_size) +
                                             " bytes, the array " + std::to_string(buffer.bytes()));
  CompletionRef copied =
      buffer.to_host({static_cast<std::byte*>(args.dst), strides_of(args.host_layout, buffer)});
  args.event = new Event(std::move(copied));
}

void copy_raw_to_host(abi::BufferCopyRawToHostArgs& args) {
  args.event = new Event(
      args.buffer->raw_to_host(static_cast<std::byte*>(args.dst), args.offset, args.transfer_size));
}
void copy_to_device(abi::BufferCopyToDeviceArgs& args) {
  args.dst_buffer = args.buffer->copy_to(args.dst_device->memory(MemoryKind::device)).release();
}
void copy_to_memory(abi::BufferCopyToMemoryArgs& args) {
  args.dst_buffer = args.buffer->copy_to(*args.dst_memory).release();
}

// Where this process maps the memory of the chip: an address of its own for each array, as that of
// a device. Frameworks compare addresses; only the chip writes there.
std::byte* address_of(const Buffer& buffer) {
  const Storage storage = buffer.storage();
  if (storage.block == nullptr && storage.host == nullptr)
    throw Refusal(abi::kFailedPrecondition, "the array has no memory: its computation failed");
  return storage.data();
}
// The array may not be ready yet: its address is known since the launch was sent.
void unsafe_pointer(abi::BufferUnsafePointerArgs& args) {
  args.buffer_pointer = reinterpret_cast<std::uintptr_t>(address_of(*args.buffer));
}
void device_pointer(abi::BufferOpaqueDeviceMemoryDataPointerArgs& args) {
  args.device_memory_ptr = address_of(*args.buffer);
}

// Keeps the memory at the address that the two functions above give. Whether another library can
// use it there is the caller's decision: JAX refuses DLPack for platform tpu by itself.
void add_external_reference(abi::BufferIncreaseExternalReferenceCountArgs& args) {
  args.buffer->pin();
}
void drop_external_reference(abi::BufferDecreaseExternalReferenceCountArgs& args) {
  args.buffer->unpin();
}

}  // namespace

void add_buffer(abi::Api& api) {
  using enum abi::Slot;
  set<destroy>(api, Buffer_Destroy);
  set<element_type>(api, Buffer_ElementType);
  set<dimensions>(api, Buffer_Dimensions);
  set<unpadded_dimensions>(api, Buffer_UnpaddedDimensions);
  set<dynamic_dimensions>(api, Buffer_DynamicDimensionIndices);
  set<memory_layout>(api, Buffer_GetMemoryLayout);
  set<on_device_size>(api, Buffer_OnDeviceSizeInBytes);
  set<device>(api, Buffer_Device);
  set<memory>(api, Buffer_Memory);
  set<free_memory>(api, Buffer_Delete);
  set<is_deleted>(api, Buffer_IsDeleted);
  set<is_on_cpu>(api, Buffer_IsOnCpu);
  set<ready_event>(api, Buffer_ReadyEvent);
  set<to_host_buffer>(api, Buffer_ToHostBuffer);
  set<copy_raw_to_host>(api, Buffer_CopyRawToHost);
  set<unsafe_pointer>(api, Buffer_UnsafePointer);
  set<device_pointer>(api, Buffer_OpaqueDeviceMemoryDataPointer);
  set<add_external_reference>(api, Buffer_IncreaseExternalReferenceCount);
  set<drop_external_reference>(api, Buffer_DecreaseExternalReferenceCount);
  set<copy_to_device>(api, Buffer_CopyToDevice);
  set<copy_to_memory>(api, Buffer_CopyToMemory);
}

}  // namespace understudy::pjrt
