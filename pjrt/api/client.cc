// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/client.h"

#include <algorithm>
#include <utility>

#include "pjrt/abi/client.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/element_types.h"
#include "pjrt/core/loaded_executable.h"
#include "pjrt/core/memory/buffer.h"

namespace understudy::pjrt {
namespace {

// The key-value callbacks belong to the framework's coordination service; without one they are
// null.
void create(abi::ClientCreateArgs& args) {
  args.client = new Client(KeyValueStore(args.kv_get_callback, args.kv_get_user_arg,
                                         args.kv_put_callback, args.kv_put_user_arg));
}
void destroy(abi::ClientDestroyArgs& args) { delete args.client; }

void platform_name(abi::ClientPlatformNameArgs& args) {
  give_text(args.client->topology()->platform_name(), args.platform_name, args.platform_name_size);
}
void platform_version(abi::ClientPlatformVersionArgs& args) {
  give_text(args.client->topology()->platform_version(), args.platform_version,
            args.platform_version_size);
}
void process_index(abi::ClientProcessIndexArgs& args) {
  args.process_index = args.client->process_index();
}
void devices(abi::ClientDevicesArgs& args) {
  args.devices = args.client->devices().data();
  args.num_devices = args.client->devices().size();
}
void addressable_devices(abi::ClientAddressableDevicesArgs& args) {
  args.addressable_devices = args.client->local_devices().data();
  args.num_addressable_devices = args.client->local_devices().size();
}
void lookup_device(abi::ClientLookupDeviceArgs& args) {
  args.device = &args.client->device(args.id);
}
// The id counts the chips of this host from 0; lookup_device() takes the id in the whole pod.
void lookup_addressable_device(abi::ClientLookupAddressableDeviceArgs& args) {
  const auto& local = args.client->local_devices();
  const auto found = std::ranges::find(local, args.local_hardware_id, &Device::local_hardware_id);
  if (found == local.end())
    throw Refusal(abi::kInvalidArgument,
                  "there is no chip " + std::to_string(args.local_hardware_id) + " on this host");
  args.addressable_device = *found;
}
void addressable_memories(abi::ClientAddressableMemoriesArgs& args) {
  args.addressable_memories = args.client->local_memories().data();
  args.num_addressable_memories = args.client->local_memories().size();
}

void compile(abi::ClientCompileArgs& args) {
  const abi::Program& program = *args.program;
  CompiledRef compiled =
      compile_program({program.code, program.code_size}, {program.format, program.format_size},
                      read_compile_options({args.compile_options, args.compile_options_size}),
                      args.client->numerics(), args.client->partitioner());
  // Counted after success only. The goodbye of the client reports the number for the receipt.
  args.client->count_compile();
  args.executable = new LoadedExecutable(*args.client, std::move(compiled));
}

// Row-major [replica][partition]: the first devices, as far as they go.
void default_device_assignment(abi::ClientDefaultDeviceAssignmentArgs& args) {
  const std::size_t count =
      static_cast<std::size_t>(args.num_replicas) * static_cast<std::size_t>(args.num_partitions);
  if (count > args.client->devices().size() || count > args.default_assignment_size)
    throw Refusal(abi::kInvalidArgument, "the assignment needs more devices than there are");
  for (std::size_t i = 0; i < count; ++i) args.default_assignment[i] = static_cast<int>(i);
}

// The memory that a caller named, or the HBM of the device it named.
Memory& memory_of(Memory* memory, Device* device, const Client& client) {
  if (memory != nullptr) return *memory;
  return (device != nullptr ? *device : *client.local_devices().front()).memory(MemoryKind::device);
}

program::TensorType type_of(abi::BufferType type, const std::int64_t* dims, std::size_t count) {
  return {element_of(type), {dims, dims + count}};
}

// Arrays are dense on the chips, whatever layout is asked for.
LayoutRef layout_of(const abi::MemoryLayout* layout, const program::TensorType& type) {
  if (layout == nullptr || layout->type != abi::kTiled) return nullptr;
  const abi::TiledLayout& tiled = layout->tiled;
  if (tiled.num_tiles > 0) throw Refusal(abi::kUnimplemented, "device layouts with tiles");
  return ArrayLayout::of({tiled.minor_to_major, tiled.minor_to_major + tiled.minor_to_major_size},
                         type.shape.size());
}

// The bytes are copied before the call returns, so the caller may have them back at once.
void buffer_from_host(abi::ClientBufferFromHostBufferArgs& args) {
  program::TensorType type = type_of(args.type, args.dims, args.num_dims);
  LayoutRef layout = layout_of(args.device_layout, type);
  const std::span strides(args.byte_strides,
                          args.byte_strides == nullptr ? 0 : args.num_byte_strides);
  auto buffer =
      Buffer::from_host(memory_of(args.memory, args.device, *args.client), std::move(type),
                        static_cast<const std::byte*>(args.data), strides);
  buffer->set_layout(std::move(layout));
  // A ready event: no host buffer semantics needs more than this.
  args.done_with_host_buffer = new Event(Completion::done());
  args.buffer = buffer.release();
}

void create_uninitialized(abi::ClientCreateUninitializedBufferArgs& args) {
  program::TensorType type = type_of(args.shape_element_type, args.shape_dims, args.shape_num_dims);
  LayoutRef layout = layout_of(args.shape_layout, type);
  auto buffer = Buffer::empty(memory_of(args.memory, args.device, *args.client), std::move(type),
                              Completion::done());
  buffer->set_layout(std::move(layout));
  args.buffer = buffer.release();
}

// Frameworks make such arrays to pass on a failure of their own: launches that read one fail with
// it.
void create_error_buffer(abi::ClientCreateErrorBufferArgs& args) {
  args.buffer =
      Buffer::failed(
          memory_of(args.memory, nullptr, *args.client),
          type_of(args.shape_element_type, args.shape_dims, args.shape_num_dims),
          make_failure(args.error_code, std::string(args.error_message, args.error_message_size)))
          .release();
}

// The workers watch each other; what the framework knows of its processes adds nothing. An error
// here would end the process.
void update_global_process_info(abi::ClientUpdateGlobalProcessInfoArgs& /*args*/) {}

// Memory of this process is all alike to the copies of this plugin.
void dma_map(abi::ClientDmaMapArgs& /*args*/) {}
void dma_unmap(abi::ClientDmaUnmapArgs& /*args*/) {}

}  // namespace

void add_client(abi::Api& api) {
  using enum abi::Slot;
  set<create>(api, Client_Create);
  set<destroy>(api, Client_Destroy);
  set<platform_name>(api, Client_PlatformName);
  set<platform_version>(api, Client_PlatformVersion);
  set<process_index>(api, Client_ProcessIndex);
  set<devices>(api, Client_Devices);
  set<addressable_devices>(api, Client_AddressableDevices);
  set<lookup_device>(api, Client_LookupDevice);
  set<lookup_addressable_device>(api, Client_LookupAddressableDevice);
  set<addressable_memories>(api, Client_AddressableMemories);
  set<compile>(api, Client_Compile);
  set<default_device_assignment>(api, Client_DefaultDeviceAssignment);
  set<buffer_from_host>(api, Client_BufferFromHostBuffer);
  set<create_uninitialized>(api, Client_CreateUninitializedBuffer);
  set<create_error_buffer>(api, Client_CreateErrorBuffer);
  set<update_global_process_info>(api, Client_UpdateGlobalProcessInfo);
  set<dma_map>(api, Client_DmaMap);
  set<dma_unmap>(api, Client_DmaUnmap);
}

}  // namespace understudy::pjrt
