// SPDX-License-Identifier: Apache-2.0
// Transfers to a chip in pieces: the framework asks for empty buffers and fills them part by part.
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "pjrt/abi/client.h"
#include "pjrt/abi/struct_array.h"
#include "pjrt/abi/transfer.h"
#include "pjrt/api/entry.h"
#include "pjrt/core/client.h"
#include "pjrt/core/element_types.h"
#include "pjrt/core/host_callbacks.h"
#include "pjrt/core/memory/buffer.h"
#include "program/executable/narrow_integers.h"

namespace understudy::pjrt {

// PJRT_AsyncHostToDeviceTransferManager. A buffer is ready after its last transfer. Thread-safe.
class AsyncTransfer {
 public:
  explicit AsyncTransfer(Memory& memory) : memory_(memory) {}
  // What nobody finished will never be there.
  ~AsyncTransfer() {
    for (Part& part : parts_)
      part.ready->set(make_failure(abi::kCancelled, "the transfer was given up"));
  }
  AsyncTransfer(const AsyncTransfer&) = delete;
  AsyncTransfer& operator=(const AsyncTransfer&) = delete;

  void add(program::TensorType type) {
    auto ready = std::make_shared<Completion>();
    const program::ElementType element = type.element;
    auto buffer = Buffer::empty(memory_, std::move(type), ready);
    Storage storage = buffer->storage();
    const std::size_t bytes = buffer->bytes();
    parts_.push_back({std::move(buffer), std::move(storage), bytes, element, std::move(ready)});
  }
  Memory& memory() const { return memory_; }
  std::size_t count() const { return parts_.size(); }
  std::size_t bytes(int index) { return at(index).bytes; }

  void write(int index, const void* data, std::int64_t offset, std::int64_t count, bool last) {
    Part& part = at(index);
    const auto all = static_cast<std::int64_t>(part.bytes);
    if (offset < 0 || count < 0 || offset > all || count > all - offset)
      throw Refusal(abi::kInvalidArgument, "a transfer outside of its buffer");
    const std::span piece(part.storage.data() + offset, static_cast<std::size_t>(count));
    if (count > 0) std::memcpy(piece.data(), data, piece.size());
    if (program::is_narrow_integer(part.element)) program::widen(part.element, piece);
    // Pieces may arrive in any order and from several threads; the caller promises that the last
    // one is last in time.
    if (last) part.ready->set();
  }
  void fail(int index, FailureRef failure) { at(index).ready->set(std::move(failure)); }
  // Allowed before the data has arrived: the buffer becomes ready with its last piece.
  Buffer* retrieve(int index) {
    const std::scoped_lock lock(mutex_);
    Part& part = at(index);
    if (part.buffer == nullptr)
      throw Refusal(abi::kFailedPrecondition, "the buffer was retrieved before");
    return part.buffer.release();
  }

 private:
  struct Part {
    std::unique_ptr<Buffer> buffer;  // until it is retrieved
    Storage storage;
    std::size_t bytes = 0;
    program::ElementType element = program::ElementType::f32;
    CompletionRef ready;
  };
  // Without the lock: parts_ does not change after the manager was handed out.
  Part& at(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= parts_.size())
      throw Refusal(abi::kInvalidArgument, "there is no buffer " + std::to_string(index));
    return parts_[static_cast<std::size_t>(index)];
  }

  Memory& memory_;
  std::mutex mutex_;  // guards the buffers of parts_
  std::vector<Part> parts_;
};

namespace {

void create(abi::ClientCreateBuffersForAsyncHostToDeviceArgs& args) {
  auto transfer = std::make_unique<AsyncTransfer>(*args.memory);
  const abi::ShapeSpec* shape = args.shape_specs;
  for (std::size_t i = 0; i < args.num_shape_specs; ++i, shape = abi::next_struct(shape))
    transfer->add({element_of(shape->element_type), {shape->dims, shape->dims + shape->num_dims}});
  args.transfer_manager = transfer.release();
}
void destroy(abi::AsyncHostToDeviceTransferManagerDestroyArgs& args) {
  delete args.transfer_manager;
}
void transfer_data(abi::AsyncHostToDeviceTransferManagerTransferDataArgs& args) {
  args.transfer_manager->write(args.buffer_index, args.data, args.offset, args.transfer_size,
                               args.is_last_transfer);
  // The bytes were copied in this call.
  args.done_with_h2d_transfer = new Event(Completion::done());
}
void retrieve(abi::AsyncHostToDeviceTransferManagerRetrieveBufferArgs& args) {
  args.buffer_out = args.transfer_manager->retrieve(args.buffer_index);
}
void device(abi::AsyncHostToDeviceTransferManagerDeviceArgs& args) {
  args.device_out = args.transfer_manager->memory().device();
}
void count(abi::AsyncHostToDeviceTransferManagerBufferCountArgs& args) {
  args.buffer_count = args.transfer_manager->count();
}
void size(abi::AsyncHostToDeviceTransferManagerBufferSizeArgs& args) {
  args.buffer_size = args.transfer_manager->bytes(args.buffer_index);
}
void set_error(abi::AsyncHostToDeviceTransferManagerSetBufferErrorArgs& args) {
  args.transfer_manager->fail(
      args.buffer_index,
      make_failure(args.error_code, std::string(args.error_message, args.error_message_size)));
}
void add_metadata(abi::AsyncHostToDeviceTransferManagerAddMetadataArgs& /*args*/) {}

void stream_destroy(abi::CopyToDeviceStreamDestroyArgs& args) { delete args.stream; }
void stream_add(abi::CopyToDeviceStreamAddChunkArgs& args) {
  args.stream->add(*args.chunk);
  args.transfer_complete = new Event(Completion::done());
}
void stream_total(abi::CopyToDeviceStreamTotalBytesArgs& args) {
  args.total_bytes = args.stream->total();
}
void stream_granule(abi::CopyToDeviceStreamGranuleSizeArgs& args) {
  // Chunks of any size are taken: the copy has no alignment.
  args.granule_size_in_bytes = 1;
}
void stream_current(abi::CopyToDeviceStreamCurrentBytesArgs& args) {
  args.current_bytes = args.stream->current();
}

}  // namespace

void add_transfers(abi::Api& api) {
  using enum abi::Slot;
  set<stream_destroy>(api, CopyToDeviceStream_Destroy);
  set<stream_add>(api, CopyToDeviceStream_AddChunk);
  set<stream_total>(api, CopyToDeviceStream_TotalBytes);
  set<stream_granule>(api, CopyToDeviceStream_GranuleSize);
  set<stream_current>(api, CopyToDeviceStream_CurrentBytes);
  set<create>(api, Client_CreateBuffersForAsyncHostToDevice);
  set<destroy>(api, AsyncHostToDeviceTransferManager_Destroy);
  set<transfer_data>(api, AsyncHostToDeviceTransferManager_TransferData);
  set<retrieve>(api, AsyncHostToDeviceTransferManager_RetrieveBuffer);
  set<device>(api, AsyncHostToDeviceTransferManager_Device);
  set<count>(api, AsyncHostToDeviceTransferManager_BufferCount);
  set<size>(api, AsyncHostToDeviceTransferManager_BufferSize);
  set<set_error>(api, AsyncHostToDeviceTransferManager_SetBufferError);
  set<add_metadata>(api, AsyncHostToDeviceTransferManager_AddMetadata);
}

}  // namespace understudy::pjrt
