// SPDX-License-Identifier: Apache-2.0
// The layout of a record file, for its writer and its readers. Two pages, mapped and shared, with
// the header and the flight recorder; then the log, which is written with pwrite(2). `used` grows
// only after a line is complete: what a killed writer left behind it is not part of the record.
// Internal to configs.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "configs/receipt/record/record.h"

namespace understudy::configs::layout {

inline constexpr std::array<char, 8> kMagic = {'U', 'S', 'R', 'E', 'C', 'O', 'R', 'D'};
inline constexpr std::uint32_t kFormat = 3;
inline constexpr std::size_t kStatusBytes = 1024;  // of the header; the flight recorder follows
inline constexpr std::size_t kHeaderBytes = 8192;
inline constexpr std::size_t kLogBytes = 1024 * 1024;  // at most

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t format = 0;
  std::int32_t rank = 0;
  std::atomic<std::uint64_t> used{0};  // complete bytes of the log
  std::atomic<std::uint64_t> dropped{0};
  alignas(64) StatusCell status;
};
static_assert(sizeof(Header) <= kStatusBytes);
static_assert(kStatusBytes + sizeof(FlightRecord) <= kHeaderBytes);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// The names of the lines, in the order of the alternatives of Observation.
inline constexpr std::array<std::string_view, 15> kKinds = {
    "process", "signal",     "started",  "clocks", "gate",   "probed", "compiled",  "step",
    "result",  "collective", "arrivals", "memory", "totals", "failed", "non_finite"};
static_assert(kKinds.size() == std::variant_size_v<Observation>);

// Up to `most` bytes from the start of the file; nullopt if there is none. *Throws* Error{system}.
std::optional<std::vector<std::byte>> read_start(const std::string& path, std::size_t most);

}  // namespace understudy::configs::layout
