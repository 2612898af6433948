// SPDX-License-Identifier: Apache-2.0
// The chip's HBM: a best-fit allocator over an arena that its creator owns (a Segment, or a test's
// vector). Sizes are rounded up to 64 bytes; the peak use is recorded. The same sequence of calls
// gives the same addresses on every chip and in every run. Call from the executor thread only.
//
// A large buffer begins at another place in its page than the ones before it, within room of its
// own. A CPU compares the last 12 bits of addresses first: a load waits for an earlier store whose
// bits are those of a place a little further on, as where a loop reads x[i] and writes y[i + 1] of
// two arrays of whole pages. Copies of such arrays take many times as long on AMD Zen 1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace understudy::worker {

class Hbm {
 public:
  static constexpr std::uint64_t kAlignment = 64;
  // Bytes that large buffers have beside their own where these are left. The same for all, so that
  // buffers of equal size fit the places of each other, and less than half of a page, so that
  // populated pages stay within the receipt's bound.
  static constexpr std::uint64_t kRoom = 1920;
  // Smaller memories have no room to waste: there buffers follow each other without gaps.
  static constexpr std::uint64_t kLeastWithGaps = std::uint64_t{1} << 30;

  // *Requires*: the arena starts at a multiple of kAlignment.
  // `name` is for messages.
  explicit Hbm(std::span<std::byte> arena, std::string name = "HBM");

  // `bytes` bytes for `label` ("argument 3"), uninitialised; 0 bytes take one aligned block.
  // *Throws* Error{capacity} in XLA's words, with the largest buffers as notes.
  std::byte* allocate(std::uint64_t bytes, std::string label);
  // *Requires*: `start` came from allocate() and was not freed.
  void free(const std::byte* start);

  // Reduces the usable memory to `bytes`; the rest is reserved. *Requires* that nothing is
  // allocated.
  void limit(std::uint64_t bytes);

  std::span<std::byte> arena() const { return arena_; }
  std::uint64_t capacity() const { return arena_.size() - reserved_; }
  std::uint64_t reserved() const { return reserved_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t peak() const { return peak_; }

 private:
  struct Block {
    std::uint64_t bytes = 0;
    std::string label;
    std::uint64_t before = 0, after = 0;  // of its room
  };
  using FreeBlocks = std::map<std::uint64_t, std::uint64_t>;  // offset to size; no two are adjacent
  FreeBlocks::iterator best_fit(std::uint64_t size);
  std::uint64_t gap_at(std::uint64_t offset) const;
  [[noreturn]] void exhausted(std::uint64_t bytes, const std::string& label) const;

  std::span<std::byte> arena_;
  std::string name_;
  FreeBlocks free_;
  std::map<std::uint64_t, Block> taken_;  // by offset
  std::uint64_t used_ = 0, peak_ = 0, reserved_ = 0;
  std::array<std::uint64_t, 3> starts_{};  // in their pages, of the last large buffers
  std::size_t large_ = 0;                  // how many there were
};

}  // namespace understudy::worker
