// SPDX-License-Identifier: Apache-2.0
// Extension MemoryDescriptions of the C API: the memories of a device that is only described, as in
// a compile-only topology. All devices have the same.
#include "pjrt/abi/types.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/device.h"

namespace understudy::pjrt {
namespace {

constexpr int kMemoryDescriptions = 6;  // PJRT_Extension_Type

// The structs of pjrt_c_api_memory_descriptions_extension.h.
struct ListArgs {
  std::size_t struct_size;
  void* extension_start;
  const DeviceDescription* device_description;
  const MemoryKind* const* memory_descriptions;
  std::size_t num_memory_descriptions;
  std::size_t default_memory_index;
};
UNDERSTUDY_PJRT_SIZE(ListArgs, default_memory_index, 48);
struct KindArgs {
  std::size_t struct_size;
  void* extension_start;
  const MemoryKind* memory_description;
  const char* kind;
  std::size_t kind_size;
  int kind_id;
};
UNDERSTUDY_PJRT_SIZE(KindArgs, kind_id, 44);

constexpr MemoryKind kKinds[] = {MemoryKind::device, MemoryKind::pinned_host,
                                 MemoryKind::unpinned_host};
static_assert(std::size(kKinds) == kMemoryKinds);
constexpr const MemoryKind* kHandles[] = {&kKinds[0], &kKinds[1], &kKinds[2]};

void list(ListArgs& args) {
  args.memory_descriptions = kHandles;
  args.num_memory_descriptions = std::size(kHandles);
  args.default_memory_index = 0;
}
void kind(KindArgs& args) {
  const std::string& name = name_of(*args.memory_description);
  give_text(name, args.kind, args.kind_size);
  args.kind_id = static_cast<int>(*args.memory_description);
}

struct MemoryDescriptionsExtension {
  abi::Extension base;
  abi::Function list, kind;
};
static_assert(sizeof(MemoryDescriptionsExtension) == 40);

}  // namespace

abi::Extension* memory_descriptions_extension(abi::Extension* next) {
  static MemoryDescriptionsExtension memories{
      {sizeof(MemoryDescriptionsExtension), kMemoryDescriptions, next},
      &Entry<list>::call,
      &Entry<kind>::call};
  return &memories.base;
}

}  // namespace understudy::pjrt
