// SPDX-License-Identifier: Apache-2.0
// Devices and memories: plain reads, which frameworks make at every step.
#include "pjrt/abi/device.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/device.h"

namespace understudy::pjrt {
namespace {

void id(abi::DeviceDescriptionIdArgs& args) { args.id = args.device_description->id(); }
void process_index(abi::DeviceDescriptionProcessIndexArgs& args) {
  args.process_index = args.device_description->process_index();
}
void attributes(abi::DeviceDescriptionAttributesArgs& args) {
  args.attributes = args.device_description->attributes().data();
  args.num_attributes = args.device_description->attributes().size();
}
void kind(abi::DeviceDescriptionKindArgs& args) {
  give_text(args.device_description->kind(), args.device_kind, args.device_kind_size);
}
void debug_string(abi::DeviceDescriptionDebugStringArgs& args) {
  give_text(args.device_description->debug_text(), args.debug_string, args.debug_string_size);
}
void to_string(abi::DeviceDescriptionToStringArgs& args) {
  give_text(args.device_description->text(), args.to_string, args.to_string_size);
}

void get_description(abi::DeviceGetDescriptionArgs& args) {
  args.device_description = &args.device->description();
}
void is_addressable(abi::DeviceIsAddressableArgs& args) {
  args.is_addressable = args.device->is_addressable();
}
void local_hardware_id(abi::DeviceLocalHardwareIdArgs& args) {
  args.local_hardware_id = args.device->local_hardware_id();
}
void addressable_memories(abi::DeviceAddressableMemoriesArgs& args) {
  args.memories = args.device->memories().data();
  args.num_memories = args.device->memories().size();
}
void default_memory(abi::DeviceDefaultMemoryArgs& args) {
  args.memory = &args.device->memory(MemoryKind::device);
}

DeviceMemory& hbm_of(const Device& device) {
  if (!device.is_addressable())
    throw Refusal(abi::kInvalidArgument, "the device belongs to another host process");
  return *device.link()->memory();
}
// The caller does not clear the struct: what is not known must say so.
// Reserved bytes, pools and free blocks are unknown: the plugin's allocator has no such notions.
void memory_stats(abi::DeviceMemoryStatsArgs& args) {
  const HbmStats stats = hbm_of(*args.device).stats();
  args.bytes_in_use = stats.in_use;
  args.peak_bytes_in_use = stats.peak;
  args.num_allocs = stats.allocations;
  args.largest_alloc_size = stats.largest;
  args.bytes_limit = stats.limit;
  args.peak_bytes_in_use_is_set = args.num_allocs_is_set = true;
  args.largest_alloc_size_is_set = args.bytes_limit_is_set = true;
  args.bytes_reserved_is_set = args.peak_bytes_reserved_is_set = false;
  args.bytes_reservable_limit_is_set = args.largest_free_block_bytes_is_set = false;
  args.pool_bytes_is_set = args.peak_pool_bytes_is_set = false;
}

void clear_memory_stats(abi::DeviceClearMemoryStatsArgs& args) {
  hbm_of(*args.device).clear_stats();
}

// All attributes of a device are those of its description.
void no_attributes(abi::DeviceGetAttributesArgs& args) {
  args.attributes = nullptr;
  args.num_attributes = 0;
  args.device_attributes = nullptr;
  args.attributes_deleter = [](void* /*none*/) {};
}

void memory_id(abi::MemoryIdArgs& args) { args.id = args.memory->id(); }
void memory_kind(abi::MemoryKindArgs& args) {
  give_text(name_of(args.memory->kind()), args.kind, args.kind_size);
}
void memory_kind_id(abi::MemoryKindIdArgs& args) {
  args.kind_id = static_cast<int>(args.memory->kind());
}
void memory_debug_string(abi::MemoryDebugStringArgs& args) {
  give_text(args.memory->text(), args.debug_string, args.debug_string_size);
}
void memory_to_string(abi::MemoryToStringArgs& args) {
  give_text(args.memory->text(), args.to_string, args.to_string_size);
}
void memory_devices(abi::MemoryAddressableByDevicesArgs& args) {
  args.devices = args.memory->devices().data();
  args.num_devices = args.memory->devices().size();
}

}  // namespace

void add_devices(abi::Api& api) {
  using enum abi::Slot;
  set<id>(api, DeviceDescription_Id);
  set<process_index>(api, DeviceDescription_ProcessIndex);
  set<attributes>(api, DeviceDescription_Attributes);
  set<kind>(api, DeviceDescription_Kind);
  set<debug_string>(api, DeviceDescription_DebugString);
  set<to_string>(api, DeviceDescription_ToString);
  set<get_description>(api, Device_GetDescription);
  set<is_addressable>(api, Device_IsAddressable);
  set<local_hardware_id>(api, Device_LocalHardwareId);
  set<addressable_memories>(api, Device_AddressableMemories);
  set<default_memory>(api, Device_DefaultMemory);
  set<memory_stats>(api, Device_MemoryStats);
  set<clear_memory_stats>(api, Device_ClearMemoryStats);
  set<no_attributes>(api, Device_GetAttributes);
  set<memory_id>(api, Memory_Id);
  set<memory_kind>(api, Memory_Kind);
  set<memory_kind_id>(api, Memory_Kind_Id);
  set<memory_debug_string>(api, Memory_DebugString);
  set<memory_to_string>(api, Memory_ToString);
  set<memory_devices>(api, Memory_AddressableByDevices);
}

}  // namespace understudy::pjrt
