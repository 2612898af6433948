// SPDX-License-Identifier: Apache-2.0
// What stands around the payload of a cache entry, so that nobody else's, torn or damaged bytes
// ever reach the archive. All numbers little-endian, no padding:
//   entry := magic[8] format:u32 digest[32] fingerprint[32] key[32] parts_length:u64 length:u64
//            parts[parts_length] payload[length]
// fingerprint, key and digest are hexadecimal digits; the digest is that of all other bytes; parts
// is the text of cache/key.h that key and fingerprint were made of. Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cache/key.h"

namespace understudy::cache {

inline constexpr std::uint32_t kEnvelopeFormat = 3;

// Why an entry is not used.
enum class Refusal : std::uint8_t {
  none,          // it is good
  stale,         // of another build: a miss
  other_format,  // of an older or newer format: a miss
  foreign,       // not a cache entry
  torn,          // shorter or longer than it says
  wrong_key,     // an entry, but for another key
  damaged,       // its digest does not fit its content, or its content is no executable
  special,       // no regular file, or larger than any entry
  untrusted,     // its owner is not believed, or every user may write into it: a miss
  unreadable,    // this user may not read it: a miss
};
std::string_view words_for(Refusal refusal);
// Whether it is a plain miss: nothing is wrong with the entry, and it stays.
bool is_miss(Refusal refusal);

// Views into the entry.
struct Opened {
  Refusal refusal = Refusal::none;
  std::string_view key, fingerprint;  // empty where the entry tells none that can be believed
  NamedParts parts;                   // of none, stale and wrong_key
  std::string_view payload;           // of none and stale
};

// All that stands before the payload; and the whole entry.
std::string head_of_entry(const NamedParts& parts, std::string_view payload);
std::string seal(const NamedParts& parts, std::string_view payload);
// Whatever key the entry has: for housekeeping.
Opened open(std::string_view entry);
// wrong_key too where its parts are not `wanted`, all of them.
Opened open(std::string_view entry, const NamedParts& wanted);

}  // namespace understudy::cache
