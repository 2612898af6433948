// SPDX-License-Identifier: Apache-2.0
// The memory of one chip as a shared object: header pages with the worker's StatusCell, the board
// of collectives, scratch memory for collectives, then HBM. The object is sparse and its pages are
// allocated at their first use, so that a chip of 32 GB costs only what it uses. The owner creates
// it; every worker of the same machine maps it too. A Segment owns one mapping and, until
// close_descriptor(), a descriptor. Thread-compatible. Equivalents: MPI_Win_allocate_shared.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collectives/board.h"
#include "configs/receipt/record/record.h"

namespace understudy::worker {

inline constexpr std::uint64_t kPage = 4096;

// The first two pages of a segment. Zero-filled is a valid start.
struct SegmentHeader {
  configs::StatusCell status;
  std::atomic<std::uint64_t> other_progress{0};  // progress of work that executes no instruction
  std::atomic<std::uint64_t> infeed{0};          // see CommanderSetup::infeed_line
  configs::FlightRecord flight;                  // the worker's last collectives
};

class Segment {
 public:
  // A new, zero-filled segment. *Throws* Error{system} with the remedy.
  static Segment create(std::uint64_t hbm_bytes);
  // Maps a peer's segment from its descriptor and takes ownership of the descriptor.
  static Segment map(int descriptor, std::uint64_t hbm_bytes);

  Segment(Segment&& other) noexcept;
  Segment& operator=(Segment&&) = delete;
  Segment(const Segment&) = delete;
  ~Segment();

  SegmentHeader& header() const;
  configs::StatusCell& status() const { return header().status; }
  collectives::Board& board() const;
  std::span<std::byte> scratch() const;
  std::span<std::byte> hbm() const;
  std::span<std::byte> all() const;
  int descriptor() const { return descriptor_; }  // -1 once closed
  void close_descriptor();

 private:
  Segment(int descriptor, std::uint64_t hbm_bytes);

  int descriptor_ = -1;
  std::byte* base_ = nullptr;
  std::uint64_t hbm_bytes_ = 0;
};

}  // namespace understudy::worker
