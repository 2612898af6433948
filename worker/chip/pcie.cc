// SPDX-License-Identifier: Apache-2.0
#include "worker/chip/pcie.h"

#include <algorithm>
#include <cstring>

namespace understudy::worker {
namespace {

// The part of the premapped buffer that one copy uses at a time: it stays in the processor's cache,
// so that the second copy costs little.
constexpr std::uint64_t kPiece = 256 << 10;

}  // namespace

Pcie::Pcie(std::uint64_t premapped_bytes) : premapped_(std::min(premapped_bytes, kPiece)) {}

void Pcie::to_chip(std::byte* to, const std::byte* from, std::size_t bytes) {
  ++to_chip_.transfers;
  to_chip_.bytes += static_cast<std::int64_t>(bytes);
  copy(to, from, bytes);
}

void Pcie::to_host(std::byte* to, const std::byte* from, std::size_t bytes) {
  ++to_host_.transfers;
  to_host_.bytes += static_cast<std::int64_t>(bytes);
  copy(to, from, bytes);
}

void Pcie::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (premapped_.empty()) {
    std::memcpy(to, from, bytes);
    return;
  }
  for (std::size_t done = 0; done < bytes; done += premapped_.size()) {
    const std::size_t piece = std::min(premapped_.size(), bytes - done);
    std::memcpy(premapped_.data(), from + done, piece);
    std::memcpy(to + done, premapped_.data(), piece);
  }
}

void Pcie::add_to(std::map<std::string, std::int64_t>& counters) const {
  counters["PcieToChip"] = to_chip_.transfers;
  counters["PcieToChipBytes"] = to_chip_.bytes;
  counters["PcieToHost"] = to_host_.transfers;
  counters["PcieToHostBytes"] = to_host_.bytes;
}

}  // namespace understudy::worker
