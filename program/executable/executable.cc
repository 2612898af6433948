// SPDX-License-Identifier: Apache-2.0
#include "program/executable/executable.h"

#include "program/ir/sizes.h"

namespace understudy::program {

std::uint64_t Executable::hbm_bytes() const {
  std::uint64_t bytes = sum_of_bytes(temporary_bytes, constants.size());
  for (const TensorType& type : arguments)
    bytes = sum_of_bytes(bytes, static_cast<std::uint64_t>(type.bytes()));
  for (const TensorType& type : results)
    bytes = sum_of_bytes(bytes, static_cast<std::uint64_t>(type.bytes()));
  return bytes;
}

}  // namespace understudy::program
