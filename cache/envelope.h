// SPDX-License-Identifier: Apache-2.0
// The envelope around the payload of a cache entry. It keeps foreign, torn and damaged bytes away
// from the archive. All numbers little-endian, no padding:
//   entry := magic[8] format:u32 digest[32] fingerprint[32] key[32] parts_length:u64 length:u64
//            parts[parts_length] payload[length]
// fingerprint, key and digest are hexadecimal digits; the digest is that of all other bytes; parts
// is the text (cache/key.h) from which key and fingerprint were computed. Pure functions,
// thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cache/key.h"

namespace understudy::cache {

inline constexpr std::uint32_t kEnvelopeFormat = 5;

// Why an entry is not used.
enum class Refusal : std::uint8_t {
  none,          // the entry is good
  stale,         // of another build: a miss
  other_format,  // of an older or newer format: a miss
  foreign,       // not a cache entry
  torn,          // shorter or longer than its header says
  wrong_key,     // an entry, but for another key
  damaged,       // the digest does not match, or the content is not a valid executable
  special,       // not a regular file, or larger than any entry
  untrusted,     // its owner is not trusted, or it is world-writable: a miss
  unreadable,    // this user may not read it: a miss
};
std::string_view words_for(Refusal refusal);
// Whether it is a plain miss: the entry is intact and stays where it is.
bool is_miss(Refusal refusal);

// Views into the entry.
// The result of opening an entry: why it is refused, and the parts of it that are valid all the
// same.
struct Opened {
  Refusal refusal = Refusal::none;
  std::string_view key, fingerprint;  // empty if the entry has no valid ones
  NamedParts parts;                   // of none, stale and wrong_key
  std::string_view payload;           // of none and stale
};

// The bytes before the payload; and the whole entry.
std::string head_of_entry(const NamedParts& parts, std::string_view payload);
std::string seal(const NamedParts& parts, std::string_view payload);
// Accepts any key: for housekeeping.
Opened open(std::string_view entry);
// wrong_key also if the parts differ from `wanted`.
Opened open(std::string_view entry, const NamedParts& wanted);

}  // namespace understudy::cache
