// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) of what others compare with tools of their own: scripts, lists of packages.
// Names of our own content are digests (digest.h).
#pragma once

#include <string>
#include <string_view>

namespace understudy {

// 64 lower-case hexadecimal digits.
std::string sha256_of(std::string_view bytes);

}  // namespace understudy
