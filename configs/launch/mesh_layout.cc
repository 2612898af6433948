// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/mesh_layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

#include "configs/base/error.h"
#include "configs/base/words.h"

namespace understudy::configs {
namespace {

using Position = std::vector<std::int64_t>;

std::optional<std::int64_t> number_in(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || value < 0) return std::nullopt;
  return value;
}

// The links of the shortest way between two chips: along each axis directly, or around its wrap.
std::int64_t links_between(const Slice& slice, const Coordinates& a, const Coordinates& b) {
  std::int64_t links = 0;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    const std::int64_t direct = std::abs(a[axis] - b[axis]);
    links += slice.wraps[axis] ? std::min(direct, slice.shape[axis] - direct) : direct;
  }
  return links;
}

Position position_of(const std::vector<MeshAxis>& axes, std::size_t process) {
  Position at;
  for (const MeshAxis& axis : axes) at.push_back(axis.coordinate[process]);
  return at;
}

}  // namespace

bool is_device_order(const std::vector<std::int64_t>& order, std::int64_t count) {
  if (static_cast<std::int64_t>(order.size()) != count) return false;
  std::vector<bool> seen(order.size());
  for (const std::int64_t rank : order) {
    if (rank < 0 || rank >= count || seen[static_cast<std::size_t>(rank)]) return false;
    seen[static_cast<std::size_t>(rank)] = true;
  }
  return true;
}

std::vector<std::int64_t> parse_device_order(const std::string& text, const char* option) {
  std::vector<std::int64_t> order;
  if (text.empty()) return order;
  for (const std::string& word : split(text, ',')) {
    const auto rank = number_in(word);
    if (!rank)
      throw Error(ErrorKind::usage,
                  fmt::format("{}: expected ranks such as 3,1,0,2, got \"{}\"", option, word));
    order.push_back(*rank);
  }
  return order;
}

std::vector<MeshAxis> parse_mesh(const std::string& text) {
  constexpr std::int64_t kMost = 1'000'000;  // chips; more than any slice has
  std::vector<MeshAxis> axes;
  std::int64_t chips = 1;
  for (const std::string& word : split(text, ',')) {
    const std::size_t equals = word.find('=');
    const auto size =
        equals == std::string::npos ? std::nullopt : number_in(word.substr(equals + 1));
    if (!size || *size == 0 || equals == 0 || *size > kMost / chips)
      throw Error(ErrorKind::usage,
                  fmt::format("--mesh: expected axes such as data=4,model=2, got \"{}\"", word));
    chips *= *size;
    axes.push_back({word.substr(0, equals), *size});
  }
  // Row-major, the last axis fastest, like a reshape of jax.devices().
  std::int64_t step = chips;
  for (MeshAxis& axis : axes) {
    step /= axis.size;
    for (std::int64_t p = 0; p < chips; ++p) axis.coordinate.push_back(p / step % axis.size);
  }
  return axes;
}

std::vector<MeshAxisPlace> mesh_in_slice(const std::vector<MeshAxis>& axes, const Slice& slice,
                                         const std::vector<std::int64_t>& order) {
  // No ICI link joins two slices: nothing is told of an axis that may lead from one to another.
  if (axes.empty() || slice.slices > 1) return {};
  const std::size_t processes = axes.front().coordinate.size();
  if (processes > slice.chips.size())
    throw Error(ErrorKind::usage, fmt::format("the mesh has {} chips, but {} has {}", processes,
                                              slice.name, slice.chips.size()));
  if (!order.empty() && !is_device_order(order, static_cast<std::int64_t>(processes)))
    throw Error(ErrorKind::usage,
                fmt::format("--device-order: expected every rank of {} once", processes));
  const auto chip_of = [&](std::size_t p) -> const Coordinates& {
    return slice.chips[order.empty() ? p : static_cast<std::size_t>(order[p])].at;
  };
  std::map<Position, std::size_t> process_at;
  for (std::size_t p = 0; p < processes; ++p) process_at.emplace(position_of(axes, p), p);
  std::vector<MeshAxisPlace> places;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    MeshAxisPlace place{axes[i].name, axes[i].size, {}, 0, 0};
    std::array<bool, 3> used{};
    for (std::size_t p = 0; p < processes && axes[i].size > 1; ++p) {
      // A ring along the axis: each process sends to the next, the last to the first.
      Position next = position_of(axes, p);
      const bool last = ++next[i] == axes[i].size;
      if (last) next[i] = 0;
      const Coordinates& from = chip_of(p);
      const Coordinates& to = chip_of(process_at.at(next));
      std::int64_t& hops = last ? place.hops_back : place.hops;
      hops = std::max(hops, links_between(slice, from, to));
      for (std::size_t axis = 0; axis < from.size(); ++axis)
        used[axis] = used[axis] || from[axis] != to[axis];
    }
    for (std::size_t axis = 0; axis < used.size(); ++axis)
      if (used[axis]) place.ici_axes.emplace_back(1, "xyz"[axis]);
    places.push_back(std::move(place));
  }
  return places;
}

std::string text_of(const std::vector<MeshAxisPlace>& places) {
  std::string text;
  for (const MeshAxisPlace& place : places) {
    const std::string name = fmt::format("{} ({})", place.name, place.size);
    if (place.ici_axes.empty()) {
      text += fmt::format("  {:<12} one chip\n", name);
      continue;
    }
    text += fmt::format(
        "  {:<12} ICI ax{} {}, {} link{} between neighbours, {} from the last to "
        "the first\n",
        name, place.ici_axes.size() == 1 ? "is" : "es", fmt::join(place.ici_axes, " and "),
        place.hops, place.hops == 1 ? "" : "s", place.hops_back);
  }
  return text;
}

}  // namespace understudy::configs
