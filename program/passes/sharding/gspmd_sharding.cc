// SPDX-License-Identifier: Apache-2.0
// Sharding strings of GSPMD: what mhlo.sharding holds, and HLO text prints for an OpSharding.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "program/passes/sharding/sharding.h"

namespace understudy::program::passes {

namespace {

// A cursor over a GSPMD string, for example "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}":
// tile counts per dimension, then the device list. `<=[2,4]T(1,0)` stands for iota(8) reshaped to
// 2x4 and transposed. Spelled-out lists, "devices=[2,2]0,2,1,3", are an older form.
class GspmdText {
 public:
  GspmdText(std::string_view text, const Location& where) : rest_(text), where_(where) {}

  bool accept(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) fail();
  }
  // A list of numbers up to `close`; '\0' where the list ends with the text that follows it.
  Shape numbers(char close) {
    Shape values;
    do {
      std::size_t digits = 0;
      while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') ++digits;
      // Nine digits fit std::stoll, and are more than any pod has.
      if (digits == 0 || digits > 9) fail();
      values.push_back(std::stoll(std::string(rest_.substr(0, digits))));
      rest_.remove_prefix(digits);
    } while (accept(","));
    if (close != '\0') expect(std::string_view(&close, 1));
    return values;
  }
  // Whether each trailing tile dimension is unreduced. " last_tile_dim_replicate" and nothing at
  // all say the same here: the number of tiles says that there are copies.
  std::vector<bool> end() {
    std::vector<bool> unreduced;
    accept(" last_tile_dim_replicate");
    // Kinds of the trailing dimensions, one each.
    if (accept(" last_tile_dims={")) {
      do {
        accept(" ");
        const bool is = accept("unreduced");
        if (!is && !accept("manual") && !accept("replicated")) fail();
        unreduced.push_back(is);
      } while (accept(","));
      expect("}");
    }
    if (rest_ != "}") fail();
    return unreduced;
  }
  [[noreturn]] void fail() const {
    throw error_at(where_, ErrorKind::input,
                   fmt::format("mhlo.sharding: cannot parse '{}'", rest_));
  }

