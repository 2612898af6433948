// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/loaded_executable.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "configs/base/error.h"
#include "pjrt/core/launch_preparation.h"
#include "worker/hbm/capacity.h"

namespace understudy::pjrt {

LoadedExecutable::LoadedExecutable(Client& client, CompiledRef compiled)
    : client_(client),
      compiled_(std::move(compiled)),
      assignment_(compiled_->options),
      program_(client.new_program_id()) {
  assignment_.replicas = compiled_->replicas;
  assignment_.partitions = compiled_->partitions;
  // Without an assignment: this host's chips, in their order.
  if (assignment_.devices.empty())
    for (std::int64_t process = 0; process < compiled_->processes(); ++process) {
      const auto& local = client.local_devices();
      if (process >= static_cast<std::int64_t>(local.size()))
        throw Error(ErrorKind::input, fmt::format("the program needs {} devices, this host has {}",
                                                  compiled_->processes(), local.size()));
      assignment_.devices.push_back(local[static_cast<std::size_t>(process)]->id());
    }
  // A chip that had to run two processes of one program would wait for itself in the first
  // collective.
  if (std::set<std::int64_t>(assignment_.devices.begin(), assignment_.devices.end()).size() !=
      assignment_.devices.size())
    throw Error(ErrorKind::input, "the device assignment names a device twice");
  for (std::size_t process = 0; process < assignment_.devices.size(); ++process) {
    Device& device = client.device(assignment_.devices[process]);
    if (!device.is_addressable()) continue;
    local_devices_.push_back(&device);
    local_processes_.push_back(static_cast<std::int64_t>(process));
    const int partitions = static_cast<int>(assignment_.partitions);
    logical_ids_.push_back(
        {static_cast<int>(process) / partitions, static_cast<int>(process) % partitions});
    on_chip_.push_back(std::make_unique<OnChip>());
    // At load, as libtpu does it: a script that tries smaller batches expects the error here and
    // not at the launch.
    const std::uint64_t there = device.link()->memory()->allocator().capacity();
    if (compiled_->hbm_bytes > there)
      throw worker::out_of_hbm(compiled_->hbm_bytes, there).note("program " + compiled_->name);
  }
}

LoadedExecutable::~LoadedExecutable() { unload(); }

// The chip's socket keeps the order, so launches that were sent before still find the program.
void LoadedExecutable::unload() {
  if (unloaded_.exchange(true)) return;
  for (std::size_t chip = 0; chip < on_chip_.size(); ++chip) {
    OnChip& on = *on_chip_[chip];
    const std::scoped_lock lock(on.mutex);
    if (on.loaded) local_devices_[chip]->link()->send(configs::ChipUnload{program_});
    on.loaded = false;
    // Launches in flight hold the constants themselves.
    on.constants.reset();
  }
}

// All arguments before anything is reserved: the worker checks addresses only, types are known
// here.
void LoadedExecutable::check(std::size_t chip, const ChipArguments& arguments) const {
  if (arguments.buffers.size() != compiled_->arguments.size())
    throw Refusal(abi::kInvalidArgument,
                  fmt::format("{} takes {} arguments, got {}", compiled_->name,
                              compiled_->arguments.size(), arguments.buffers.size()));
  for (std::size_t i = 0; i < arguments.buffers.size(); ++i) {
    const Buffer& buffer = *arguments.buffers[i];
    const CompiledParameter& wanted = compiled_->arguments[i];
    if (buffer.type() != wanted.type)
      throw Refusal(abi::kInvalidArgument,
                    fmt::format("argument {} of {} is {}, expected {}", i, compiled_->name,
                                text_of(buffer.type()), text_of(wanted.type)));
    if (&buffer.device() != local_devices_[chip])
      throw Refusal(abi::kInvalidArgument,
                    fmt::format("argument {} of {} is on {}, expected {}", i, compiled_->name,
                                buffer.device().description().text(),
                                local_devices_[chip]->description().text()));
  }
}

// The program and its constants go to the chip before the first launch, in front of it.
void LoadedExecutable::load(std::size_t chip) {
  OnChip& on = *on_chip_[chip];
  const std::scoped_lock lock(on.mutex);
  if (on.loaded) return;
  ChipLink& link = *local_devices_[chip]->link();
  // Written by this process into shared memory; the message that follows on the socket makes the
  // bytes visible to the worker.
  on.constants = link.allocate(compiled_->image.size(), "code of " + compiled_->name, true);
  std::ranges::copy(compiled_->image, on.constants->start());
  configs::ChipLoad load;
  load.program = program_;
  load.constants_bytes = compiled_->constants_bytes;
  load.process = local_processes_[chip];
  load.ranks = assignment_.devices;  // a device's id is its rank
  load.archive = compiled_->archive;
  load.name = compiled_->name;
  link.send(configs::ChipCommand(std::move(load)));
  on.loaded = true;
}

std::vector<ChipResults> LoadedExecutable::failed(std::span<const std::size_t> chips,
                                                  const FailureRef& why) const {
  std::vector<ChipResults> all;
  for (const std::size_t chip : chips) {
    ChipResults& results = all.emplace_back();
    for (const CompiledParameter& result : compiled_->results)
      results.buffers.push_back(
          Buffer::failed(local_devices_[chip]->memory(result.memory), result.type, why));
    results.done = Completion::done(why);
  }
  return all;
}

std::vector<ChipResults> LoadedExecutable::launch(std::span<const std::size_t> chips,
                                                  std::span<const ChipArguments> arguments,
                                                  std::span<const std::int64_t> kept) {
  if (unloaded_) throw Refusal(abi::kFailedPrecondition, compiled_->name + " was deleted");
  for (std::size_t i = 0; i < chips.size(); ++i) check(chips[i], arguments[i]);
  meet_other_hosts();
  for (const std::size_t chip : chips)
    local_devices_[chip]->link()->await_room(client_.most_in_flight());
  // One thread at a time from here on: the chips see launches and loads in the same order.
  const std::scoped_lock order(client_.launch_order());
  std::vector<std::unique_ptr<Preparation>> prepared;
  FailureRef poison;
  for (std::size_t i = 0; i < chips.size(); ++i) {
    prepared.push_back(std::make_unique<Preparation>(*this, chips[i]));
    prepared.back()->fill(arguments[i], kept);
    if (poison == nullptr) poison = prepared.back()->poison();
  }
  // Before any launch is sent: a load that fails for lack of memory must not leave another chip
  // with a launch that waits for this one.
  for (const std::size_t chip : chips) load(chip);
  for (const auto& one : prepared) one->commit();
  for (const ChipArguments& chip : arguments)
    for (std::size_t i = 0; i < chip.buffers.size(); ++i)
      if (compiled_->arguments[i].donated &&
          std::ranges::find(kept, static_cast<std::int64_t>(i)) == kept.end())
        chip.buffers[i]->free();
  // Nothing can be computed from a failed array; its failure goes on to the results.
  if (poison != nullptr) return failed(chips, poison);
  std::vector<ChipResults> results;
  for (const auto& one : prepared) results.push_back(one->send());
  return results;
}

// The first launch of a program that runs on several hosts: they must all launch the same one. A
// mismatch would hang in the first collective, or worse.
void LoadedExecutable::meet_other_hosts() {
  std::set<int> hosts;
  for (const std::int64_t id : assignment_.devices)
    hosts.insert(client_.device(id).description().process_index());
  const KeyValueStore& store = client_.store();
  if (hosts.size() == 1 || !store.exists()) return;
  const std::scoped_lock lock(meeting_mutex_);
  if (met_) return;
  const std::string list = fmt::format("{}", fmt::join(hosts, ","));
  const std::string key = fmt::format("understudy/launch/{}/{}", list, client_.next_meeting(list));
  // The fingerprint decides; the name is for the message.
  const std::string own = compiled_->fingerprint + " " + compiled_->name;
  // Without a coordination service nothing can be compared.
  if (!store.put(fmt::format("{}/{}", key, client_.process_index()), own)) return;
  for (const int host : hosts) {
    if (host == client_.process_index()) continue;
    const auto theirs = store.get(fmt::format("{}/{}", key, host), client_.launch_timeout());
    if (!theirs)
      throw Refusal(abi::kDeadlineExceeded,
                    fmt::format("host {} has not launched {} within {:g} s (--launch-timeout)",
                                host, compiled_->name, client_.launch_timeout().count()));
    if (*theirs != own)
      throw Refusal(
          abi::kFailedPrecondition,
          fmt::format("the hosts launch different programs: host {} launches {} ({}), "
                      "host {} launches {} ({})",
                      client_.process_index(), compiled_->name, compiled_->fingerprint, host,
                      theirs->substr(theirs->find(' ') + 1), theirs->substr(0, theirs->find(' '))));
  }
  met_ = true;
}

}  // namespace understudy::pjrt
