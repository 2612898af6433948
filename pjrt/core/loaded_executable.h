// SPDX-License-Identifier: Apache-2.0
// PJRT_LoadedExecutable: a compiled program with the chips that it runs on. A chip gets the program
// right before its first launch there. Thread-safe. Equivalents: xla::PjRtLoadedExecutable.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "pjrt/abi/executable.h"
#include "pjrt/core/client.h"
#include "pjrt/core/compile/compiled.h"
#include "pjrt/core/memory/buffer.h"

namespace understudy::pjrt {

// What is known of one launch on one chip before anything is sent.
struct ChipArguments {
  std::vector<Buffer*> buffers;
  std::shared_ptr<HostCallbacks> callbacks = nullptr;
};

struct ChipResults {
  std::vector<std::unique_ptr<Buffer>> buffers;
  CompletionRef done;
};

class LoadedExecutable {
 public:
  // Devices come from the compile options, or are the first ones of this host. *Throws*
  // Error{input}, Error{capacity} where no launch can ever fit.
  LoadedExecutable(Client& client, CompiledRef compiled);
  ~LoadedExecutable();

  const CompiledRef& compiled() const { return compiled_; }
  Client& client() const { return client_; }
  // Of this host, in the order of the device assignment; and their processes in the program.
  const std::vector<Device*>& local_devices() const { return local_devices_; }
  const std::vector<std::int64_t>& local_processes() const { return local_processes_; }
  // The same processes as pairs of replica and partition.
  const std::vector<abi::LogicalDeviceId>& local_logical_ids() const { return logical_ids_; }
  const CompileOptions& assignment() const { return assignment_; }

  void unload();  // no launch is possible afterwards
  bool is_unloaded() const { return unloaded_.load(); }

  // One launch on those of local_devices() that `chips` names by their index. The arguments that
  // the program donates are deleted, apart from those in `kept`. Results are not ready yet.
  // *Throws* Refusal{INVALID_ARGUMENT} for deleted or misplaced arguments, Error{capacity}; nothing
  // is launched or deleted then.
  std::vector<ChipResults> launch(std::span<const std::size_t> chips,
                                  std::span<const ChipArguments> arguments,
                                  std::span<const std::int64_t> kept);

 private:
  struct OnChip {
    std::mutex mutex;  // guards the others
    bool loaded = false;
    BlockRef constants;
  };
  class Preparation;

  void check(std::size_t chip, const ChipArguments& arguments) const;
  void load(std::size_t chip);
  void meet_other_hosts();
  std::vector<ChipResults> failed(std::span<const std::size_t> chips, const FailureRef& why) const;

  Client& client_;
  CompiledRef compiled_;
  CompileOptions assignment_;
  std::vector<Device*> local_devices_;
  std::vector<std::int64_t> local_processes_;
  std::vector<abi::LogicalDeviceId> logical_ids_;
  std::uint64_t program_;
  std::vector<std::unique_ptr<OnChip>> on_chip_;  // by index in local_devices_
  std::atomic<bool> unloaded_{false};
  std::mutex meeting_mutex_;  // guards met_
  bool met_ = false;          // the other hosts of the program launched the same one
};

}  // namespace understudy::pjrt
