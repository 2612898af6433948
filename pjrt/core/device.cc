// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/device.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "configs/base/error.h"

namespace understudy::pjrt {

const std::string& name_of(MemoryKind kind) {
  static const std::array<std::string, kMemoryKinds> kNames = {"device", "pinned_host",
                                                               "unpinned_host"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Memory::Memory(int id, MemoryKind kind, Device* device)
    : id_(id),
      kind_(kind),
      devices_{device},
      text_(fmt::format("{} of {}", name_of(kind), device->description().text())) {}

Device::Device(Client& client, DeviceDescription& description, std::shared_ptr<ChipLink> link,
               int local_hardware_id)
    : client_(client),
      description_(description),
      link_(std::move(link)),
      local_hardware_id_(local_hardware_id) {
  // A chip of another host: it is listed with its coordinates, but has no memory here.
  if (link_ == nullptr) return;
  for (int kind = 0; kind < kMemoryKinds; ++kind) {
    memories_.push_back(
        std::make_unique<Memory>(id() * kMemoryKinds + kind, static_cast<MemoryKind>(kind), this));
    memory_handles_.push_back(memories_.back().get());
  }
}

Memory& Device::memory(MemoryKind kind) const {
  if (memories_.empty())
    throw Error(ErrorKind::input,
                fmt::format("{} belongs to another host process", description_.text()));
  return *memories_.at(static_cast<std::size_t>(kind));
}

}  // namespace understudy::pjrt
