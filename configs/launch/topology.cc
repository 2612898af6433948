// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/topology.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/suggest.h"

namespace understudy::configs {
namespace {

[[noreturn]] void usage(const std::string& message) { throw Error(ErrorKind::usage, message); }

Coordinates coordinates_of(const std::vector<std::int64_t>& shape) {
  Coordinates out{1, 1, 1};
  std::ranges::copy(shape, out.begin());
  return out;
}

std::int64_t volume(const Coordinates& shape) { return shape[0] * shape[1] * shape[2]; }

// A count from 1 to a million; nullopt for anything else.
std::optional<std::int64_t> count_in(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number < 1 || number > kMost) return std::nullopt;
  return number;
}

// A chip of --chip-spec takes precedence over an embedded one of the same name or alias.
const ChipSpec& spec_of(const SliceRequest& request, const std::string& chip) {
  if (request.spec) {
    const ChipSpec& spec = *request.spec;
    const bool meant =
        spec.name == chip || std::ranges::find(spec.aliases, chip) != spec.aliases.end();
    if (meant) return spec;
  }
  return chip_spec(chip);
}

// "v6e-8": the suffix counts chips, in some generations TensorCores.
std::string slice_name(const ChipSpec& chip, std::int64_t chips) {
  return fmt::format("{}-{}", chip.name,
                     chip.suffix_counts_cores ? chips * chip.tensor_cores : chips);
}

// The names of the largest shape with fewer chips than `chips` and of the smallest with more.
template <class Name>
std::string nearest_shapes(const ChipSpec& chip, std::int64_t chips, Name name) {
  std::vector<std::string> near;
  const auto more = std::ranges::find_if(
      chip.shapes, [&](const auto& shape) { return volume(coordinates_of(shape)) > chips; });
  const auto fewer = std::ranges::find_if(
      std::make_reverse_iterator(more), chip.shapes.rend(),
      [&](const auto& shape) { return volume(coordinates_of(shape)) <= chips; });
  if (fewer != chip.shapes.rend()) near.push_back(name(coordinates_of(*fewer)));
  if (more != chip.shapes.end()) near.push_back(name(coordinates_of(*more)));
  return fmt::format("the nearest {} {}", near.size() == 1 ? "is" : "are", join_words(near));
}

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
    usage(fmt::format("cannot split {} into {}: {} chips divide into {} equal hosts", slice.name,
                      asked.empty() ? "hosts" : join_words(asked, "with"), chips,
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

Slice named_slice(const SliceRequest& request) {
  const std::string& name = request.slice;
  const std::size_t dash = name.rfind('-');
  const std::string head = name.substr(0, dash);
  const std::size_t x = head.find('x');
  if (dash != std::string::npos && x != std::string::npos && count_in(head.substr(0, x))) {
    throw Error(ErrorKind::unsupported,
                fmt::format("slices joined by DCN (\"{}\") are not supported here; name one slice, "
                            "such as {}",
                            name, name.substr(x + 1)));
  }
  if (dash == std::string::npos) {
    usage(fmt::format("invalid slice \"{}\": expected a chip and a count, such as v6e-8", name));
  }
  const ChipSpec& chip = spec_of(request, head);
  const std::optional<std::int64_t> suffix = count_in(name.substr(dash + 1));
  if (!suffix) {
    usage(fmt::format("invalid slice \"{}\": expected a count after \"{}-\", such as {}", name,
                      head, slice_name(chip, volume(coordinates_of(chip.shapes.front())))));
  }
  // Some generations count TensorCores in slice names: v5p-8 has 4 chips.
  const std::int64_t unit = chip.suffix_counts_cores ? chip.tensor_cores : 1;
  // Shapes are sorted, so the first of this size is the most compact one.
  for (const auto& shape : chip.shapes) {
    if (volume(coordinates_of(shape)) * unit == *suffix) {
      return slice_of(chip, coordinates_of(shape), request);
    }
  }
  usage(fmt::format("unknown slice {}; {}", name,
                    nearest_shapes(chip, *suffix / unit, [&](const Coordinates& shape) {
                      return slice_name(chip, volume(shape));
                    })));
}

// "4x4": as many lengths as the chip's torus has axes, and one of its valid shapes.
Slice topology_slice(const SliceRequest& request) {
  const ChipSpec& chip = spec_of(request, request.chip);
  std::vector<std::int64_t> shape;
  std::string_view rest = request.topology;
  while (true) {
    const std::size_t x = rest.find('x');
    const std::optional<std::int64_t> length = count_in(rest.substr(0, x));
    if (!length) break;
    shape.push_back(*length);
    if (x == std::string_view::npos) break;
    rest.remove_prefix(x + 1);
  }
  const auto text = [&](const Coordinates& axes) { return shape_text(chip, axes); };
  const bool well_formed =
      std::ranges::count(request.topology, 'x') + 1 == static_cast<std::ptrdiff_t>(shape.size()) &&
      static_cast<std::int64_t>(shape.size()) == chip.torus_ndims;
  if (!well_formed) {
    usage(fmt::format("invalid {} topology \"{}\": expected {} lengths, such as {}", chip.name,
                      request.topology, chip.torus_ndims,
                      text(coordinates_of(chip.shapes[chip.shapes.size() / 2]))));
  }
  if (std::ranges::find(chip.shapes, shape) == chip.shapes.end()) {
    usage(fmt::format("{} has no slice of shape {}; {}", chip.name, request.topology,
                      nearest_shapes(chip, volume(coordinates_of(shape)), text)));
  }
  return slice_of(chip, coordinates_of(shape), request);
}

}  // namespace

std::vector<Link> Slice::links() const {
  std::vector<Link> links;
  const auto id_of = [&](const Coordinates& at) {
    return ChipId(at[0] + shape[0] * (at[1] + shape[1] * at[2]));
  };
  for (std::int64_t id = 0; id < volume(shape); ++id) {
    const Coordinates at = {id % shape[0], id / shape[0] % shape[1], id / (shape[0] * shape[1])};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // Each link is listed once, from its lower end; a wraparound link from the last chip to the
      // first.
      const bool last = at[axis] + 1 == shape[axis];
      if (last && !wraps[axis]) continue;
      Coordinates to = at;
      to[axis] = last ? 0 : at[axis] + 1;
      links.push_back({ChipId(id), id_of(to), static_cast<std::int64_t>(axis), last});
    }
  }
  return links;
}

const Chip& Slice::by_id(ChipId id) const {
  const auto found = std::ranges::find(chips, id, &Chip::id);
  UNDERSTUDY_ASSERT(found != chips.end());
  return *found;
}

std::int64_t Slice::machines() const {
  const std::int64_t each = volume(shape);
  return slices * ((each + chip.physical_host_chips - 1) / chip.physical_host_chips);
}

Slice make_slice(const SliceRequest& request) {
  const bool by_shape = !request.chip.empty() || !request.topology.empty();
  if (!request.slice.empty() && by_shape) {
    usage("give either --slice or --chip with --topology, not both");
  }
  if (!request.slice.empty()) return named_slice(request);
  if (request.chip.empty() || request.topology.empty()) {
    usage(
        "missing slice: give --slice, such as v6e-8, or --chip and --topology, such as v5e and "
        "4x4");
  }
  return topology_slice(request);
}

Slice slice_for(const std::string& chip, std::int64_t chips) {
  const ChipSpec& spec = chip_spec(chip);
  for (const auto& shape : spec.shapes) {
    if (volume(coordinates_of(shape)) >= chips) return slice_of(spec, coordinates_of(shape), {});
  }
  usage(fmt::format("no slice of {} has {} chips; the largest is {}", spec.name, chips,
                    slice_name(spec, volume(coordinates_of(spec.shapes.back())))));
}

std::vector<std::string> slice_names() {
  std::vector<std::string> names;
  for (const std::string& chip : chip_names()) {
    const ChipSpec& spec = chip_spec(chip);
    for (const auto& shape : spec.shapes) {
      const std::string name = slice_name(spec, volume(coordinates_of(shape)));
      // Several shapes may have the same size, and so the same name.
      if (names.empty() || names.back() != name) names.push_back(name);
    }
  }
  return names;
}

}  // namespace understudy::configs
