// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cache/archive.h"
#include "cache/compile_cache.h"
#include "cache/source_digest.h"
#include "configs/base/digest.h"

namespace understudy::cache {

std::string build_fingerprint() {
#if defined(__x86_64__)
  constexpr std::string_view kArchitecture = "x86-64";
#elif defined(__aarch64__)
  constexpr std::string_view kArchitecture = "aarch64";
#else
#error "name this architecture"
#endif
  Digester digester;
  digester.add(std::string_view(__VERSION__));
  digester.add(archive_library());
  digester.add(kArchitecture);
  digester.add(std::string_view(UNDERSTUDY_SOURCE_DIGEST));
  return digester.hex();
}

std::string key_of(const KeyParts& parts) {
  Digester digester;
  digester.add(build_fingerprint());
  digester.add(parts.program);
  digester.add(parts.numerics);
  digester.add(fmt::format("{}", parts.replicas));
  digester.add(parts.chip);
  digester.add(parts.chip_digest);
  return digester.hex();
}

}  // namespace understudy::cache
