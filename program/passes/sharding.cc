// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding.h"

#include <algorithm>
#include <fmt/format.h>

namespace understudy::program::passes {

namespace {

// The unnamed array parameter of #sdy.sharding: one list of axes per dimension.
const ArrayAttribute& dimensions_of(const DialectAttribute& sharding, const Location& where) {
  for (const auto& [key, value] : sharding.parameters)
    if (key.empty() && value.array() != nullptr) return *value.array();
  throw error_at(where, ErrorKind::input, "a sharding has no dimensions");
}

// Axis numbers of one dimension, major first. Open dimensions ("?") and priorities are hints for a
// partitioner and change nothing here.
std::vector<std::size_t> axes_of(const Mesh& mesh, const Attribute& dimension,
                                 const Location& where) {
  std::vector<std::size_t> axes;
  const ArrayAttribute* elements = dimension.array();
  if (elements == nullptr)
    throw error_at(where, ErrorKind::input, "each dimension of a sharding must be a list of axes");
  for (const Attribute& element : elements->elements) {
    if (element.get<EnumAttribute>() != nullptr) continue;
    const auto* name = element.get<StringAttribute>();
    if (name == nullptr)
      throw error_at(where, ErrorKind::unsupported,
                     "shardings over part of a mesh axis are not supported");
    const auto found =
        std::ranges::find(mesh.axes, name->value, [](const auto& a) { return a.first; });
    if (found == mesh.axes.end())
      throw error_at(where, ErrorKind::input,
                     fmt::format("mesh @{} has no axis \"{}\"", mesh.name, name->value));
    axes.push_back(static_cast<std::size_t>(found - mesh.axes.begin()));
  }
  return axes;
}

// Mesh coordinates of a linear position, row-major as Shardy defines it: the last axis varies
// fastest.
Shape coordinates(const Mesh& mesh, std::int64_t position) {
  Shape digits(mesh.axes.size());
  for (std::size_t a = mesh.axes.size(); a-- > 0;) {
    digits[a] = position % mesh.axes[a].second;
    position /= mesh.axes[a].second;
  }
  return digits;
}

void check_size(std::int64_t devices, std::int64_t partitions, std::string_view what,
                const Location& where) {
  if (devices == partitions) return;
  throw error_at(where, ErrorKind::input,
                 fmt::format("{} has {} devices, but the program has {} partitions", what, devices,
                             partitions));
}

}  // namespace

Sharding whole(std::int64_t ndims, std::int64_t partitions) {
  return {Shape(static_cast<std::size_t>(ndims), 1),
          std::vector<std::int64_t>(static_cast<std::size_t>(partitions), 0), false};
}

bool is_whole(const Sharding& sharding) {
  return std::ranges::all_of(sharding.tiles, [](auto tiles) { return tiles == 1; });
}

bool same(const Sharding& a, const Sharding& b) {
  return a.tiles == b.tiles && a.tile_of == b.tile_of;
}

const Mesh& mesh_of(const Module& module, const DialectAttribute& sharding, const Location& where) {
  for (const auto& [key, value] : sharding.parameters) {
    const auto* symbol = value.get<SymbolAttribute>();
    if (!key.empty() || symbol == nullptr) continue;
    if (const Mesh* mesh = module.find_mesh(symbol->name)) return *mesh;
    throw error_at(where, ErrorKind::input, fmt::format("no mesh @{}", symbol->name));
  }
  throw error_at(where, ErrorKind::input, "a sharding has no mesh");
}

std::int64_t size_of(const Mesh& mesh) {
  std::int64_t size = 1;
  for (const auto& axis : mesh.axes)
    if (__builtin_mul_overflow(size, axis.second, &size) || size > kMostProcesses)
      throw error_at(mesh.location, ErrorKind::input,
                     fmt::format("mesh @{} has more than {} devices", mesh.name, kMostProcesses));
  const auto ids = static_cast<std::int64_t>(mesh.device_ids.size());
  if (ids != 0 && !mesh.axes.empty() && ids != size)
    throw error_at(mesh.location, ErrorKind::input,
                   fmt::format("mesh @{} has {} devices, but {} device ids", mesh.name, size, ids));
  return size;
}

Sharding sharding_of(const Module& module, const DialectAttribute& attribute,
                     const TensorType& type, std::int64_t partitions, const Location& where) {
  const Mesh& mesh = mesh_of(module, attribute, where);
  if (mesh.axes.empty()) return whole(type.ndims(), partitions);
  check_size(size_of(mesh), partitions, fmt::format("mesh @{}", mesh.name), where);
  const ArrayAttribute& dimensions = dimensions_of(attribute, where);
  if (static_cast<std::int64_t>(dimensions.elements.size()) != type.ndims())
    throw error_at(where, ErrorKind::input,
                   fmt::format("a sharding has {} dimensions, but the array is {}",
                               dimensions.elements.size(), text_of(type)));
  std::vector<std::vector<std::size_t>> axes;
  Sharding sharding = whole(type.ndims(), partitions);
  for (const Attribute& dimension : dimensions.elements) {
    axes.push_back(axes_of(mesh, dimension, where));
    for (const std::size_t axis : axes.back())
      sharding.tiles[axes.size() - 1] *= mesh.axes[axis].second;
  }
  // The tile number is row-major over the dimensions, and within a dimension over its axes in the
  // order written (major first). Axes that appear nowhere do not contribute, so chips that differ
  // only along them hold the same tile. device_ids maps a mesh position to the partition there.
  for (std::int64_t position = 0; position < partitions; ++position) {
    const Shape at = coordinates(mesh, position);
    std::int64_t tile = 0;
    for (const auto& of_dimension : axes)
      for (const std::size_t axis : of_dimension) tile = tile * mesh.axes[axis].second + at[axis];
    const std::int64_t device =
        mesh.device_ids.empty() ? position : mesh.device_ids.at(static_cast<std::size_t>(position));
    if (device < 0 || device >= partitions)
      throw error_at(where, ErrorKind::input,
                     fmt::format("mesh @{}: device {} is out of range for {} partitions", mesh.name,
                                 device, partitions));
    sharding.tile_of[static_cast<std::size_t>(device)] = tile;
  }
  return sharding;
}

// XLA pads uneven shards; here they are refused, as jax.shard_map does.
TensorType local_type(const TensorType& global, const Sharding& sharding, const Location& where) {
  TensorType local = global;
  for (std::size_t d = 0; d < global.shape.size(); ++d) {
    if (global.shape[d] % sharding.tiles[d] != 0)
      throw error_at(where, ErrorKind::input,
                     fmt::format("dimension {} of {} is not divisible into {} shards", d,
                                 text_of(global), sharding.tiles[d]));
    local.shape[d] = global.shape[d] / sharding.tiles[d];
  }
  return local;
}

// ---- GSPMD strings -----------------------------------------------------------------------------

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
  bool done() const { return rest_.empty(); }
  std::size_t list_length() const {
    return static_cast<std::size_t>(std::ranges::count(rest_.substr(0, rest_.find('}')), ',')) + 1;
  }
  [[noreturn]] void fail() const {
    throw error_at(where_, ErrorKind::input,
                   fmt::format("mhlo.sharding: cannot parse '{}'", rest_));
  }

