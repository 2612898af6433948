// SPDX-License-Identifier: Apache-2.0
// Copies between dense row-major arrays (as HBM has them) and arrays with strides (as NumPy views
// have them). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understudy::pjrt {

// Bytes from one element to the next along each dimension, of a dense row-major array.
std::vector<std::int64_t> dense_strides(std::span<const std::int64_t> shape, std::size_t element);
// The same where minor_to_major lists the dimensions, the fastest one first. *Throws* Error{input}
// where it is no permutation.
std::vector<std::int64_t> strides_of_layout(std::span<const std::int64_t> shape,
                                            std::span<const std::int64_t> minor_to_major,
                                            std::size_t element);

// Every element of an array of `shape`, each of `element` bytes. Strides may be negative or 0.
void copy_strided(std::span<const std::int64_t> shape, std::size_t element, const std::byte* from,
                  std::span<const std::int64_t> from_strides, std::byte* to,
                  std::span<const std::int64_t> to_strides);

}  // namespace understudy::pjrt
