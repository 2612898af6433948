// SPDX-License-Identifier: Apache-2.0
// What stands around the payload of a cache entry, so that nobody else's, torn or damaged bytes
// ever reach the archive. All numbers little-endian, no padding:
//   entry := magic[8] format:u32 fingerprint[32] key[32] parts_length:u64 length:u64 digest[32]
//            parts[parts_length] payload[length]
// fingerprint, key and digest are hexadecimal digits; the digest is that of parts and payload;
// parts is the text of cache/key.h that the key was made of. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cache/key.h"

namespace understudy::cache {

inline constexpr std::uint32_t kEnvelopeFormat = 2;

// Why an entry is not used.
enum class Refusal : std::uint8_t {
  none,       // it is good
  stale,      // of another build or format: a miss
  foreign,    // not a cache entry
  torn,       // shorter or longer than it says
  wrong_key,  // an entry, but for another key
  damaged,    // its digest does not fit its content
};
std::string_view words_for(Refusal refusal);

// Views into the entry.
struct Opened {
  Refusal refusal = Refusal::none;
  std::string_view payload;  // empty unless refusal is none
};
struct Inspected {
  Refusal refusal = Refusal::none;    // stale: whole, but of another build, or of an older format
  std::string_view key, fingerprint;  // empty where the entry has none
  NamedParts parts;
  std::string_view payload;  // of none and stale; empty for an older format
};

// All that stands before the payload; and the whole entry.
std::string head_of_entry(const NamedParts& parts, std::string_view payload);
std::string seal(const NamedParts& parts, std::string_view payload);
Opened open(std::string_view entry, std::string_view key);
// For housekeeping: whatever key the entry has.
Inspected inspect(std::string_view entry);

}  // namespace understudy::cache
