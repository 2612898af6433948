// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/index_offsets.h"

#include <algorithm>
#include <cstring>

namespace understudy::worker::ops {

IndexOffsets::IndexOffsets(const Addressing& a, Outside outside, const Execution& execution)
    : outside_(outside), type_(a.indices->type.element), at_(execution.address(a.indices->at)) {
  const Shape& shape = a.indices->type.shape;
  const auto ndims = static_cast<std::int64_t>(shape.size());
  // The last dimension, or the implicit one after it.
  is_dense_ = a.vector_dim >= ndims - 1;
  if (!is_dense_) return;
  const Shape strides = strides_of(*a.shape);
  for (const std::int64_t d : *a.map) {
    const auto at = static_cast<std::size_t>(d);
    indices_.push_back({(*a.shape)[at] - a.extents[at], strides[at]});
  }
  batch_sizes_.assign(shape.begin(), shape.begin() + std::min(a.vector_dim, ndims));
  for (const std::int64_t size : batch_sizes_) count_ *= size;
  if (a.operand_batching->empty()) return;
  // The indices' batching dimensions lie before their vector dimension, so they keep their numbers.
  batch_steps_.assign(batch_sizes_.size(), 0);
  for (std::size_t i = 0; i < a.operand_batching->size(); ++i)
    batch_steps_[static_cast<std::size_t>((*a.indices_batching)[i])] +=
        strides[static_cast<std::size_t>((*a.operand_batching)[i])];
  batch_at_.assign(batch_sizes_.size(), 0);
}

template <class T, bool kClamped>
void IndexOffsets::read(std::span<std::int64_t> offsets) {
  const std::size_t length = indices_.size();
  const T* at = reinterpret_cast<const T*>(at_) + static_cast<std::size_t>(done_) * length;
  for (std::int64_t& offset : offsets) {
    std::int64_t sum = 0;
    bool inside = true;
    for (const Index& index : indices_) {
      auto value = static_cast<std::int64_t>(*at++);
      // An unsigned index above the signed range is beyond every array.
      if (std::is_same_v<T, std::uint64_t> && value < 0) value = INT64_MAX;
      if constexpr (kClamped) {
        value = std::clamp<std::int64_t>(value, 0, index.last);
      } else {
        inside &= value >= 0 && value <= index.last;
      }
      // Refused values may be anything: unsigned arithmetic wraps without harm.
      sum += static_cast<std::int64_t>(static_cast<std::uint64_t>(value) *
                                       static_cast<std::uint64_t>(inside ? index.stride : 0));
    }
    offset = inside ? sum : -1;
  }
}

template <class T>
void IndexOffsets::read(std::span<std::int64_t> offsets) {
  outside_ == Outside::clamped ? read<T, true>(offsets) : read<T, false>(offsets);
}

void IndexOffsets::add_batching(std::span<std::int64_t> offsets) {
  for (std::int64_t& offset : offsets) {
    if (offset >= 0) offset += batch_offset_;
    for (std::size_t d = batch_sizes_.size(); d-- > 0;) {
      batch_offset_ += batch_steps_[d];
      if (++batch_at_[d] < batch_sizes_[d]) break;
      batch_offset_ -= batch_steps_[d] * batch_sizes_[d];
      batch_at_[d] = 0;
    }
  }
}

void IndexOffsets::next(std::span<std::int64_t> offsets) {
  const bool is_signed = program::is_signed_integer(type_);
  switch (program::byte_size(type_)) {
    case 1:
      is_signed ? read<std::int8_t>(offsets) : read<std::uint8_t>(offsets);
      break;
    case 2:
      is_signed ? read<std::int16_t>(offsets) : read<std::uint16_t>(offsets);
      break;
    case 4:
      is_signed ? read<std::int32_t>(offsets) : read<std::uint32_t>(offsets);
      break;
    default:
      is_signed ? read<std::int64_t>(offsets) : read<std::uint64_t>(offsets);
  }
  if (!batch_steps_.empty()) add_batching(offsets);
  done_ += static_cast<std::int64_t>(offsets.size());
}

}  // namespace understudy::worker::ops
