// SPDX-License-Identifier: Apache-2.0
// Makes dense literals and arrays of numbers in their canonical form. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "program/ir/ir.h"

namespace understudy::program {

// dense<...>: a splat where all elements have the same bits. *Requires* bytes of whole elements.
DenseAttribute dense_of(TensorType type, std::vector<std::byte> data);
// The same from numbers that fit an integer type or pred.
Attribute dense_of(TensorType type, const std::vector<std::int64_t>& values);
// array<i64: 1, 2>
Attribute array_of(ElementType element, const std::vector<std::int64_t>& values);

}  // namespace understudy::program
