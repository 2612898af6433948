// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/launch_preparation.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>

namespace understudy::pjrt {

LoadedExecutable::Preparation::Preparation(LoadedExecutable& owner, std::size_t chip)
    : owner_(owner), chip_(chip), link_(*owner.local_devices_[chip]->link()) {}

LoadedExecutable::Preparation::~Preparation() {
  for (auto& [buffer, block] : given_) buffer->take_back(std::move(block));
}

void LoadedExecutable::Preparation::fill(const ChipArguments& arguments,
                                         std::span<const std::int64_t> kept) {
  const Compiled& compiled = *owner_.compiled_;
  for (std::size_t i = 0; i < arguments.buffers.size(); ++i)
    add_argument(*arguments.buffers[i], compiled.arguments[i].token);
  launch_.command.program = owner_.program_;
  launch_.program = compiled.name;
  launch_.op_names = compiled.op_names;
  launch_.callbacks = arguments.callbacks;
  // Before the results are made, which all carry it as their own completion.
  launch_.done = std::make_shared<Completion>();
  continues_.resize(compiled.results.size());
  for (const program::Donation& one : compiled.donations)
    reuse_donated(one, arguments.buffers, kept);
  for (const CompiledParameter& result : compiled.results) add_result(result);
  // Even without temporaries there is a place: every address is checked.
  const BlockRef temporaries = link_.allocate(compiled.temporary_bytes, "temporaries", true);
  launch_.command.temporaries = temporaries->at();
  launch_.held.push_back(temporaries);
}

ChipResults LoadedExecutable::Preparation::send() {
  {
    const std::scoped_lock lock(owner_.on_chip_[chip_]->mutex);
    const BlockRef& constants = owner_.on_chip_[chip_]->constants;
    launch_.command.constants = constants == nullptr ? 0 : constants->at();
    if (constants != nullptr) launch_.held.push_back(constants);
  }
  CompletionRef done = launch_.done;
  link_.send(std::move(launch_));
  // Results in host memory are copied there when the launch is done.
  for (auto& buffer : results_)
    if (buffer.moved) buffer.buffer = buffer.buffer->copy_to(*buffer.wanted);
  ChipResults results;
  for (auto& buffer : results_) results.buffers.push_back(std::move(buffer.buffer));
  results.done = std::move(done);
  return results;
}

void LoadedExecutable::Preparation::add_argument(Buffer& buffer, bool token) {
  Storage storage = buffer.storage();
  const CompletionRef& ready = buffer.ready();
  if (!ready->ready() && storage.block == nullptr) ready->wait();
  // A launch on this chip is behind the launch that makes the argument; any other source of an
  // unfinished argument is awaited.
  if (!ready->ready() && !buffer.is_in_stream()) ready->wait();
  if (ready->ready() && ready->failure() != nullptr && poison_ == nullptr)
    poison_ = ready->failure();
  if (!ready->ready()) launch_.after.push_back(ready);
  if (token) return;
  if (storage.block == nullptr) storage = on_chip(buffer, storage);
  launch_.command.arguments.push_back(storage.block->at());
  launch_.held.push_back(std::move(storage.block));
}

// An argument in host memory gets a place in HBM for this launch.
Storage LoadedExecutable::Preparation::on_chip(const Buffer& buffer, const Storage& from) {
  Storage to{link_.allocate(buffer.bytes(), "an argument from host memory"), nullptr};
  if (buffer.bytes() > 0 && poison_ == nullptr) std::memcpy(to.data(), from.data(), buffer.bytes());
  return to;
}

// The result gets the memory of the argument, which nothing else may use: no other argument, no
// copy to the host. The chip executes in order: earlier launches that hold it have ended by then.
void LoadedExecutable::Preparation::reuse_donated(const program::Donation& one,
                                                  const std::vector<Buffer*>& arguments,
                                                  std::span<const std::int64_t> kept) {
  Buffer* const argument = arguments[one.argument];
  if (std::ranges::find(kept, static_cast<std::int64_t>(one.argument)) != kept.end() ||
      std::ranges::count(arguments, argument) != 1 || poison_ != nullptr)
    return;
  continues_[one.result] = argument->donate();
  if (const BlockRef& block = continues_[one.result]) given_.emplace_back(argument, block);
}

// Results are made before the launch is sent: frameworks get buffers at once and launch on.
void LoadedExecutable::Preparation::add_result(const CompiledParameter& result) {
  Device& device = *owner_.local_devices_[chip_];
  Memory& hbm = device.memory(MemoryKind::device);
  Storage storage{continues_[results_.size()], nullptr};
  if (storage.block == nullptr)
    storage.block =
        link_.allocate(static_cast<std::uint64_t>(result.type.bytes()),
                       fmt::format("result {} of {}", results_.size(), launch_.program));
  if (!result.token) launch_.command.results.push_back(storage.block->at());
  launch_.held.push_back(storage.block);
  Result one;
  one.buffer = std::make_unique<Buffer>(hbm, result.type, std::move(storage), launch_.done, true);
  one.buffer->set_layout(result.layout);
  one.wanted = &device.memory(result.memory);
  one.moved = result.memory != MemoryKind::device;
  results_.push_back(std::move(one));
}

}  // namespace understudy::pjrt
