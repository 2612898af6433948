// SPDX-License-Identifier: Apache-2.0
// PJRT_Buffer: one array in a memory of one chip: in HBM, or in host memory of this process. It may
// be the result of a launch that has not finished, and it may carry the failure of that launch.
// Dense row-major, whatever its layout says (array_layout.h). Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "pjrt/core/completion.h"
#include "pjrt/core/device.h"
#include "pjrt/core/memory/array_layout.h"
#include "program/ir/types.h"

namespace understudy::pjrt {

// Where the bytes are: exactly one is set, until the buffer is deleted.
struct Storage {
  BlockRef block;
  std::shared_ptr<std::vector<std::byte>> host;
  std::byte* data() const { return block != nullptr ? block->start() : host->data(); }
};

// Host memory that the caller gave or wants, with its strides in bytes (empty: dense row-major).
struct HostArray {
  std::byte* data = nullptr;
  std::vector<std::int64_t> strides;
};

class Buffer {
 public:
  // `in_stream`: the result of a launch on that chip, so that later launches there may use it.
  Buffer(Memory& memory, program::TensorType type, Storage storage, CompletionRef ready,
         bool in_stream = false);

  Memory& memory() const { return memory_; }
  Device& device() const { return *memory_.device(); }
  const program::TensorType& type() const { return type_; }
  std::size_t bytes() const { return static_cast<std::size_t>(type_.bytes()); }
  const CompletionRef& ready() const { return ready_; }
  bool is_in_stream() const { return in_stream_; }
  const LayoutRef& layout() const { return layout_; }
  // Before another thread has the buffer.
  void set_layout(LayoutRef layout) { layout_ = std::move(layout); }

  // *Throws* Refusal{INVALID_ARGUMENT} where the buffer was deleted or donated.
  Storage storage() const;
  // The same, for a copy: until it is dropped, donate() refuses.
  Storage storage_to_read() const;
  // Gives the memory on the chip away: the buffer is deleted from here on. nullptr where a copy
  // still reads it, or where there is none: nothing has changed then.
  BlockRef donate();
  void take_back(BlockRef block);  // undoes donate()
  // Pins the memory for another library of this process. Until as many calls of unpin(), or the end
  // of the buffer, free() keeps the memory and donate() refuses.
  // *Throws* Refusal{INVALID_ARGUMENT} where the buffer was deleted; unpin(): where nothing is
  // pinned.
  void pin();
  void unpin();
  void free();  // may be called again
  bool is_deleted() const;

  // Copies the array to `to` once it is ready. The completion carries the buffer's failure.
  CompletionRef to_host(HostArray to) const;
  // Bytes [offset, offset + bytes) of the array.
  CompletionRef raw_to_host(std::byte* to, std::int64_t offset, std::int64_t bytes) const;
  // A new buffer with the same array.
  std::unique_ptr<Buffer> copy_to(Memory& memory) const;

  static std::unique_ptr<Buffer> from_host(Memory& memory, program::TensorType type,
                                           const std::byte* data,
                                           std::span<const std::int64_t> strides);
  // Contents undefined.
  static std::unique_ptr<Buffer> empty(Memory& memory, program::TensorType type,
                                       CompletionRef ready);
  static std::unique_ptr<Buffer> failed(Memory& memory, program::TensorType type,
                                        FailureRef failure);

 private:
  void require_present() const;  // *Requires* mutex_
  Storage reading() const;       // *Requires* mutex_
  CompletionRef when_ready(std::size_t bytes, std::function<void()> copy) const;

  Memory& memory_;
  const program::TensorType type_;
  mutable std::mutex mutex_;  // guards storage_, pinned_, pins_ and deleted_
  Storage storage_;
  Storage pinned_;  // a reading reference while pins_ > 0
  int pins_ = 0;
  bool deleted_ = false;
  const CompletionRef ready_;
  const bool in_stream_;
  LayoutRef layout_;
};

// New storage of that size. *Throws* Error{capacity}.
Storage storage_in(Memory& memory, std::uint64_t bytes, const std::string& label);

}  // namespace understudy::pjrt
