// SPDX-License-Identifier: Apache-2.0
#include "worker/courier.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "collectives/tags.h"
#include "configs/base/error.h"

namespace understudy::worker {
namespace {

using collectives::kNobody;
using collectives::MessageHeader;

constexpr collectives::Stream kStream = collectives::Stream::courier;

MessageHeader header_for(std::string_view what) {
  MessageHeader header;
  header.signature = std::hash<std::string_view>{}(what);
  const std::size_t size = std::min(what.size(), header.call.size() - 1);
  std::memcpy(header.call.data(), what.data(), size);
  return header;
}

std::span<const std::byte> view_of(const std::uint64_t& number) {
  return std::as_bytes(std::span(&number, 1));
}

}  // namespace

void Courier::send(Rank to, std::span<const std::byte> bytes, std::string_view what) {
  const MessageHeader header = header_for(what);
  const collectives::Waiting waiting{std::string(what)};
  const std::uint64_t size = bytes.size();
  transport_.exchange(view_of(size), to, {}, kNobody, kStream, header, waiting);
  if (size > 0) transport_.exchange(bytes, to, {}, kNobody, kStream, header, waiting);
}

Bytes Courier::receive(Rank from, std::string_view what) {
  const MessageHeader header = header_for(what);
  const collectives::Waiting waiting{std::string(what)};
  std::uint64_t size = 0;
  transport_.exchange({}, kNobody, std::as_writable_bytes(std::span(&size, 1)), from, kStream,
                      header, waiting);
  Bytes bytes(size);
  if (size > 0) transport_.exchange({}, kNobody, bytes, from, kStream, header, waiting);
  return bytes;
}

Bytes Courier::broadcast(Bytes bytes, std::string_view what) {
  if (!is_root()) return receive(Rank(0), what);
  for (int to = 1; to < size(); ++to) send(Rank(to), bytes, what);
  return bytes;
}

std::string Courier::broadcast_text(std::string text, std::string_view what) {
  return text_of(broadcast(bytes_of(text), what));
}

std::vector<Bytes> Courier::gather(Bytes bytes, std::string_view what) {
  if (!is_root()) {
    send(Rank(0), bytes, what);
    return {};
  }
  std::vector<Bytes> all = {std::move(bytes)};
  for (int from = 1; from < size(); ++from) all.push_back(receive(Rank(from), what));
  return all;
}

std::vector<Bytes> Courier::all_gather(Bytes bytes, std::string_view what) {
  const std::vector<Bytes> all = gather(std::move(bytes), what);
  Bytes packed;
  for (const Bytes& one : all) {
    const std::uint64_t size = one.size();
    const auto number = view_of(size);
    packed.insert(packed.end(), number.begin(), number.end());
    packed.insert(packed.end(), one.begin(), one.end());
  }
  packed = broadcast(std::move(packed), what);
  std::vector<Bytes> by_rank;
  for (std::size_t at = 0; at < packed.size();) {
    std::uint64_t size = 0;
    std::memcpy(&size, packed.data() + at, sizeof(size));
    at += sizeof(size);
    by_rank.emplace_back(packed.begin() + static_cast<std::ptrdiff_t>(at),
                         packed.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  UNDERSTUDY_ASSERT(by_rank.size() == static_cast<std::size_t>(size()));
  return by_rank;
}

void Courier::barrier(std::string_view what) {
  gather({}, what);
  broadcast({}, what);
}

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  return {bytes.begin(), bytes.end()};
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace understudy::worker
