// SPDX-License-Identifier: Apache-2.0
// Quantized element types.
#include <fmt/format.h>

#include "program/bytecode/decode.h"

namespace understudy::program::bytecode {
namespace {

// Flags, storage type and expressed type. Bit 0 of the flags decides the sign of the storage:
// MLIR's storage types are signless (i8 for ui8 too).
Quantization types_of(Cursor& in, Tables& tables) {
  const Cursor at = in;
  const bool is_signed = (in.varint("the flags of a quantized type") & 1) != 0;
  const auto storage = scalar_of(tables.type(in, "a storage type"));
  const auto expressed = scalar_of(tables.type(in, "an expressed type"));
  if (!storage || !expressed || !is_integer(*storage)) {
    at.fail("a quantized type needs an integer type and a float type");
  }
  // The sign from the flags, the width from the type.
  const auto named =
      element_type_of_mlir(fmt::format("{}{}", is_signed ? "i" : "ui", bit_width(*storage)));
  Quantization out;
  out.storage = named.value_or(*storage);
  out.expressed = *expressed;
  return out;
}

void bounds_in(Cursor& in, Quantization& out) {
  out.storage_min = in.svarint("the smallest storage value");
  out.storage_max = in.svarint("the largest storage value");
}

// Refuses parameters that a conversion could not use: scales of 0, zero points outside the storage.
Type checked(Quantization quantization, const Cursor& at) {
  const std::string fault = fault_of(quantization);
  if (!fault.empty()) at.fail("quantized type: " + fault);
  return Type::element(std::move(quantization));
}

}  // namespace

// Types, f64 scale, svarint zero point, storage bounds.
Type quantized_in(Cursor& in, Tables& tables) {
  const Cursor at = in;
  Quantization out = types_of(in, tables);
  out.scales = {float64_in(in, "a scale")};
  out.zero_points = {in.svarint("a zero point")};
  bounds_in(in, out);
  return checked(std::move(out), at);
}

// Types, varint axis, storage bounds, list of f64 scales, list of svarint zero points.
Type per_axis_quantized_in(Cursor& in, Tables& tables) {
  const Cursor at = in;
  Quantization out = types_of(in, tables);
  const std::uint64_t axis = in.varint("the axis of a quantized type");
  // The axis comes from the file; the shape is checked with the tensor.
  if (axis > kMostDimensions) at.fail(fmt::format("quantized along dimension {}", axis));
  out.axis = static_cast<std::int64_t>(axis);
  bounds_in(in, out);
  out.scales.resize(in.count("the number of scales"));
  for (double& scale : out.scales) scale = float64_in(in, "a scale");
  out.zero_points = numbers_in(in, "a zero point");
  return checked(std::move(out), at);
}

}  // namespace understudy::program::bytecode
