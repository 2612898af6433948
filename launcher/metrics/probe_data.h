// SPDX-License-Identifier: Apache-2.0
// Tiles of arguments and values of results in experiments: how data are changed, and how far two
// values are apart. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "launcher/run/tiles.h"
#include "program/compile.h"
#include "program/ir/types.h"

namespace understudy::launcher {

// Changed data of the same kind. Floats are scaled and shifted; integers and booleans (labels,
// indices, masks) are rotated by some places, so that they stay in their valid range.
enum class Change : std::uint8_t {
  shifted,  // by about a third
  negated,
  larger,   // than any other data: shows through a maximum; booleans become true
  smaller,  // shows through a minimum; booleans become false
  // Floats become a number, all other data stay.
  low,   // below all others
  high,  // above all others
  zero,
  three,
  poisoned  // NaN, which shows through a product with zero
};
// The same number of bytes. Floats are scaled or replaced; other types are permuted or filled.
Bytes changed(const program::TensorType& type, const Bytes& bytes, Change change);

// Largest difference relative to the largest magnitude of differing elements; infinity if only one
// of the two is finite, or the bits of a type without numbers differ.
double difference(const program::TensorType& type, const Bytes& a, const Bytes& b);

// The elements as doubles; complex numbers become pairs. Empty for a type without a conversion.
std::vector<double> numbers(const program::TensorType& type, const Bytes& bytes);

// Whether ranks a and b should hold the same part of a result.
bool shares(const program::Parameter& result, std::int64_t a, std::int64_t b);

// The largest difference() between copies on ranks that should hold the same part.
double spread(const program::Parameter& result, const std::vector<Bytes>& by_rank);

}  // namespace understudy::launcher
