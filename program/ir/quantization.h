// SPDX-License-Identifier: Apache-2.0
// Quantized elements (StableHLO specification, "Quantized types"): integers of a storage type that
// stand for floats of an expressed type, value = (integer - zero point) * scale. MLIR writes
// !quant.uniform<i8<-127:127>:f32:1, {0.1:-3, 0.2}>. Pure values. Equivalents:
// mlir::quant::UniformQuantizedType, UniformQuantizedPerAxisType.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/ir/element_type.h"

namespace understudy::program {

struct Quantization {
  ElementType storage = ElementType::i8;     // i2 .. i32, ui2 .. ui32
  ElementType expressed = ElementType::f32;  // a float type
  std::int64_t storage_min = 0;              // inclusive bounds of the integers
  std::int64_t storage_max = 0;
  std::vector<double> scales;             // one, or one per index along `axis`
  std::vector<std::int64_t> zero_points;  // as many
  std::optional<std::int64_t> axis;       // quantized dimension; none: per tensor

  bool is_per_axis() const { return axis.has_value(); }
  bool has_zero_points() const;  // any that is not 0
  bool operator==(const Quantization&) const = default;
};

// {least, greatest} value of an integer type of at most 32 bits.
std::pair<std::int64_t, std::int64_t> integer_range(ElementType storage);

// "!quant.uniform<i8:f32, 5.0e-01:-3>", as MLIR writes it.
std::string text_of(const Quantization& quantization);

// The first violated constraint of the specification, or empty: "scale 0 ...".
std::string fault_of(const Quantization& quantization);
std::string fault_of(const Quantization& quantization, const std::vector<std::int64_t>& shape);

}  // namespace understudy::program
