// SPDX-License-Identifier: Apache-2.0
#include "configs/base/sha256.h"

#include <array>
#include <fmt/format.h>
#include <openssl/evp.h>

#include "configs/base/error.h"

namespace understudy {

// For digests that users compare with other tools; digest_of() is faster and internal.
std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw Error(ErrorKind::internal, "libcrypto failed to compute a SHA-256 digest");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace understudy
