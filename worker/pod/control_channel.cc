// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/control_channel.h"

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

constexpr collectives::Stream kStream = collectives::Stream::control_channel;

// The name doubles as the signature: two ranks that are in different calls get a protocol error
// with both names instead of each other's bytes.
// std::hash is stable within one build, and all ranks run the same build (ContractGate).
MessageHeader header_for(std::string_view what) {
  MessageHeader header;
  header.signature = std::hash<std::string_view>{}(what);
  // Truncated: the field only serves messages. The last byte stays 0.
  const std::size_t size = std::min(what.size(), header.call.size() - 1);
  std::memcpy(header.call.data(), what.data(), size);
  return header;
}

std::span<const std::byte> view_of(const std::uint64_t& number) {
  return std::as_bytes(std::span(&number, 1));
}

// A binomial tree. The parent of a rank is the rank with its lowest set bit cleared, and the
// descendants of a rank are the ranks directly after it. So no rank talks to more than log2(n)
// others, and packages that are gathered from the nearest child first are in rank order without
// sorting.
int parent_of(int rank) { return rank & (rank - 1); }

// Nearest first.
std::vector<Rank> children_of(int rank, int size) {
  std::vector<Rank> children;
  // A rank owns the steps below its lowest set bit; rank 0 owns all.
  for (int step = 1; rank + step < size && (rank & step) == 0; step *= 2)
    children.emplace_back(rank + step);
  return children;
}

void append(Bytes& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Every package is its size, then its bytes.
Bytes packed(std::span<const std::byte> bytes) {
  Bytes package;
  append(package, view_of(bytes.size()));
  append(package, bytes);
  return package;
}

std::vector<Bytes> unpacked(std::span<const std::byte> packages) {
  std::vector<Bytes> all;
  while (!packages.empty()) {
    std::uint64_t size = 0;
    // Packages come from this build's own packed(); a broken one is a bug, not bad input.
    UNDERSTUDY_ASSERT(packages.size() >= sizeof(size));
    std::memcpy(&size, packages.data(), sizeof(size));
    packages = packages.subspan(sizeof(size));
    UNDERSTUDY_ASSERT(packages.size() >= size);
    all.emplace_back(packages.begin(), packages.begin() + static_cast<std::ptrdiff_t>(size));
    packages = packages.subspan(size);
  }
  return all;
}

}  // namespace

void ControlChannel::send(Rank to, std::span<const std::byte> bytes, std::string_view what) {
  const MessageHeader header = header_for(what);
  const collectives::Waiting waiting{std::string(what)};
  // The size travels first, in a message of its own: the transport's receives know their length.
  // Empty strings need no second message.
  const std::uint64_t size = bytes.size();
  transport_.exchange(view_of(size), to, {}, kNobody, kStream, header, waiting);
  if (size > 0) transport_.exchange(bytes, to, {}, kNobody, kStream, header, waiting);
}

Bytes ControlChannel::receive(Rank from, std::string_view what) {
  const MessageHeader header = header_for(what);
  const collectives::Waiting waiting{std::string(what)};
  std::uint64_t size = 0;
  transport_.exchange({}, kNobody, std::as_writable_bytes(std::span(&size, 1)), from, kStream,
                      header, waiting);
  // Allocated from a size that a peer of the same build sent, checked by the signature of the
  // header.
  Bytes bytes(size);
  if (size > 0) transport_.exchange({}, kNobody, bytes, from, kStream, header, waiting);
  return bytes;
}

Bytes ControlChannel::broadcast(Bytes bytes, std::string_view what) {
  if (!is_root()) bytes = receive(Rank(parent_of(rank().value)), what);
  const std::vector<Rank> children = children_of(rank().value, size());
  // The farthest child has the largest subtree, so it is served first.
  for (auto to = children.rbegin(); to != children.rend(); ++to) send(*to, bytes, what);
  return bytes;
}

std::string ControlChannel::broadcast_text(std::string text, std::string_view what) {
  return text_of(broadcast(bytes_of(text), what));
}

Bytes ControlChannel::gather_packed(std::span<const std::byte> bytes, std::string_view what) {
  Bytes packages = packed(bytes);
  for (const Rank child : children_of(rank().value, size())) append(packages, receive(child, what));
  if (is_root()) return packages;
  send(Rank(parent_of(rank().value)), packages, what);
  return {};
}

std::vector<Bytes> ControlChannel::gather(Bytes bytes, std::string_view what) {
  return unpacked(gather_packed(bytes, what));
}

std::vector<Bytes> ControlChannel::all_gather(Bytes bytes, std::string_view what) {
  // Gather and broadcast: 2 log2(n) steps. Data are small and all_gathers few, all of them before
  // or after a run.
  std::vector<Bytes> by_rank = unpacked(broadcast(gather_packed(bytes, what), what));
  UNDERSTUDY_ASSERT(by_rank.size() == static_cast<std::size_t>(size()));
  return by_rank;
}

void ControlChannel::barrier(std::string_view what) {
  // A barrier is an empty gather and an empty broadcast: nobody leaves before rank 0 has heard of
  // all.
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