 private:
  std::string_view rest_;
  const Location& where_;
};

// Sizes come from a file, so the product may overflow.
std::int64_t product(const Shape& shape) {
  std::int64_t all = 1;
  for (const std::int64_t size : shape) all = checked_multiply(all, size);
  return all;
}

// iota reshaped to `sizes`, transposed by `permutation`, and read out row-major. Element i of the
// result is found by splitting i into digits of the transposed shape and weighing each with the
// stride that its dimension had before.
Shape transposed_iota(const Shape& sizes, const Shape& permutation, const GspmdText& text) {
  const std::size_t n = sizes.size();
  if (permutation.size() != n || product(sizes) > kMostProcesses) text.fail();
  Shape strides(n, 1);
  // The strides of the array before it was transposed.
  for (std::size_t d = n; d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  Shape ids(static_cast<std::size_t>(product(sizes)));
  // The fastest dimension of the transposed array is the last of the permutation.
  for (std::size_t i = 0; i < ids.size(); ++i) {
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t d = n; d-- > 0;) {
      if (permutation[d] < 0 || permutation[d] >= static_cast<std::int64_t>(n)) text.fail();
      const auto from = static_cast<std::size_t>(permutation[d]);
      ids[i] += rest % sizes[from] * strides[from];
      rest /= sizes[from];
    }
  }
  return ids;
}

// Either spelled out, "0,2,1,3", or in iota form, "<=[2,2]T(1,0)".
Shape device_list(GspmdText& text) {
  if (!text.accept("<=[")) {
    text.accept(" ");
    return text.numbers('\0');
  }
  const Shape sizes = text.numbers(']');
  Shape permutation;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    permutation.push_back(static_cast<std::int64_t>(d));
  if (text.accept("T(")) permutation = text.numbers(')');
  return transposed_iota(sizes, permutation, text);
}

// The number of the summand that copy `copy` of a tile holds: `sizes` are the trailing tile
// dimensions, row-major, and the unreduced ones of them count.
std::int64_t summand(std::int64_t copy, const Shape& sizes, const std::vector<bool>& unreduced) {
  // Copies that differ only in other trailing dimensions hold the same summand.
  std::int64_t number = 0, stride = 1;
  for (std::size_t d = sizes.size(); d-- > 0; copy /= sizes[d]) {
    if (!unreduced[d]) continue;
    number += copy % sizes[d] * stride;
    stride *= sizes[d];
  }
  return number;
}

// "{devices=[...]...}", taken apart.
struct TiledText {
  Shape tiles;     // of each dimension of the array
  Shape trailing;  // of copies, whatever their kind (last_tile_dim_replicate, last_tile_dims={...})
  Shape devices;
  std::vector<bool> unreduced;  // of each of `trailing` that holds summands; empty: none does
};

// The partition of each device, in the order of the list, gets its tile, and its summand if copies
// are unreduced.
Sharding assign_tiles(const TiledText& tiled, std::string_view gspmd, std::int64_t partitions,
                      GspmdText& text, const Location& where) {
  const std::int64_t copies = product(tiled.trailing);
  // Marks partitions that the list has not named yet.
  constexpr std::int64_t kNone = -1;
  Sharding sharding{tiled.tiles, Shape(static_cast<std::size_t>(partitions), kNone), false};
  const bool sums = std::ranges::find(tiled.unreduced, true) != tiled.unreduced.end();
  if (sums && tiled.unreduced.size() != tiled.trailing.size()) text.fail();
  if (sums) sharding.summand_of.resize(tiled.devices.size());
  for (std::size_t i = 0; i < tiled.devices.size(); ++i) {
    const std::int64_t device = tiled.devices[i];
    if (device < 0 || device >= partitions) text.fail();
    std::int64_t& tile = sharding.tile_of[static_cast<std::size_t>(device)];
    if (tile != kNone)
      throw error_at(where, ErrorKind::input,
                     fmt::format("mhlo.sharding '{}' lists device {} twice", gspmd, device));
    // The trailing dimensions vary fastest, so copies of one tile stand next to each other.
    tile = static_cast<std::int64_t>(i) / copies;
    if (sums)
      sharding.summand_of[static_cast<std::size_t>(device)] =
          summand(static_cast<std::int64_t>(i) % copies, tiled.trailing, tiled.unreduced);
  }
  return sharding;
}

Sharding tiled_sharding(std::string_view gspmd, std::size_t ndims, std::int64_t partitions,
                        const Location& where) {
  GspmdText text(gspmd, where);
  text.expect("{devices=[");
  TiledText tiled;
  tiled.tiles = text.numbers(']');
  tiled.devices = device_list(text);
  tiled.unreduced = text.end();
  // One tile for each device, one device for each partition.
  for (const std::int64_t count : {product(tiled.tiles), partitions})
    if (count != static_cast<std::int64_t>(tiled.devices.size()))
      throw error_at(where, ErrorKind::input,
                     fmt::format("mhlo.sharding '{}' lists {} devices, expected {}", gspmd,
                                 tiled.devices.size(), count));
  if (tiled.tiles.size() < ndims) text.fail();
  // Tile dimensions beyond the rank of the array hold copies.
  tiled.trailing.assign(tiled.tiles.begin() + static_cast<std::ptrdiff_t>(ndims),
                        tiled.tiles.end());
  tiled.tiles.resize(ndims);
  return assign_tiles(tiled, gspmd, partitions, text, where);
}

}  // namespace

bool is_manual(std::string_view gspmd) { return gspmd == "{manual}"; }

// Depth 2 is an element of the tuple; deeper braces belong to it.
std::string_view element_of(std::string_view gspmd, std::size_t index) {
  // No tuple: the one sharding is for all.
  if (!gspmd.starts_with("{{")) return gspmd;
  std::string_view last;
  int depth = 0;
  std::size_t begin = 0, seen = 0;
  for (std::size_t at = 0; at < gspmd.size(); ++at) {
    if (gspmd[at] == '{' && ++depth == 2) begin = at;
    if (gspmd[at] != '}' || depth-- != 2) continue;
    last = gspmd.substr(begin, at + 1 - begin);
    if (seen++ == index) break;
  }
  // A tuple with fewer elements: the last one stands for those that follow.
  return last;
}

Sharding sharding_of(std::string_view gspmd, const TensorType& type, std::int64_t partitions,
                     const Location& where) {
  // On a single device, or of an unknown kind: every chip holds the whole array.
  static constexpr std::array<std::string_view, 4> kWhole = {"", "{replicated}", "{manual}",
                                                             "{unknown}"};
  if (std::ranges::find(kWhole, gspmd) != kWhole.end() || gspmd.starts_with("{maximal device="))
    return whole(type.ndims(), partitions);
  // Every chip holds one summand of the whole array.
  if (gspmd == "{unreduced}") {
    Sharding all = whole(type.ndims(), partitions);
    all.summand_of.resize(all.tile_of.size());
    std::iota(all.summand_of.begin(), all.summand_of.end(), 0);
    return all;
  }
  return tiled_sharding(gspmd, static_cast<std::size_t>(type.ndims()), partitions, where);
}

}  // namespace understudy::program::passes
