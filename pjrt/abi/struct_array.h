// SPDX-License-Identifier: Apache-2.0
// Arrays of structs that the other side of the C API made: a later version of it may have longer
// structs than ours, so the step from one element to the next is what the element itself says.
#pragma once

#include <algorithm>
#include <cstddef>

namespace understudy::pjrt::abi {

// The element after `at`. struct_size ends with the last field: the padding after it is added here.
// No version has a shorter struct than ours; 0 is that of a caller that does not fill it in.
template <class Struct>
const Struct* next_struct(const Struct* at) {
  const std::size_t size =
      (at->struct_size + alignof(Struct) - 1) / alignof(Struct) * alignof(Struct);
  return reinterpret_cast<const Struct*>(reinterpret_cast<const char*>(at) +
                                         std::max(size, sizeof(Struct)));
}

}  // namespace understudy::pjrt::abi
