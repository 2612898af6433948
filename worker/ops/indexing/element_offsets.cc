// SPDX-License-Identifier: Apache-2.0
#include "worker/ops/indexing/element_offsets.h"

#include "worker/chip/vector_code.h"

namespace understudy::worker::ops {
namespace {

template <class Index>
[[gnu::always_inline]] inline void plain_offsets(const Index* at, Index last, std::size_t count,
                                                 bool clamps, std::uint32_t* offsets) {
  const auto most = static_cast<std::uint32_t>(last);
  if (clamps) {
    for (std::size_t i = 0; i < count; ++i) {
      const Index above = at[i] < 0 ? Index{0} : at[i];
      offsets[i] = static_cast<std::uint32_t>(above < last ? above : last);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<std::uint32_t>(at[i]);
      offsets[i] = value <= most ? value : kOutside;
    }
  }
}
}  // namespace

UNDERSTUDY_VECTOR_CODE void plain_offsets_of(const std::int32_t* at, std::int32_t last,
                                             std::size_t count, bool clamps,
                                             std::uint32_t* offsets) {
  plain_offsets(at, last, count, clamps, offsets);
}
UNDERSTUDY_VECTOR_CODE void plain_offsets_of(const std::uint32_t* at, std::uint32_t last,
                                             std::size_t count, bool clamps,
                                             std::uint32_t* offsets) {
  plain_offsets(at, last, count, clamps, offsets);
}

}  // namespace understudy::worker::ops
