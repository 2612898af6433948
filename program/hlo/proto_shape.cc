// SPDX-License-Identifier: Apache-2.0
// Shapes and literals of HLO protos.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "program/hlo/proto_parts.h"
#include "program/ir/dense.h"
#include "program/ir/literal.h"

namespace understudy::program::hlo {
namespace {

// PrimitiveType, and how LiteralProto stores its elements: the field, and their form. Bytes hold
// elements of `bits` bits, packed where they are narrower than a byte.
enum class Encoding : std::uint8_t { varints, fixed, bytes };
struct Primitive {
  std::int64_t code;
  std::string_view name;
  std::uint32_t field = 0;
  Encoding form = Encoding::bytes;
};
// Types that understudy lacks (s1, u1, buffer) have a row, so that shapes with them can be named
// and compared.
constexpr std::array<Primitive, 36> kPrimitives = {{
    {1, "pred", 2, Encoding::varints},
    {30, "s1"},
    {26, "s2", 26},
    {21, "s4", 21},
    {2, "s8", 15},
    {3, "s16", 17},
    {4, "s32", 4, Encoding::varints},
    {5, "s64", 5, Encoding::varints},
    {31, "u1"},
    {27, "u2", 27},
    {22, "u4", 22},
    {6, "u8", 3},
    {7, "u16", 16},
    {8, "u32", 6, Encoding::varints},
    {9, "u64", 7, Encoding::varints},
    {10, "f16", 11},
    {11, "f32", 8, Encoding::fixed},
    {16, "bf16", 13},
    {12, "f64", 9, Encoding::fixed},
    {19, "f8e5m2", 19},
    {28, "f8e4m3", 28},
    {20, "f8e4m3fn", 20},
    {23, "f8e4m3b11fnuz", 23},
    {29, "f8e3m4", 29},
    {24, "f8e5m2fnuz", 24},
    {25, "f8e4m3fnuz", 25},
    {32, "f4e2m1fn", 32},
    {33, "f8e8m0fnu", 33},
    {35, "f6e3m2fn", 35},
    {36, "f6e2m3fn", 36},
    {15, "c64", 12, Encoding::fixed},
    {18, "c128", 18, Encoding::fixed},
    {13, "tuple"},
    {14, "opaque"},
    {17, "token"},
    {34, "buffer"},
}};

const Primitive& primitive_in(std::int64_t code, const Wire& in) {
  for (const Primitive& row : kPrimitives)
    if (row.code == code) return row;
  in.fail(fmt::format("unknown element type {}", code));
}

// LayoutProto: minor_to_major = 1, tiles = 6, memory_space = 8.
void layout_in(Wire in, HloShape& shape) {
  // Other fields of a layout (memory tiling of the CPU, sparse levels) change nothing that is read
  // here.
  while (in.next()) {
    if (in.field() == 1) in.append(shape.minor_to_major);
    if (in.field() == 8) shape.memory_space = in.number();
    if (in.field() == 6) {
      Wire tile = in.message();
      shape.tiles.emplace_back();
      while (tile.next())
        if (tile.field() == 1) tile.append(shape.tiles.back());
    }
  }
}

void set_kind(HloShape& shape, const Primitive& primitive) {
  using Kind = HloShape::Kind;
  if (primitive.name == "tuple")
    shape.kind = Kind::tuple;
  else if (primitive.name == "token")
    shape.kind = Kind::token;
  else if (const auto element = element_type_of_hlo(primitive.name))
    shape.element = *element;
  else
    shape.text = primitive.name;
  // Set last: an opaque shape keeps the name of its type in `text`.
  if (primitive.name == "opaque" || primitive.name == "buffer") shape.kind = Kind::opaque;
}

// Elements narrower than a byte: one to a byte, or packed with the first in the lowest bits.
std::vector<std::byte> unpacked(std::string_view bytes, ElementType element, std::size_t count,
                                const Wire& in) {
  const auto bits = static_cast<std::size_t>(bit_width(element));
  // XLA packs s4 and u4 in new versions and stored one element per byte in old ones. The number of
  // bytes tells which, except for a single element, where both agree.
  const std::size_t per_byte = bytes.size() == count ? 1 : 8 / bits;
  if (bytes.size() != (count + per_byte - 1) / per_byte)
    in.fail(fmt::format("a literal of {} elements has {} bytes", count, bytes.size()));
  std::vector<std::byte> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = static_cast<std::uint8_t>(bytes[i / per_byte]) >> (i % per_byte * bits);
    value &= (1U << bits) - 1;
    // The sign bit is extended, because append_bits() takes values of full width.
    const bool negative = is_signed_integer(element) && (value >> (bits - 1) & 1) != 0;
    append_bits(element, negative ? value | ~std::uint64_t{0} << bits : value, out);
  }
  return out;
}

// Brings data that are stored in another order of dimensions into row-major order.
std::vector<std::byte> row_major(const std::vector<std::byte>& data, const HloShape& shape,
                                 std::size_t width) {
  const std::size_t n = shape.dimensions.size();
  // Strides follow the layout: the minor dimension moves by one element.
  std::vector<std::size_t> strides(n, 0);
  std::size_t stride = 1;
  for (const std::int64_t d : shape.minor_to_major) {
    strides[static_cast<std::size_t>(d)] = stride;
    stride *= static_cast<std::size_t>(shape.dimensions[static_cast<std::size_t>(d)]);
  }
  std::vector<std::byte> out;
  out.reserve(data.size());
  std::vector<std::size_t> index(n, 0);
  for (std::size_t i = 0; i < data.size() / width; ++i) {
    std::size_t at = 0;
    for (std::size_t d = 0; d < n; ++d) at += index[d] * strides[d];
    const auto from = data.begin() + static_cast<std::ptrdiff_t>(at * width);
    out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(width));
    // An odometer over the logical indexes, last dimension fastest: the output is then written in
    // order.
    for (std::size_t d = n; d-- > 0;) {
      if (++index[d] < static_cast<std::size_t>(shape.dimensions[d])) break;
      index[d] = 0;
    }
  }
  return out;
}

