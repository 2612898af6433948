// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/joined_slices.h"

#include <charconv>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

constexpr std::int64_t kMostChips = 1'000'000;

}  // namespace

// "2xv6e-8" has the count before the "x". A name without a count is left as it is and reported by
// make_slice() if it is unknown.
std::int64_t take_joined(std::string& slice) {
  std::int64_t count = 0;
  const char* const end = slice.data() + slice.size();
  const auto [stop, code] = std::from_chars(slice.data(), end, count);
  if (code != std::errc() || stop == end || *stop != 'x' || count < 1) return 1;
  slice.erase(0, static_cast<std::size_t>(stop + 1 - slice.data()));
  return count;
}

std::string joined_name(std::int64_t slices, const std::string& slice) {
  return slices == 1 ? slice : fmt::format("{}x{}", slices, slice);
}

Slice make_joined(SliceRequest request, std::int64_t slices) {
  const std::int64_t named = take_joined(request.slice);
  Slice slice = make_slice(request);
  const auto chips = static_cast<std::int64_t>(slice.chips.size());
  if (slices < 1 || slices > kMostChips || named > kMostChips ||
      slices * named > kMostChips / chips)
    throw Error(ErrorKind::usage,
                fmt::format("cannot join {} slices {}: expected 1 to {}",
                            slices != 1 ? slices : named, slice.name, kMostChips / chips));
  const std::int64_t hosts = slice.hosts;
  slice.slices = slices * named;
  slice.hosts = slice.slices * hosts;
  for (std::int64_t i = chips; i < slice.slices * chips; ++i) {
    const std::int64_t before = i / chips;  // slices
    Chip chip = slice.chips[static_cast<std::size_t>(i % chips)];
    chip.id = ChipId(chip.id.value + before * chips);
    chip.rank = Rank(i);
    chip.host = HostId(chip.host.value + before * hosts);
    slice.chips.push_back(chip);
  }
  return slice;
}

}  // namespace understudy::configs
