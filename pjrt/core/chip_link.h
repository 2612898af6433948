// SPDX-License-Identifier: Apache-2.0
// The connection of this process to one local chip: its socket, its memory, and the launches in
// flight. Launches are sent in order and the chip executes them in that order. Thread-safe; the
// client's reader thread calls hear() alone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "configs/base/deadline.h"
#include "configs/base/unix_socket.h"
#include "configs/launch/message/chip_message.h"
#include "pjrt/core/completion.h"
#include "pjrt/core/host_callbacks.h"
#include "pjrt/core/memory/copy_thread.h"
#include "pjrt/core/memory/device_memory.h"

namespace understudy::pjrt {

class ChipLink {
 public:
  // Connects to the chip's socket, which appears when its worker is ready. *Throws* Error{timeout},
  // Error{system}; Error{protocol} where worker and plugin are of different builds.
  ChipLink(std::int64_t rank, std::int64_t host, const std::string& socket_path, Deadline deadline);

  std::int64_t rank() const { return greeting_.rank; }
  const configs::ChipGreeting& greeting() const { return greeting_; }
  const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }
  int descriptor() const { return socket_.get(); }
  // Set once the chip is gone; nullptr before.
  FailureRef lost() const;
  // "chip 2 of host 0 (rank 2)"
  std::string name() const;

  // Memory for a buffer. Where there is none, launches in flight are awaited first, as they may
  // hold memory that is free afterwards. *Throws* Error{capacity}.
  BlockRef allocate(std::uint64_t bytes, const std::string& label, bool for_program = false);

  // A launch to send, and what it holds until it is reported.
  struct Launch {
    configs::ChipLaunch command;
    std::string program;  // its name
    std::shared_ptr<const std::vector<std::string>> op_names;
    std::vector<BlockRef> held;
    // Earlier launches on this chip that make arguments: if one fails, this one has failed as well.
    std::vector<CompletionRef> after;
    std::shared_ptr<HostCallbacks> callbacks;  // nullptr: the launch has none
    CompletionRef done;
  };
  // Waits until fewer than `most` launches are in flight.
  void await_room(std::size_t most);
  // Gives the launch its number. The completion is set when the chip has reported it, or is lost.
  void send(Launch launch);
  // Without a completion; dropped if the chip is lost.
  void send(const configs::ChipCommand& command);

  // Reads what the chip has sent, completes launches, and passes messages of launches to their
  // callbacks, in `callback_thread`. False: the connection has ended.
  bool hear(CopyThread& callback_thread);
  // Fails all launches, now and later.
  void lose(const FailureRef& why);
  // What the chip was doing when it ended: "while it executed stablehlo.all_reduce of jit_step".
  std::string last_work() const;
  std::int64_t launches() const { return launches_.load(std::memory_order_relaxed); }

 private:
  void report(const configs::ChipReport& report);
  void serve(const configs::ChipRequest& request, CopyThread& callback_thread);

  std::int64_t host_;
  Socket socket_;
  configs::ChipGreeting greeting_;
  std::shared_ptr<DeviceMemory> memory_;
  void* header_ = nullptr;  // the first page of the memory object: the worker's status
  configs::MessageCutter cutter_;
  mutable std::mutex mutex_;  // guards the following, and the order of messages
  std::condition_variable changed_;
  std::deque<Launch> in_flight_;
  FailureRef lost_;
  std::string ended_with_;  // the chip's own last words
  std::uint64_t next_ = 1;
  std::atomic<std::int64_t> launches_{0};
};

}  // namespace understudy::pjrt