 private:
  std::string_view rest_;
  const Location& where_;
};

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
  for (std::size_t d = n; d-- > 1;) strides[d - 1] = strides[d] * sizes[d];
  Shape ids(static_cast<std::size_t>(product(sizes)));
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

}  // namespace

bool is_manual(std::string_view gspmd) { return gspmd == "{manual}"; }

Sharding sharding_of(std::string_view gspmd, const TensorType& type, std::int64_t partitions,
                     const Location& where) {
  if (gspmd.empty() || gspmd == "{replicated}" || gspmd.starts_with("{maximal"))
    return whole(type.ndims(), partitions);
  GspmdText text(gspmd, where);
  text.expect("{devices=[");
  Shape tiles = text.numbers(']');
  const Shape devices = device_list(text);
  check_size(product(tiles), static_cast<std::int64_t>(devices.size()), "mhlo.sharding", where);
  check_size(static_cast<std::int64_t>(devices.size()), partitions, "mhlo.sharding", where);
  const auto ndims = static_cast<std::size_t>(type.ndims());
  if (tiles.size() < ndims) text.fail();
  // Tile dimensions beyond the rank of the array hold copies, whatever their kind
  // (last_tile_dim_replicate or last_tile_dims={...}).
  std::int64_t copies = 1;
  for (std::size_t d = ndims; d < tiles.size(); ++d) copies *= tiles[d];
  tiles.resize(ndims);
  Sharding sharding = whole(type.ndims(), partitions);
  sharding.tiles = tiles;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i] < 0 || devices[i] >= partitions) text.fail();
    sharding.tile_of[static_cast<std::size_t>(devices[i])] = static_cast<std::int64_t>(i) / copies;
  }
  return sharding;
}

}  // namespace understudy::program::passes
