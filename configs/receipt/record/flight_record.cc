// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/record/flight_record.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "configs/base/collective_algorithms.h"

namespace understudy::configs {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
// Two values share a word where both are small, so that an entry fits into one cache line: the
// operation ordinal and the members (32 bits each), the kind (8 bits) above the number (56), the
// call hash (16) above the bytes (48).
constexpr int kHalf = 32;
constexpr int kKindShift = 56;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kKindShift) - 1;
constexpr int kCallShift = 48;
constexpr std::uint64_t kBytesMask = (std::uint64_t{1} << kCallShift) - 1;

// The number of an algorithm from 1, as some names have more letters than fit; else letters, whose
// first word is always larger.
std::array<std::uint64_t, 2> words_of(std::string_view letters) {
  std::array<std::uint64_t, 2> words{};
  const auto* const known = std::ranges::find(kCollectiveAlgorithms, letters);
  if (known != kCollectiveAlgorithms.end())
    return {static_cast<std::uint64_t>(known - kCollectiveAlgorithms.begin()) + 1, 0};
  std::memcpy(words.data(), letters.data(), std::min(letters.size(), sizeof(words)));
  return words;
}

std::string text_of(const std::array<std::uint64_t, 2>& words) {
  if (words[0] > 0 && words[0] <= kCollectiveAlgorithms.size())
    return std::string(kCollectiveAlgorithms[words[0] - 1]);
  std::array<char, sizeof(words)> letters{};
  std::memcpy(letters.data(), words.data(), sizeof(words));
  return {letters.begin(), std::find(letters.begin(), letters.end(), '\0')};
}

}  // namespace

void FlightRecord::enter(std::uint64_t sequence, const FlightEntry& entry) noexcept {
  Slot& to = slot(sequence);
  // Writer side of the seqlock. The release fence orders the 0 before the stores that follow: a
  // reader that sees one of them, and then reads the sequence again behind an acquire fence, finds
  // that it changed. The final release store publishes the complete entry.
  to.sequence.store(0, kRelaxed);
  std::atomic_thread_fence(std::memory_order_release);
  to.entered_ns.store(entry.entered_ns, kRelaxed);
  to.done_ns.store(0, kRelaxed);
  to.bytes_and_call.store(
      (std::uint64_t{entry.call} << kCallShift) | std::min(entry.bytes, kBytesMask), kRelaxed);
  to.number_and_kind.store((std::uint64_t{entry.kind} << kKindShift) | (entry.number & kNumberMask),
                           kRelaxed);
  to.op_and_members.store((std::uint64_t{entry.op} << kHalf) | entry.members, kRelaxed);
  for (auto& word : to.algorithm) word.store(0, kRelaxed);
  to.sequence.store(sequence, std::memory_order_release);
  // After the slot, so that a reader of last() finds the entry complete.
  last_.store(sequence, std::memory_order_release);
}

void FlightRecord::done(std::uint64_t sequence, std::string_view algorithm,
                        std::int64_t done_ns) noexcept {
  Slot& to = slot(sequence);
  if (to.sequence.load(kRelaxed) != sequence) return;  // overwritten by later entries
  const auto words = words_of(algorithm);
  for (std::size_t i = 0; i < words.size(); ++i) to.algorithm[i].store(words[i], kRelaxed);
  // The sequence stays, because a reader may see an entry with or without its end. Release, after
  // the name: a reader that sees the time also sees the algorithm.
  to.done_ns.store(done_ns, std::memory_order_release);
}

std::vector<FlightSeen> FlightRecord::read() const {
  std::vector<FlightSeen> all;
  for (const Slot& from : slots_) {
    FlightSeen seen;
    // Reader side of the seqlock: sequence (acquire), fields, acquire fence, sequence again. Equal
    // and not 0: the fields belong together.
    seen.sequence = from.sequence.load(std::memory_order_acquire);
    const std::uint64_t number_and_kind = from.number_and_kind.load(kRelaxed);
    const std::uint64_t op_and_members = from.op_and_members.load(kRelaxed);
    const std::size_t kind = number_and_kind >> kKindShift;
    if (seen.sequence == 0 || kind >= kCollectiveKinds.size()) continue;
    seen.kind = kCollectiveKinds[kind];
    seen.number = number_and_kind & kNumberMask;
    seen.op = static_cast<std::int64_t>(op_and_members >> kHalf);
    seen.members = op_and_members & ((std::uint64_t{1} << kHalf) - 1);
    const std::uint64_t bytes_and_call = from.bytes_and_call.load(kRelaxed);
    seen.bytes = bytes_and_call & kBytesMask;
    seen.call = static_cast<std::uint16_t>(bytes_and_call >> kCallShift);
    seen.entered_ns = from.entered_ns.load(kRelaxed);
    if (const std::int64_t done = from.done_ns.load(std::memory_order_acquire); done != 0)
      seen.done_ns = done;
    seen.algorithm = text_of({from.algorithm[0].load(kRelaxed), from.algorithm[1].load(kRelaxed)});
    std::atomic_thread_fence(std::memory_order_acquire);
    if (from.sequence.load(kRelaxed) == seen.sequence) all.push_back(std::move(seen));
  }
  std::sort(all.begin(), all.end(),
            [](const FlightSeen& a, const FlightSeen& b) { return a.sequence < b.sequence; });
  return all;
}

std::optional<std::int64_t> FlightRecord::entered(std::size_t kind, std::uint64_t number,
                                                  std::uint32_t op) const noexcept {
  // The newest entries first: the caller looks for a collective that is in progress or just done.
  const std::uint64_t wanted = (std::uint64_t{kind} << kKindShift) | (number & kNumberMask);
  const std::uint64_t last = this->last();
  for (std::uint64_t back = 0; back < kEntries && back < last; ++back) {
    const Slot& from = slot(last - back);
    if (from.number_and_kind.load(kRelaxed) != wanted) continue;
    // The same number at another operation: the peer runs another program.
    if (from.op_and_members.load(kRelaxed) >> kHalf != op) return std::nullopt;
    const std::int64_t entered = from.entered_ns.load(kRelaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (from.sequence.load(kRelaxed) != last - back) return std::nullopt;
    return entered;
  }
  return std::nullopt;
}

std::string name_of(const FlightSeen& seen) { return fmt::format("{}#{}", seen.kind, seen.number); }

}  // namespace understudy::configs
