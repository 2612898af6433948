// SPDX-License-Identifier: Apache-2.0
#include "cache/envelope.h"

#include <array>
#include <bit>
#include <cstring>

#include "cache/compile_cache.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

static_assert(std::endian::native == std::endian::little, "entries are written as they lie");

constexpr std::string_view kMagic = "USTDYEXE";
constexpr std::size_t kDigits = 32;
constexpr std::size_t kFingerprintAt = 12, kKeyAt = 44, kLengthAt = 76, kDigestAt = 84,
                      kHeaderBytes = 116;

template <class Number>
Number number_at(std::string_view entry, std::size_t at) {
  Number number = 0;
  std::memcpy(&number, entry.data() + at, sizeof(number));
  return number;
}

template <class Number>
void append_number(std::string& entry, Number number) {
  std::array<char, sizeof(number)> bytes{};
  std::memcpy(bytes.data(), &number, sizeof(number));
  entry.append(bytes.data(), bytes.size());
}

}  // namespace

std::string_view words_for(Refusal refusal) {
  static constexpr std::array<std::string_view, 6> kWords = {
      "good", "of another build", "not a cache entry", "torn", "for another key", "damaged",
  };
  return kWords[static_cast<std::size_t>(refusal)];
}

std::string seal(std::string_view key, std::string_view payload) {
  UNDERSTUDY_ASSERT(key.size() == kDigits);
  std::string entry(kMagic);
  entry.reserve(kHeaderBytes + payload.size());
  append_number(entry, kEnvelopeFormat);
  entry += build_fingerprint();
  entry += key;
  append_number(entry, static_cast<std::uint64_t>(payload.size()));
  entry += digest_of(payload);
  UNDERSTUDY_ASSERT(entry.size() == kHeaderBytes);
  entry += payload;
  return entry;
}

Opened open(std::string_view entry, std::string_view key) {
  if (entry.substr(0, kMagic.size()) != kMagic.substr(0, entry.size()))
    return {Refusal::foreign, {}};
  if (entry.size() < kHeaderBytes) return {Refusal::torn, {}};
  if (number_at<std::uint32_t>(entry, kMagic.size()) != kEnvelopeFormat)
    return {Refusal::stale, {}};
  if (entry.substr(kFingerprintAt, kDigits) != build_fingerprint()) return {Refusal::stale, {}};
  if (entry.substr(kKeyAt, kDigits) != key) return {Refusal::wrong_key, {}};
  const std::string_view payload = entry.substr(kHeaderBytes);
  if (number_at<std::uint64_t>(entry, kLengthAt) != payload.size()) return {Refusal::torn, {}};
  if (entry.substr(kDigestAt, kDigits) != digest_of(payload)) return {Refusal::damaged, {}};
  return {Refusal::none, payload};
}

}  // namespace understudy::cache
