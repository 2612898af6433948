// SPDX-License-Identifier: Apache-2.0
#include "program/executable.h"

namespace understudy::program {

std::uint64_t Executable::hbm_bytes() const {
  std::uint64_t bytes = temporary_bytes + constants.size();
  for (const TensorType& type : arguments) bytes += static_cast<std::uint64_t>(type.bytes());
  for (const TensorType& type : results) bytes += static_cast<std::uint64_t>(type.bytes());
  return bytes;
}

}  // namespace understudy::program
