// SPDX-License-Identifier: Apache-2.0
// Single numbers as stored elements and back, for constants that passes make. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "program/ir/types.h"

namespace understudy::program::passes {

// An integer that shares no byte with others.
inline bool is_whole_integer(ElementType element) {
  return is_integer(element) && bit_width(element) >= 8;
}

// The nearest value that the type has; integers are cut off.
std::vector<std::byte> bytes_of(ElementType element, double value);

void append_integer(std::vector<std::byte>& bytes, ElementType element, std::int64_t value);

// The elements of an integer or pred tensor that starts at `bytes`.
std::vector<std::int64_t> integers_at(const TensorType& type, std::span<const std::byte> bytes);

// Whether all bits are 0, as those of a 0 that is no -0.
bool are_zero(std::span<const std::byte> bytes);

}  // namespace understudy::program::passes
