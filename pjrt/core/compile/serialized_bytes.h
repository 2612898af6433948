// SPDX-License-Identifier: Apache-2.0
// Bytes that the framework takes and later gives back to their deleter.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace understudy::pjrt {

struct SerializedBytes {
  std::string bytes;
  static void destroy(SerializedBytes* bytes) { delete bytes; }
};

// Hands `text` to the framework, which calls the deleter.
inline void give_bytes(std::string text, const char*& bytes, std::size_t& size,
                       SerializedBytes*& owner, void (*&deleter)(SerializedBytes*)) {
  owner = new SerializedBytes{std::move(text)};
  bytes = owner->bytes.data();
  size = owner->bytes.size();
  deleter = &SerializedBytes::destroy;
}

}  // namespace understudy::pjrt
