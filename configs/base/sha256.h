// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for content that users compare with other tools: scripts, package lists.
// Our own content is named by faster digests (digest.h).
#pragma once

#include <string>
#include <string_view>

namespace understudy {

// 64 lower-case hexadecimal digits.
std::string sha256_of(std::string_view bytes);

}  // namespace understudy
