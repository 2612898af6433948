// SPDX-License-Identifier: Apache-2.0
#include "cache/stand_in.h"

#include <cstddef>
#include <fmt/format.h>

namespace understudy::cache {

KeyParts stand_in_parts(std::int64_t key) {
  return {fmt::format("stand-in {}", key), "tpu", key + 1, "v6e", "stress"};
}

program::Executable stand_in(std::int64_t key, std::uint64_t bytes) {
  program::Executable executable;
  // The key is in the executable as well as in its bytes: an entry under a wrong key is detected.
  executable.replicas = key + 1;
  executable.constants.resize(bytes);
  for (std::size_t i = 0; i < executable.constants.size(); ++i)
    executable.constants[i] =
        static_cast<std::byte>((i * 31 + static_cast<std::size_t>(key)) % 251);
  return executable;
}

bool is_stand_in(const program::Executable& executable, std::int64_t key, std::uint64_t bytes) {
  return executable.replicas == key + 1 && executable.constants == stand_in(key, bytes).constants;
}

}  // namespace understudy::cache
