// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/topology.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/launch/slice_layout.h"

namespace understudy::configs {
namespace {

[[noreturn]] void usage(const std::string& message) { throw Error(ErrorKind::usage, message); }

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