bool is_default_layout(const HloShape& shape) {
  return std::is_sorted(shape.minor_to_major.rbegin(), shape.minor_to_major.rend());
}

DenseAttribute array_in(Wire in, const HloShape& shape, const Primitive& primitive) {
  const TensorType type{shape.element, shape.dimensions};
  const auto count = static_cast<std::size_t>(type.elements());
  const std::size_t width = byte_size(shape.element);
  const Wire start = in;
  std::vector<std::byte> data;
  while (in.next()) {
    if (in.field() != primitive.field) continue;
    // Varints are cut to `width` bytes. Of a fixed form, a complex number is two floats in a row,
    // so the width of one part is passed.
    if (primitive.form == Encoding::varints)
      in.append(data, width, false);
    else if (primitive.form == Encoding::fixed)
      in.append(data, is_complex(shape.element) ? width / 2 : width, true);
    else if (bit_width(shape.element) <= 4)
      data = unpacked(in.bytes(), shape.element, count, in);
    else {
      // Half-precision and 8-bit types are stored as raw bytes in little-endian order, the order of
      // literals here.
      const auto* bytes = reinterpret_cast<const std::byte*>(in.bytes().data());
      data.assign(bytes, bytes + in.bytes().size());
    }
  }
  // Checked after all pieces: a repeated field may come in parts.
  if (data.size() / width != count || data.size() % width != 0)
    start.fail(fmt::format("a literal of type {} has {} bytes", text_of(type), data.size()));
  if (!is_default_layout(shape)) data = row_major(data, shape, width);
  return dense_of(type, std::move(data));
}

}  // namespace

// ShapeProto: element_type = 2, dimensions = 3, tuple_shapes = 4, layout = 5,
// is_dynamic_dimension = 6.
HloShape shape_in(Wire in, int depth) {
  if (depth > kDeepest) in.fail("a shape is nested too deeply");
  HloShape out;
  const Wire start = in;
  Ints dynamic;
  std::int64_t code = 0;
  while (in.next()) {
    if (in.field() == 2) code = in.number();
    if (in.field() == 3) in.append(out.dimensions);
    if (in.field() == 4) out.parts.push_back(shape_in(in.message(), depth + 1));
    if (in.field() == 5) layout_in(in.message(), out);
    if (in.field() == 6) in.append(dynamic);
  }
  set_kind(out, primitive_in(code, start));
  // An opaque "buffer" has its contents as a part.
  if (out.kind != HloShape::Kind::tuple && !out.parts.empty() && out.kind != HloShape::Kind::opaque)
    start.fail("a shape that is not a tuple has parts");
  for (const std::int64_t size : out.dimensions)
    if (size < 0) start.fail(fmt::format("a dimension has size {}", size));
  for (const std::int64_t flag : dynamic) out.dynamic.push_back(flag != 0);
  // A layout that is no permutation would index out of bounds in row_major().
  Ints order = out.minor_to_major, all(out.dimensions.size());
  std::sort(order.begin(), order.end());
  std::iota(all.begin(), all.end(), 0);
  if (!order.empty() && order != all) start.fail("a layout does not fit its shape");
  if (!dynamic.empty() && dynamic.size() != all.size())
    start.fail("the dynamic dimensions do not fit the shape");
  return out;
}

// LiteralProto: shape = 1, tuple_literals = 10; the fields of elements stand in kPrimitives.
void literals_in(Wire in, std::vector<DenseAttribute>& out, int depth) {
  if (depth > kDeepest) in.fail("a literal is nested too deeply");
  const Wire start = in;
  HloShape shape;
  bool has_shape = false;
  std::vector<Wire> parts;
  while (in.next()) {
    if (in.field() == 1) {
      shape = shape_in(in.message());
      has_shape = true;
    }
    if (in.field() == 10) parts.push_back(in.message());
  }
  if (!has_shape) start.fail("a literal needs a shape");
  if (shape.kind == HloShape::Kind::tuple) {
    // Leaves in order, as the converter flattens tuples.
    for (const Wire& part : parts) literals_in(part, out, depth + 1);
    return;
  }
  if (shape.kind != HloShape::Kind::array || !shape.text.empty())
    start.fail(fmt::format("a literal has the shape {}", text_of(shape)));
  for (const Primitive& row : kPrimitives)
    if (row.name == hlo_name(shape.element)) return out.push_back(array_in(start, shape, row));
}

}  // namespace understudy::program::hlo
