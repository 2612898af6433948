// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/slice_layout.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <tuple>

#include "configs/base/error.h"
#include "configs/base/suggest.h"

namespace understudy::configs {
namespace {

// Which axes wrap depends on the generation and on the shape; the rule is part of the chip's
// specification.
std::array<bool, 3> wraps_of(const ChipSpec& chip, const Coordinates& shape) {
  const auto is_whole = [&](std::int64_t length) { return length % chip.wrap_length == 0; };
  std::array<bool, 3> wraps{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(chip.torus_ndims); ++axis) {
    switch (chip.wrap_rule) {
      case WrapRule::axis_length:
        wraps[axis] = shape[axis] == chip.wrap_length;
        break;
      case WrapRule::whole_cubes:
        wraps[axis] = std::ranges::all_of(shape, is_whole);
        break;
      case WrapRule::whole_pod:
        wraps[axis] = shape == coordinates_of(chip.shapes.back());
        break;
    }
  }
  return wraps;
}

// The most compact block of `chips` chips that tiles the slice: the smallest difference between its
// longest and shortest side, then flat in z, then x as the shorter side.
std::optional<Coordinates> block_of(const Coordinates& slice, std::int64_t chips) {
  std::optional<Coordinates> best;
  const auto spread = [](const Coordinates& block) {
    return std::tuple(std::ranges::max(block) - std::ranges::min(block), block[2], block[0]);
  };
  for (std::int64_t x = 1; x <= slice[0]; ++x) {
    for (std::int64_t y = 1; y <= slice[1]; ++y) {
      if (slice[0] % x != 0 || slice[1] % y != 0 || chips % (x * y) != 0) continue;
      const Coordinates block{x, y, chips / (x * y)};
      if (slice[2] % block[2] != 0) continue;
      if (!best || spread(block) < spread(*best)) best = block;
    }
  }
  return best;
}

// Small slices are one host; larger ones have hosts of the chip's usual shape.
std::int64_t default_chips_per_host(const Slice& slice) {
  const std::int64_t chips = volume(slice.shape);
  if (chips <= slice.chip.single_host_chips) return chips;
  return volume(coordinates_of(slice.chip.host_shape));
}

// For the error: every number of equal hosts whose chips form blocks that tile the slice.
std::string possible_hosts(const Slice& slice) {
  std::vector<std::string> counts;
  const std::int64_t chips = volume(slice.shape);
  for (std::int64_t hosts = 1; hosts <= chips; ++hosts) {
    if (chips % hosts == 0 && block_of(slice.shape, chips / hosts)) {
      counts.push_back(fmt::format("{}", hosts));
    }
  }
  return join_words(counts, "or");
}

// The hosts as requested, or as real slices of this size have them. Each host is a block of chips;
// all blocks are equal.
void set_hosts(Slice& slice, const SliceRequest& request) {
  const std::int64_t chips = volume(slice.shape);
  std::int64_t per_host = default_chips_per_host(slice);
  if (request.chips_per_host) {
    per_host = *request.chips_per_host;
  } else if (request.hosts) {
    per_host = *request.hosts >= 1 && chips % *request.hosts == 0 ? chips / *request.hosts : 0;
  }
  const bool divides = per_host >= 1 && chips % per_host == 0;
  const bool agrees = divides && (!request.hosts || *request.hosts == chips / per_host);
  const std::optional<Coordinates> block = agrees ? block_of(slice.shape, per_host) : std::nullopt;
  if (!block) {
    std::vector<std::string> asked;
    if (request.hosts) asked.push_back(fmt::format("{} hosts", *request.hosts));
    if (request.chips_per_host) asked.push_back(fmt::format("{} chips per host", per_host));
    throw Error(ErrorKind::usage,
                fmt::format("cannot split {} into {}: {} chips divide into {} equal hosts",
                            slice.name, asked.empty() ? "hosts" : join_words(asked, "with"), chips,
                            possible_hosts(slice)));
  }
  slice.hosts = chips / per_host;
  // The chip's own host shape is preferred if it has the right number of chips and tiles the slice.
  const Coordinates native = coordinates_of(slice.chip.host_shape);
  bool fits = volume(native) == per_host;
  for (std::size_t axis = 0; axis < 3; ++axis) fits = fits && slice.shape[axis] % native[axis] == 0;
  slice.host_shape = fits ? native : *block;
}

// Ranks go host by host, and inside of a host by chip id; so the chips of a host are consecutive
// ranks even though their ids are not.
void set_chips(Slice& slice) {
  const Coordinates& block = slice.host_shape;
  const Coordinates grid = {slice.shape[0] / block[0], slice.shape[1] / block[1],
                            slice.shape[2] / block[2]};
  const auto unfold = [](std::int64_t index, const Coordinates& shape) {
    return Coordinates{index % shape[0], index / shape[0] % shape[1],
                       index / (shape[0] * shape[1])};
  };
  const std::int64_t per_host = volume(block);
  for (std::int64_t rank = 0; rank < volume(slice.shape); ++rank) {
    const Coordinates host = unfold(rank / per_host, grid);
    const Coordinates inside = unfold(rank % per_host, block);
    Chip chip;
    for (std::size_t i = 0; i < 3; ++i) chip.at[i] = host[i] * block[i] + inside[i];
    chip.id = ChipId(chip.at[0] + slice.shape[0] * (chip.at[1] + slice.shape[1] * chip.at[2]));
    chip.rank = Rank(rank);
    chip.host = HostId(rank / per_host);
    slice.chips.push_back(chip);
  }
}

}  // namespace

Coordinates coordinates_of(const std::vector<std::int64_t>& shape) {
  Coordinates out{1, 1, 1};
  std::ranges::copy(shape, out.begin());
  return out;
}

std::int64_t volume(const Coordinates& shape) { return shape[0] * shape[1] * shape[2]; }

std::string slice_name(const ChipSpec& chip, std::int64_t chips) {
  return fmt::format("{}-{}", chip.name,
                     chip.suffix_counts_cores ? chips * chip.tensor_cores : chips);
}

Slice slice_of(const ChipSpec& chip, const Coordinates& shape, const SliceRequest& request) {
  Slice slice;
  slice.name = slice_name(chip, volume(shape));
  slice.chip = chip;
  slice.shape = shape;
  slice.wraps = wraps_of(chip, shape);
  set_hosts(slice, request);
  set_chips(slice);
  return slice;
}

}  // namespace understudy::configs
