// SPDX-License-Identifier: Apache-2.0
#include "program/ir/dense.h"

#include <cstring>

#include "program/ir/literal.h"

namespace understudy::program {
namespace {

std::vector<std::byte> bytes_of(ElementType element, const std::vector<std::int64_t>& values) {
  std::vector<std::byte> data;
  for (const std::int64_t value : values) {
    append_bits(element, static_cast<std::uint64_t>(value), data);
  }
  return data;
}

// Compares the data with itself, shifted by one element: one memcmp instead of a loop.
bool is_uniform(const std::vector<std::byte>& data, std::size_t width) {
  // A run of equal elements is its own shift. Data of one element compare zero bytes and are a
  // splat.
  return !data.empty() && std::memcmp(data.data(), data.data() + width, data.size() - width) == 0;
}

}  // namespace

// Data of equal elements become a splat, however they were written, so equal literals compare
// equal.
DenseAttribute dense_of(TensorType type, std::vector<std::byte> data) {
  const std::size_t width = byte_size(type.element);
  const bool splat = is_uniform(data, width);
  if (splat && data.size() > width) {
    data.resize(width);
    // The bytes were allocated for all elements.
    data.shrink_to_fit();
  }
  return {std::move(type), false, splat,
          std::make_shared<const std::vector<std::byte>>(std::move(data)), false};
}

Attribute dense_of(TensorType type, const std::vector<std::int64_t>& values) {
  std::vector<std::byte> data = bytes_of(type.element, values);
  return {dense_of(std::move(type), std::move(data))};
}

Attribute array_of(ElementType element, const std::vector<std::int64_t>& values) {
  TensorType type{element, {static_cast<std::int64_t>(values.size())}};
  return {DenseAttribute{std::move(type), true, false,
                         std::make_shared<const std::vector<std::byte>>(bytes_of(element, values)),
                         false}};
}

}  // namespace understudy::program
