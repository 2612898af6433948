// SPDX-License-Identifier: Apache-2.0
// Devices and memories of a client: chips of this host have a link and three memories, chips of
// other hosts only a description. Immutable after the client is made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pjrt/core/chip_link.h"
#include "pjrt/core/topology.h"

namespace understudy::pjrt {

// The kinds of memory that JAX knows, in the order of their kind ids.
enum class MemoryKind : int { device = 0, pinned_host = 1, unpinned_host = 2 };
inline constexpr int kMemoryKinds = 3;
// Static storage: the C API hands out pointers to it.
const std::string& name_of(MemoryKind kind);

class Memory {
 public:
  Memory(int id, MemoryKind kind, Device* device);
  int id() const { return id_; }
  MemoryKind kind() const { return kind_; }
  bool is_on_chip() const { return kind_ == MemoryKind::device; }
  Device* device() const { return devices_.front(); }
  const std::vector<Device*>& devices() const { return devices_; }
  const std::string& text() const { return text_; }

 private:
  int id_;
  MemoryKind kind_;
  std::vector<Device*> devices_;
  std::string text_;
};

class Device {
 public:
  // `link`: nullptr for a chip of another host.
  Device(Client& client, DeviceDescription& description, std::shared_ptr<ChipLink> link,
         int local_hardware_id);
  Client& client() const { return client_; }
  DeviceDescription& description() const { return description_; }
  int id() const { return description_.id(); }
  bool is_addressable() const { return link_ != nullptr; }
  int local_hardware_id() const { return local_hardware_id_; }
  const std::shared_ptr<ChipLink>& link() const { return link_; }
  const std::vector<Memory*>& memories() const { return memory_handles_; }
  // *Throws* Error{input} for a chip of another host.
  Memory& memory(MemoryKind kind) const;

 private:
  Client& client_;
  DeviceDescription& description_;
  std::shared_ptr<ChipLink> link_;
  int local_hardware_id_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<Memory*> memory_handles_;
};

}  // namespace understudy::pjrt
