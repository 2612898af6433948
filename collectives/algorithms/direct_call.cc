// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "collectives/algorithms/direct.h"
#include "collectives/call.h"
#include "configs/base/error.h"

namespace understudy::collectives {
namespace {

// Chunks are sized by memory traffic. They must be large enough to hide the cost of claiming one
// and of waking a member, and small enough that members finish at about the same time
// (kChunksPerMember).
// 64 KiB of traffic take a few microseconds, about as long as waking another member.
constexpr std::size_t kOneChunk = std::size_t{64} << 10;       // traffic that one member does alone
constexpr std::size_t kSmallestChunk = std::size_t{64} << 10;  // of traffic
// 2 MiB: the size of a huge page, and small beside any operand that is worth dividing.
constexpr std::size_t kLargestChunk = std::size_t{2} << 20;
constexpr std::size_t kChunksPerMember = 4;
constexpr std::size_t kWorthTouching = std::size_t{4} << 10;
// Above it a result would evict from the cache what other members still need.
constexpr std::size_t kStreamed = std::size_t{64} << 20;

std::size_t rounded_to_lines(std::size_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

}  // namespace

ChunkPlan plan_chunks(std::size_t bytes, std::size_t weight, std::size_t members) {
  const std::size_t traffic = bytes * weight;
  if (traffic <= kOneChunk) return {bytes, std::max(bytes, kLine)};
  // Chunks begin at multiples of kLine (rounded_to_lines), so that no two members write to the same
  // cache line.
  const std::size_t wanted =
      std::clamp(traffic / (members * kChunksPerMember), kSmallestChunk, kLargestChunk);
  return {bytes, std::max(rounded_to_lines(wanted / weight), kLine)};
}

Stores stores_for(std::size_t traffic) {
  return traffic >= kStreamed ? Stores::streaming : Stores::ordinary;
}

bool serves(const Fabric& fabric, std::span<const Rank> members, Role role) {
  if (fabric.shared == nullptr) return false;
  const bool here = std::all_of(members.begin(), members.end(), [&](Rank member) {
    return fabric.shared->board(member) != nullptr;
  });
  // Asked on every call: a gate is found again on its probe sequence, without a lock.
  return here && find_gate(fabric, members, role) != nullptr;
}

DirectCall::DirectCall(const Fabric& fabric, const Group& group, const CallSite& site, Role role,
                       std::string_view algorithm)
    : fabric_(fabric),
      group_(group),
      header_(header_of(site, group.members)),
      sync_point_(fabric, group, header_, role) {
  report_.algorithm = algorithm;
}

std::uint64_t DirectCall::place_in(std::span<const std::byte> in) {
  if (in.empty()) return 0;
  // In shared memory already: nothing is copied.
  if (const auto place = fabric_.shared->place_of(in)) return *place;
  // Private memory: neighbours read a copy.
  const auto staged = fabric_.shared->staging(fabric_.lane, Staging::in, in.size());
  std::memcpy(staged.data(), in.data(), in.size());
  return fabric_.shared->place_of(staged).value();
}

std::uint64_t DirectCall::place_out(std::span<std::byte> out) {
  if (out.empty()) return 0;
  if (const auto place = fabric_.shared->place_of(out)) return *place;
  staged_out_ = fabric_.shared->staging(fabric_.lane, Staging::out, out.size());
  private_out_ = out;
  return fabric_.shared->place_of(staged_out_).value();
}

void DirectCall::arrive(std::span<const std::byte> in, std::span<std::byte> out, std::size_t bytes,
                        const ChunkCount& chunks, ChunkWork work) {
  const std::uint64_t from = place_in(in), to = place_out(out);
  sync_point_.arrive(from, to, bytes, chunks.number, chunks.large, work);
}

CallReport DirectCall::finish() {
  sync_point_.finish();
  // After finish(), all chunks are written: the result goes from staging memory to where the caller
  // wants it.
  if (!private_out_.empty()) {
    std::memcpy(private_out_.data(), staged_out_.data(), private_out_.size());
  }
  report_.emulated_seconds = sync_point_.emulated_seconds();
  return report_;
}

void DirectCall::touch_in(std::size_t member, std::size_t begin, std::size_t size) const {
  // Below 4 KiB a page fault or two cost less than the call.
  if (size >= kWorthTouching) sync_point_.touch_in(member, begin, size);
}

void DirectCall::touch_out(std::size_t member, std::size_t begin, std::size_t size) const {
  if (size >= kWorthTouching) sync_point_.touch_out(member, begin, size);
}

std::span<const std::byte* const> DirectCall::in() {
  look_up();
  return ins_;
}

std::span<std::byte* const> DirectCall::out() {
  look_up();
  return outs_;
}

void DirectCall::look_up() {
  // Looked up once, by the first chunk that we work on: most calls of a small operation never need
  // it.
  if (!ins_.empty()) return;
  for (std::size_t member = 0; member < group_.size(); ++member) {
    ins_.push_back(sync_point_.in(member));
    outs_.push_back(sync_point_.out(member));
  }
}

}  // namespace understudy::collectives
