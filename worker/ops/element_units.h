// SPDX-License-Identifier: Apache-2.0
// The type by which elements of one size move, whatever they mean: loops over elements are made
// once per size. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "configs/base/error.h"
#include "worker/chip/lanes.h"

namespace understudy::worker::ops {

// Calls `use` with an unsigned integer of `bytes` bytes. *Requires* 1, 2, 4 or 8.
template <class Use>
auto with_unsigned(std::size_t bytes, const Use& use) {
  switch (bytes) {
    case 1:
      return use(std::uint8_t{});
    case 2:
      return use(std::uint16_t{});
    case 4:
      return use(std::uint32_t{});
    default:
      UNDERSTUDY_ASSERT(bytes == 8);
      return use(std::uint64_t{});
  }
}

// The same for elements of any type: of 16 bytes (c128) too.
template <class Use>
auto with_unit(std::size_t bytes, const Use& use) {
  return bytes == sizeof(Bytes16) ? use(Bytes16{}) : with_unsigned(bytes, use);
}

}  // namespace understudy::worker::ops
