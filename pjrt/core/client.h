// SPDX-License-Identifier: Apache-2.0
// PJRT_Client: this process's view of the pod. It connects to the chips of its host, whose commands
// and memory it drives; chips of other hosts are only listed. One thread reads the reports of the
// chips. Thread-safe. It computes nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "pjrt/core/device.h"
#include "pjrt/core/key_value_store.h"
#include "pjrt/core/memory/copy_thread.h"
#include "pjrt/core/topology.h"
#include "program/executable/executable.h"
#include "program/partitioner.h"

namespace understudy::pjrt {

class Client {
 public:
  // From the environment of a host process (docs/pjrt.md). *Throws* Error{system} outside of a pod.
  explicit Client(KeyValueStore store);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const std::shared_ptr<TopologyDescription>& topology() const { return topology_; }
  int process_index() const { return process_index_; }
  const std::vector<Device*>& devices() const { return devices_; }
  const std::vector<Device*>& local_devices() const { return local_devices_; }
  const std::vector<Memory*>& local_memories() const { return local_memories_; }
  // *Throws* Error{input}.
  Device& device(std::int64_t id) const;

  program::Numerics numerics() const { return numerics_; }
  program::Partitioner& partitioner() { return *partitioner_; }
  std::size_t most_in_flight() const { return most_in_flight_; }
  Seconds launch_timeout() const { return launch_timeout_; }
  const KeyValueStore& store() const { return store_; }
  CopyThread& copies() { return copies_; }

  // Held while one launch is sent to several chips: all of them see launches in one order.
  std::mutex& launch_order() { return launch_order_; }
  // Of this process only: each chip has one host process, so ids of several hosts never meet.
  std::uint64_t new_program_id() { return ++program_ids_; }
  void count_compile() { ++compiles_; }
  // The number of the next program that those hosts launch together for the first time.
  std::uint64_t next_meeting(const std::string& hosts);

 private:
  void connect();
  void read();
  void lose(ChipLink& first);

  KeyValueStore store_;
  std::shared_ptr<TopologyDescription> topology_;
  int process_index_ = 0;
  program::Numerics numerics_ = program::Numerics::tpu;
  std::unique_ptr<program::Partitioner> partitioner_;
  std::size_t most_in_flight_ = 32;
  Seconds launch_timeout_{300};
  std::vector<std::shared_ptr<ChipLink>> links_;
  std::vector<std::unique_ptr<Device>> owned_;
  std::vector<Device*> devices_, local_devices_;
  std::vector<Memory*> local_memories_;
  std::mutex launch_order_;
  std::mutex meetings_mutex_;  // guards meetings_
  std::map<std::string, std::uint64_t> meetings_;
  std::atomic<std::uint64_t> program_ids_{0};
  std::atomic<std::int64_t> compiles_{0};
  int wake_ = -1;  // eventfd: ends the reader
  CopyThread copies_, callbacks_;
  std::jthread reader_;
};

}  // namespace understudy::pjrt
