// SPDX-License-Identifier: Apache-2.0
// What stands around the payload of a cache entry, so that nobody else's, torn or damaged bytes
// ever reach the archive. All fields little-endian, no padding:
//   entry := magic[8] format:u32 fingerprint[32] key[32] length:u64 digest[32] payload[length]
// fingerprint, key and digest are hexadecimal digits. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace understudy::cache {

inline constexpr std::uint32_t kEnvelopeFormat = 1;

// Why an entry is not used.
enum class Refusal : std::uint8_t {
  none,       // it is good
  stale,      // of another build or format: a miss
  foreign,    // not a cache entry
  torn,       // shorter or longer than it says
  wrong_key,  // an entry, but for another key
  damaged,    // its digest does not fit its payload
};
std::string_view words_for(Refusal refusal);

struct Opened {
  Refusal refusal = Refusal::none;
  std::string_view payload;  // a view into the entry; empty unless refusal is none
};

// *Requires* key of 32 digits.
std::string seal(std::string_view key, std::string_view payload);
Opened open(std::string_view entry, std::string_view key);

}  // namespace understudy::cache
