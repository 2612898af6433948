// SPDX-License-Identifier: Apache-2.0
// Loaded executables and their launches.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "pjrt/abi/executable.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/compile/executable.h"
#include "pjrt/core/compile/serialized_bytes.h"
#include "pjrt/core/host_callbacks.h"
#include "pjrt/core/loaded_executable.h"

namespace understudy::pjrt {
namespace {

void destroy(abi::LoadedExecutableDestroyArgs& args) { delete args.executable; }
// The caller owns the new handle; both share the compiled program.
void get_executable(abi::LoadedExecutableGetExecutableArgs& args) {
  args.executable = new Executable(args.loaded_executable->compiled());
}
void addressable_devices(abi::LoadedExecutableAddressableDevicesArgs& args) {
  args.addressable_devices = args.executable->local_devices().data();
  args.num_addressable_devices = args.executable->local_devices().size();
}
void logical_ids(abi::LoadedExecutableAddressableDeviceLogicalIdsArgs& args) {
  args.addressable_device_logical_ids = args.executable->local_logical_ids().data();
  args.num_addressable_device_logical_ids = args.executable->local_logical_ids().size();
}
void delete_program(abi::LoadedExecutableDeleteArgs& args) { args.executable->unload(); }
void is_deleted(abi::LoadedExecutableIsDeletedArgs& args) {
  args.is_deleted = args.executable->is_unloaded();
}
void fingerprint(abi::LoadedExecutableFingerprintArgs& args) {
  give_text(args.executable->compiled()->fingerprint, args.executable_fingerprint,
            args.executable_fingerprint_size);
}
void device_assignment(abi::LoadedExecutableGetDeviceAssignmentArgs& args) {
  give_bytes(device_assignment_proto(args.executable->assignment()), args.serialized_bytes,
             args.serialized_bytes_size, args.serialized_device_assignment,
             args.serialized_device_assignment_deleter);
}

// Which chips take part: all local ones of the program, or the one that the caller names.
std::vector<std::size_t> chips_of(const abi::LoadedExecutableExecuteArgs& args) {
  const std::vector<Device*>& local = args.executable->local_devices();
  std::vector<std::size_t> chips;
  for (std::size_t i = 0; i < local.size(); ++i)
    if (args.execute_device == nullptr || args.execute_device == local[i]) chips.push_back(i);
  if (chips.size() != args.num_devices || chips.empty())
    throw Refusal(abi::kInvalidArgument, "a launch on " + std::to_string(args.num_devices) +
                                             " devices of a program with " +
                                             std::to_string(chips.size()) + " here");
  return chips;
}

void execute(abi::LoadedExecutableExecuteArgs& args) {
  const abi::ExecuteOptions& options = *args.options;
  const std::vector<std::size_t> chips = chips_of(args);
  std::vector<ChipArguments> arguments(chips.size());
  for (std::size_t i = 0; i < chips.size(); ++i)
    arguments[i].buffers.assign(args.argument_lists[i], args.argument_lists[i] + args.num_args);
  // The structs of callbacks are copied: the caller's arrays end with this call, the launch does
  // not.
  const bool calls_back = options.num_send_ops > 0 || options.num_recv_ops > 0;
  for (std::size_t i = 0; calls_back && i < chips.size(); ++i)
    arguments[i].callbacks = std::make_shared<HostCallbacks>(
        std::span(options.send_callbacks == nullptr ? nullptr : options.send_callbacks[i],
                  options.num_send_ops),
        std::span(options.recv_callbacks == nullptr ? nullptr : options.recv_callbacks[i],
                  options.num_recv_ops));
  const std::span kept(options.non_donatable_input_indices,
                       options.num_non_donatable_input_indices);
  // *Throws* before any handle has passed to the caller.
  std::vector<ChipResults> results = args.executable->launch(chips, arguments, kept);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    for (std::size_t r = 0; r < results[i].buffers.size(); ++r)
      args.output_lists[i][r] = results[i].buffers[r].release();
    // The event is about the launch. Each result has its own, which is the same completion.
    if (args.device_complete_events != nullptr)
      args.device_complete_events[i] = new Event(results[i].done);
  }
}

}  // namespace

void add_execute(abi::Api& api) {
  using enum abi::Slot;
  set<destroy>(api, LoadedExecutable_Destroy);
  set<get_executable>(api, LoadedExecutable_GetExecutable);
  set<addressable_devices>(api, LoadedExecutable_AddressableDevices);
  set<logical_ids>(api, LoadedExecutable_AddressableDeviceLogicalIds);
  set<delete_program>(api, LoadedExecutable_Delete);
  set<is_deleted>(api, LoadedExecutable_IsDeleted);
  set<fingerprint>(api, LoadedExecutable_Fingerprint);
  set<device_assignment>(api, LoadedExecutable_GetDeviceAssignment);
  set<execute>(api, LoadedExecutable_Execute);
}

}  // namespace understudy::pjrt
