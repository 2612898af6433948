// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/index_offsets.h"

#include <algorithm>
#include <type_traits>

#include "worker/ops/element_units.h"

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

// kLength: of an index vector, 0 where it is known at run time only.
template <class T, bool kClamped, std::size_t kLength>
void IndexOffsets::read(std::span<std::int64_t> offsets) {
  const std::size_t length = kLength == 0 ? indices_.size() : kLength;
  const Index* const indices = indices_.data();
  const T* at = reinterpret_cast<const T*>(at_) + static_cast<std::size_t>(done_) * length;
  for (std::int64_t& offset : offsets) {
    std::int64_t sum = 0;
    bool inside = true;
    for (std::size_t i = 0; i < length; ++i) {
      auto value = static_cast<std::int64_t>(*at++);
      // An unsigned index above the signed range is beyond every array.
      if (std::is_same_v<T, std::uint64_t> && value < 0) value = INT64_MAX;
      if constexpr (kClamped) {
        value = std::clamp<std::int64_t>(value, 0, indices[i].last);
      } else {
        inside &= (value >= 0) & (value <= indices[i].last);  // last is -1 in an empty dimension
      }
      // Refused values may be anything: unsigned arithmetic wraps without harm.
      sum += static_cast<std::int64_t>(static_cast<std::uint64_t>(value) *
                                       static_cast<std::uint64_t>(indices[i].stride));
    }
    offset = inside ? sum : -1;
  }
}

template <class T>
void IndexOffsets::read(std::span<std::int64_t> offsets) {
  const bool clamped = outside_ == Outside::clamped;
  switch (indices_.size()) {
    case 1:
      return clamped ? read<T, true, 1>(offsets) : read<T, false, 1>(offsets);
    case 2:
      return clamped ? read<T, true, 2>(offsets) : read<T, false, 2>(offsets);
    default:
      return clamped ? read<T, true, 0>(offsets) : read<T, false, 0>(offsets);
  }
}

void IndexOffsets::add_batching(std::span<std::int64_t> offsets) {
  const std::size_t inner = batch_sizes_.size() - 1;
  for (std::size_t first = 0; first < offsets.size();) {
    // The rest of a line of the innermost batch dimension.
    const auto left = static_cast<std::size_t>(batch_sizes_[inner] - batch_at_[inner]);
    const std::size_t count = std::min(left, offsets.size() - first);
    std::int64_t at = batch_offset_;
    for (std::size_t i = first; i < first + count; ++i, at += batch_steps_[inner])
      if (offsets[i] >= 0) offsets[i] += at;
    batch_offset_ = at;
    batch_at_[inner] += static_cast<std::int64_t>(count);
    first += count;
    for (std::size_t d = inner; batch_at_[d] == batch_sizes_[d]; --d) {
      batch_offset_ -= batch_steps_[d] * batch_sizes_[d];
      batch_at_[d] = 0;
      if (d == 0) break;
      batch_offset_ += batch_steps_[d - 1];
      ++batch_at_[d - 1];
    }
  }
}

void IndexOffsets::next(std::span<std::int64_t> offsets) {
  const bool is_signed = program::is_signed_integer(type_);
  with_unsigned(program::byte_size(type_), [&](auto unit) {
    using Unsigned = decltype(unit);
    is_signed ? read<std::make_signed_t<Unsigned>>(offsets) : read<Unsigned>(offsets);
  });
  if (!batch_steps_.empty()) add_batching(offsets);
  done_ += static_cast<std::int64_t>(offsets.size());
}

}  // namespace understudy::worker::ops
