// SPDX-License-Identifier: Apache-2.0
#include "worker/executor.h"

#include "configs/base/error.h"
#include "worker/ops/ops.h"

namespace understudy::worker {

const std::byte* Execution::address(const program::Buffer& buffer) const {
  switch (buffer.space) {
    case program::Space::argument:
      return arguments[buffer.index] + buffer.offset;
    case program::Space::constant:
      return constants + buffer.offset;
    default:
      return writable(buffer);
  }
}

std::byte* Execution::writable(const program::Buffer& buffer) const {
  switch (buffer.space) {
    case program::Space::result:
      return results[buffer.index] + buffer.offset;
    case program::Space::temporary:
      return temporaries + buffer.offset;
    case program::Space::frame:
      return frame + buffer.offset * lanes;
    default:
      UNDERSTUDY_ASSERT(buffer.space == program::Space::result);
      return nullptr;
  }
}

}  // namespace understudy::worker
