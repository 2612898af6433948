// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/host_callbacks.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "pjrt/core/failure.h"

namespace understudy::pjrt {
namespace {

std::string nobody(std::int64_t channel) {
  return fmt::format("the framework has no callback for channel {}", channel);
}

}  // namespace

// Looked up by channel: the framework lists callbacks in an order of its own.
HostCallbacks::HostCallbacks(std::span<const abi::SendCallbackInfo> sends,
                             std::span<const abi::RecvCallbackInfo> receives) {
  for (const abi::SendCallbackInfo& one : sends) sends_.emplace(one.channel_id, one);
  for (const abi::RecvCallbackInfo& one : receives) receives_.emplace(one.channel_id, one);
}

// The framework owns the chunk: it frees it with the deleter, at a time of its choice.
void HostCallbacks::take(std::int64_t channel, std::span<const std::byte> bytes,
                         const Resume& resume) const {
  const auto found = sends_.find(channel);
  if (found == sends_.end()) return resume(nobody(channel));
  abi::Chunk chunk{};
  // A copy, because the chip may overwrite the place as soon as it is resumed.
  chunk.data = std::malloc(std::max<std::size_t>(bytes.size(), 1));
  chunk.size = bytes.size();
  chunk.deleter = [](void* data, void* /*argument*/) { std::free(data); };
  if (!bytes.empty()) std::memcpy(chunk.data, bytes.data(), bytes.size());
  const std::unique_ptr<ErrorHandle> error(found->second.send_callback(
      &chunk, &make_error_callback, bytes.size(), true, found->second.user_arg));
  resume(error == nullptr ? "" : error->failure->message);
}

void HostCallbacks::give(std::int64_t channel, std::span<std::byte> place,
                         const Resume& resume) const {
  const auto found = receives_.find(channel);
  if (found == receives_.end()) return resume(nobody(channel));
  found->second.recv_callback(new CopyToDeviceStream(place, resume), found->second.user_arg);
}

// The framework destroys the stream when its callback is done or has failed. The chip waits for
// this answer, so there must be one in every case.
CopyToDeviceStream::~CopyToDeviceStream() {
  if (!resumed_) resume_("the framework gave fewer bytes than the program wants");
}

void CopyToDeviceStream::add(const abi::Chunk& chunk) {
  bool full = false;
  {
    const std::scoped_lock lock(mutex_);
    if (chunk.size > place_.size() - written_)
      throw Refusal(abi::kInvalidArgument,
                    fmt::format("a chunk of {} bytes for the last {} bytes of a stream", chunk.size,
                                place_.size() - written_));
    if (chunk.size > 0) std::memcpy(place_.data() + written_, chunk.data, chunk.size);
    written_ += chunk.size;
    full = written_ == place_.size() && !resumed_;
    if (full) resumed_ = true;
  }
  if (chunk.deleter != nullptr) chunk.deleter(chunk.data, chunk.deleter_arg);
  // After the lock is released: resuming sends on the socket.
  if (full) resume_("");
}

std::int64_t CopyToDeviceStream::current() {
  const std::scoped_lock lock(mutex_);
  return static_cast<std::int64_t>(written_);
}

}  // namespace understudy::pjrt
