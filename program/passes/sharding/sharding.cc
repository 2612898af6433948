// SPDX-License-Identifier: Apache-2.0
#include "program/passes/sharding/sharding.h"

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

// A mesh axis, or the part of it with `size` devices: the axis viewed as [before, size, rest].
struct AxisPart {
  std::size_t axis = 0;
  std::int64_t size = 1, rest = 1;
  // The digit of a coordinate that this part of the axis is.
  std::int64_t of(const Shape& at) const { return at[axis] / rest % size; }
};

// "x", or the attribute axis<"x", pre, size> that the readers make of "x":(pre)size.
AxisPart axis_part(const Mesh& mesh, const Attribute& element, const Location& where) {
  const DialectAttribute* const part = element.dialect();
  // An attribute's first parameter is the name.
  const Attribute& named = part == nullptr ? element : part->parameters.at(0).second;
  const auto* name = named.get<StringAttribute>();
  if (name == nullptr)
    throw error_at(where, ErrorKind::input, "each dimension of a sharding must be a list of axes");
  const auto found =
      std::ranges::find(mesh.axes, name->value, [](const auto& a) { return a.first; });
  if (found == mesh.axes.end())
    throw error_at(where, ErrorKind::input,
                   fmt::format("mesh @{} has no axis \"{}\"", mesh.name, name->value));
  const auto axis = static_cast<std::size_t>(found - mesh.axes.begin());
  if (part == nullptr) return {axis, found->second, 1};
  const auto number = [&](const char* key) {
    const Attribute* value = part->find(key);
    const auto* integer = value == nullptr ? nullptr : value->get<IntegerAttribute>();
    return integer == nullptr ? 0 : integer->value;
  };
  const std::int64_t before = number("pre"), size = number("size");
  if (before < 1 || size < 1 || found->second % checked_multiply(before, size) != 0)
    throw error_at(where, ErrorKind::input,
                   fmt::format("\"{}\":({}){} is not a part of an axis of size {}", name->value,
                               before, size, found->second));
  return {axis, size, found->second / (before * size)};
}

// The axes of one dimension, major first. Open dimensions ("?") and priorities are hints for a
// partitioner and change nothing here.
std::vector<AxisPart> axes_of(const Mesh& mesh, const Attribute& dimension, const Location& where) {
  std::vector<AxisPart> axes;
  const ArrayAttribute* elements = dimension.array();
  if (elements == nullptr)
    throw error_at(where, ErrorKind::input, "each dimension of a sharding must be a list of axes");
  for (const Attribute& element : elements->elements)
    // Enumerations among the axes are the mark of an open dimension.
    if (element.get<EnumAttribute>() == nullptr) axes.push_back(axis_part(mesh, element, where));
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
  // per_replica follows from the program, not from the annotation.
  return a.tiles == b.tiles && a.tile_of == b.tile_of && a.summand_of == b.summand_of;
}

const Mesh& mesh_of(const Module& module, const DialectAttribute& sharding, const Location& where) {
  for (const auto& [key, value] : sharding.parameters) {
    const auto* symbol = value.get<SymbolAttribute>();
    // The mesh is an unnamed symbol, as the dimensions are an unnamed array.
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
  // A mesh with ids but without axes is a single device (Shardy's maximal mesh).
  if (ids != 0 && !mesh.axes.empty() && ids != size)
    throw error_at(mesh.location, ErrorKind::input,
                   fmt::format("mesh @{} has {} devices, but {} device ids", mesh.name, size, ids));
  return size;
}

Sharding sharding_of(const Module& module, const DialectAttribute& attribute,
                     const TensorType& type, std::int64_t partitions, const Location& where) {
  const Mesh& mesh = mesh_of(module, attribute, where);
  // A mesh without axes places the array whole.
  if (mesh.axes.empty()) return whole(type.ndims(), partitions);
  check_size(size_of(mesh), partitions, fmt::format("mesh @{}", mesh.name), where);
  const ArrayAttribute& dimensions = dimensions_of(attribute, where);
  if (static_cast<std::int64_t>(dimensions.elements.size()) != type.ndims())
    throw error_at(where, ErrorKind::input,
                   fmt::format("a sharding has {} dimensions, but the array is {}",
                               dimensions.elements.size(), text_of(type)));
  std::vector<std::vector<AxisPart>> axes;
  Sharding sharding = whole(type.ndims(), partitions);
  for (const Attribute& dimension : dimensions.elements) {
    axes.push_back(axes_of(mesh, dimension, where));
    for (const AxisPart& axis : axes.back()) sharding.tiles[axes.size() - 1] *= axis.size;
  }
  // The tile number is row-major over the dimensions, and within a dimension over its axes in the
  // order written (major first). Axes that appear nowhere do not contribute, so chips that differ
  // only along them hold the same tile. device_ids maps a mesh position to the partition there.
  for (std::int64_t position = 0; position < partitions; ++position) {
    const Shape at = coordinates(mesh, position);
    std::int64_t tile = 0;
    for (const auto& of_dimension : axes)
      for (const AxisPart& axis : of_dimension) tile = tile * axis.size + axis.of(at);
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

TensorType local_type(const TensorType& global, const Sharding& sharding, const Location& where) {
  // Uneven tiles are refused here; arrays of partitioned modules may be padded.
  for (std::size_t d = 0; d < global.shape.size(); ++d)
    if (global.shape[d] % sharding.tiles[d] != 0)
      throw error_at(where, ErrorKind::input,
                     fmt::format("dimension {} of {} is not divisible into {} shards", d,
                                 text_of(global), sharding.tiles[d]));
  return padded_local_type(global, sharding);
}

TensorType padded_local_type(const TensorType& global, const Sharding& sharding) {
  TensorType local = global;
  for (std::size_t d = 0; d < global.shape.size(); ++d)
    local.shape[d] = (global.shape[d] + sharding.tiles[d] - 1) / sharding.tiles[d];
  return local;
}

}  // namespace understudy::program::passes
