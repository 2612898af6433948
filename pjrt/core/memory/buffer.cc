// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/buffer.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "configs/base/error.h"
#include "configs/base/host_memory.h"
#include "pjrt/core/client.h"
#include "pjrt/core/memory/strided_copy.h"
#include "program/executable/narrow_integers.h"

namespace understudy::pjrt {
namespace {

// Smaller copies are made in the caller's thread: handing them over costs more.
constexpr std::size_t kSmallCopy = 1 << 18;

}  // namespace

Storage storage_in(Memory& memory, std::uint64_t bytes, const std::string& label) {
  if (memory.is_on_chip()) return {memory.device()->link()->allocate(bytes, label), nullptr};
  require_host_memory(bytes, label);
  return {nullptr, std::make_shared<std::vector<std::byte>>(bytes)};
}

Buffer::Buffer(Memory& memory, program::TensorType type, Storage storage, CompletionRef ready,
               bool in_stream)
    : memory_(memory),
      type_(std::move(type)),
      storage_(std::move(storage)),
      ready_(std::move(ready)),
      in_stream_(in_stream) {}

void Buffer::require_present() const {
  if (deleted_)
    throw Refusal(abi::kInvalidArgument,
                  fmt::format("buffer {} on {} was deleted or donated", text_of(type_),
                              device().description().text()));
}

Storage Buffer::storage() const {
  const std::scoped_lock lock(mutex_);
  require_present();
  return storage_;
}

Storage Buffer::reading() const {
  require_present();
  return {storage_.block == nullptr ? nullptr : DeviceMemory::Block::reader(storage_.block),
          storage_.host};
}

Storage Buffer::storage_to_read() const {
  const std::scoped_lock lock(mutex_);
  return reading();
}

void Buffer::pin() {
  const std::scoped_lock lock(mutex_);
  if (pins_ == 0) pinned_ = reading();
  ++pins_;
}

void Buffer::unpin() {
  Storage dropped;  // freed after the lock
  const std::scoped_lock lock(mutex_);
  if (pins_ == 0)
    throw Refusal(abi::kInvalidArgument,
                  fmt::format("buffer {} has no external reference", text_of(type_)));
  if (--pins_ == 0) std::swap(dropped, pinned_);
}

BlockRef Buffer::donate() {
  const std::scoped_lock lock(mutex_);
  // Memory that a copy reads must not be overwritten by a result; the launch then allocates anew.
  if (deleted_ || storage_.block == nullptr || storage_.block->is_read()) return nullptr;
  deleted_ = true;
  return std::exchange(storage_.block, nullptr);
}

// *Requires*: donate() succeeded and nothing was launched since.
void Buffer::take_back(BlockRef block) {
  const std::scoped_lock lock(mutex_);
  storage_.block = std::move(block);
  deleted_ = false;
}

void Buffer::free() {
  Storage dropped;  // freed after the lock
  const std::scoped_lock lock(mutex_);
  deleted_ = true;
  std::swap(dropped, storage_);
}

bool Buffer::is_deleted() const {
  const std::scoped_lock lock(mutex_);
  return deleted_;
}

// Runs `copy` once the array is there: at once where it is small and ready.
CompletionRef Buffer::when_ready(std::size_t bytes, std::function<void()> copy) const {
  if (ready_->ready()) {
    if (ready_->failure() != nullptr) return Completion::done(ready_->failure());
    if (bytes <= kSmallCopy) {
      copy();
      return Completion::done();
    }
  }
  auto copied = std::make_shared<Completion>();
  CopyThread& copies = device().client().copies();
  // The storage is dropped before the end of the copy is told: it may be donated at once then.
  ready_->then([copied, bytes, copy = std::move(copy), &copies](const FailureRef& failure) mutable {
    if (failure != nullptr) return copied->set(failure);
    const auto run = [copied](std::function<void()> once) {
      once();
      once = nullptr;
      copied->set();
    };
    if (bytes > kSmallCopy)
      return copies.run(
          [run, copy = std::move(copy)]() mutable { run(std::exchange(copy, nullptr)); });
    run(std::exchange(copy, nullptr));
  });
  return copied;
}

// For a ready array of at most kSmallCopy the bytes are there when the call returns.
CompletionRef Buffer::to_host(HostArray to) const {
  // The storage is held by the copy: the buffer may be deleted meanwhile.
  return when_ready(bytes(), [from = storage_to_read(), to = std::move(to), type = type_] {
    const std::size_t element = program::byte_size(type.element);
    const std::vector<std::int64_t> dense = dense_strides(type.shape, element);
    const std::byte* data = from.data();
    std::vector<std::byte> cleared;  // the chip may go on to read its own
    if (program::is_narrow_integer(type.element)) {
      cleared.assign(data, data + type.bytes());
      program::clear_other_bits(type.element, cleared);
      data = cleared.data();
    }
    copy_strided(type.shape, element, data, dense, to.data,
                 to.strides.empty() ? dense : to.strides);
  });
}

CompletionRef Buffer::raw_to_host(std::byte* to, std::int64_t offset, std::int64_t count) const {
  const auto all = static_cast<std::int64_t>(bytes());
  if (offset < 0 || count < 0 || offset > all || count > all - offset)
    throw Error(ErrorKind::input,
                fmt::format("bytes {} to {} of a buffer of {} bytes", offset, offset + count, all));
  const auto size = static_cast<std::size_t>(count);
  return when_ready(size, [from = storage_to_read(), to, offset, size] {
    if (size > 0) std::memcpy(to, from.data() + offset, size);
  });
}

std::unique_ptr<Buffer> Buffer::copy_to(Memory& memory) const {
  Storage from = storage_to_read();
  Storage to = storage_in(memory, bytes(), "a copy of " + text_of(type_));
  CompletionRef copied = when_ready(bytes(), [from, to, size = bytes()] {
    if (size > 0) std::memcpy(to.data(), from.data(), size);
  });
  auto copy = std::make_unique<Buffer>(memory, type_, std::move(to), std::move(copied));
  copy->set_layout(layout_);
  return copy;
}

std::unique_ptr<Buffer> Buffer::from_host(Memory& memory, program::TensorType type,
                                          const std::byte* data,
                                          std::span<const std::int64_t> strides) {
  const std::size_t element = program::byte_size(type.element);
  Storage to = storage_in(memory, static_cast<std::uint64_t>(type.bytes()), text_of(type));
  const std::vector<std::int64_t> dense = dense_strides(type.shape, element);
  if (strides.empty()) strides = dense;
  copy_strided(type.shape, element, data, strides, to.data(), dense);
  if (program::is_narrow_integer(type.element))
    program::widen(type.element, {to.data(), static_cast<std::size_t>(type.bytes())});
  return std::make_unique<Buffer>(memory, std::move(type), std::move(to), Completion::done());
}

std::unique_ptr<Buffer> Buffer::empty(Memory& memory, program::TensorType type,
                                      CompletionRef ready) {
  Storage storage = storage_in(memory, static_cast<std::uint64_t>(type.bytes()), text_of(type));
  return std::make_unique<Buffer>(memory, std::move(type), std::move(storage), std::move(ready));
}

std::unique_ptr<Buffer> Buffer::failed(Memory& memory, program::TensorType type,
                                       FailureRef failure) {
  // No HBM: the array will never have data, but its size and type can still be asked.
  Storage none{nullptr, std::make_shared<std::vector<std::byte>>()};
  return std::make_unique<Buffer>(memory, std::move(type), std::move(none),
                                  Completion::done(std::move(failure)));
}

}  // namespace understudy::pjrt
