// SPDX-License-Identifier: Apache-2.0
// Bytes that the framework takes and later gives back to their deleter.
#pragma once

#include <string>

namespace understudy::pjrt {

struct SerializedBytes {
  std::string bytes;
  static void destroy(SerializedBytes* bytes) { delete bytes; }
};

}  // namespace understudy::pjrt
