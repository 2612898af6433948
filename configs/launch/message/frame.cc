// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/frame.h"

#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

// The frame header: little-endian, 16 bytes; then the head, then the body.
struct Opening {
  std::array<char, 4> magic{'u', 's', 't', '1'};
  std::uint32_t head_bytes = 0;
  std::uint64_t body_bytes = 0;
};
static_assert(sizeof(Opening) == 16 && std::endian::native == std::endian::little);

Opening opening_in(std::span<const std::byte> bytes) {
  Opening opening;
  std::memcpy(&opening, bytes.data(), sizeof opening);
  if (opening.magic != Opening{}.magic)
    throw Error(ErrorKind::protocol, "invalid frame between host and worker: wrong magic");
  // Limits keep a corrupt length from making us wait for, or allocate, bytes that will never come.
  if (opening.head_bytes > FrameDecoder::kMostHeadBytes ||
      opening.body_bytes > FrameDecoder::kMostBodyBytes)
    throw Error(ErrorKind::protocol,
                fmt::format("frame between host and worker is too large: {} + {} bytes",
                            opening.head_bytes, opening.body_bytes));
  return opening;
}

}  // namespace

std::vector<std::byte> encode(std::string_view head, std::span<const std::byte> body) {
  Opening opening;
  opening.head_bytes = static_cast<std::uint32_t>(head.size());
  opening.body_bytes = body.size();
  std::vector<std::byte> bytes(sizeof opening + head.size() + body.size());
  std::memcpy(bytes.data(), &opening, sizeof opening);
  std::memcpy(bytes.data() + sizeof opening, head.data(), head.size());
  if (!body.empty())
    std::memcpy(bytes.data() + sizeof opening + head.size(), body.data(), body.size());
  return bytes;
}

// next() removes complete frames from the front; what remains is the start of the next one.
void FrameDecoder::feed(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

// Frames may arrive in any number of pieces, or several at once.
std::optional<Frame> FrameDecoder::next() {
  if (bytes_.size() < sizeof(Opening)) return std::nullopt;
  const Opening opening = opening_in(bytes_);
  const std::size_t whole = sizeof opening + opening.head_bytes + opening.body_bytes;
  if (bytes_.size() < whole) return std::nullopt;
  const auto head = bytes_.begin() + sizeof opening;
  const auto body = head + opening.head_bytes;
  const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(whole);
  Frame frame;
  frame.head.assign(reinterpret_cast<const char*>(bytes_.data()) + sizeof opening,
                    opening.head_bytes);
  frame.body.assign(body, end);
  bytes_.erase(bytes_.begin(), end);
  return frame;
}

}  // namespace understudy::configs
